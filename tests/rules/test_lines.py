from decimal import Decimal

import pytest

from robustocr.records import Item, Receipt
from robustocr.rules.check import check
from robustocr.rules.lines import item_count_check, line_check, line_holds
from tests.rules.build import items, row

CENT = Decimal("0.01")


@pytest.mark.parametrize(
    "fields",
    [
        row("2", "4.50", "9.00"),
        row("3", "3.39", "10.18"),
        row("1", "3.39", "3.39"),
        row("13.814", "2.679", "37.01"),
        row("0.305", "98.50", "30.00"),
        row("2", "5.00", "8.00", discount="-2.00"),
        row("2", "5.00", "10.00", discount="-2.00"),
        row("2", "5.00", "-10.00", kind="return"),
        row("2", "5.00", "10.00", kind="return"),
        row("0", "5.00", "0.00"),
    ],
)
def test_quantity_times_price_holds_within_its_slack(fields):
    assert line_holds(Item(**fields), CENT)


@pytest.mark.parametrize(
    "fields",
    [
        row("2", "4.50", "9.03"),
        row("1", "3.39", "3.38"),
        row("3", "3.39", "10.21"),
        row("13.814", "2.679", "37.51"),
        row("2", "5.00", "7.00", discount="-2.00"),
        row("7", "4.50", "9.00"),
    ],
)
def test_quantity_times_price_fails_beyond_it(fields):
    assert not line_holds(Item(**fields), CENT)


def test_a_line_says_its_equation():
    check_ = line_check(Item(**row("2", "4.50", "9.50")), "items[4]", CENT)
    assert check_ is not None
    assert check_.equation == "2 x 4.50 = 9.00, printed 9.50"
    assert check_.residual == Decimal("0.50")
    assert check_.fields == ("items[4].quantity", "items[4].unit_price", "items[4].amount")


def test_a_line_without_its_three_numbers_is_not_checked():
    assert line_check(Item(quantity="2", amount="9.00"), "items[0]", CENT) is None
    assert line_holds(Item(quantity="2", amount="9.00"), CENT)


@pytest.mark.parametrize(
    ("fields", "path", "proposed"),
    [
        (row("7", "4.50", "4.50"), "items[0].quantity", "1"),
        (row("2", "4.60", "9.00"), "items[0].unit_price", "4.50"),
    ],
)
def test_quantity_or_price_is_blamed_where_the_amount_is_confirmed(fields, path, proposed):
    amount = fields["amount"]
    verdict = check(Receipt(items=[fields], subtotal=amount, total=amount, currency="USD"))
    assert verdict.status == "closes"
    assert [(one.field, one.proposed) for one in verdict.suspects] == [(path, proposed)]


@pytest.mark.parametrize(
    ("count", "rows", "status"),
    [
        (2, items("1.00", "2.00"), "holds"),
        (5, [row("3", "1.00", "3.00"), row("2", "1.00", "2.00")], "holds"),
        (6, [row("3", "1.00", "3.00"), row("2", "1.00", "2.00")], "fails"),
        (3, items("1.00", "2.00"), "fails"),
        (1, items("1.00", "2.00"), "cannot_tell"),
        (3, [row("3", "1.00", "3.00"), row("-1", "1.00", "-1.00", kind="return")], "holds"),
        (2, [row("3", "1.00", "3.00"), row("-1", "1.00", "-1.00", kind="return")], "holds"),
        (2, [row("0.305", "2.00", "0.61"), row("1", "1.00", "1.00")], "holds"),
    ],
)
def test_the_printed_number_counts_rows_or_pieces(count, rows, status):
    found = item_count_check(Receipt(items=rows, item_count=count))
    assert found is not None
    assert found.status == status


def test_where_the_items_add_up_the_printed_number_is_in_doubt():
    verdict = check(Receipt(items=items("1.00", "2.00"), total="3.00", item_count=8))
    assert verdict.status == "closes"
    assert [one.field for one in verdict.suspects] == ["item_count"]


def test_without_a_printed_number_or_items_nothing_is_counted():
    assert item_count_check(Receipt(items=items("1.00"))) is None
    assert item_count_check(Receipt(item_count=3)) is None
