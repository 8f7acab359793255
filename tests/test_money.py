import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustocr.money import (
    Convention,
    amount_candidates,
    find_amounts,
    infer_convention,
    parse_amount,
    parse_quantity,
)

POINT = Convention(decimal=".", thousands=",", decimals=2)
COMMA = Convention(decimal=",", thousands=".", decimals=2)
WHOLE = Convention(decimals=0)


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("9.500,00", "9500.00"),
        ("1'234.50", "1234.50"),
        ("1\u2019234.50", "1234.50"),
        ("@11000", "11000"),
        ("*46000", "46000"),
        ("Rp.56.000", "56000"),
        ("Rp.0", "0"),
        ("RM8.50", "8.50"),
        ("RM 3.90", "3.90"),
        ("$8.20", "8.20"),
        ("8.59-A", "-8.59"),
        ("58.14G", "58.14"),
        ("9,00 B", "9.00"),
        (".70", "0.70"),
        ("12.-", "12"),
        ("12,-", "12"),
        ("$14:20", "14.20"),
        ("£23.95", "23.95"),
        ("¥6,900", "6900"),
        ("￥6,900", "6900"),
        ("₩6900", "6900"),
        ("6900円", "6900"),
        ("0.586", "0.586"),
        ("-9.90", "-9.90"),
        ("2.50-", "-2.50"),
        ("($70.00)", "-70.00"),
        ("( 5.00 )", "-5.00"),
        ("V-$0.50", "-0.50"),
        ("(1.00)", "-1.00"),
        ("RM-5.00", "-5.00"),
        ("-RM5.00", "-5.00"),
        ("Rp.-5.000", "-5000"),
        ("+0.02", "0.02"),
        ("-11", "-11"),
        ("25,000", "25000"),
        ("25.000", "25000"),
        ("25.00", "25.00"),
        ("25,00", "25.00"),
        ("60.000", "60000"),
        ("1.555.200", "1555200"),
        ("1 234,50", "1234.50"),
        ("1\u00a0234,50", "1234.50"),
        ("1\u202f234,50", "1234.50"),
        ("1,23,456.00", "123456.00"),
        ("\u22125,00", "-5.00"),
        ("１２.５０", "12.50"),
        ("١٢٫٥٠", "12.50"),
        ("KWD 3.479", "3.479"),
        ("12,50 €", "12.50"),
        ("12.50 EUR", "12.50"),
        ("R$ 12,50", "12.50"),
        ("50.000đ", "50000"),
        ("12 .50", "12.50"),
        ("[145,900]", "145900"),
    ],
)
def test_a_printed_amount_alone(printed, value):
    assert parse_amount(printed) == Decimal(value)


@pytest.mark.parametrize(
    "text",
    [
        "1 x",
        "2X",
        "x2",
        "10%",
        "-100%",
        "14:20",
        "25.12.2018",
        "18-11-18",
        "",
        "RM",
        "abc",
        "12.34.56",
        "1,2,3",
        "789417-W",
        "8:13:39 PM",
        "TOTAL 9.00",
    ],
)
def test_what_is_no_amount(text):
    assert parse_amount(text) is None


def test_the_decimal_mark_is_decided_by_the_whole_receipt():
    fuel = infer_convention(["13.814", "2.679", "37.01"])
    kwh = infer_convention(["0.586", "45.30"])
    indonesian = infer_convention(["60.000", "5.455", "Qty 2.00"])
    assert parse_amount("3.479", fuel) == Decimal("3.479")
    assert parse_amount("0.586", kwh) == Decimal("0.586")
    assert parse_amount("5.455", indonesian) == Decimal(5455)
    assert parse_amount("1.234", infer_convention(["9,50", "1.234"])) == Decimal(1234)


def test_a_negative_zero_is_zero():
    assert str(parse_amount("(0)", WHOLE)) == "0"


def test_candidates_hold_the_other_reading_and_the_lost_mark():
    assert amount_candidates("25.000", POINT) == (Decimal("25.000"), Decimal(25000), Decimal("250.00"))
    assert amount_candidates("2890", POINT) == (Decimal(2890), Decimal("28.90"))
    assert amount_candidates("28.90", POINT) == (Decimal("28.90"),)
    assert amount_candidates("2890-", POINT) == (Decimal(-2890), Decimal("-28.90"))
    assert amount_candidates("2X", POINT) == ()


def spans(line, convention=POINT):
    return [(str(span.value), span.text) for span in find_amounts(line, convention)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("1X 5.00 5.00", [("5.00", "5.00"), ("5.00", "5.00")]),
        ("1X5.00", [("5.00", "5.00")]),
        ("RM60.30", [("60.30", "RM60.30")]),
        ("S8.20", [("8.20", "8.20")]),
        ("5.005.00", [("5.00", "5.00"), ("5.00", "5.00")]),
        ("2@4.50 9.00", [("4.50", "@4.50"), ("9.00", "9.00")]),
        ("1 PC * 9.000 0.00 9.00", [("9.000", "* 9.000"), ("0.00", "0.00"), ("9.00", "9.00")]),
        ("TAX 10.00 % 4.66", [("4.66", "4.66")]),
        ("GST 6% 0.51", [("0.51", "0.51")]),
        ("25/12/2018 8:13:39 PM", []),
        ("18-11-18 12:30", []),
        ("25.12.2018 8.50", [("8.50", "8.50")]),
        ("789417-W", []),
        ("Tel 07-5547360 / 016-7993391", []),
        ("Coke 1.5L 2.50", [("2.50", "2.50")]),
        ("58.14G 8.59-A", [("58.14", "58.14"), ("-8.59", "8.59-")]),
        ("TOTAL: $14:20", [("14.20", "$14:20")]),
        ("VOID V-$0.50", [("-0.50", "V-$0.50")]),
        ("Coupon ($70.00)", [("-70.00", "($70.00)")]),
        ("Total(RM):9.00", [("9.00", "9.00")]),
        ("TOTAL9.00", [("9.00", "9.00")]),
        ("12. 50", [("12.50", "12. 50")]),
        ("RM 1,234.50", [("1234.50", "RM 1,234.50")]),
        ("2 x $5", [("5", "$5")]),
        ("(Qty 2.00 60.00", [("60.00", "60.00")]),
        ("Total items: 3.00", []),
        ("Gift item 5.00", [("5.00", "5.00")]),
        ("Items: RM 5.00", [("5.00", "RM 5.00")]),
        ("0.586 kWh", []),
        ("12.- ", [("12", "12.-")]),
        ("no numbers", []),
    ],
)
def test_amounts_in_a_line(line, found):
    assert spans(line) == found


def test_whole_numbers_are_amounts_where_the_receipt_has_no_decimals():
    assert spans("2 EGG TART 46000", WHOLE) == [("2", "2"), ("46000", "46000")]
    assert spans("NO 789417-W #123 A55 46000", WHOLE) == [("46000", "46000")]
    assert spans("TOTAL 46000", POINT) == []


def test_a_span_tells_currency_decimals_and_repairs():
    (span,) = find_amounts("x RM 12 .50 y", POINT)
    assert (span.value, span.currency, span.marked, span.decimals, span.repaired) == (
        Decimal("12.50"), "MYR", True, 2, True,
    )  # fmt: skip
    assert "x RM 12 .50 y"[span.start : span.end] == span.text
    (lost,) = find_amounts("RM 1250", POINT)
    assert (lost.value, lost.alternatives) == (Decimal(1250), (Decimal("12.50"),))


def test_blanks_group_thousands_only_where_the_receipt_does_so():
    french = infer_convention(["1 234,50", "12,00"])
    assert french.thousands == " "
    assert spans("Total 1 234,50", french) == [("1234.50", "1 234,50")]
    assert spans("1 234,50", COMMA) == [("234.50", "234,50")]


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("1 x", "1"),
        ("2X", "2"),
        ("x2", "2"),
        ("1.00xITEMs", "1.00"),
        ("2 pcs", "2"),
        ("0.586 kWh", "0.586"),
        ("13.814 L", "13.814"),
        ("3", "3"),
        ("Qty 2", "2"),
        ("1.000", "1.000"),
        ("0,250 kg", "0.250"),
    ],
)
def test_quantities(printed, value):
    assert parse_quantity(printed) == Decimal(value)


@pytest.mark.parametrize("text", ["", "abc", "@5", "5.00 5.00", "-1"])
def test_what_is_no_quantity(text):
    assert parse_quantity(text) is None


def test_a_quantity_is_grouped_only_by_the_other_mark():
    assert parse_quantity("1,000", POINT) == Decimal(1000)
    assert parse_quantity("1.000", POINT) == Decimal("1.000")


CENTS = st.integers(-99_999_999, 99_999_999).map(lambda cents: Decimal(cents).scaleb(-2))


@settings(deadline=None)
@given(CENTS, st.sampled_from([(",", "."), (".", ","), ("'", "."), ("\u00a0", ","), (" ", ",")]))
def test_every_amount_with_cents_is_read_back(value, marks):
    thousands, decimal = marks
    printed = f"{value:,.2f}".replace(",", "T").replace(".", decimal).replace("T", thousands)
    assert parse_amount(printed, Convention(decimal=decimal, thousands=thousands)) == value
    assert parse_amount(printed) == value


@settings(deadline=None)
@given(st.integers(0, 99_999_999), st.sampled_from([".", ","]))
def test_every_whole_amount_is_read_back(value, thousands):
    printed = f"{value:,}".replace(",", thousands)
    assert parse_amount(f"Rp {printed}", Convention(thousands=thousands, decimals=0)) == value


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_survived_and_spans_hold_their_text(text):
    for convention in (None, POINT, COMMA, WHOLE):
        for span in find_amounts(text, convention):
            assert text[span.start : span.end] == span.text
            assert span.value.is_finite()
        parsed = parse_amount(text, convention)
        assert parsed is None or parsed.is_finite()
    parse_quantity(text)


@settings(deadline=None)
@given(st.text(alphabet="0123456789.,-' RMxX%()@*:/\u00a0", max_size=25))
def test_any_arrangement_of_printed_characters_is_survived(text):
    for span in find_amounts(text, infer_convention([text])):
        assert text[span.start : span.end] == span.text


def test_every_labelled_amount_of_the_indonesian_receipts_is_found(real_data: Path):
    lines = (real_data / "labels" / "cord_test.jsonl").read_text(encoding="utf-8").splitlines()
    missed, count = [], 0
    for label in map(json.loads, lines):
        convention = infer_convention(label["rows"])
        for field in ("subtotal", "tax", "service", "discount", "rounding", "cash", "change"):
            for entry in label[field]:
                count += 1
                found = [abs(span.value) for span in find_amounts(entry["line"], convention)]
                if abs(Decimal(entry["val"])) not in found:
                    missed.append(entry["line"])
    assert count > 200
    # "PB1:" is a name with a digit that its label takes for an amount.
    assert missed == ["PB1:"]
