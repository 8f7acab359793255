"""A printed row with its numbers and its role, and where the items of a page begin and end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from robustocr.adapters.base import OcrLine
from robustocr.adapters.parsing.geometry import GAP, Row, build_rows
from robustocr.adapters.parsing.keywords import Role
from robustocr.adapters.parsing.tokens import Token, find_tokens, repair_mark
from robustocr.adapters.parsing.words import find_role, plain_words
from robustocr.money import infer_convention
from robustocr.numeral import Convention

SUMMARY_ROLES = frozenset(
    {
        Role.SUBTOTAL,
        Role.TOTAL,
        Role.TAX,
        Role.SERVICE,
        Role.TIP,
        Role.ROUNDING,
        Role.COUNT,
        Role.PAYMENT,
        Role.CHANGE,
    }
)
"""Roles that end the list of items."""


_LAST_NUMBER = re.compile(r"\d[\d.,]*(?=\D{0,4}$)")
_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_COMPANY_FORM = re.compile(r"\bBHD\b\.?", re.IGNORECASE)
"""``Sdn. Bhd.`` is a form of company, no currency."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """All lines from top to bottom, how amounts are printed, and the items' lines ``start`` to ``end``."""

    lines: tuple[Line, ...]
    convention: Convention
    column: float | None
    text_height: float
    start: int = 0
    end: int = 0


def read_page(lines: Iterable[OcrLine]) -> Page:
    """Return the page's lines with numbers and roles; an empty page when nothing is printed."""
    rows = build_rows(lines)
    convention = infer_convention([_COMPANY_FORM.sub("", cell.text) for row in rows for cell in row.cells])
    convention = _of_last_column(rows, convention)
    found = tuple(_line(index, row, convention) for index, row in enumerate(rows))
    column = _amount_column(found)
    height = float(np.median([cell.h for row in rows for cell in row.cells])) if rows else 0.0
    first = next((line.index for line in found if line.amounts), len(found))
    repaired = (*found[:first], *(_repair(line, convention, column, height) for line in found[first:]))
    page = Page(lines=repaired, convention=convention, column=column, text_height=height)
    start, end = _item_zone(page)
    return replace(page, start=start, end=end)


def _of_last_column(rows: Sequence[Row], convention: Convention) -> Convention:
    """Correct the convention by each row's last number: unit prices and weights may be printed otherwise.

    ``210.00 x 80  16,800`` has no decimals in its amounts.
    """
    last = [match.group() for row in rows if (match := _LAST_NUMBER.search(row.text))]
    grouped = [text for text in last if _GROUPED.fullmatch(text)]
    divided = sum(bool(re.search(r"[.,]\d\d$", text)) for text in last)
    if convention.decimals == 0 or len(grouped) < 2 or len(grouped) <= 2 * divided:
        return convention
    mark = Counter(text[-4] for text in grouped).most_common(1)[0][0]
    if convention.decimals == 3 and mark == convention.decimal:
        return convention
    return replace(
        convention,
        decimal="" if convention.decimal == mark else convention.decimal,
        thousands=mark,
        decimals=0,
    )


def in_column(token: Token, column: float | None, height: float) -> bool:
    """Whether a number ends where the page's amounts end."""
    return column is not None and abs(token.x1 - column) <= 2.0 * height


def _line(index: int, row: Row, convention: Convention) -> Line:
    tokens: list[Token] = []
    offset = 0
    for cell in row.cells:
        for token in find_tokens(cell, convention):
            tokens.append(replace(token, start=token.start + offset, end=token.end + offset))
        offset += len(cell.text) + len(GAP)
    if convention.decimals == 0:
        tokens = [_whole(token, convention) for token in tokens]
    role, weight = find_role(row.text)
    if role in (Role.TABLE, Role.TAX_TABLE, Role.COUNT) and len(tokens) > 1 and tokens[-1].money:
        last = find_role(row.text[tokens[-2].end : tokens[-1].start])
        role, weight = last if last[0] in (Role.TOTAL, Role.SUBTOTAL) else (role, weight)
    return Line(index=index, row=row, tokens=tuple(tokens), role=role, weight=weight)


def _whole(token: Token, convention: Convention) -> Token:
    """On a receipt without decimals a bare whole number is an amount only if it is grouped or large."""
    grouped = bool(re.search(r"\d[.,' \u00a0]\d", token.text))
    large = not convention.thousands and abs(token.value) >= 100
    return replace(token, money=token.money and (grouped or token.strong or large))


def _amount_column(lines: Sequence[Line]) -> float | None:
    """Right edge of the column in which most rows have their last amount, in pixels; None without amounts."""
    edges = np.array([line.amounts[-1].x1 for line in lines if line.amounts])
    if not len(edges):
        return None
    height = float(np.median([line.row.h for line in lines]))
    near = (np.abs(edges[:, None] - edges) <= 1.5 * height).sum(axis=1) + edges / (edges.max() + 1) * 0.5
    return float(edges[int(np.argmax(near))])


def _repair(line: Line, convention: Convention, column: float | None, height: float) -> Line:
    """Take a last number without decimal mark for an amount where it stands in the amounts' column."""
    if not line.tokens:
        return line
    last = line.tokens[-1]
    if last.money or not in_column(last, column, height):
        return line
    mended = repair_mark(last, convention)
    if mended is None and convention.decimals == 0 and last.value == 0:
        mended = replace(last, money=True)
    return line if mended is None else replace(line, tokens=(*line.tokens[:-1], mended))


def _item_zone(page: Page) -> tuple[int, int]:
    """Return the lines [start, end) that may hold items."""
    heading = _heading(page)
    start = heading + 1 if heading is not None else 0
    seen = False
    for line in page.lines[start:]:
        if (
            seen
            and line.role in SUMMARY_ROLES
            and (line.amounts or line.role in (Role.SUBTOTAL, Role.TOTAL, Role.COUNT))
        ):
            return start, line.index
        if line.role in (Role.TOTAL, Role.SUBTOTAL) and line.amounts:
            return start, line.index
        if seen and line.role == Role.TAX_TABLE:
            return start, line.index
        seen = seen or bool(line.amounts)
    return start, len(page.lines)


def _heading(page: Page) -> int | None:
    """Index of the table's heading (``Item Qty Price Amount``) above the first amounts, or None."""
    last = None
    amounts = 0
    for line in page.lines:
        if line.role in (Role.TABLE, Role.TAX_TABLE) and not line.tokens:
            last = line.index
            continue
        amounts += bool(line.amounts)
        if amounts > 1:
            break
    return last
