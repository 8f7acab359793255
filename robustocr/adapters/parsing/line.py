"""A printed row with its numbers and its role, and where the items of a page begin and end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from robustocr.adapters.parsing.geometry import Row
from robustocr.adapters.parsing.keywords import Role
from robustocr.adapters.parsing.tokens import Token
from robustocr.adapters.parsing.words import has_other_words, plain_words

SUMS = frozenset(
    {
        Role.SUBTOTAL, Role.TOTAL, Role.TAX, Role.SERVICE, Role.TIP, Role.ROUNDING, Role.PAYMENT, Role.CHANGE,
    }
)  # fmt: skip
"""Roles of rows below the items that print an amount."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A row, its numbers from left to right, what it is about, and how plainly it names a total."""

    index: int
    row: Row
    tokens: tuple[Token, ...]
    role: Role | None
    weight: float = 0.0

    @property
    def text(self) -> str:
        """The printed text."""
        return self.row.text

    @property
    def amounts(self) -> tuple[Token, ...]:
        """The numbers that are amounts of money."""
        return tuple(token for token in self.tokens if token.money and not token.percent)

    @property
    def words(self) -> str:
        """Plain words of the row, see ``words.plain_words``."""
        return plain_words(self.row.text)

    @property
    def letters(self) -> int:
        """How many letters the row prints."""
        return sum(char.isalpha() for char in self.row.text)


def item_zone(lines: Sequence[Line]) -> tuple[int, int]:
    """Return the lines [start, end) that may hold items."""
    heading = _heading(lines)
    start = heading + 1 if heading is not None else 0
    seen = Decimal(0)
    for line in lines[start:]:
        if _ends_items(line, bool(seen)) and not _is_item(line, seen, lines):
            return start, line.index
        seen += line.amounts[-1].value if line.amounts else 0
    return start, len(lines)


def _heading(lines: Sequence[Line]) -> int | None:
    """Index of the table's heading (``Item Qty Amount``): the last above the sums with amounts below it.

    More amounts stand below a heading than above it.
    """
    last = found = None
    above = below = 0
    for line in lines:
        if line.role in (Role.TABLE, Role.TAX_TABLE) and not line.tokens:
            last = line.index
        elif line.amounts and line.role in (Role.SUBTOTAL, Role.TOTAL):
            break
        elif line.amounts:
            above, below = (above + below, 1) if found != last else (above, below + 1)
            found = last
    return found if below >= above else None


def _ends_items(line: Line, seen: bool) -> bool:
    """Whether a row begins the sums; ``seen`` says that amounts stand above it."""
    if line.role in (Role.TOTAL, Role.SUBTOTAL):
        return seen or bool(line.amounts)
    counts = line.role == Role.COUNT and any(abs(token.value) < 1000 for token in line.tokens)
    return seen and (counts or line.role == Role.TAX_TABLE or (line.role in SUMS and bool(line.amounts)))


def _is_item(line: Line, above: Decimal, lines: Sequence[Line]) -> bool:
    """Whether a row is an item whose name holds a keyword (``Balance bread``).

    It has other words too, and a larger sum follows: below further items, or reached with its amount.
    """
    if not line.amounts or not has_other_words(line.text):
        return False
    amount = line.amounts[-1].value
    between = False
    for other in lines[line.index + 1 :]:
        if other.role in (Role.TOTAL, Role.SUBTOTAL) and other.amounts and not has_other_words(other.text):
            found = other.amounts[-1].value
            return found > amount and (between or found == above + amount)
        between = between or (other.role is None and bool(other.amounts) and other.letters >= 3)
    return False
