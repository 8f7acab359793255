import time
from decimal import Decimal

import pytest

from robustocr.records import Receipt, Verdict
from robustocr.rules.check import check
from tests.rules.build import amounts, closing_names, fields, items, row, story


def the_check(verdict: Verdict, rule: str):
    return next(one for one in verdict.checks if one.rule == rule)


def test_a_correct_receipt_closes_and_says_how():
    verdict = check(story())
    assert verdict.status == "closes"
    assert verdict.suspects == ()
    assert {one.status for one in verdict.checks} == {"holds"}
    assert verdict.closings[0].name == "subtotal + discount + tax = total"
    assert verdict.closings[0].equation == "28.90 - 1.00 + 2.23 = 30.13"
    assert "9.00 + 19.90 - 1.00 + 2.23 = 30.13" in [one.equation for one in verdict.closings]


def test_a_misread_subtotal_contradicts_and_is_named_with_its_value():
    verdict = check(story(subtotal="23.90"))
    assert verdict.status == "contradicts"
    assert verdict.closings == ()
    failed = the_check(verdict, "subtotal_equals_sum_of_items")
    assert failed.status == "fails"
    assert failed.fields == ("items", "subtotal")
    assert failed.equation == "9.00 + 19.90 = 28.90, printed 23.90"
    assert failed.residual == Decimal("-5.00")
    (suspect,) = verdict.suspects
    assert suspect.field == "subtotal"
    assert (suspect.read, suspect.proposed) == ("23.90", "28.90")
    assert suspect.closing == "items = subtotal"
    assert suspect.slip == "8 read as 3"


def test_the_verdict_is_the_same_without_payments_or_unit_prices():
    bare = story(subtotal="23.90", payments=None, change=None, items=items("9.00", "19.90"))
    verdict = check(bare)
    assert verdict.status == "contradicts"
    assert [(one.field, one.proposed) for one in verdict.suspects] == [("subtotal", "28.90")]


@pytest.mark.parametrize(
    ("field", "wrong", "right", "slip"),
    [
        ("total", "80.13", "30.13", "3 read as 8"),
        ("total", "30.18", "30.13", "3 read as 8"),
        ("total", "3013", "30.13", "decimal mark lost"),
        ("total", "3.13", "30.13", "0 dropped"),
        ("total", "31.03", "30.13", "01 read as 10"),
        ("change", "9.37", "9.87", "8 read as 3"),
    ],
)
def test_a_slip_in_one_field_is_found_and_explained(field, wrong, right, slip):
    verdict = check(story(**{field: wrong}))
    first = verdict.suspects[0]
    assert (first.field, first.slip) == (field, slip)
    assert Decimal(first.proposed) == Decimal(right)
    assert verdict.status == ("closes" if field == "change" else "contradicts")


def test_a_misread_item_amount_is_told_by_its_line():
    verdict = check(story(items=[row("2", "4.50", "9.00"), row("1", "19.90", "13.90")]))
    assert verdict.status == "contradicts"
    assert [(one.field, one.proposed, one.slip) for one in verdict.suspects] == [
        ("items[1].amount", "19.90", "9 read as 3")
    ]


def test_a_misread_tax_is_told_by_its_rate():
    verdict = check(story(taxes=[{"label": "Sales tax 8%", "base": "27.90", "amount": "2.28"}]))
    assert verdict.status == "contradicts"
    assert (verdict.suspects[0].field, verdict.suspects[0].proposed) == ("taxes[0].amount", "2.23")


def test_a_misread_quantity_leaves_the_sums_closed():
    verdict = check(story(items=[row("7", "4.50", "9.00"), row("1", "19.90", "19.90")]))
    assert verdict.status == "closes"
    assert (verdict.suspects[0].field, verdict.suspects[0].proposed) == ("items[0].quantity", "2")


def test_lost_rows_are_blamed_on_the_items_and_not_on_a_confirmed_total():
    verdict = check(story(items=items("9.00")))
    assert verdict.status == "closes"
    assert fields(verdict) == ["items"]
    assert the_check(verdict, "subtotal_equals_sum_of_items").status == "fails"
    assert verdict.suspects[0].slip == "rows missing: 19.90"


def test_rows_blamed_first_and_a_total_that_nothing_confirms_last():
    verdict = check(Receipt(items=items("3.20", "4.49"), total="24.88", currency="EUR"))
    assert verdict.status == "contradicts"
    assert fields(verdict) == ["items", "total"]
    assert verdict.suspects[1].proposed is None


def test_a_printed_number_of_items_shows_that_rows_are_missing():
    verdict = check(Receipt(items=items("3.00", "4.00"), total="12.00", item_count=3, currency="EUR"))
    assert fields(verdict) == ["items"]
    assert the_check(verdict, "item_count_equals_rows_or_pieces").status == "fails"


def test_a_total_that_payments_confirm_is_not_blamed():
    verdict = check(
        Receipt(items=items("5.00", "6.00"), total="16.00", payments=amounts("20.00"), change="4.00")
    )
    assert "total" not in fields(verdict)


def test_a_missing_service_line_is_named_and_nothing_is_contradicted():
    verdict = check(
        Receipt(
            items=items("87.80"), subtotal="87.80", taxes=amounts("5.81"), rounding="0.01", total="102.40"
        )
    )
    assert verdict.status == "cannot_tell"
    assert fields(verdict) == ["service"]
    assert verdict.suspects[0].slip == "a line of 8.78 may be missing"


def test_a_missing_tax_line_is_named():
    verdict = check(Receipt(items=items("15000"), subtotal="15000", total="16500", currency="IDR"))
    assert (verdict.status, fields(verdict)) == ("cannot_tell", ["taxes"])


def test_a_total_that_was_not_read_is_proposed_where_the_payments_tell_it():
    verdict = check(
        Receipt(items=items("36000"), subtotal="36000", payments=amounts("50000"), change="14000")
    )
    assert verdict.status == "cannot_tell"
    assert [(one.field, one.read, one.proposed) for one in verdict.suspects] == [("total", None, "36000")]


@pytest.mark.parametrize(
    "receipt",
    [
        Receipt(),
        Receipt(total="12.50"),
        Receipt(total="0.00"),
        Receipt(subtotal="12.50"),
        Receipt(items=[{"name": "a"}, {"name": "b"}], total="5.00"),
        Receipt(items=[{"name": "a"}, {"name": "b"}]),
        Receipt(subtotal="12.50", total="12.50"),
        Receipt(total="12.50", payments=amounts("12.50")),
        Receipt(total="12.50", payments=amounts("20.00")),
        Receipt(taxes=[{"rate": "0.19"}], total="5.00"),
    ],
)
def test_too_little_to_tell(receipt):
    verdict = check(receipt)
    assert verdict.status == "cannot_tell"
    assert verdict.suspects == ()
    assert verdict.closings == ()


def test_items_without_amounts_excuse_the_sum_of_items():
    verdict = check(story(items=[{"name": "a"}, {"name": "b", "amount": "19.90"}]))
    assert verdict.status == "closes"
    assert the_check(verdict, "subtotal_equals_sum_of_items").status == "cannot_tell"
    assert verdict.suspects == ()


def test_an_amount_not_printed_follows_from_quantity_and_price():
    receipt = story(items=[{"quantity": "2", "unit_price": "4.50"}, {"name": "b", "amount": "19.90"}])
    assert check(receipt).status == "closes"


def test_an_impossible_amount_is_named_and_kept_out_of_the_sums():
    verdict = check(story(tip="1" * 30))
    assert verdict.status == "closes"
    assert fields(verdict) == ["tip"]
    assert the_check(verdict, "amounts_are_plausible").fields == ("tip",)


@pytest.mark.parametrize("text", ["1" * 30, "1e300", "0.0000000001"])
def test_impossible_totals_get_an_answer(text):
    amount = Decimal(text)
    verdict = check(story(total=amount))
    assert verdict.status == "cannot_tell"
    assert "total" in fields(verdict)


def test_an_impossible_date_is_named():
    verdict = check(story(date="2906-03-14"))
    assert verdict.status == "closes"
    assert fields(verdict) == ["date"]


def test_two_misread_fields_are_not_explained_by_one():
    verdict = check(story(subtotal="23.90", total="80.13"))
    assert verdict.status == "contradicts"
    assert {"subtotal", "total"} <= set(fields(verdict))


@pytest.mark.parametrize("field", ["total", "subtotal"])
def test_long_receipts_are_checked_in_time(field):
    rows = [row("2", f"{n % 37 + 1}.15", f"{2 * (n % 37 + 1) + 0.30:.2f}") for n in range(200)]
    total = sum((Decimal(one["amount"]) for one in rows), Decimal(0))
    receipt = Receipt(items=rows, subtotal=total, total=total, currency="EUR")
    wrong = receipt.model_copy(update={field: total + 50})
    for one, status in ((receipt, "closes"), (wrong, "contradicts")):
        start = time.process_time()
        assert check(one).status == status
        assert time.process_time() - start < 0.2
    assert len(check(receipt).closings[0].equation) < 120
    assert closing_names(check(receipt))[0] == "subtotal = total"


def test_a_payment_taken_as_total_is_explained():
    verdict = check(
        Receipt(
            items=items("9.90", "7.50", "11.90"), total="40.30", payments=amounts("40.30"), change="11.00"
        )
    )
    assert verdict.status == "contradicts"
    assert (verdict.suspects[0].field, verdict.suspects[0].proposed) == ("total", "29.30")
    assert verdict.suspects[0].slip == "payments[0] taken as total"


def test_a_card_payment_misread_like_the_total_does_not_confirm_it():
    verdict = check(
        Receipt(
            items=items("4.45", "101.76", "10.07"),
            subtotal="109.70",
            taxes=amounts("6.58"),
            total="118.28",
            payments=amounts("118.28"),
        )
    )
    assert verdict.status == "contradicts"
    assert (verdict.suspects[0].field, verdict.suspects[0].proposed) == ("total", "116.28")
    assert verdict.suspects[0].slip == "6 read as 8"


def test_an_unread_tax_is_likelier_than_a_total_misread_like_nothing_else():
    verdict = check(
        Receipt(
            items=items("23.32"), subtotal="57.50", total="60.95", payments=amounts("80.95"), change="0.00"
        )
    )
    assert verdict.status == "cannot_tell"
    assert fields(verdict)[:2] == ["taxes", "items"]
    assert "total" not in fields(verdict)


def test_a_total_below_the_items_that_nothing_confirms_is_in_doubt_with_them():
    verdict = check(Receipt(items=items("36.10", "16.20", "18.00"), total="5.55", currency="MYR"))
    assert verdict.status == "contradicts"
    assert fields(verdict) == ["items", "total"]
    assert all(one.proposed is None for one in verdict.suspects)
