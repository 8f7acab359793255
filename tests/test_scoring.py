import time
from decimal import Decimal

import pytest

from robustocr.errors import InputError
from robustocr.reading import SCORED_FIELDS
from robustocr.records import (
    Extraction,
    Failure,
    Item,
    Mark,
    Marker,
    OutcomeKind,
    Receipt,
    VerdictStatus,
)
from robustocr.scoring import score
from tests.scored_case import CASE, TRUTH, outcomes


def kinds(scored):
    return {name: str(o.outcome) for name, o in scored.items()}


def test_all_right():
    scored = outcomes(TRUTH, group="shop")
    assert kinds(scored) == dict.fromkeys(
        ["merchant", "date", "tip", "total", "items", "taxes", "items[0].amount", "items[0].quantity",
         "items[1].amount", "document"], "correct"
    )  # fmt: skip
    total = scored["total"]
    assert (total.sample_id, total.corruption, total.severity, total.seed) == ("r1", "tilt", 3, 7)
    assert (total.group, total.adapter, total.truth, total.value) == ("shop", "a", "28.90", "28.90")
    assert total.marker == Marker.CERTAIN
    assert total.verdict == VerdictStatus.CLOSES
    assert scored["tip"].marker is None
    assert scored["items"].truth == "9.00, 19.90"
    assert scored["document"].truth == "merchant, date, total, items, taxes"


def test_wrong_and_silent():
    scored = outcomes({**TRUTH, "total": "23.90"})
    assert scored["total"].outcome == OutcomeKind.WRONG
    assert scored["total"].silent
    assert scored["document"].outcome == OutcomeKind.WRONG
    assert scored["document"].silent
    assert not scored["merchant"].silent


@pytest.mark.parametrize(
    ("more", "by_reader", "by_rules"),
    [
        ({"marks": {"total": Mark(marker="suspected")}}, True, False),
        ({"marks": {"total": Mark(marker="possible")}}, True, False),
        ({"review": ("total",)}, True, False),
        ({"suspects": ("total",)}, False, True),
        ({"review": ("total",), "suspects": ("total",)}, True, True),
        ({"marks": {"total": Mark(marker="certain")}}, False, False),
        ({"suspects": ("subtotal",)}, False, False),
    ],
)
def test_who_flags_a_wrong_total(more, by_reader, by_rules):
    scored = outcomes({**TRUTH, "total": "23.90"}, **more)
    for name in ("total", "document"):
        assert scored[name].outcome == OutcomeKind.WRONG
        assert scored[name].flagged_by_reader is by_reader
        assert scored[name].flagged_by_rules is by_rules
        assert scored[name].silent is not (by_reader or by_rules)


def test_nothing_read_is_missed_or_abstained():
    read = {key: value for key, value in TRUTH.items() if key != "total"}
    assert outcomes(read)["total"].outcome == OutcomeKind.MISSED
    assert outcomes(read)["document"].outcome == OutcomeKind.MISSED
    asked = outcomes(read, review=("total",))
    assert asked["total"].outcome == OutcomeKind.ABSTAINED
    assert asked["document"].outcome == OutcomeKind.ABSTAINED
    assert not asked["total"].silent


def test_a_blank_weighs_more_than_a_doubt_in_the_document():
    read = {key: value for key, value in TRUTH.items() if key not in ("total", "date")}
    assert outcomes(read, review=("total",))["document"].outcome == OutcomeKind.MISSED
    both = outcomes({**read, "merchant": "Umbrella Hut"}, review=("total",))
    assert both["document"].outcome == OutcomeKind.WRONG


def test_a_missed_field_is_never_silent():
    assert not outcomes({})["total"].silent


@pytest.mark.parametrize("value", ["28.90", "23.90"])
def test_unreadable_is_abstained_whatever_it_says(value):
    mark = Mark(marker="unreadable", score=0.1, text="2?.90")
    scored = outcomes({**TRUTH, "total": value}, marks={"total": mark})
    assert scored["total"].outcome == OutcomeKind.ABSTAINED
    assert scored["total"].flagged_by_reader
    assert (scored["total"].text, scored["total"].score) == ("2?.90", 0.1)


def test_known_to_be_absent():
    invented = outcomes({**TRUTH, "tip": "2.00"})
    assert invented["tip"].outcome == OutcomeKind.INVENTED
    assert invented["tip"].silent
    assert invented["document"].outcome == OutcomeKind.WRONG
    assert not outcomes({**TRUTH, "tip": "2.00"}, review=("tip",))["tip"].silent
    assert outcomes(TRUTH, marks={"tip": Mark(marker="unreadable")})["tip"].outcome == OutcomeKind.CORRECT


def test_unlabelled_is_never_scored():
    scored = outcomes({**TRUTH, "address": "12 High Street", "change": "1.00"}, {"total": "28.90"})
    assert list(scored) == ["total", "document"]
    assert scored["document"].outcome == OutcomeKind.CORRECT


def test_a_doubt_about_an_unlabelled_field_does_not_flag_the_document():
    scored = outcomes(TRUTH, {"total": "28.90"}, review=("address",))
    assert not scored["document"].flagged_by_reader


def test_an_empty_truth_has_no_outcomes():
    assert outcomes(TRUTH, {}) == {}
    assert outcomes(TRUTH, {"extra": {"till": "4"}, "lines": ["a"]}) == {}


@pytest.mark.parametrize("kind", ["timeout", "malformed", "refused", "crashed"])
def test_an_error_fails_every_field(kind):
    scored = outcomes(TRUTH, error=Failure(kind=kind, message="no"), review=("total",), suspects=("total",))
    assert set(kinds(scored).values()) == {"failed"}
    assert {"items[0].quantity", "document", "tip"} <= set(scored)
    assert not any(o.silent or o.flagged_by_reader or o.flagged_by_rules for o in scored.values())
    assert {o.verdict for o in scored.values()} == {None}
    assert {o.error for o in scored.values()} == {kind}
    assert {o.value for o in scored.values()} == {None}


def test_lists_are_multisets_of_amounts():
    assert outcomes({**TRUTH, "taxes": [{"amount": "2.48"}]})["taxes"].outcome == OutcomeKind.WRONG
    assert outcomes({**TRUTH, "taxes": []})["taxes"].outcome == OutcomeKind.MISSED
    assert outcomes({"payments": [{"amount": "5"}]}, {"payments": []})["payments"].outcome == "invented"
    assert outcomes({}, {"payments": []})["payments"].outcome == OutcomeKind.CORRECT
    read = {"payments": [{"amount": "5"}, {"amount": "-1.0"}]}
    truth = {"payments": [{"label": "Void", "amount": "-1.00"}, {"label": "Cash", "amount": "5.00"}]}
    assert outcomes(read, truth)["payments"].outcome == OutcomeKind.CORRECT


def test_a_list_is_flagged_and_doubted_by_its_parts():
    marks = {"taxes[1].amount": Mark(marker="suspected", score=0.4), "taxes[0].amount": Mark(score=0.9)}
    scored = outcomes({**TRUTH, "taxes": [{"amount": "2.48"}, {"amount": "2.43"}]}, marks=marks)
    assert scored["taxes"].outcome == OutcomeKind.WRONG
    assert scored["taxes"].flagged_by_reader
    assert (scored["taxes"].marker, scored["taxes"].score) == (Marker.SUSPECTED, 0.4)
    assert not scored["taxes"].silent
    assert not scored["items"].flagged_by_reader


@pytest.mark.parametrize(
    ("coverage", "answerable"),
    [([0.95], False), ([0.9], False), ([0.89], True), ([1.0, 0.2], True), ([1.0, 0.97], False), ([], True)],
)
def test_answerable_by_the_best_visible_place(coverage, answerable):
    scored = outcomes(TRUTH, coverage={"total": coverage, "items[0].amount": [0.0]})
    assert scored["total"].answerable is answerable
    assert scored["document"].answerable is answerable
    assert scored["items"].answerable
    assert scored["total"].coverage == (min(coverage) if coverage else None)
    assert scored["merchant"].coverage is None


def test_a_list_is_unanswerable_when_one_of_its_parts_is():
    coverage = {
        "items[1].amount": [1.0],
        "items[0]": [0.3],
        "taxes[1].amount": [0.91],
        "taxes[0].amount": [0.1],
    }
    scored = outcomes(TRUTH, coverage=coverage)
    hidden = {name for name, o in scored.items() if not o.answerable}
    assert hidden == {"items", "items[1].amount", "taxes", "document"}
    assert scored["items[0].quantity"].coverage == 0.3
    names_only = outcomes(TRUTH, coverage={"items[1].name": [1.0], "items[1].amount": [0.0]})
    assert names_only["items"].answerable


def test_fields_restrict_the_document_too():
    wrong_date = {**TRUTH, "date": "2026-03-15"}
    scored = outcomes(wrong_date, fields=["total", "items"])
    assert set(scored) == {
        "total",
        "items",
        "items[0].amount",
        "items[0].quantity",
        "items[1].amount",
        "document",
    }
    assert scored["document"].outcome == OutcomeKind.CORRECT
    whole = outcomes(wrong_date, fields=["total", "document"])
    assert list(whole) == ["total", "document"]
    assert whole["document"].outcome == OutcomeKind.WRONG


def test_an_unknown_field_is_named():
    with pytest.raises(InputError, match=r"unknown field 'totl'. Did you mean 'total'"):
        outcomes(TRUTH, fields=["totl"])
    assert "document" in SCORED_FIELDS


def test_without_a_verdict():
    scored = score(Extraction(), Receipt(total="1.00"), None, case=CASE, adapter="a")
    assert [o.verdict for o in scored] == [None, None]
    assert [o.outcome for o in scored] == [OutcomeKind.MISSED] * 2


@pytest.mark.slow
def test_a_thousand_cases_of_fifteen_items_take_seconds():
    truth = Receipt(
        total="120.00",
        date="2026-03-14",
        items=[Item(name=f"Thing {i}", quantity="1", amount=Decimal(i) + 1) for i in range(15)],
    )
    shuffled = Receipt(total="120.00", date="2026-03-14", items=truth.items[::-1])
    marks = {f"items[{i}].amount": Mark(marker="possible") for i in range(15)}
    extraction = Extraction(receipt=shuffled, marks=marks)
    started = time.process_time()
    for _ in range(1000):
        scored = score(extraction, truth, None, case=CASE, adapter="a")
    assert time.process_time() - started < 8
    assert {o.outcome for o in scored} == {OutcomeKind.CORRECT}
