import datetime as dt

import pytest

from tests.adapters.parsing.paper import read

SHOP = """
    TAX INVOICE
    BLUE DOOR TRADING SDN BHD
    (760271-H)
    NO 5, JALAN SAGU 18,
    81100 JOHOR BAHRU
    TEL: 07-355 2616
    GST ID: 000750673920
    Invoice No: CS00013118
    DATE: 03/02/2018   TIME: 11:49:00
    Tea              10.00
    Total RM         10.00
"""


def test_the_head_of_a_receipt():
    receipt = read(SHOP).receipt
    assert receipt.merchant == "BLUE DOOR TRADING SDN BHD"
    assert receipt.address == "NO 5, JALAN SAGU 18, 81100 JOHOR BAHRU"
    assert receipt.date == dt.date(2018, 2, 3)
    assert receipt.time == dt.time(11, 49)
    assert receipt.receipt_number == "CS00013118"
    assert receipt.vat_id == "000750673920"
    assert receipt.currency == "MYR"


def test_what_is_not_printed_is_not_invented():
    receipt = read("Tea    3.00\nTotal  3.00").receipt
    for name in ("address", "date", "time", "receipt_number", "vat_id", "iban", "currency", "item_count",
                 "subtotal", "service", "tip", "rounding", "change"):  # fmt: skip
        assert getattr(receipt, name) is None, name
    assert receipt.taxes == receipt.payments == receipt.discounts == receipt.charges == ()


def test_a_date_that_nothing_decides_stays_open():
    extraction = read("Shop\nDate 02/01/2018\nTea    3.00\nTotal  3.00")
    assert extraction.receipt.date is None
    mark = extraction.marks["date"]
    assert {one.value for one in mark.alternatives} == {"2018-01-02", "2018-02-01"}
    assert mark.marker == "suspected"


@pytest.mark.parametrize(
    ("evidence", "day"),
    [
        ("Sales tax 8%  0.24", dt.date(2018, 2, 1)),
        ("MwSt 19%  0,24", dt.date(2018, 1, 2)),
        ("$ 5   New York, NY 10001", dt.date(2018, 2, 1)),
    ],
)
def test_the_country_decides_day_and_month(evidence, day):
    assert read(f"Shop\n{evidence}\nDate 02/01/2018\nTea    $3.00\nTotal  $3.00").receipt.date == day


def test_the_day_of_the_sale_is_not_an_expiry():
    receipt = read("Shop\nPoints expire 31/12/2019\nDate 13/05/2018 18:02\nTea   3.00\nTotal   3.00").receipt
    assert receipt.date == dt.date(2018, 5, 13)


def test_a_time_printed_onto_the_year():
    receipt = read("Markt\nTee    3,00\nSumme  3,00\n3182 762902/04  07.04.2014:38").receipt
    assert receipt.date == dt.date(2020, 4, 7)
    assert receipt.time == dt.time(14, 38)


def test_dollars_of_the_united_states():
    american = "Joe's Diner\n12 Main Street\nSpringfield, IL 62704\nCoffee   $3.00\nTotal    $3.00"
    assert read(american).receipt.currency == "USD"
    assert read("Joe's Diner\nCoffee   $3.00\nTotal    $3.00").receipt.currency is None


def test_item_count_where_printed():
    assert read("Tee   3,00\nMilch   1,00\nPosten: 2\nSumme   4,00").receipt.item_count == 2
