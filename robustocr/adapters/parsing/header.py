"""What stands above and around the items: merchant, address, date, time, number, identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from robustocr.adapters.parsing.found import Found
from robustocr.adapters.parsing.geometry import Cell
from robustocr.adapters.parsing.header_codes import is_american
from robustocr.adapters.parsing.header_words import (
    ADDRESS_WORDS,
    COMPANY_WORDS,
    DATE_WORDS,
    DAY_FIRST_WORDS,
    OTHER_DATE_WORDS,
    OTHER_HEADER_WORDS,
    TITLE_WORDS,
)
from robustocr.adapters.parsing.keywords import Role
from robustocr.adapters.parsing.line import Line
from robustocr.adapters.parsing.lines import Page, in_column
from robustocr.adapters.parsing.phrases import any_of, anywhere
from robustocr.adapters.parsing.words import fold
from robustocr.dates import DateReading, find_dates, infer_day_first, parse_time

_TITLE = re.compile(rf"^(?:\W*{any_of(TITLE_WORDS)}\b\W*)+$")
_COMPANY = anywhere(COMPANY_WORDS)
_ADDRESS = anywhere(ADDRESS_WORDS)
_NOT_ADDRESS = re.compile(rf"\b{any_of(OTHER_HEADER_WORDS)}\b|@")
_COMPANY_FIRST = re.compile(r"(?:pt|cv|ud) [a-z]")
_REGISTRATION = re.compile(r"\s*\(?\b\d[\d -]{4,}-?[A-Z0-9]?\)?\s*$")
"""A company's number behind its name: ``(760271-H)``."""
_POSTAL = re.compile(r"\b\d{5}\b|\b[A-Z]{1,2}\d{1,2}[A-Z]? ?\d[A-Z]{2}\b|\b\d{4} ?[A-Z]{2}\b")
_HOUSE = re.compile(r"^\d+[a-z]?\W+[a-z].*|^[a-z][a-z .-]+ \d+ ?[a-z]?$")
_MOST_ROWS = 6
_DATE_WORD = anywhere(DATE_WORDS)
_OTHER_DATE = anywhere(OTHER_DATE_WORDS)
_DAY_FIRST = anywhere(DAY_FIRST_WORDS)
_GLUED_TIME = re.compile(r"(\d\d[./-]\d\d[./-]\d\d)(\d\d:\d\d)")
_MIXED_MARKS = re.compile(r"(?<![\d.,])(\d\d)\s?[.,/-]\s?(\d\d)\s?[.,/-]\s?((?:20)?\d\d)(?![\d.,])")
_TIME_WORD = re.compile(r"\b(?:time|uhr|zeit|jam|masa|heure)")


def find_merchant(page: Page) -> Found | None:
    """Return the shop's name: the first row at the top that is no title, or a company's name near it."""
    rows = [line for line in _top(page) if _may_name(line)]
    if not rows:
        return None
    named = [line for line in rows[:3] if _is_company(line)]
    best = named[0] if named else rows[0]
    position = rows.index(best)
    parts = [best]
    if named and position and not _COMPANY.sub("", best.words).replace(" ", "")[4:]:
        parts.insert(0, rows[position - 1])
    text = " ".join(line.text for line in parts)
    sure = 0.9 if named and not position else 0.7 if not position else 0.65
    others = tuple(line.text for line in rows[:3] if line not in parts)
    cells = tuple(cell for line in parts for cell in line.row.cells)
    return Found(value=_clean(_REGISTRATION.sub("", text)), text=text, cells=cells, sure=sure, others=others)


def find_address(page: Page, merchant: Found | None) -> Found | None:
    """Return the rows of the shop's address, joined by spaces."""
    rows = list(_top(page))
    start = next((i + 1 for i, line in enumerate(rows) if merchant and line.text == merchant.text), 0)
    chosen: list[Line] = []
    for position, line in enumerate(rows[start : start + 12], start):
        if _is_other(line):
            if chosen:
                break
        elif _is_address(line, rows[position + 1 : position + 3]) or (chosen and _follows(line)):
            chosen.append(line)
        elif chosen:
            break
    if not chosen:
        return None
    text = " ".join(line.text for line in chosen[:_MOST_ROWS])
    cells = tuple(cell for line in chosen[:_MOST_ROWS] for cell in line.row.cells)
    return Found(value=_clean(text), text=text, cells=cells, sure=0.75 if len(chosen) > 1 else 0.6)


def find_date(page: Page) -> Found | None:
    """Return the day of the sale; both readings and no value where day and month cannot be told apart."""
    day_first = infer_day_first([" ".join(line.text.split()) for line in page.lines])
    if day_first is None and is_american(page):
        day_first = False
    elif day_first is None and any(_DAY_FIRST.search(fold(line.text)) for line in page.lines):
        day_first = True
    ranked = sorted(_dates(page.lines, day_first), key=lambda pair: -pair[0])
    if not ranked:
        return None
    score, cell, reading = ranked[0]
    rivals = {other.possible for _, _, other in ranked if other.possible != reading.possible}
    sure = 0.95 if not rivals else 0.9 if score >= 2 else 0.6
    if reading.value is None:
        others = tuple(day.isoformat() for day in reading.alternatives)
        reason = "day and month cannot be told apart"
        return Found(value=None, text=reading.text, cells=(cell,), sure=0.5, others=others, reason=reason)
    others = tuple(day.isoformat() for days in rivals for day in days)[:3]
    return Found(value=reading.value, text=reading.text, cells=(cell,), sure=sure, others=others)


def find_time(page: Page, date: Found | None) -> Found | None:
    """Return the time of day, beside the date where one is printed there."""
    best: tuple[float, Found] | None = None
    for line in page.lines:
        for cell in line.row.cells:
            time = parse_time(_GLUED_TIME.sub(r"\1 \2", cell.text))
            if time is None:
                continue
            beside = bool(date and any(cell in line.row.cells for cell in date.cells))
            score = 1.0 * beside + 0.5 * bool(_TIME_WORD.search(fold(line.text)))
            if best is None or score > best[0]:
                best = score, Found(value=time, text=cell.text, cells=(cell,), sure=0.9 if score else 0.7)
    return best[1] if best else None


def _top(page: Page) -> Sequence[Line]:
    """The rows above the first amount in the amounts' column, sixteen at most."""
    for line in page.lines[:16]:
        if line.amounts and in_column(line.amounts[-1], page.column, page.text_height) and line.index > 2:
            return page.lines[: line.index]
    return page.lines[:16]


def _is_company(line: Line) -> bool:
    return ":" not in line.text and bool(_COMPANY.search(line.words) or _COMPANY_FIRST.match(line.words))


def _plain(line: Line) -> str:
    return re.sub(r"[^\w@]+", " ", fold(line.text)).strip()


def _may_name(line: Line) -> bool:
    words = _plain(line)
    enough = line.letters >= 3 and line.letters >= 0.4 * len(line.text.replace(" ", ""))
    enough = enough and not re.match(r"\d{5}", words)
    return enough and not _TITLE.match(words) and not _NOT_ADDRESS.search(words)


def _is_other(line: Line) -> bool:
    words = _plain(line)
    named = _NOT_ADDRESS.search(words) or find_dates(line.text) or line.role == Role.TABLE
    return bool(named or (line.amounts and not _ADDRESS.search(words)))


def _is_address(line: Line, below: Sequence[Line]) -> bool:
    """Whether a row says so: by its words, a postal code, or a house number above a postal code."""
    words = fold(line.text)
    looks = bool(_ADDRESS.search(re.sub(r"[^a-z ]+", " ", words)) and line.letters >= 4)
    house = _HOUSE.match(words) and any(_POSTAL.search(other.text) for other in below)
    comma = "," in line.text and line.letters >= 4
    return looks or bool(house) or comma or bool(_POSTAL.search(line.text))


def _follows(line: Line) -> bool:
    return line.letters >= 4 and not _TITLE.match(fold(line.text))


def _dates(lines: Sequence[Line], day_first: bool | None) -> Iterable[tuple[float, Cell, DateReading]]:
    """Every date with how likely it is the day of the sale."""
    for line in lines:
        for cell in line.row.cells:
            for reading, penalty in _readings(cell.text, day_first):
                plausible = all(2000 <= day.year <= 2035 for day in reading.possible)
                bonus = 0.3 * bool(re.search(r"[/.-]", reading.text)) - 0.001 * line.index
                yield _day_of_sale(line) + bonus - penalty - 2.0 * (not plausible), cell, reading


def _readings(text: str, day_first: bool | None) -> Iterable[tuple[DateReading, float]]:
    """The dates in a text, with a penalty where a mark between the numbers had to be put right."""
    apart = _GLUED_TIME.sub(r"\1 \2", text)
    found = find_dates(apart, day_first=day_first)
    for reading in found:
        yield reading, 0.0
    if not found and _MIXED_MARKS.search(apart):
        for reading in find_dates(_MIXED_MARKS.sub(r"\1.\2.\3", apart), day_first=day_first):
            yield reading, 1.0


def _day_of_sale(line: Line) -> float:
    score = 2.0 * bool(_DATE_WORD.search(line.words)) + 1.0 * (parse_time(line.text) is not None)
    return score - 2.5 * bool(_OTHER_DATE.search(line.words))


def _clean(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" -*:|~=_")
