from collections import Counter
from decimal import Decimal

import pytest

from robustocr.records import Receipt
from robustocr.synth.bill import Bill
from robustocr.synth.make import draw_truth, sample_rng, sample_shop
from robustocr.synth.shops import Shop, all_shops, find_shop
from tests.synth.adding_up import cents, expected_total, items_sum, nearest

SEEDS = range(360)


@pytest.fixture(scope="module")
def bills() -> list[Bill]:
    return [draw_truth(sample_shop(seed), sample_rng(7, seed)) for seed in SEEDS]


@pytest.fixture(scope="module")
def receipts(bills: list[Bill]) -> list[Receipt]:
    return [bill.receipt for bill in bills]


def find_shop_of(bill: Bill) -> Shop:
    return next(shop for shop in all_shops() if shop.name == bill.receipt.merchant)


def test_total_is_the_sum_of_what_is_printed_above_it(receipts):
    for receipt in receipts:
        assert cents(receipt.total) == expected_total(receipt) > 0


def test_subtotal_is_the_sum_of_the_items(receipts):
    printed = [receipt for receipt in receipts if receipt.subtotal is not None]
    assert len(printed) > 100
    for receipt in printed:
        assert cents(receipt.subtotal) == items_sum(receipt)


def test_payments_less_change_are_the_total(receipts):
    for receipt in receipts:
        paid = sum(cents(payment.amount) for payment in receipt.payments)
        assert paid - cents(receipt.change) == cents(receipt.total)
        assert cents(receipt.change) >= 0


def test_quantity_times_price_is_the_amount(receipts):
    priced = [item for receipt in receipts for item in receipt.items if item.unit_price is not None]
    assert len(priced) > 500
    for item in priced:
        assert item.quantity is not None
        assert nearest(item.quantity * item.unit_price * 100) == cents(item.amount)


def test_included_tax_is_part_of_its_gross_sum(receipts):
    rows = [tax for receipt in receipts for tax in receipt.taxes if tax.included and tax.base is not None]
    assert len(rows) > 100
    for tax in rows:
        gross = cents(tax.base) + cents(tax.amount)
        assert tax.gross is None or cents(tax.gross) == gross
        assert abs(nearest(Decimal(gross) / (1 + tax.rate)) - cents(tax.base)) == 0


def test_included_tax_on_one_line_is_that_of_the_items_with_its_letter(bills):
    checked = 0
    for bill in bills:
        taxes, items = bill.receipt.taxes, bill.receipt.items
        if (
            not bill.letters
            or bill.receipt.discounts
            or len(taxes) != 1
            or taxes[0].base
            or not taxes[0].included
        ):
            continue
        standard = find_shop_of(bill).custom.letters[0]
        marked = [item for item, letter in zip(items, bill.letters, strict=True) if letter == standard]
        gross = sum(cents(item.amount) + cents(item.discount) for item in marked)
        assert cents(taxes[0].amount) == gross - nearest(Decimal(gross) / (1 + taxes[0].rate))
        checked += 1
    assert checked > 10


def test_a_table_of_gross_sums_adds_up_to_the_total(receipts):
    tables = [receipt for receipt in receipts if receipt.taxes and all(tax.gross for tax in receipt.taxes)]
    assert len(tables) > 50
    for receipt in tables:
        beside = (
            cents(receipt.tip) + cents(receipt.service) + sum(cents(one.amount) for one in receipt.charges)
        )
        assert sum(cents(tax.gross) for tax in receipt.taxes) + beside == cents(receipt.total)


def test_added_tax_is_its_rate_of_its_base(receipts):
    rows = [
        tax for receipt in receipts for tax in receipt.taxes if tax.included is False and tax.base is not None
    ]
    assert len(rows) > 10
    for tax in rows:
        assert nearest(tax.base * tax.rate * 100) == cents(tax.amount)


def test_rounding_brings_the_total_to_five_sen(receipts):
    rounded = [receipt for receipt in receipts if receipt.rounding is not None]
    assert len(rounded) > 30
    for receipt in rounded:
        assert cents(receipt.total) % 5 == 0
        assert -2 <= cents(receipt.rounding) <= 2


def test_signs(receipts):
    for receipt in receipts:
        assert all(entry.amount < 0 for entry in receipt.discounts)
        assert all(entry.amount > 0 for entry in receipt.charges)
        assert all((item.amount < 0) == (item.kind == "return") for item in receipt.items)
        assert all(item.discount is None or -item.amount < item.discount < 0 for item in receipt.items)


def test_every_kind_of_line_appears(receipts):
    seen = Counter()
    for receipt in receipts:
        for name in (
            "subtotal",
            "discounts",
            "charges",
            "service",
            "tip",
            "rounding",
            "change",
            "item_count",
        ):
            seen[name] += bool(getattr(receipt, name))
        seen["two tenders"] += len(receipt.payments) > 1
        seen["two taxes"] += len(receipt.taxes) > 1
        for item in receipt.items:
            seen[item.kind] += 1
            seen["weighed"] += item.unit in ("kg", "lb")
            seen["item discount"] += item.discount is not None
            seen["deposit"] += item.name == "PFAND"
    absent = {name: count for name, count in seen.items() if count < 3}
    assert not absent


def test_three_to_forty_items(receipts):
    counts = [len(receipt.items) for receipt in receipts]
    assert min(counts) == 3
    assert max(counts) == 40


def test_four_conventions_and_all_shops_in_the_first_24():
    visited = [sample_shop(index) for index in range(24)]
    assert {shop.convention for shop in visited} == {"us", "uk", "de", "my"}
    assert len({shop.id for shop in visited}) == len(all_shops()) >= 10


def test_what_is_not_printed_is_null_and_not_left_out(bills):
    labelled = set(Receipt.model_fields) - {"lines", "extra", "subtotal", "currency"}
    for bill in bills:
        assert labelled <= bill.receipt.labelled
        hidden = {"subtotal", "currency"} - bill.receipt.labelled
        assert "subtotal" not in hidden or "before_rounding" in bill.extras
        assert "currency" not in hidden or not {"slip", "currency"} & bill.extras


def test_one_letter_per_item(bills):
    for bill in bills:
        assert len(bill.letters) in (0, len(bill.receipt.items))


def test_same_stream_same_truth_and_other_seed_other_truth():
    shop = find_shop("frischhof")
    one, two = draw_truth(shop, sample_rng(1, 5)), draw_truth(shop, sample_rng(1, 5))
    assert one == two
    assert draw_truth(shop, sample_rng(2, 5)) != one
    assert draw_truth(shop, sample_rng(1, 6)) != one


def test_truth_survives_json(receipts):
    for receipt in receipts[:40]:
        again = Receipt.model_validate(receipt.to_json())
        assert again == receipt
        assert again.labelled == receipt.labelled
