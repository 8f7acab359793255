"""Quantity times price: which numbers of a row multiply to an amount, in the row or beside it."""

from __future__ import annotations

import re
from decimal import Decimal

from robustocr.adapters.parsing.geometry import GAP
from robustocr.adapters.parsing.line import Line
from robustocr.adapters.parsing.lines import Page, in_column
from robustocr.adapters.parsing.tokens import Token

_PIECES = frozenset({"stk", "st", "pc", "pcs", "unit", "units", "ea", "pz", "biji", "kg", "kgs", "lb", "lbs"})
CENT = Decimal("0.01")


def split_row(line: Line, page: Page) -> tuple[Token | None, Token | None, Token]:
    """Return quantity, unit price and amount of one row; quantity times price decides where it can."""
    amounts = line.amounts
    for amount in reversed(amounts):
        pair = find_factors(line, amount)
        if pair:
            return (*pair, amount)
    aligned = [token for token in amounts if in_column(token, page.column, page.text_height)]
    amount = aligned[-1] if aligned else amounts[-1]
    before = [token for token in line.tokens if token.start < amount.start and _stands_alone(token, line)]
    return next((token for token in before if _is_quantity(token)), None), None, amount


def find_factors(line: Line, amount: Token) -> tuple[Token, Token] | None:
    """Return the quantity and the price of a row whose product is the amount, None where there are none."""
    left = [token for token in line.tokens if token is not amount and not token.percent]
    prices = [token for token in left if token.money or "." in token.text or "," in token.text]
    for price in reversed(prices):
        for quantity in left:
            if quantity is not price and multiplies(quantity, price, amount):
                return quantity, price
    return None


def multiplies(quantity: Token, price: Token, amount: Token) -> bool:
    """Whether quantity times price is the amount, a cent per piece aside (prices are rounded).

    Of what is given back either the quantity or only the amount is negative.
    """
    if not 0 < abs(quantity.value) < 10000 or amount.value == 0:
        return False
    if quantity.money and not _is_quantity(quantity):
        return False
    slack = CENT * min(max(abs(quantity.value), Decimal(1)), Decimal(20))
    product, wanted = abs(quantity.value * price.value), abs(amount.value)
    return abs(product - wanted) <= min(slack, wanted / 20)


def multiplies_beside(line: Line, page: Page) -> bool:
    """Whether a quantity times the price of this row is the amount of the row above or below."""
    price = line.amounts[0]
    quantities = [token for token in line.tokens if token is not price and token.value > 1]
    beside = [page.lines[i] for i in (line.index - 1, line.index + 1) if page.start <= i < page.end]
    return any(
        multiplies(quantity, price, other.amounts[-1])
        for other in beside
        if other.amounts
        for quantity in quantities
    )


def _stands_alone(token: Token, line: Line) -> bool:
    """Whether a number is a quantity by its place: first in its row or cell, or after a lone ``x``."""
    before, after = line.text[: token.start], line.text[token.end :]
    placed = re.search(rf"(?:^|{GAP}|(?:^|\s)[xX×]\s?|^\d+\s+)$", before)
    measured = token.unit is not None and token.unit not in _PIECES
    return bool(placed) and not measured and not re.match(r"[xX×]\s?\d|\S?\d", after)


def _is_quantity(token: Token) -> bool:
    small = token.value == token.value.to_integral_value() and 0 < token.value < 1000
    return not token.percent and (bool(token.times) or (small and not token.strong))
