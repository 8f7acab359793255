"""A page as lines: how it prints amounts, where its amounts end, and the slips of reading put right."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from robustocr.adapters.base import OcrLine
from robustocr.adapters.parsing.geometry import GAP, Row, build_rows
from robustocr.adapters.parsing.keywords import Role
from robustocr.adapters.parsing.line import SUMS, Line, item_zone
from robustocr.adapters.parsing.tokens import Token, find_tokens, in_context, misread_mark, repair_mark
from robustocr.adapters.parsing.words import find_role
from robustocr.money import infer_convention
from robustocr.numeral import Convention

_LEAST_SURE = 0.5
"""The recogniser's score from which a line without digits counts as text."""
_LAST_NUMBER = re.compile(r"\d[\d.,]*(?=\D{0,4}$)")
_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+")


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
    rows = tuple(_mended(row) for row in build_rows(line for line in lines if _is_text(line)))
    convention = infer_convention([cell.text for row in rows for cell in row.cells])
    convention = _of_last_column(rows, convention)
    found = tuple(_line(index, row, convention) for index, row in enumerate(rows))
    column = _amount_column(found)
    height = float(np.median([cell.h for row in rows for cell in row.cells])) if rows else 0.0
    page = Page(lines=found, convention=convention, column=column, text_height=height)
    page = replace(page, lines=_repaired(page))
    start, end = item_zone(page.lines)
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


def _is_text(line: OcrLine) -> bool:
    """Whether a line is more than ornament read as letters: fairly sure, or with a digit."""
    return line.score >= _LEAST_SURE or any(char.isdigit() for char in line.text)


def _mended(row: Row) -> Row:
    """Join what was read as two cells at the decimal mark: ``16,`` and ``74`` beside it."""
    cells = [row.cells[0]]
    for cell in row.cells[1:]:
        left = cells[-1]
        near = cell.x0 - left.x1 < min(left.h, cell.h)
        if near and re.search(r"\d[.,]$", left.text) and re.match(r"\d\d(?!\d)", cell.text):
            joined = (*left.quad[:2], *cell.quad[2:6], *left.quad[6:])
            text, score = f"{left.text} {cell.text}", min(left.score, cell.score)
            cells[-1] = replace(left, text=text, quad=joined, score=score, x1=cell.x1)
        else:
            cells.append(cell)
    return Row(cells=tuple(cells))


def _line(index: int, row: Row, convention: Convention) -> Line:
    tokens: list[Token] = []
    offset = 0
    for cell in row.cells:
        for token in find_tokens(cell, convention):
            placed = replace(token, start=token.start + offset, end=token.end + offset)
            tokens.append(in_context(placed, row.text))
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


def _repaired(page: Page) -> tuple[Line, ...]:
    """The lines with lost decimal marks put back from the first amount on; codes in the column stay codes."""
    first = next((line.index for line in page.lines if line.amounts), len(page.lines))
    last = next(
        (line.index for line in page.lines if line.role == Role.TOTAL and line.tokens), len(page.lines)
    )
    most = max((token.value for line in page.lines for token in line.amounts), default=Decimal(0))
    lines = tuple(
        _repair(line, page, most) if first <= line.index < last or line.role in SUMS else line
        for line in page.lines
    )
    changed = [line.role not in SUMS for line, old in zip(lines, page.lines, strict=True) if line is not old]
    plain = sum(bool(line.amounts) for line in page.lines)
    return page.lines if 2 * sum(changed) > plain else lines


def _repair(line: Line, page: Page, most: Decimal) -> Line:
    """Take a last number without decimal mark for an amount where it stands in the amounts' column.

    ``most``: what no item can exceed, the largest amount printed plainly.
    """
    convention, column, height = page.convention, page.column, page.text_height
    if line.role in SUMS and not line.amounts:
        other = misread_mark(line.row.cells[-1], convention)
        if other is not None and in_column(other, column, height):
            return replace(line, tokens=(*line.tokens, _placed(other, line.row)))
    if not line.tokens or line.role in (Role.COUNT, Role.NOTE, Role.TABLE):
        return line
    last = line.tokens[-1]
    if last.money or not in_column(last, column, height):
        return line
    alone = re.search(r"(?:^|\s|[$€£])$", line.text[: last.start])
    mended = repair_mark(last, convention) if alone else None
    if mended is not None and line.role not in SUMS and abs(mended.value) > most:
        return line
    if mended is None and convention.decimals == 0 and (last.value == 0 or line.role in SUMS):
        mended = None if last.percent else replace(last, money=True)
    return line if mended is None else replace(line, tokens=(*line.tokens[:-1], mended))


def _placed(token: Token, row: Row) -> Token:
    """A token of the last cell with its place in the row's text."""
    offset = len(row.text) - len(row.cells[-1].text)
    return replace(token, start=token.start + offset, end=token.end + offset)
