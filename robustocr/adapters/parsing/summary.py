"""The rows below the items: which amount is printed under which name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from robustocr.adapters.parsing.geometry import GAP
from robustocr.adapters.parsing.items import AdjustmentRow, ItemList
from robustocr.adapters.parsing.keywords import Role
from robustocr.adapters.parsing.line import Line
from robustocr.adapters.parsing.lines import Page
from robustocr.adapters.parsing.tokens import Token, repair_mark
from robustocr.adapters.parsing.words import find_role

_LOOK_ALIKES = (None, Role.NOTE, Role.COUNT, Role.TABLE)
"""Roles of rows in which the name right before an amount may say that it is a sum."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One amount with the name printed before it. ``beside`` is False where the name is on another row."""

    role: Role | None
    weight: float
    label: str
    token: Token
    line: int
    beside: bool = True
    in_tax_table: bool = False

    @property
    def value(self) -> Decimal:
        """The amount as printed."""
        return self.token.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """All named amounts of a page in printed order, and the items above them."""

    entries: tuple[Entry, ...]
    items: ItemList = field(default_factory=ItemList)

    def of(self, *roles: Role) -> tuple[Entry, ...]:
        """The entries with one of these roles, outside of tax tables."""
        return tuple(entry for entry in self.entries if entry.role in roles and not entry.in_tax_table)


def read_summary(page: Page, items: ItemList) -> Summary:
    """Return the named amounts outside of the item rows."""
    discounts = [*items.discounts, *(item.discount for item in items.items if item.discount)]
    inside = {index for item in items.items for index in item.lines} | {row.line for row in discounts}
    entries: list[Entry] = []
    taken: set[int] = set()
    in_table = False
    for line in page.lines:
        if line.index in inside or line.index < page.start:
            continue
        in_table = _in_tax_table(line, page, in_table)
        if line.index not in taken:
            entries.extend(_entries(line, page, taken, in_table))
    return Summary(entries=tuple(entries), items=items)


def _in_tax_table(line: Line, page: Page, before: bool) -> bool:
    """Whether the row belongs to a table of taxes (rate, net, tax, gross), which has sums of its own."""
    if line.role == Role.TAX_TABLE and line.index >= page.end:
        return True
    return before and (len(line.amounts) >= 2 or line.role in (None, Role.TAX, Role.TAX_TABLE))


def _entries(line: Line, page: Page, taken: set[int], in_table: bool) -> Iterator[Entry]:
    amounts = line.amounts
    if not amounts:
        yield from _named_elsewhere(line, page, taken)
        return
    role, weight = line.role, line.weight
    position = 0
    for number, token in enumerate(amounts):
        label = line.text[position : token.start]
        own = find_role(label)
        if own[0] is not None and (number or len(amounts) > 1):
            role, weight = own
        nearest = find_role(label.strip().rsplit(GAP, 1)[-1])
        if role in _LOOK_ALIKES and nearest[0] in (Role.TOTAL, Role.SUBTOTAL):
            role, weight = nearest
        if token.value < 0 and (role == Role.NOTE or (role is None and _takes_off(line, page))):
            role = Role.DISCOUNT
        position = token.end
        yield Entry(
            role=role,
            weight=weight,
            label=label.strip(" :-"),
            token=token,
            line=line.index,
            in_tax_table=in_table,
        )


def _takes_off(line: Line, page: Page) -> bool:
    """Whether a negative amount of unknown name stands between subtotal and total (``Member -1.00``)."""
    above = any(other.role == Role.SUBTOTAL for other in page.lines[: line.index])
    below = any(other.role == Role.TOTAL for other in page.lines[line.index + 1 :])
    return above and below and line.letters >= 3


def _named_elsewhere(line: Line, page: Page, taken: set[int]) -> Iterator[Entry]:
    """The amount of a name that stands alone: a number without its mark, or the next row's lone amount."""
    if line.role is None or line.role in (Role.TABLE, Role.TAX_TABLE, Role.COUNT, Role.NOTE):
        return
    label = line.text.strip(" :-")
    last = line.tokens[-1] if line.tokens else None
    mended = repair_mark(last, page.convention) if last is not None else None
    if mended is not None and line.role in (Role.TOTAL, Role.SUBTOTAL):
        yield Entry(role=line.role, weight=line.weight, label=label, token=mended, line=line.index)
        return
    for neighbour in _neighbours(line, page.lines):
        if neighbour.index not in taken:
            taken.add(neighbour.index)
            yield Entry(
                role=line.role, weight=line.weight, label=label, token=neighbour.amounts[-1],
                line=line.index, beside=False,
            )  # fmt: skip
            return


def _neighbours(line: Line, lines: Sequence[Line]) -> Iterator[Line]:
    """The next row if it prints an amount and no name of its own."""
    for other in lines[line.index + 1 : line.index + 2]:
        if other.role is None and other.amounts and other.letters <= 3:
            yield other


def adjustments(entries: Sequence[Entry], *, negative: bool = False) -> tuple[AdjustmentRow, ...]:
    """Return entries as labelled amounts, discounts signed as they count; zeros are left out."""
    return tuple(
        AdjustmentRow(
            label=entry.label, token=entry.token, line=entry.line,
            value=-abs(entry.value) if negative else entry.value,
        )
        for entry in entries
        if entry.value != 0
    )  # fmt: skip
