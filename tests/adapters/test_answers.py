from decimal import Decimal

import pytest

from robustocr.adapters.answers import extraction_of
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
