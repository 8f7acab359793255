from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustocr.numeral import Convention
from robustocr.printed import canonical_receipt
from robustocr.records import Receipt


def test_every_kind_of_field_of_a_german_receipt():
    receipt = canonical_receipt(
        {
            "merchant": "Laden",
            "date": "14.03.2026 18:05 Uhr",
            "time": "18:05 Uhr",
            "currency": "€",
            "items": [
                {"name": "Milch", "quantity": "2 x", "unit_price": "0,99", "amount": "1,98 A"},
                {"name": "Sofa", "amount": "1.234,50", "discount": "10,00"},
            ],
            "discounts": [{"label": "Rabatt", "amount": "2,50"}],
            "taxes": [{"rate": "19%", "base": "1.036,12", "amount": "196,86", "included": True}],
            "total": "1.233,98",
            "payments": [{"label": "Bar", "amount": "1.300,00"}],
            "change": "66,02-",
            "item_count": "2",
        }
    )
    assert receipt == {
        "merchant": "Laden",
        "date": "2026-03-14",
        "time": "18:05:00",
        "currency": "EUR",
        "items": [
            {"name": "Milch", "quantity": "2", "unit_price": "0.99", "amount": "1.98"},
            {"name": "Sofa", "amount": "1234.50", "discount": "-10.00"},
        ],
        "discounts": [{"label": "Rabatt", "amount": "-2.50"}],
        "taxes": [{"rate": "0.19", "base": "1036.12", "amount": "196.86", "included": True}],
        "total": "1233.98",
        "payments": [{"label": "Bar", "amount": "1300.00"}],
        "change": "-66.02",
        "item_count": "2",
    }


def test_the_decimal_mark_is_decided_over_all_amounts():
    assert canonical_receipt({"subtotal": "5.455", "total": "60.000"}) == {
        "subtotal": "5455",
        "total": "60000",
    }
    fuel = {"items": [{"unit_price": "2.679", "quantity": "13.814", "amount": "37.01"}], "total": "37.01"}
    assert canonical_receipt(fuel)["items"][0] == {
        "unit_price": "2.679",
        "quantity": "13.814",
        "amount": "37.01",
    }
    known = Convention(decimal=".")
    assert canonical_receipt({"total": "9.000"}, convention=known) == {"total": "9.000"}


def test_what_nothing_decides_stays_unlabelled():
    assert canonical_receipt({"date": "02/01/2018", "currency": "$", "total": ""}) == {}
    assert canonical_receipt({"date": "02/01/2018"}, day_first=True) == {"date": "2018-01-02"}
    assert canonical_receipt({"date": "02/01/2018", "currency": "RM"}) == {
        "date": "2018-01-02",
        "currency": "MYR",
    }


def test_null_numbers_and_unknown_keys_are_kept():
    data = {"tip": None, "total": 9.5, "discounts": [], "nonsense": "1,5", "items": "none"}
    assert canonical_receipt(data) == data


@pytest.mark.parametrize(
    ("data", "path", "value"),
    [
        ({"total": "nine"}, "total", "nine"),
        ({"items": [{"amount": "1.00"}, {"amount": "1,2,3"}]}, "items[1].amount", "1,2,3"),
        ({"items": [{"quantity": "many"}]}, "items[0].quantity", "many"),
        ({"taxes": [{"rate": "x%"}]}, "taxes[0].rate", "x%"),
        ({"date": "31/02/2018"}, "date", "31/02/2018"),
        ({"time": "25:00"}, "time", "25:00"),
        ({"item_count": "2.5"}, "item_count", "2.5"),
        ({"payments": [{"amount": "cash"}]}, "payments[0].amount", "cash"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_path(data, path, value):
    with pytest.raises(ValueError, match="is not a") as caught:
        canonical_receipt(data)
    assert str(caught.value).startswith(f"{path}: {value!r}")


def test_a_receipt_that_says_it_is_printed_is_read_so():
    receipt = Receipt.model_validate({"printed": True, "total": "RM 3.90", "change": "2.50-"})
    assert (receipt.total, receipt.change) == (Decimal("3.90"), Decimal("-2.50"))
    with pytest.raises(ValueError, match=r"total: 'x' is not a printed amount"):
        Receipt.model_validate({"printed": True, "total": "x"})
    with pytest.raises(ValueError, match="printed"):
        Receipt.model_validate({"total": "RM 3.90"})


@settings(deadline=None)
@given(
    st.lists(st.integers(1, 9_999_999), min_size=1, max_size=8),
    st.sampled_from([(",", "."), (".", ","), ("'", ".")]),
)
def test_any_receipt_with_cents_is_read_back(cents, marks):
    thousands, decimal = marks
    amounts = [Decimal(value).scaleb(-2) for value in cents]
    printed = [f"{a:,.2f}".replace(",", "T").replace(".", decimal).replace("T", thousands) for a in amounts]
    receipt = Receipt.model_validate(
        {"printed": True, "items": [{"amount": text} for text in printed], "total": printed[0]}
    )
    assert [item.amount for item in receipt.items] == amounts
    assert receipt.total == amounts[0]
