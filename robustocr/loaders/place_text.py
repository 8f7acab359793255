"""Find texts, dates, times, codes and currencies among printed rows."""

from __future__ import annotations

import datetime as dt
import re

from rapidfuzz import fuzz

from robustocr.adapters.parsing.keywords import Role
from robustocr.currency import CURRENCY_PATTERN, currency_of
from robustocr.dates import find_dates, parse_time
from robustocr.loaders.print_lines import PrintedPage
from robustocr.loaders.rows import Row, union
from robustocr.numeral import plain_characters
from robustocr.records import Box

_SAME_TEXT = 75.0
"""Least similarity, 0 to 100 (normalised indel distance), of a text to the rows that print it."""

_SAME_WORD = 80.0
"""Least similarity of a word to its best place in the text."""

_WITHIN_MORE = 10.0
"""What a text that is only a part of its row loses against one that fills its rows."""

_CURRENCY = re.compile(CURRENCY_PATTERN)


def bare(text: str) -> str:
    """Return the letters and digits of a text, casefolded."""
    return "".join(char for char in text.casefold() if char.isalnum())


def places_of_text(page: PrintedPage, text: str, most_rows: int) -> tuple[Box, ...]:
    """Return the boxes, one per row, of the run of at most ``most_rows`` rows that is most like a text."""
    rows = _most_similar_run(page, bare(text), most_rows)
    if len(rows) == 1 and len(rows[0].text) > len(text):
        part = fuzz.partial_ratio_alignment(text.casefold(), rows[0].text.casefold())
        return (rows[0].box(part.dest_start, part.dest_end),) if part else ()
    boxes = (_box_of_shared_words(row, bare(text)) for row in rows)
    return tuple(box for box in boxes if box)


def _most_similar_run(page: PrintedPage, wanted: str, most_rows: int) -> tuple[Row, ...]:
    best, run = _SAME_TEXT, slice(0)
    printed = [bare(row.text) for row in page.rows] if wanted else []
    for first in range(len(printed)):
        for last in range(first + 1, min(first + most_rows, len(printed)) + 1):
            score = _similarity(wanted, printed[first:last])
            if score > best:
                best, run = score, slice(first, last)
    return page.rows[run]


def _similarity(wanted: str, printed: list[str]) -> float:
    """How like a text the rows are as a whole, 0 to 100; a single row may hold more than the text."""
    score = fuzz.ratio(wanted, "".join(printed))
    if len(printed) == 1 and 5 <= len(wanted) < len(printed[0]):
        return max(score, fuzz.partial_ratio(wanted, printed[0]) - _WITHIN_MORE)
    return score


def places_of_code(page: PrintedPage, code: str) -> tuple[Box, ...]:
    """Return the boxes of every print of an identifier, blanks and punctuation aside."""
    wanted = bare(code)
    found = []
    for row in page.rows if wanted else ():
        kept = [index for index, char in enumerate(row.text) if char.isalnum()]
        start = "".join(row.text[index] for index in kept).casefold().find(wanted)
        if start >= 0 and start + len(wanted) <= len(kept):
            found.append(row.box(kept[start], kept[start + len(wanted) - 1] + 1))
    return tuple(found)


def places_of_date(page: PrintedPage, date: dt.date) -> tuple[Box, ...]:
    """Return the boxes of every printed date that can be read as this day."""
    return tuple(
        row.box(reading.start, reading.end)
        for row in page.rows
        for reading in find_dates(row.text)
        if date in reading.possible
    )


def places_of_time(page: PrintedPage, time: dt.time) -> tuple[Box, ...]:
    """Return the boxes of the words that print this time, to the minute."""
    found = []
    for row in page.rows:
        for word in row.words:
            read = parse_time(word.text)
            if read and (read.hour, read.minute) == (time.hour, time.minute):
                found.append(word.box)
    return tuple(found)


def places_of_currency(page: PrintedPage, code: str) -> tuple[Box, ...]:
    """Return the boxes of every printed sign or code of a currency."""
    return tuple(
        row.box(match.start(), match.end())
        for row in page.rows
        for match in _CURRENCY.finditer(plain_characters(row.text))
        if currency_of(match.group()) == code
    )


def places_of_count(page: PrintedPage, count: int | None) -> tuple[Box, ...]:
    """Return the boxes of this number in the rows that count items."""
    return tuple(
        page.rows[index].box(match.start(), match.end())
        for index in sorted(page.rows_about((Role.COUNT,)))
        for match in re.finditer(r"(?<![\d.,])\d+(?:\.0+)?(?![\d.,])", page.rows[index].text)
        if float(match.group()) == count
    )


def _box_of_shared_words(row: Row, wanted: str) -> Box | None:
    """The box of a row's words that the text has too; of the whole row where single words do not tell."""
    shared = [
        word.box
        for word in row.words
        if bare(word.text) and fuzz.partial_ratio(bare(word.text), wanted) >= _SAME_WORD
    ]
    return union(shared) if shared else None
