from decimal import Decimal

import pytest

from robustocr.rules.slips import ANY_DIGIT, LOOK_ALIKE, MARK, STRUCTURAL, explain


@pytest.mark.parametrize(
    ("read", "proposed", "rank", "text"),
    [
        ("23.90", "28.90", LOOK_ALIKE, "8 read as 3"),
        ("28.90", "23.90", LOOK_ALIKE, "3 read as 8"),
        ("17.00", "11.00", LOOK_ALIKE, "1 read as 7"),
        ("5.50", "6.50", LOOK_ALIKE, "6 read as 5"),
        ("0.08", "0.00", LOOK_ALIKE, "0 read as 8"),
        ("-23.90", "-28.90", LOOK_ALIKE, "8 read as 3"),
        ("23.90", "25.90", LOOK_ALIKE, "5 read as 3"),
        ("23.90", "24.90", ANY_DIGIT, "4 read as 3"),
        ("2390", "23.90", MARK, "decimal mark lost"),
        ("1.250", "1250", MARK, "decimal mark added"),
        ("1.00", "-1.00", MARK, "minus sign lost"),
        ("-1.00", "1.00", MARK, "minus sign added"),
        ("8.90", "28.90", STRUCTURAL, "2 dropped"),
        ("128.90", "28.90", STRUCTURAL, "1 added"),
        ("288.90", "28.90", STRUCTURAL, "8 added"),
        ("82.90", "28.90", STRUCTURAL, "28 read as 82"),
        ("31.03", "30.13", STRUCTURAL, "01 read as 10"),
        ("36600", "36000", LOOK_ALIKE, "0 read as 6"),
    ],
)
def test_one_slip_explains_it(read, proposed, rank, text):
    slip = explain(Decimal(read), Decimal(proposed))
    assert slip is not None
    assert (slip.rank, slip.text) == (rank, text)


@pytest.mark.parametrize(
    ("read", "proposed"),
    [
        ("28.90", "28.90"),
        ("28.90", "30.13"),
        ("0.84", "0.08"),
        ("28.90", "-23.90"),
        ("2.89", "28.90"),
        ("5", "1234"),
        ("0", "12.50"),
    ],
)
def test_no_single_slip_explains_it(read, proposed):
    assert explain(Decimal(read), Decimal(proposed)) is None


def test_the_number_of_printed_decimals_does_not_matter():
    slip = explain(Decimal("23.9"), Decimal("28.90"))
    assert slip is not None
    assert (slip.rank, slip.text) == (LOOK_ALIKE, "8 read as 3")
