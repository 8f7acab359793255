"""Item rows: names, quantities, prices and amounts, over one or several printed rows each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from robustocr.adapters.parsing.geometry import GAP
from robustocr.adapters.parsing.keywords import Role
from robustocr.adapters.parsing.lines import Line, Page, in_column
from robustocr.adapters.parsing.tokens import Token
from robustocr.adapters.parsing.words import fold

_NO_NAME = re.compile(
    r"^(?:[a-z]|sr|zr|zrl|tx|rm|rp|eur|usd|myr|idr|x|unit|units|pcs|pc|ea|stk|st|kg|pkt|btl|nos|no|os|ks|gst|s|ctn|set|qty|disc|at)$"
)
_PIECES = frozenset({"stk", "st", "pc", "pcs", "unit", "units", "ea", "pz", "biji", "kg", "kgs", "lb", "lbs"})
_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRow:
    """One item as printed. ``lines`` are the rows it was put together from."""

    amount: Token
    quantity: Token | None = None
    price: Token | None = None
    name: str = ""
    lines: tuple[int, ...] = ()
    kind: Literal["item", "return"] = "item"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustmentRow:
    """A labelled amount, signed as it counts."""

    label: str
    token: Token
    value: Decimal
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemList:
    """The items of a page and the discounts printed among them."""

    items: tuple[ItemRow, ...] = ()
    discounts: tuple[AdjustmentRow, ...] = ()

    @property
    def amounts(self) -> Decimal:
        """Sum of the items' amounts."""
        return sum((item.amount.value for item in self.items), Decimal(0))


def read_items(page: Page) -> ItemList:
    """Return the items printed between the page's ``start`` and ``end``.

    Rows that cost nothing (a choice of sauce, a free gift) are no priced items and are left out.
    """
    zone = page.lines[page.start : page.end]
    kinds = {line.index: _kind(line, page) for line in zone}
    items: list[ItemRow] = []
    pending: list[Line] = []
    for line in zone:
        kind = kinds[line.index]
        if kind == "item":
            items.append(_item(line, pending, page))
        elif kind == "return":
            items.append(replace(_item(line, (), page), kind="return"))
        if kind == "name":
            pending.append(line)
        elif kind != "factors":
            pending = []
    items = _names_below(_without_total(_without_sums(items), page), zone)
    for line in zone:
        if kinds[line.index] == "factors":
            items = _attach(line, items)
    discounts = tuple(_discount(line) for line in zone if kinds[line.index] == "discount")
    return ItemList(items=tuple(sorted(items, key=lambda item: item.lines[-1])), discounts=discounts)


def _kind(line: Line, page: Page) -> str:
    """What a row of the list is: item, return, discount, factors (``2 x 0,99``), free, name or other."""
    if line.amounts and line.amounts[-1].value < 0 and line.role == Role.CHARGE:
        return "return"
    if is_discount(line):
        return "discount"
    if _is_multiplication(line, page):
        return "factors"
    if not line.amounts:
        return "name" if line.role in (None, Role.CHARGE, Role.DISCOUNT) else "other"
    if line.role in (Role.NOTE, Role.TAX_TABLE):
        return "other"
    return "free" if line.amounts[-1].value == 0 else "item"


def _discount(line: Line) -> AdjustmentRow:
    token = line.amounts[-1]
    return AdjustmentRow(label=name_of(line), token=token, value=-abs(token.value), line=line.index)


def is_discount(line: Line) -> bool:
    """Whether a row takes something off: it says so, or its amount is negative."""
    amounts = line.amounts
    if not amounts or amounts[-1].value == 0:
        return False
    says_so = line.role == Role.DISCOUNT and line.weight > 0 and len(amounts) == 1
    return amounts[-1].value < 0 or says_so


def name_of(line: Line) -> str:
    """The row's text; of a row with amounts, without them, codes, quantities and units."""
    text = line.text
    if not line.amounts:
        return " ".join(text.split()).strip(" -:*@.")
    for token in line.amounts:
        text = text.replace(token.text, " ", 1)
    words = [word for word in text.split() if not re.fullmatch(r"[\W\d_]+|\d+\s?[xX]|[xX]\d+", word)]
    while words and _NO_NAME.match(fold(words[-1]).strip("*@.:()=")):
        words.pop()
    return " ".join(words).strip(" -:*@.")


def _has_name(line: Line) -> bool:
    words = [word for word in re.findall(r"[a-z]+", fold(name_of(line))) if not _NO_NAME.match(word)]
    return sum(len(word) for word in words) >= 3


def _is_multiplication(line: Line, page: Page) -> bool:
    """Whether a row is only ``2 x 0,99``: a quantity and a price that belong to a neighbouring row."""
    amounts = line.amounts
    marked = any(token.times or token.unit or token.at for token in line.tokens)
    if len(amounts) > 1 or len(line.tokens) < 2 or not marked:
        return False
    if not amounts:
        return not _has_name(line)
    if _factors(line, amounts[0]):
        return False
    if _multiplies_beside(line, page):
        return True
    return not _has_name(line) and not _is_priced_below(line, page)


def _multiplies_beside(line: Line, page: Page) -> bool:
    """Whether a quantity times the price of this row is the amount of the row above or below."""
    price = line.amounts[0]
    quantities = [token for token in line.tokens if token is not price and token.value > 1]
    beside = [page.lines[i] for i in (line.index - 1, line.index + 1) if page.start <= i < page.end]
    return any(
        _multiplies(q, price, other.amounts[-1]) for other in beside if other.amounts for q in quantities
    )


def _is_priced_below(line: Line, page: Page) -> bool:
    """Whether the row above is a name that has no amount but this one."""
    above = page.lines[line.index - 1] if line.index > page.start else None
    in_place = in_column(line.amounts[0], page.column, page.text_height)
    return in_place and above is not None and not above.amounts and above.letters >= 3


def _item(line: Line, pending: Sequence[Line], page: Page) -> ItemRow:
    quantity, price, amount = _split(line, page)
    near = [] if _has_name(line) else _names_above(line, pending, page)
    names = [name_of(other) for other in near] or [name_of(line)]
    return ItemRow(
        amount=amount,
        quantity=quantity,
        price=price,
        name=" ".join(name for name in names if name),
        lines=(*(other.index for other in near), line.index),
    )


def _names_above(line: Line, pending: Sequence[Line], page: Page) -> list[Line]:
    """The rows directly above that may name an item; the first item without a table's heading has one."""
    most = 3 if page.start > 0 or any(other.amounts for other in page.lines[page.start : line.index]) else 1
    near: list[Line] = []
    for other in reversed(pending):
        if line.index - other.index > len(near) + 1 or len(near) == most:
            break
        near.insert(0, other)
    return [other for other in near if other.letters >= 3]


def _split(line: Line, page: Page) -> tuple[Token | None, Token | None, Token]:
    """Return quantity, unit price and amount of one row; quantity times price decides where it can."""
    amounts = line.amounts
    for amount in reversed(amounts):
        pair = _factors(line, amount)
        if pair:
            return (*pair, amount)
    aligned = [token for token in amounts if in_column(token, page.column, page.text_height)]
    amount = aligned[-1] if aligned else amounts[-1]
    before = [token for token in line.tokens if token.start < amount.start and _stands_alone(token, line)]
    return next((token for token in before if _is_quantity(token)), None), None, amount


def _stands_alone(token: Token, line: Line) -> bool:
    """Whether a number is a quantity by its place: first in its row or cell, or after a lone ``x``."""
    before, after = line.text[: token.start], line.text[token.end :]
    placed = re.search(rf"(?:^|{GAP}|(?:^|\s)[xX×]\s?|^\d+\s+)$", before)
    measured = token.unit is not None and token.unit not in _PIECES
    return bool(placed) and not measured and not re.match(r"[xX×]\s?\d|\S?\d", after)


def _factors(line: Line, amount: Token) -> tuple[Token, Token] | None:
    left = [token for token in line.tokens if token is not amount and not token.percent]
    prices = [token for token in left if token.money or "." in token.text or "," in token.text]
    for price in reversed(prices):
        for quantity in left:
            if quantity is not price and _multiplies(quantity, price, amount):
                return quantity, price
    return None


def _multiplies(quantity: Token, price: Token, amount: Token) -> bool:
    """Whether quantity times price is the amount, a cent per piece aside (prices are rounded)."""
    if not 0 < quantity.value < 10000 or amount.value == 0 or (quantity.money and not _is_quantity(quantity)):
        return False
    slack = _CENT * min(max(quantity.value, Decimal(1)), Decimal(20))
    return abs(quantity.value * price.value - amount.value) <= min(slack, abs(amount.value) / 20)


def _is_quantity(token: Token) -> bool:
    small = token.value == token.value.to_integral_value() and 0 < token.value < 1000
    return not token.percent and (bool(token.times) or (small and not token.strong))


def _without_sums(items: Sequence[ItemRow]) -> list[ItemRow]:
    """Leave out amounts that repeat the item above or add up those above (``FOOD 959,000``)."""
    kept: list[ItemRow] = []
    since: list[ItemRow] = []
    for item in items:
        total = sum((other.amount.value for other in since), Decimal(0))
        bare = item.price is None and item.quantity is None
        unlike = all(other.quantity for other in since) or not re.search(r"[A-Za-z]{3}", item.name)
        repeats = len(since) == 1 and not re.search(r"[A-Za-z]{3}", item.name)
        if bare and since and item.amount.value == total and (repeats or (unlike and len(since) > 1)):
            since = []
            continue
        kept.append(item)
        since = [*since, item]
    return kept


def _without_total(items: list[ItemRow], page: Page) -> list[ItemRow]:
    """Leave out a last amount that adds up all the others, where no row below it says that it is a sum."""
    named = page.end < len(page.lines) and page.lines[page.end].role in (Role.SUBTOTAL, Role.TOTAL)
    others = sum((item.amount.value for item in items[:-1]), Decimal(0))
    if named or len(items) < 3 or items[-1].amount.value != others:
        return items
    return items[:-1]


def _names_below(items: list[ItemRow], zone: Sequence[Line]) -> list[ItemRow]:
    """Where codes and prices come first, the name is on the row below them."""
    if not items or sum(not item.name for item in items) * 2 < len(items):
        return items
    named = []
    by_index = {line.index: line for line in zone}
    taken = {item.lines[-1] for item in items}
    for item in items:
        index = item.lines[-1] + 1
        below = by_index.get(index)
        if below is not None and index not in taken and below.letters >= 3:
            named.append(replace(item, name=name_of(below), lines=(item.lines[-1], index)))
        else:
            named.append(item)
    return named


def _attach(line: Line, items: list[ItemRow]) -> list[ItemRow]:
    """Give a multiplication row to the neighbour whose amount is its product, else to the one above."""
    pairs = [(q, p) for q in line.tokens for p in line.tokens if q is not p and not q.money and not q.percent]
    near = sorted(items, key=lambda item: abs(item.lines[-1] - line.index))[:2]
    for item in near:
        for quantity, price in pairs:
            if item.quantity is None and abs(quantity.value * price.value - item.amount.value) <= _CENT:
                fixed = replace(item, quantity=quantity, price=price)
                return [fixed if other is item else other for other in items]
    return items
