import json

import pandas as pd
import pytest

from robustocr.records import Marker, Outcome, OutcomeKind, Verdict, VerdictStatus
from robustocr.report.shown import equations
from robustocr.report.silent import count_silent_errors, relative_error, worst_silent_errors

CASES = pd.DataFrame({"key": [], "adapter": []})


def outcome(sample: str = "a", **changes) -> dict:
    base = {
        "sample_id": sample, "corruption": "tilt", "severity": 3, "seed": 0, "adapter": "reader",
        "field": "total",
        "truth": "20.00", "value": "21.00", "marker": "certain", "outcome": OutcomeKind.WRONG, "silent": True,
        "verdict": VerdictStatus.CANNOT_TELL,
    }  # fmt: skip
    return Outcome(**{**base, **changes}).model_dump(mode="json")


def chosen(*rows: dict, limit: int = 12) -> list[tuple[str, str]]:
    errors = worst_silent_errors(pd.DataFrame(rows), CASES, limit)
    return [(error.wanted.case.sample_id, error.wanted.field) for error in errors]


def test_only_silent_errors_are_chosen():
    rows = [outcome("a"), outcome("b", silent=False), outcome("c", outcome=OutcomeKind.CORRECT, silent=False)]
    assert chosen(*rows) == [("a", "total")]


def test_worst_first():
    rows = [
        outcome("text", field="merchant", truth="Blue Door", value="Blve Poor"),
        outcome("small"),
        outcome("large", value="2000.00"),
        outcome("doubtful", value="9000.00", marker="possible"),
        outcome("hidden", value="9000.00", answerable=False),
        outcome("closes", verdict=VerdictStatus.CLOSES, value="20.10"),
    ]
    names = [sample for sample, _ in chosen(*rows)]
    assert names == ["closes", "large", "small", "text", "doubtful", "hidden"]
    assert chosen(*rows, limit=2) == [("closes", "total"), ("large", "total")]


def test_a_second_error_of_a_kind_comes_after_all_first_ones():
    rows = [outcome("a", value="90.00"), outcome("a", value="80.00", severity=5), outcome("b")]
    assert [sample for sample, _ in chosen(*rows)] == ["a", "b", "a"]


def test_parts_stand_for_the_whole():
    rows = [
        outcome("a", field="document", truth=None, value=None),
        outcome("a", field="items", truth="9.00 4.00", value="9.00"),
        outcome("a", field="items[1].amount", truth="4.00", value="9.00"),
        outcome("b", field="items", truth="9.00", value="9.00 1.00"),
    ]
    assert chosen(*rows) == [("a", "items[1].amount"), ("b", "items")]
    assert count_silent_errors(pd.DataFrame(rows)) == 2


def test_no_silent_error_and_no_rows_at_all():
    assert chosen(outcome("a", silent=False)) == []
    empty = pd.DataFrame(columns=list(Outcome.model_fields))
    assert worst_silent_errors(empty, CASES, 12) == ()


def test_the_order_of_the_table_does_not_matter():
    rows = [outcome(sample, value=f"2{place % 3}.50") for place, sample in enumerate("abcdefgh")]
    assert chosen(*rows) == chosen(*reversed(rows))


def test_what_is_known_of_the_case_comes_along():
    verdict = {
        "status": "closes",
        "closings": [{"name": "items = total", "equation": "9.00 + 12.00 = 21.00"}],
    }
    cases = pd.DataFrame(
        {
            "key": ["a/tilt/3/0", "a/tilt/3/0"],
            "adapter": ["other", "reader"],
            "picture_sha256": ["f" * 64, "f" * 64],
            "verdict_json": [None, json.dumps(verdict)],
            "boxes_json": ["{}", json.dumps({"total": [[1, 2, 3, 4]], "total_else": [[9, 9, 9, 9]]})],
        }
    )
    row = outcome("a", verdict=VerdictStatus.CLOSES, marker=None, score=0.9, text="21,00")
    (error,) = worst_silent_errors(pd.DataFrame([row]), cases, 5)
    assert error.wanted.key == "a/tilt/3/0"
    assert error.wanted.boxes == ((1, 2, 3, 4),)
    assert error.wanted.picture_sha256 == "f" * 64
    assert (error.marker, error.score, error.text, error.value) == (Marker.CERTAIN, 0.9, "21,00", "21.00")
    assert error.relative_error == pytest.approx(0.05)
    assert equations(error.verdict) == ("9.00 + 12.00 = 21.00",)


def test_what_the_rules_said_in_words():
    check = {"rule": "total_equals_sum", "status": "fails", "equation": "9.00 + 19.90 = 28.90, printed 23.90"}
    held = {"rule": "other", "status": "holds", "equation": "1 = 1"}
    suspects = [
        {"field": "subtotal", "read": "23.90", "proposed": "28.90"},
        {"field": "items", "read": "28.90"},
    ]
    verdict = Verdict.model_validate(
        {"status": "contradicts", "checks": [held, check], "suspects": [*suspects, {"field": "tip"}]}
    )
    assert equations(verdict) == (
        "9.00 + 19.90 = 28.90, printed 23.90",
        "suspect subtotal: read 23.90, would close with 28.90",
        "suspect items: read 28.90",
        "suspect tip",
    )
    assert equations(None) == ()
    assert equations(Verdict(status=VerdictStatus.CANNOT_TELL)) == ()


@pytest.mark.parametrize(
    ("value", "truth", "expected"),
    [
        ("30.00", "20.00", 0.5), ("-20", "20", 2.0), ("1.00", "0.00", 100.0), ("Blue", "20", None),
        (None, "1", None),
        ("1", None, None), ("Infinity", "1", None), ("NaN", "1", None),
    ],
)  # fmt: skip
def test_relative_error(value, truth, expected):
    assert relative_error(value, truth) == expected
