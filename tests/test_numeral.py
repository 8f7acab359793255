from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustocr.numeral import Convention, Numeral, plain_characters


@settings(deadline=None)
@given(st.text())
def test_plain_characters_keep_the_length(text):
    assert len(plain_characters(text)) == len(text)


def test_plain_characters():
    assert plain_characters("１２٣−５\u202f×") == "123-5\u00a0x"


@pytest.mark.parametrize(
    "body", ["12.34.56", "1.2345.678", "01.234.567", "1,23,45", "1.234,567.8", "25.12.2018"]
)
def test_groups_that_make_no_number(body):
    assert Numeral.of(body).value(Convention(decimal=".")) is None


def test_only_one_mark_with_three_digits_is_ambiguous():
    assert [Numeral.of(body).ambiguous for body in ("1.234", "0.234", "1234.567", "1.23", "1.234.567")] == [
        True, False, False, False, False,
    ]  # fmt: skip
    assert Numeral.of("1.234").value(Convention(decimal=".")) == Decimal("1.234")
    assert Numeral.of("1.234").value(Convention(decimal=",")) == Decimal(1234)
