import pytest

from robustocr.records import Receipt
from robustocr.rules.check import check
from tests.rules.build import amounts, closing_names, fields, items


def paid(*payments: str, change: str | None = None, **more: object) -> Receipt:
    return Receipt(
        items=items("30.13"),
        total="30.13",
        payments=amounts(*payments),
        change=change,
        currency="USD",
        **more,
    )


def tender(receipt: Receipt) -> tuple[str, str | None]:
    found = [one for one in check(receipt).checks if one.rule == "payments_minus_change_equal_total"]
    return found[0].status, found[0].equation


@pytest.mark.parametrize(
    ("receipt", "status"),
    [
        (paid("40.00", change="9.87"), "holds"),
        (paid("30.13"), "holds"),
        (paid("30.13", change="0.00"), "holds"),
        (paid("20.00", "20.00", change="9.87"), "holds"),
        (paid("30.13", "0.00"), "holds"),
        (paid("30.13", "30.13"), "holds"),
        (paid("34.13", tip="4.00"), "holds"),
        (paid("40.00"), "cannot_tell"),
        (paid("20.00"), "fails"),
        (paid("40.00", change="9.37"), "fails"),
    ],
)
def test_payments_against_the_total(receipt, status):
    assert tender(receipt)[0] == status


def test_it_is_spelled_out():
    assert tender(paid("40.00", change="9.37"))[1] == "40.00 - 9.37 = 30.63, printed 30.13"


def test_a_wrong_change_does_not_reopen_a_receipt_that_closes():
    verdict = check(paid("40.00", change="9.37"))
    assert verdict.status == "closes"
    assert [(one.field, one.proposed) for one in verdict.suspects] == [("change", "9.87")]


def test_payments_that_no_slip_explains_are_named_as_a_whole():
    verdict = check(paid("44.55", change="1.23"))
    assert verdict.status == "closes"
    assert fields(verdict) == ["payments"]


def test_cash_minus_change_alone_confirms_a_total():
    verdict = check(Receipt(total="30.13", payments=amounts("40.00"), change="9.87"))
    assert verdict.status == "closes"
    assert closing_names(verdict) == ["payments - change = total"]


def test_cash_minus_change_alone_contradicts_a_misread_total():
    verdict = check(Receipt(total="80.13", payments=amounts("40.00"), change="9.87"))
    assert verdict.status == "contradicts"
    assert (verdict.suspects[0].field, verdict.suspects[0].proposed) == ("total", "30.13")


def test_items_and_a_payment_outweigh_the_total():
    verdict = check(Receipt(items=items("0.29", "1.19", "3.99"), total="5.17", payments=amounts("5.47")))
    assert verdict.status == "contradicts"
    assert (verdict.suspects[0].field, verdict.suspects[0].proposed) == ("total", "5.47")
