import pytest

from robustocr.records import Receipt
from robustocr.rules.check import check
from robustocr.rules.ledger import build_ledger
from robustocr.rules.rounding import customary_steps, nearest, rounds_to
from tests.rules.build import amounts, items


@pytest.mark.parametrize(
    ("computed", "printed", "families", "step"),
    [
        (7293, 7295, ((5,),), 5),
        (7292, 7290, ((5,),), 5),
        (7293, 7290, ((5,),), None),
        (7293, 7294, ((5,),), None),
        (7295, 7295, ((5,),), None),
        (7295, 7300, ((5, 10),), None),
        (110835, 110800, ((5,), (100,)), 100),
        (110851, 110800, ((100,),), None),
        (29499, 29500, ((100, 500),), 100),
        (680339, 680500, ((100, 500),), 500),
        (680300, 680500, ((100, 500),), None),
        (-7293, -7295, ((5,),), 5),
        (7293, 7295, (), None),
    ],
)
def test_a_total_is_rounded_only_to_a_coin_and_by_at_most_half_of_it(computed, printed, families, step):
    assert rounds_to(computed, printed, families) == step


@pytest.mark.parametrize(
    ("currency", "total", "steps"),
    [
        ("MYR", "12.30", ((5,),)),
        ("IDR", "12300", ((100, 500),)),
        ("idr", "12300.00", ((10000, 50000),)),
        ("EUR", "12.30", ()),
        ("XYZ", "12.30", ()),
        (None, "12.30", ((5,), (100,))),
        (None, "12300", ((100, 500),)),
        (None, "12", ()),
        ("MYR", "12", ()),
    ],
)
def test_steps_by_currency_or_by_the_look_of_the_amounts(currency, total, steps):
    assert customary_steps(build_ledger(Receipt(total=total, currency=currency))) == steps


@pytest.mark.parametrize(("value", "step", "expected"), [(7293, 5, 7295), (7292, 5, 7290), (-7293, 5, -7295)])
def test_nearest_multiple(value, step, expected):
    assert nearest(value, step) == expected


def test_euros_are_not_rounded_without_saying_so():
    receipt = Receipt(items=items("70.00", "2.93"), total="72.95", currency="EUR")
    assert check(receipt).status == "contradicts"


def test_one_price_off_a_coarse_coin_is_misread_rather_than_rounded_away():
    receipt = Receipt(items=items("60008"), subtotal="60000", total="60000", currency="IDR")
    verdict = check(receipt)
    assert verdict.status == "contradicts"
    assert (verdict.suspects[0].field, verdict.suspects[0].proposed) == ("items[0].amount", "60000")


def test_a_printed_rounding_leaves_no_room_for_another():
    receipt = Receipt(items=items("165400", "165460"), taxes=amounts("33086"), rounding="-6", total="364000")
    assert check(receipt).status == "contradicts"


def test_a_misread_total_is_proposed_on_the_coin():
    receipt = Receipt(items=items("70.00", "2.93"), subtotal="72.93", total="77.95", currency="MYR")
    verdict = check(receipt)
    assert (verdict.suspects[0].field, verdict.suspects[0].proposed) == ("total", "72.95")
    assert verdict.suspects[0].slip == "2 read as 7"
