import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustocr.reading import SCORED_FIELDS
from robustocr.report.wording import condition_name, count, duration, percent, rate, reading_order, showable


@pytest.mark.parametrize(
    ("value", "side", "text"),
    [
        (0.824, "lower", "82"),
        (0.829, "lower", "82"),
        (0.821, "upper", "83"),
        (0.825, "estimate", "82"),
        (0.875, "estimate", "88"),
        (0.0, "lower", "0"),
        (1.0, "upper", "100"),
        (1.0, "lower", "100"),
        (0.9999, "lower", "99.9"),
        (0.9999, "estimate", "99.9"),
        (0.9999, "upper", "100"),
        (0.002, "lower", "0"),
        (0.0021, "upper", "0.3"),
        (0.0001, "estimate", "0.1"),
        (0.29, "lower", "29"),
        (0.57, "upper", "57"),
        (None, "lower", "–"),
    ],
)
def test_percent(value, side, text):
    assert percent(value, side) == text


@given(st.floats(0, 1))
def test_bounds_never_claim_more_than_the_number(value):
    assert float(percent(value, "lower")) <= value * 100 + 1e-6
    assert float(percent(value, "upper")) >= value * 100 - 1e-6
    assert (percent(value) == "100") == (value == 1)
    assert (percent(value) == "0") == (value == 0)


def test_condition_names():
    assert condition_name("motion_blur", 3) == "motion blur, severity 3"
    assert condition_name("motion_blur", 3, short=True) == "motion blur 3"
    assert condition_name("stain", 2, "total") == "stain on total, severity 2"
    assert condition_name("clean", 0) == "clean"


def test_reading_order_is_that_of_importance_with_the_seldom_printed_last():
    fields = ["iban", "extra.b", "change", "taxes", "merchant", "tip", "date", "document"]
    fields += ["extra.a", "items", "subtotal", "total", "change"]
    assert reading_order(fields) == (
        "total", "subtotal", "items", "document", "date", "merchant", "taxes", "change",
        "extra.b", "extra.a", "tip", "iban",
    )  # fmt: skip


def test_every_scored_field_has_a_place_in_the_order():
    assert reading_order(["extra.a", *SCORED_FIELDS])[-3:] == ("extra.a", "tip", "iban")


def test_what_a_page_may_not_hold_is_replaced():
    assert showable("a\0b\x1b[2J\x7f\x85\ud800\uffff") == "a\ufffdb\ufffd[2J" + 4 * "\ufffd"
    assert showable("tab\tline\r\nGrößé – 合計 \U0001f9fe") == "tab\tline\r\nGrößé – 合計 \U0001f9fe"


def test_rate_without_an_estimate_is_no_rate():
    assert rate({}) is None
    assert rate(None) is None
    assert rate({"estimate": None, "n": 0}) is None
    found = rate({"corruption": "tilt", "severity": 5, "estimate": 0.5, "n": 24, "lower_bound": 0.32})
    assert (found.estimate, found.n, found.lower_bound, found.upper_bound) == (0.5, 24, 0.32, None)
    assert (found.condition, found.short_condition) == ("tilt, severity 5", "tilt 5")


def test_counts_and_durations():
    assert [count(1, "receipt"), count(1200, "receipt")] == ["1 receipt", "1,200 receipts"]
    assert [duration(0.416), duration(59.7), duration(200), duration(7500)] == [
        "0.42 s", "1 min 00 s", "3 min 20 s", "2 h 05 min",
    ]  # fmt: skip
