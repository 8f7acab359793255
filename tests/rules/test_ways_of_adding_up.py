"""One receipt for each way in which real receipts were seen to add up."""

import pytest

from robustocr.records import Receipt
from robustocr.rules.check import check
from tests.rules.build import amounts, closing_names, items, row

WAYS = {
    "tax included in the prices": (
        Receipt(items=items("1.99", "0.89", "9.02"), total="11.90", taxes=amounts("1.90")),
        "items = total",
    ),
    "tax included, by its flag": (
        Receipt(items=items("11.90"), total="11.90", taxes=[{"amount": "1.90", "included": True}]),
        "items = total",
    ),
    "tax added": (
        Receipt(items=items("28.182"), subtotal="28.182", taxes=amounts("2.818"), total="31.000"),
        "subtotal + tax = total",
    ),
    "subtotal is net of the included tax": (
        Receipt(items=items("3.90"), subtotal="3.68", taxes=amounts("0.22"), total="3.90"),
        "items - tax = subtotal",
    ),
    "discount below the subtotal": (
        Receipt(items=items("194.00"), subtotal="194.00", discounts=amounts("-19.40"), total="174.60"),
        "subtotal + discount = total",
    ),
    "discount above the subtotal": (
        Receipt(items=items("85500", "85500"), subtotal="85500", discounts=amounts("-85500"), total="85500"),
        "items + discount = subtotal",
    ),
    "discount without a minus sign": (
        Receipt(items=items("194.00"), subtotal="194.00", discounts=amounts("19.40"), total="174.60"),
        "subtotal + discount = total",
    ),
    "one discount above, one below the subtotal": (
        Receipt(items=items("50.00"), subtotal="45.00", discounts=amounts("-5.00", "-7.00"), total="38.00"),
        "subtotal + discount (part) = total",
    ),
    "discount printed but already netted": (
        Receipt(items=items("60.00"), subtotal="60.00", discounts=amounts("-6.67"), total="60.00"),
        "subtotal = total",
    ),
    "discount line that prints the net price": (
        Receipt(
            items=items("1944000", "975000"),
            discounts=[
                {"label": "DISKON (20%)", "amount": "1555200"},
                {"label": "DISKON (20%)", "amount": "780000"},
            ],
            total="2335200",
        ),
        "discounted prices = total",
    ),
    "discount of one line": (
        Receipt(items=[{"amount": "20.00", "discount": "-4.00"}, {"amount": "3.00"}], total="19.00"),
        "items = total",
    ),
    "discount of one line, already netted": (
        Receipt(items=[{"amount": "16.00", "discount": "-4.00"}, {"amount": "3.00"}], total="19.00"),
        "items (discounts netted) = total",
    ),
    "no subtotal, tax and service straight onto the items": (
        Receipt(items=items("561800"), service="42135", taxes=amounts("60394"), total="664329"),
        "items + tax + service = total",
    ),
    "service inside the subtotal": (
        Receipt(items=items("100.00"), service="10.00", subtotal="110.00", total="110.00"),
        "items + service = subtotal",
    ),
    "service and tax as one amount": (
        Receipt(
            items=items("100.00"),
            subtotal="100.00",
            charges=[{"label": "Service & tax", "amount": "15.50"}],
            total="115.50",
        ),
        "subtotal + charges = total",
    ),
    "coupon as an item without a minus sign": (
        Receipt(
            items=[*items("10.00", "5.00"), {"name": "STORE COUPON", "amount": "2.00"}],
            subtotal="13.00",
            total="13.00",
        ),
        "items (reversals negative) = subtotal",
    ),
    "return without a minus sign": (
        Receipt(items=[*items("10.00"), {"name": "Pfand", "amount": "0.25", "kind": "return"}], total="9.75"),
        "items = total",
    ),
    "priced by weight": (Receipt(items=[row("13.814", "2.679", "37.01")], total="37.01"), "items = total"),
    "two equal taxes that are two": (
        Receipt(
            items=items("99.20"),
            subtotal="99.20",
            taxes=[{"label": "SGST", "amount": "2.48"}, {"label": "CGST", "amount": "2.48"}],
            total="104.16",
        ),
        "subtotal + tax = total",
    ),
    "one tax printed twice": (
        Receipt(items=items("100.00"), subtotal="100.00", taxes=amounts("6.00", "6.00"), total="106.00"),
        "subtotal + tax (part) = total",
    ),
    "tax groups of 0 and 6 %": (
        Receipt(
            items=items("50.00", "3.00"),
            taxes=[
                {"rate": "0.06", "base": "50.00", "amount": "3.00"},
                {"rate": "0", "base": "3.00", "amount": "0.00"},
            ],
            total="56.00",
        ),
        "tax groups = total",
    ),
    "table of rates with net, tax and gross": (
        Receipt(
            taxes=[
                {"rate": "0.19", "base": "10.00", "amount": "1.90", "gross": "11.90", "included": True},
                {"rate": "0.07", "base": "2.00", "amount": "0.14", "gross": "2.14", "included": True},
            ],
            total="14.04",
        ),
        "tax groups = total",
    ),
    "rounding printed": (
        Receipt(items=items("30.91"), subtotal="30.91", rounding="-0.01", total="30.90"),
        "subtotal + rounding = total",
    ),
    "rounding printed, in rupiah": (
        Receipt(items=items("303646"), taxes=amounts("30365"), rounding="-11", total="334000"),
        "items + tax + rounding = total",
    ),
    "rounding unprinted, to five cents": (
        Receipt(items=items("70.00", "2.93"), total="72.95", currency="MYR"),
        "items = total, rounded",
    ),
    "rounding unprinted, to one": (
        Receipt(items=items("1008.10", "100.25"), total="1108", currency="INR"),
        "items = total, rounded",
    ),
    "rounding unprinted, to a hundred": (
        Receipt(items=items("26818"), subtotal="26818", taxes=amounts("2681"), total="29500", currency="IDR"),
        "subtotal + tax = total, rounded",
    ),
    "rounding unprinted, to five hundred": (
        Receipt(
            items=items("618490"), subtotal="618490", taxes=amounts("61849"), total="680500", currency="IDR"
        ),
        "subtotal + tax = total, rounded",
    ),
    "tax-inclusive unit price": (Receipt(items=[row("3", "3.39", "10.18")], total="10.18"), "items = total"),
    "priced add-on under an item": (
        Receipt(items=[*items("8.00"), {"amount": "1.50", "kind": "modifier"}], total="9.50"),
        "items = total",
    ),
    "priced add-on inside its item": (
        Receipt(items=[*items("9.50"), {"amount": "1.50", "kind": "modifier"}], total="9.50"),
        "items (add-ons included) = total",
    ),
    "free item": (
        Receipt(items=[row("1", "9.50", "9.50"), row("3", "0", "0.00")], total="9.50"),
        "items = total",
    ),
    "several tenders": (
        Receipt(
            items=items("281.43"), total="281.43", payments=amounts("100.00", "200.00"), change="18.57"
        ),
        "payments - change = total",
    ),
    "coupon tendered": (
        Receipt(
            items=items("281.43"),
            total="281.43",
            discounts=amounts("100.00"),
            payments=amounts("200.00"),
            change="18.57",
        ),
        "coupon + payments - change = total",
    ),
    "cash equal to the total": (
        Receipt(items=items("60.00"), total="60.00", payments=amounts("60.00")),
        "payments = total",
    ),
    "tip paid": (
        Receipt(items=items("40.00"), subtotal="40.00", taxes=amounts("3.20"), tip="6.00", total="49.20"),
        "subtotal + tax + tip = total",
    ),
    "tip suggested and not paid": (
        Receipt(items=items("28.00"), subtotal="28.00", tip="4.20", total="28.00"),
        "subtotal = total",
    ),
    "deposit": (
        Receipt(items=items("4.00"), subtotal="4.00", charges=amounts("0.10"), total="4.10"),
        "subtotal + charges = total",
    ),
    "donation straight onto the items": (
        Receipt(items=items("4.00"), charges=amounts("1.00"), total="5.00"),
        "items + charges = total",
    ),
    "refund": (
        Receipt(items=items("-12.50", "-3.00"), subtotal="-15.50", taxes=amounts("-1.24"), total="-16.74"),
        "subtotal + tax = total",
    ),
    "nothing to pay": (
        Receipt(items=items("9.00"), discounts=amounts("-9.00"), total="0.00"),
        "items + discount = total",
    ),
    "yen": (
        Receipt(items=items("1200", "480"), total="1680", taxes=amounts("152"), currency="JPY"),
        "items = total",
    ),
    "three decimals": (
        Receipt(items=items("1.250", "0.600"), subtotal="1.850", total="1.850", currency="KWD"),
        "subtotal = total",
    ),
    "a large amount": (
        Receipt(items=items("123456789012.34", "0.01"), total="123456789012.35"),
        "items = total",
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_it_closes_in_this_way(way):
    receipt, name = WAYS[way]
    verdict = check(receipt)
    assert verdict.status == "closes"
    assert name in closing_names(verdict)
    assert verdict.suspects == ()
    assert all(one.status != "fails" for one in verdict.checks)


@pytest.mark.parametrize("way", WAYS)
def test_it_no_longer_closes_with_another_total(way):
    receipt, _ = WAYS[way]
    assert receipt.total is not None
    wrong = receipt.model_copy(update={"total": receipt.total + 400})
    assert check(wrong).status != "closes"


def test_the_plainest_way_comes_first():
    receipt = Receipt(
        items=items("10.00"), subtotal="10.00", total="10.00", tip="0.00", discounts=amounts("-0.00")
    )
    assert closing_names(check(receipt))[0] == "subtotal = total"
