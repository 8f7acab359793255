from decimal import Decimal

import pytest

from robustocr.records import Receipt, Tax
from robustocr.rules.check import check
from robustocr.rules.ledger import build_ledger
from robustocr.rules.taxes import is_common_rate, tax_is_included, tax_rate, tax_row_checks
from tests.rules.build import fields, items


@pytest.mark.parametrize(
    ("tax", "rate"),
    [
        ({"rate": "0.08"}, "0.08"),
        ({"rate": "8"}, "0.08"),
        ({"label": "PB1 (10%)"}, "0.10"),
        ({"label": "MwSt 7,7 %"}, "0.077"),
        ({"label": "GST"}, None),
        ({"label": "Zero", "rate": "0"}, None),
        ({}, None),
    ],
)
def test_the_rate_is_printed_or_in_the_label(tax, rate):
    assert tax_rate(Tax(**tax)) == (None if rate is None else Decimal(rate))


@pytest.mark.parametrize(
    ("tax", "subtotal", "included"),
    [
        ({"amount": "6.00", "rate": "0.06"}, "100.00", False),
        ({"amount": "5.66", "rate": "0.06"}, "100.00", True),
        ({"amount": "3.00", "rate": "0.06"}, "100.00", None),
        ({"amount": "3.00", "rate": "0.06", "included": True}, "100.00", True),
        ({"amount": "6.00", "rate": "0.06", "included": True}, "100.00", False),
        ({"amount": "6.00"}, "100.00", None),
        ({"amount": "6.00", "included": False}, "100.00", False),
        ({"amount": "0.06", "rate": "0.06"}, "1.00", None),
    ],
)
def test_the_rate_tells_whether_tax_was_added(tax, subtotal, included):
    ledger = build_ledger(Receipt(taxes=[tax], subtotal=subtotal))
    assert tax_is_included(ledger, "taxes[0]", "subtotal") is included


def test_a_subtotal_taken_as_total_does_not_close_where_the_rate_says_that_tax_was_added():
    taxes = [{"amount": "4.13", "rate": "0.06", "included": True}]
    verdict = check(Receipt(items=items("2.83", "66.04"), subtotal="68.87", taxes=taxes, total="68.87"))
    assert verdict.status == "contradicts"
    assert [(one.field, one.proposed) for one in verdict.suspects] == [("total", "73.00")]


@pytest.mark.parametrize(
    ("tax", "rule", "status"),
    [
        ({"rate": "0.08", "base": "27.90", "amount": "2.23"}, "tax_equals_rate_times_base", "holds"),
        ({"rate": "0.08", "base": "27.90", "amount": "2.28"}, "tax_equals_rate_times_base", "fails"),
        ({"rate": "0.19", "gross": "11.90", "amount": "1.90"}, "tax_equals_rate_times_base", "holds"),
        ({"rate": "0.19", "gross": "11.90", "amount": "1.30"}, "tax_equals_rate_times_base", "fails"),
        ({"base": "10.00", "gross": "11.90", "amount": "1.90"}, "gross_equals_base_plus_tax", "holds"),
        ({"base": "10.00", "gross": "17.90", "amount": "1.90"}, "gross_equals_base_plus_tax", "fails"),
    ],
)
def test_a_row_of_a_tax_table(tax, rule, status):
    assert [(one.rule, one.status) for one in tax_row_checks(Tax(**tax), "taxes[0]")] == [(rule, status)]


def test_a_row_says_its_equation():
    (one,) = tax_row_checks(Tax(rate="0.08", base="27.90", amount="2.28"), "taxes[2]")
    assert one.equation == "27.90 x 8 % = 2.23, printed 2.28"
    assert one.fields == ("taxes[2].amount", "taxes[2].base", "taxes[2].rate")
    (one,) = tax_row_checks(Tax(rate="0.19", gross="11.90", amount="1.90"), "taxes[2]")
    assert one.equation == "11.90 x 19 % / 1.19 = 1.90"


def test_a_row_alone_that_fails_does_not_reopen_the_sums():
    taxes = [{"rate": "0.19", "base": "10.00", "gross": "17.90", "amount": "1.90", "included": True}]
    verdict = check(Receipt(items=items("11.90"), taxes=taxes, total="11.90"))
    assert verdict.status == "closes"
    assert [field.split(".")[0] for field in fields(verdict)] == ["taxes[0]"]


@pytest.mark.parametrize(
    ("gap", "base", "expected"),
    [
        ("2.23", "27.90", True),
        ("4909", "49091", True),
        ("3.13", "27.90", False),
        ("5.00", "0.00", False),
        ("1950", "65000", True),
    ],
)
def test_common_rates(gap, base, expected):
    assert is_common_rate(Decimal(gap), Decimal(base)) is expected


@pytest.mark.parametrize(
    ("base", "amount", "subtotal", "included"),
    [
        ("68.87", "4.13", "68.87", False),
        ("68.87", "4.13", "73.00", True),
        ("11.90", "1.90", "11.90", True),
        ("30.00", "1.80", "68.87", True),
    ],
)
def test_the_rate_is_plain_from_the_base_unless_that_may_be_a_gross(base, amount, subtotal, included):
    tax = {"base": base, "amount": amount, "included": True}
    ledger = build_ledger(Receipt(taxes=[tax], subtotal=subtotal))
    assert tax_is_included(ledger, "taxes[0]", "subtotal") is included


def test_a_misread_rate_is_proposed_from_its_row():
    taxes = [{"rate": "0.08", "base": "68.87", "amount": "4.13"}]
    verdict = check(Receipt(items=items("68.87"), subtotal="68.87", taxes=taxes, total="73.00"))
    assert verdict.status == "closes"
    assert [(one.field, one.read, one.proposed) for one in verdict.suspects] == [
        ("taxes[0].rate", "0.08", "0.06")
    ]
