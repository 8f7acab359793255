from decimal import Decimal

import pytest

from robustocr.adapters.answers import LONGEST_TEXT, extraction_of
from robustocr.errors import AdapterError
from robustocr.records import Extraction, Marker, Receipt


def test_a_receipt_dict_an_extraction_dict_and_records_are_taken():
    assert extraction_of({"total": "28.90"}).receipt.total == Decimal("28.90")
    full = extraction_of({"receipt": {"total": 28.9}, "marks": {"total": {"marker": "suspected"}}})
    assert full.receipt.total == Decimal("28.9")
    assert full.marks["total"].marker is Marker.SUSPECTED
    receipt = Receipt.model_validate({"total": "1.00"})
    assert extraction_of(receipt).receipt is receipt
    assert extraction_of(Extraction(receipt=receipt)).receipt is receipt


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        (None, "NoneType"),
        ("28.90", "str"),
        ([], "list"),
        ({"total": "RM 28.90"}, "total"),
        ({"total": float("nan")}, "total"),
        ({"total": True}, "total"),
        ({"totl": "28.90"}, "totl"),
        ({"receipt": {"total": "1"}, "marks": {"total": {"marker": "sure"}}}, "marker"),
        ({"receipt": {"total": "1"}, "marks": {"grand": {}}}, "grand"),
        ({"items": {"amount": "1"}}, "items"),
    ],
)
def test_nonsense_is_malformed_and_the_message_names_it(answer, named):
    with pytest.raises(AdapterError, match=named) as caught:
        extraction_of(answer)
    assert caught.value.kind == "malformed"
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"receipt": {}, "mark": {}}, "unknown key 'mark'. Did you mean 'marks'? Known: error, marks, raw"),
        ({"totl": "1.00"}, "unknown key 'totl'. Did you mean 'total'?"),
        ({"receipt": {"totl": "1.00"}}, "receipt: unknown key 'totl'. Did you mean 'total'?"),
        ({"items": [{"amont": "1.00"}]}, "items[0]: unknown key 'amont'. Did you mean 'amount'?"),
        ({"items": "Tea"}, "items: Input should be a valid list (got 'Tea')"),
        ({"total": "RM 1.00"}, "total: 'RM 1.00' is not a plain decimal amount"),
    ],
)
def test_messages_say_what_was_probably_meant(answer, message):
    with pytest.raises(AdapterError) as caught:
        extraction_of(answer)
    assert f"the reader returned a malformed receipt: {message}" in str(caught.value)


def test_the_subject_of_messages_is_the_callers():
    with pytest.raises(AdapterError, match=r"^it holds list, not a receipt dict"):
        extraction_of([], what="it holds")
    with pytest.raises(AdapterError, match=r"^it holds a malformed receipt: unknown key 'totl'"):
        extraction_of({"totl": 1}, what="it holds")


def test_half_characters_are_replaced_everywhere():
    half = "Caf\ud800"
    found = extraction_of(
        {
            "receipt": {"merchant": half, "items": ({"name": half},), "extra": {half: half}, "lines": [half]},
            "raw": half,
            "trace": [{"step": [half]}],
        }
    )
    receipt = found.receipt
    assert [receipt.merchant, receipt.items[0].name, *receipt.lines, found.raw] == ["Caf?"] * 4
    assert receipt.extra == {"Caf?": "Caf?"}
    assert found.trace == ({"step": ["Caf?"]},)
    assert extraction_of({"merchant": "Café 東京 🍣"}).receipt.merchant == "Café 東京 🍣"


def test_long_texts_are_cut_with_an_ellipsis():
    whole, long = "a" * LONGEST_TEXT, "a" * (LONGEST_TEXT + 1)
    found = extraction_of({"receipt": {"merchant": long, "address": whole}, "raw": long * 50})
    assert found.receipt.merchant == whole + "…"
    assert found.receipt.address == whole
    assert found.raw == whole + "…"


def test_what_never_ends_is_malformed():
    circle = {}
    circle["receipt"] = circle
    deep = []
    for _ in range(5000):
        deep = [deep]
    for answer in (circle, {"receipt": {"items": deep}}, {"receipt": {}, "trace": [{"step": deep}]}):
        with pytest.raises(AdapterError, match="nested too deeply") as caught:
            extraction_of(answer)
        assert caught.value.kind == "malformed"
