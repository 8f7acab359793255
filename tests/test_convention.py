import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustocr.convention import infer_convention


def marks(*texts):
    convention = infer_convention(texts)
    return convention.decimal, convention.thousands, convention.decimals


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["12.50", "3.00"], (".", "", 2)),
        (["1,234.50", "3.00"], (".", ",", 2)),
        (["1.234,50"], (",", ".", 2)),
        (["12,50"], (",", "", 2)),
        (["60.000", "5.455"], ("", ".", 0)),
        (["43.636", "3,000", "51.300"], ("", ".", 0)),
        (["91000", "17500"], ("", "", 0)),
        (["1 234,50"], (",", " ", 2)),
        (["1'234.50"], (".", "'", 2)),
        (["1,23,456.00"], (".", ",", 2)),
        (["KWD 3.479", "12.500"], (".", "", 3)),
        (["BHD 0.586"], (".", "", 3)),
        (["¥6,900"], ("", ",", 0)),
        (["13.814", "2.679", "37.01"], (".", "", 2)),
        (["GALLONS 2.891", "PRICE/GAL 3.459", "$10.00"], (".", "", 2)),
        (["1 PC * 9.000 0.00 9.00", "10.00"], (".", "", 2)),
        (["2 60.000 60.000", "TOTAL (Qty 2.00 60.000"], ("", ".", 0)),
        (["10.00 %", "60.000"], ("", ".", 0)),
        (["Rp 60.000", "2.00"], ("", ".", 0)),
        ([], ("", "", 2)),
        (["no numbers at all"], ("", "", 2)),
        (["KWD"], ("", "", 3)),
        (["25.12.2018", "18:05"], ("", "", 2)),
    ],
)
def test_marks_and_decimals(texts, expected):
    assert marks(*texts) == expected


def test_evidence_and_currency_are_told():
    convention = infer_convention(["TOTAL RM 1,234.50", "RM 3.00"])
    assert convention.currency == "MYR"
    assert convention.evidence == ("1,234.50", "3.00")


@settings(deadline=None)
@given(st.lists(st.integers(1, 999_999), min_size=3, max_size=12))
def test_european_receipts_with_cents_are_always_decided(cents):
    texts = [f"{value / 100:,.2f}".replace(",", "T").replace(".", ",").replace("T", ".") for value in cents]
    assert infer_convention(texts).decimal == ","


@settings(deadline=None)
@given(st.permutations(["60.000", "Qty 2.00", "1.250.000", "TAX 5.455"]))
def test_the_order_of_texts_does_not_matter(texts):
    convention = infer_convention(texts)
    assert (convention.decimal, convention.thousands) == ("", ".")
