import math
import re
import time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustocr.adapters.base import OcrLine, OcrPage, Request
from robustocr.adapters.parsing.page import PARSER_VERSION, parse_page
from robustocr.records import Extraction, Marker, Receipt
from tests.adapters.parsing.paper import page_of, read

RESTAURANT = """
    Blue Door Cafe
    12 Main Street, Springfield, IL 62704
    03/14/2026 6:05 PM
    2 Flat white          4.50        9.00
    1 Lunch plate        19.90       19.90
    Subtotal                         28.90
    Member discount                  -1.00
    Sales tax 8%                      2.23
    Service charge                    2.00
    Tip                               5.00
    Total                           $37.13
    Visa                            $37.13
    Suggested tip 20% = 5.78
"""


def page(*texts):
    lines = [OcrLine(text=text, box=(0, 30 * i, 200, 30 * i + 20), score=0.9) for i, text in enumerate(texts)]
    return OcrPage(lines=tuple(lines), height=1000, width=300)


def printed_digits(extraction: Extraction) -> str:
    return "\n".join(re.sub(r"\D", "", line) for line in extraction.receipt.lines)


def values(receipt: Receipt) -> list[Decimal]:
    singles = [
        receipt.subtotal,
        receipt.service,
        receipt.tip,
        receipt.rounding,
        receipt.total,
        receipt.change,
    ]
    rows = [*receipt.discounts, *receipt.charges, *receipt.payments, *receipt.taxes, *receipt.items]
    return [value for value in (*singles, *(row.amount for row in rows)) if value is not None]


def test_a_restaurant_bill():
    receipt = read(RESTAURANT).receipt
    assert receipt.merchant == "Blue Door Cafe"
    assert [(item.name, str(item.amount)) for item in receipt.items] == [
        ("Flat white", "9.00"),
        ("Lunch plate", "19.90"),
    ]
    assert [str(getattr(receipt, name)) for name in ("subtotal", "service", "tip", "total")] == [
        "28.90",
        "2.00",
        "5.00",
        "37.13",
    ]
    assert [str(row.amount) for row in receipt.discounts] == ["-1.00"]
    assert [str(row.amount) for row in receipt.taxes] == ["2.23"]
    assert [str(row.amount) for row in receipt.payments] == ["37.13"]
    assert str(receipt.date) == "2026-03-14"


def test_every_field_has_a_mark_with_evidence_and_place():
    extraction = read(RESTAURANT)
    for path, mark in extraction.marks.items():
        assert mark.score is not None, path
        assert mark.score_source == "parser"
        assert {"ocr", "parser"} <= set(mark.confidences), path
        if path != "currency":
            assert mark.box is not None, path
            assert mark.text, path
    assert extraction.marks["total"].marker == Marker.CERTAIN
    fields = set(extraction.receipt.to_json()) - {"lines", "items", "discounts", "taxes", "payments"}
    assert fields <= set(extraction.marks)


def test_every_amounts_digits_are_printed():
    extraction = read(RESTAURANT)
    for value in values(extraction.receipt):
        assert re.sub(r"\D", "", str(value)) in printed_digits(extraction)


def test_the_subtotal_of_a_misread_receipt_is_the_printed_one():
    receipt = read(RESTAURANT.replace("28.90", "23.90")).receipt
    assert str(receipt.subtotal) == "23.90"


def test_fields_wanted_limit_what_comes_back():
    extraction = parse_page(page_of(RESTAURANT), Request(fields=("total", "date")))
    assert set(extraction.receipt.to_json()) == {"total", "date"}
    assert set(extraction.marks) == {"total", "date"}


def test_tilt_changes_nothing():
    assert read(RESTAURANT, tilt=8).receipt == read(RESTAURANT).receipt


def test_no_text_is_an_empty_extraction():
    assert parse_page(OcrPage(lines=(), height=10, width=10), Request()) == Extraction()
    assert parse_page(page("  ", ""), Request()) == Extraction()


def test_a_receipt_without_a_readable_total_says_so():
    extraction = parse_page(page("Shop", "Thank you", "Total", "Bye"), Request())
    assert extraction.receipt.total is None
    assert extraction.marks["total"].marker == Marker.UNREADABLE


@pytest.mark.parametrize("text", [
    "999999999999999999", "9" * 400, "Total 999999999999999999.99", "....", "-----", "$$$", "@@ ## **",
    "１２．５０", "٣٫٥٠",
    "Total -", "%", "1.2.3.4.5", "((((", "0" * 50, "x x x x", "\u202e12.50", "Total: NaN", "-0.00", "1e9",
])  # fmt: skip
def test_odd_texts_are_survived(text):
    extraction = parse_page(page("Shop", text, f"Total {text}", text), Request())
    assert Extraction.model_validate_json(extraction.model_dump_json()) == extraction


def test_odd_boxes_and_scores_are_survived():
    boxes = [
        (0, 0, math.nan, 1),
        (5, 5, 1, 1),
        (0, 0, 10, 400),
        (1e300, 0, 1, 1),
        (200, 20, 0, 20, 0, 0, 200, 0),
    ]
    lines = [OcrLine(text="Total 5.00", box=box, score=math.nan) for box in boxes]
    extraction = parse_page(OcrPage(lines=tuple(lines), height=0, width=0), Request())
    assert extraction.receipt.total in (None, Decimal("5.00"))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=25), max_size=12))
def test_any_texts_are_survived(texts):
    extraction = parse_page(page(*texts), Request())
    for value in values(extraction.receipt):
        assert re.sub(r"\D", "", str(value)).lstrip("0") in printed_digits(extraction).replace("\n", "|")


def test_five_thousand_lines_take_little_time():
    rows = [f"Tea {i}   {i % 90 + 1}.50" for i in range(2500)]
    start = time.process_time()
    extraction = read("\n".join(rows))
    assert time.process_time() - start < 2.0
    assert len(extraction.receipt.items) > 2000


def test_the_version_is_a_hash():
    assert re.fullmatch(r"parser-[0-9a-f]{12}", PARSER_VERSION)
