from decimal import Decimal

import pytest

from robustocr.adapters.parsing.geometry import Cell
from robustocr.adapters.parsing.lines import read_page
from robustocr.adapters.parsing.tokens import (
    BLANK_AT_MARK,
    CODE_AS_DIGIT,
    LETTER_TOUCHES,
    MARK_LOST,
    MARK_MISREAD,
    find_tokens,
    misread_mark,
    repair_mark,
)
from robustocr.money import Convention
from tests.adapters.parsing.paper import page_of

POINT = Convention(decimal=".", thousands=",", decimals=2)
COMMA = Convention(decimal=",", thousands=".", decimals=2)
WHOLE = Convention(decimal="", thousands=".", decimals=0)


def cell(text):
    return Cell(text=text, quad=(0, 0, 100, 0, 100, 20, 0, 20), score=0.9, x0=0, x1=100, y=10, h=20)


def money(text, convention=POINT):
    return [str(token.value) for token in find_tokens(cell(text), convention) if token.money]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1X 5.00 5.00", ["5.00", "5.00"]),
        ("1X5.00 5.00", ["5.00", "5.00"]),
        ("RM60.30", ["60.30"]),
        ("S8.20", ["8.20"]),
        ("$8.20", ["8.20"]),
        ("15.50SR", ["15.50"]),
        ("-9.90", ["-9.90"]),
        ("2.50-", ["-2.50"]),
        ("5.0010.00", ["5.00", "10.00"]),
        ("1,234.50", ["1234.50"]),
        ("24-11-17 13:11", []),
        ("DATE 03/02/2018", []),
        ("TEL 03-4021 0276", []),
        ("GST ID 000750673920", []),
    ],
)
def test_amounts_in_a_line(text, values):
    assert money(text) == values


def test_each_convention_reads_its_own_marks():
    assert money("1.234,50", COMMA) == ["1234.50"]
    assert money("Rp 25.000", WHOLE) == ["25000"]


def test_a_token_keeps_its_part_of_the_box():
    token = find_tokens(cell("Total 5.00"), POINT)[0]
    assert token.quad == (60.0, 0, 100, 0, 100, 20, 60.0, 20)
    assert (token.start, token.end) == (6, 10)


@pytest.mark.parametrize(
    ("text", "value", "reason"),
    [
        ("32.709R", "32.70", CODE_AS_DIGIT),
        ("RMI11.90", "11.90", LETTER_TOUCHES),
        ("Tea 12. 50", "12.50", BLANK_AT_MARK),
    ],
)
def test_repairs_say_what_was_put_right(text, value, reason):
    token = find_tokens(cell(text), POINT)[-1]
    assert (str(token.value), token.repaired) == (value, reason)


def test_a_lost_mark_is_put_back_without_changing_digits():
    (token,) = find_tokens(cell("6030"), POINT)
    assert not token.money
    mended = repair_mark(token, POINT)
    assert (mended.value, mended.text, mended.repaired) == (Decimal("60.30"), "6030", MARK_LOST)


@pytest.mark.parametrize("text", ["12", "6%", "2 x", "12345678", "5.00"])
def test_what_lost_no_mark_is_not_repaired(text):
    (line,) = read_page(page_of(f"Name {text}").lines).lines
    assert all(repair_mark(token, POINT) is None for token in line.tokens if token.value != 0)


def test_a_mark_read_as_another_sign():
    assert misread_mark(cell("52-00"), POINT).value == Decimal("52.00")
    assert misread_mark(cell("52-00"), POINT).repaired == MARK_MISREAD
    assert misread_mark(cell("24-11-17"), POINT) is None


def test_signs_beside_a_number_are_seen_across_cells():
    (line,) = read_page(page_of("2 rolls x   4,85").lines).lines
    assert [token.times for token in line.tokens] == ["", "before"]


def test_weights_in_one_column_do_not_decide_how_amounts_are_printed():
    page = read_page(
        page_of("""
        0.264X 98,500
        Fish                26,004
        0.303X 72,500
        Squid               22,330
        TOTAL               48,334
        """).lines
    )
    assert page.convention.decimals == 0
    assert page.lines[-1].amounts[0].value == 48334
