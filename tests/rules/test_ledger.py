from decimal import Decimal

from robustocr.records import Receipt
from robustocr.rules.ledger import build_ledger, decimals
from tests.rules.build import amounts, items, row, story


def test_amounts_become_integers_of_the_smallest_unit():
    ledger = build_ledger(story())
    assert ledger.places == 2
    assert ledger.sums["items"] == 2890
    assert ledger.sums["discounts[0]"] == -100
    assert ledger.sums["taxes[0]"] == 223
    assert ledger.money(2890) == Decimal("28.90")
    assert str(ledger.money(2890)) == "28.90"
    assert not ledger.incomplete


def test_whole_amounts_keep_no_decimals_and_the_finest_amount_decides():
    assert build_ledger(Receipt(total="12300", subtotal="12300")).places == 0
    assert build_ledger(Receipt(total="12.5", subtotal="12.125")).sums == {"total": 12500, "subtotal": 12125}


def test_units_refuse_what_is_finer_than_the_receipt():
    ledger = build_ledger(Receipt(total="12.50"))
    assert ledger.units(Decimal("0.05")) == 5
    assert ledger.units(Decimal("0.005")) is None


def test_a_discount_lowers_with_or_without_its_sign():
    ledger = build_ledger(Receipt(discounts=amounts("-2.50", "2.50")))
    assert ledger.sums == {"discounts[0]": -250, "discounts[1]": -250}


def test_returns_reversals_and_add_ons_are_told_apart():
    ledger = build_ledger(
        Receipt(
            items=[
                *items("9.00"),
                {"amount": "2.00", "kind": "return"},
                {"amount": "1.50", "kind": "modifier"},
                {"name": "VOID tea", "amount": "3.00"},
                {"name": "Discovery kit", "amount": "4.00"},
                {"amount": "8.00", "discount": "1.00"},
            ]
        )
    )
    assert ledger.sums == {
        "items": 900 - 200 + 400,
        "modifiers": 150,
        "reversals": 300,
        "discounted": 800,
        "item_discounts": -100,
    }
    assert [term.path for term in ledger.item_terms] == [f"items[{index}].amount" for index in range(6)]


def test_an_amount_follows_from_quantity_and_price_or_the_list_is_incomplete():
    derived = build_ledger(Receipt(items=[{"quantity": "3", "unit_price": "1.15"}]))
    assert derived.sums["items"] == 345
    assert derived.item_terms[0].derived
    assert build_ledger(Receipt(items=[{"quantity": "3"}, row("1", "2.00", "2.00")])).incomplete


def test_impossible_amounts_are_left_out_and_named():
    ledger = build_ledger(Receipt(total="1" * 16, subtotal="12.50", tip="0.0000001"))
    assert ledger.implausible == ("tip", "total")
    assert ledger.sums == {"subtotal": 1250}


def test_decimals_count_trailing_zeros():
    assert [decimals(Decimal(text)) for text in ("3.90", "3.9", "39", "1E+3")] == [2, 1, 0, 0]
