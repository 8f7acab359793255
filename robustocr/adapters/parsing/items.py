"""Item rows: names, quantities, prices and amounts, over one or several printed rows each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from robustocr.adapters.parsing.factors import CENT, split_row
from robustocr.adapters.parsing.item_kinds import Kind, has_name, kind_of, name_of
from robustocr.adapters.parsing.keywords import Role
from robustocr.adapters.parsing.line import Line
from robustocr.adapters.parsing.lines import Page
from robustocr.adapters.parsing.tokens import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRow:
    """One item as printed. ``lines`` are the rows it was put together from, ``discount`` is negative."""

    amount: Token
    quantity: Token | None = None
    price: Token | None = None
    name: str = ""
    lines: tuple[int, ...] = ()
    kind: Literal["item", "return"] = "item"
    discount: AdjustmentRow | None = None


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
        """Sum of the items' amounts, before discounts."""
        return sum((item.amount.value for item in self.items), Decimal(0))

    @property
    def reductions(self) -> Decimal:
        """Sum of the discounts, those of single items included; zero or negative."""
        rows = [*self.discounts, *(item.discount for item in self.items if item.discount)]
        return sum((row.value for row in rows), Decimal(0))


def read_items(page: Page) -> ItemList:
    """Return the items printed between the page's ``start`` and ``end``.

    Rows that cost nothing (a choice of sauce, a free gift) are no priced items and are left out.
    """
    zone = page.lines[page.start : page.end]
    kinds: dict[int, Kind] = {line.index: kind_of(line, page) for line in zone}
    items: list[ItemRow] = []
    pending: list[Line] = []
    for line in zone:
        kind = kinds[line.index]
        if kind in ("item", "return"):
            items.append(replace(_item(line, pending, page), kind=kind))
        if kind == "name":
            pending.append(line)
        elif kind != "factors":
            pending = []
    items = _names_below(_without_total(_without_sums(items), page), zone)
    for line in zone:
        if kinds[line.index] == "factors":
            items = _attach(line, items)
    return _with_discounts(items, [line for line in zone if kinds[line.index] == "discount"], page)


def _with_discounts(items: list[ItemRow], lines: Sequence[Line], page: Page) -> ItemList:
    """Give each discount to the item above it; what stands last, just above the total, is off the whole."""
    rows = sorted(items, key=lambda item: item.lines[-1])
    whole: list[AdjustmentRow] = []
    above_total = page.end < len(page.lines) and page.lines[page.end].role == Role.TOTAL
    for line in lines:
        token = line.amounts[-1]
        row = AdjustmentRow(label=name_of(line), token=token, value=-abs(token.value), line=line.index)
        above = [i for i, item in enumerate(rows) if item.lines[0] < line.index]
        last = len(above) == len(rows)
        if not above or rows[above[-1]].discount or (last and above_total):
            whole.append(row)
        else:
            rows[above[-1]] = replace(rows[above[-1]], discount=row)
    return ItemList(items=tuple(rows), discounts=tuple(whole))


def _item(line: Line, pending: Sequence[Line], page: Page) -> ItemRow:
    quantity, price, amount = split_row(line, page)
    near = [] if has_name(line) else _names_above(line, pending, page)
    names = [name_of(other) for other in near] or [name_of(line, (quantity, price))]
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
    """Give a row of factors to the neighbour whose amount is their product."""
    near = sorted(items, key=lambda item: abs(item.lines[-1] - line.index))[:2]
    for item in near:
        pair = _pair(line, item)
        if pair is not None:
            fixed = replace(item, quantity=pair[0], price=pair[1])
            return [fixed if other is item else other for other in items]
    return items


def _pair(line: Line, item: ItemRow) -> tuple[Token, Token] | None:
    """The quantity and the price that make up an item's amount, from its own row and a row of factors."""
    if item.price is not None:
        return None
    tokens = [token for token in line.tokens if not token.percent]
    counts = [token for token in tokens if not token.money or token.unit]
    counts.sort(key=lambda token: token.unit is None)
    for quantity in [item.quantity, *counts] if item.quantity else counts:
        for price in tokens:
            if price is not quantity and abs(quantity.value * price.value - item.amount.value) <= CENT:
                return quantity, price
    return None
