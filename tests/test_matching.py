import datetime as dt
from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustocr.matching import (
    amounts_of,
    match_items,
    plain_text,
    read_value,
    same_amounts,
    same_value,
    text_similarity,
)
from robustocr.records import Adjustment, Item, Receipt, Tax

D = Decimal


def item(name, amount, quantity=None):
    return Item(name=name, amount=amount, quantity=quantity)


@pytest.mark.parametrize(
    ("field", "truth", "value", "same"),
    [
        ("total", D("28.90"), D("28.9"), True),
        ("total", D("28.90"), D("28.91"), False),
        ("total", D("28.90"), D("-28.90"), False),
        ("date", dt.date(2026, 3, 14), dt.date(2026, 3, 14), True),
        ("date", dt.date(2026, 3, 4), dt.date(2026, 4, 3), False),
        ("time", dt.time(18, 5, 59), dt.time(18, 5), True),
        ("time", dt.time(18, 5), dt.time(18, 6), False),
        ("currency", "USD", "usd", True),
        ("currency", "USD", "SGD", False),
        ("receipt_number", "INV 0001 22", "INV000122", True),
        ("receipt_number", "INV000122", "INV000123", False),
        ("iban", "DE89 3704 0044", "DE8937040044", True),
        ("item_count", 3, 3, True),
        ("item_count", 3, 4, False),
        ("merchant", "Blue Door Café, Ltd.", "BLUE DOOR CAFÉ LTD", True),
        ("merchant", "Blue Door Cafe", "Blue Moor Cafe", True),
        ("merchant", "Blue Door Cafe", "Red Door Bar", False),
        ("address", "12, Jalan Besar", "12 JALAN  BESAR", True),
        ("vat_id", "GB 123", "gb123", False),
    ],
)
def test_same_value(field, truth, value, same):
    assert same_value(field, truth, value) is same


def test_similarity_is_that_of_the_plain_texts():
    assert plain_text("  Straße-Café & Co. ") == "strassecafé co"
    assert text_similarity("abcdefghij", "ABCDEFGH.xx") == pytest.approx(0.8)
    assert plain_text("***") == "***"


def test_similarity_at_the_limit():
    truth = "a" * 20
    assert same_value("merchant", truth, "a" * 17 + "bbb")
    assert not same_value("merchant", truth, "a" * 16 + "bbbb")


def test_amounts_are_a_multiset():
    first = amounts_of([Tax(amount="2.48"), Tax(amount="2.48"), Tax(rate="0.06")])
    assert first == (D("2.48"), D("2.48"))
    assert same_amounts(first, (D("2.480"), D("2.48")))
    assert not same_amounts(first, (D("2.48"),))
    assert not same_amounts(first, amounts_of([Adjustment(amount="-2.48"), Adjustment(amount="2.48")]))


def test_blank_text_is_not_read():
    assert read_value(Receipt(merchant="  "), "merchant") is None
    assert read_value(Receipt(total="0.00"), "total") == D("0.00")


def test_items_in_another_order_are_matched():
    truth = [item("Flat white", "9.00"), item("Lunch plate", "19.90"), item("Tea", "3.00")]
    for order in permutations(range(3)):
        read = [truth[i] for i in order]
        assert [order[j] for j in match_items(truth, read)] == [0, 1, 2]


def test_equal_items_keep_their_order():
    truth = [item("Tea", "3.00")] * 3
    assert match_items(truth, [item("tea", "3.00")] * 3) == (0, 1, 2)


def test_swapped_amounts_do_not_swap_the_items():
    truth = [item("Flat white", "9.00"), item("Lunch plate", "19.90")]
    assert match_items(truth, [item("Flat white", "19.90"), item("Lunch plate", "9.00")]) == (0, 1)


def test_an_amount_finds_an_item_whose_name_is_garbled():
    truth = [item("Flat white", "9.00"), item("Lunch plate", "19.90")]
    assert match_items(truth, [item("lnch p1te", "19.90"), item("F1at wh1te", "9.00")]) == (1, 0)


def test_quantity_settles_a_tie():
    truth = [item("Tea", "6.00", "2"), item("Tea", "6.00", "3")]
    assert match_items(truth, [item("Tea", "6.00", "3"), item("Tea", "6.00", "2")]) == (1, 0)


def test_what_shares_neither_name_nor_amount_is_no_pair():
    assert match_items([item("Tea", "3.00")], [item("Umbrella", "12.00")]) == (None,)
    assert match_items([item("Tea", "3.00")], []) == (None,)
    assert match_items([], [item("Tea", "3.00")]) == ()


def test_a_nameless_item_may_belong_to_any_name():
    assert match_items([item(None, "3.00")], [item("Tea", "8.00")]) == (0,)
    assert match_items([item("Tea", "3.00")], [item(None, "8.00")]) == (0,)


def test_nameless_items_are_matched_in_order():
    truth = [item(None, "3.00"), item(None, "5.00")]
    assert match_items(truth, [item(None, "3.00"), item(None, "5.50")]) == (0, 1)


_items = st.lists(
    st.builds(item, st.sampled_from(["tea", "toast", "jam", None]), st.sampled_from(["1", "2", "3", None])),
    max_size=6,
)


@given(_items, _items)
def test_matching_is_one_to_one(truth, read):
    matches = match_items(truth, read)
    used = [j for j in matches if j is not None]
    assert len(matches) == len(truth)
    assert len(used) == len(set(used))
    assert all(0 <= j < len(read) for j in used)


@given(_items, st.randoms(use_true_random=False))
def test_shuffled_items_are_all_found_again(truth, random):
    read = list(truth)
    random.shuffle(read)
    for i, j in enumerate(match_items(truth, read)):
        if truth[i].amount is not None:
            assert j is not None
            assert read[j].amount == truth[i].amount
