"""Numbers in printed lines: where they stand, what they say, and what stands beside them.

Recognisers glue columns together (``1X5.00 5.00``, ``RM60.30``), so numbers are found per character,
and each keeps the part of the line's box it was printed in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import ROUND_DOWN, Decimal
from typing import Literal

from robustocr.adapters.parsing.geometry import Cell
from robustocr.dates import find_dates
from robustocr.money import AmountSpan, find_amounts
from robustocr.numeral import Convention, Numeral, plain_characters

_PLAIN = re.compile(r"(?<![\d.,])\d+(?:[.,]\d+)?(?![\d.,]?\d)")
_CLOCK = re.compile(r"(?<![\d$€£])(?<![$€£]\s)\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\b)?(?!\d)")
_CODE = re.compile(r"\d[\d\s/-]{9,}\d(?![.,\d])|(?<![\d.,])\d+(?:-\d+)+(?![.,\d])|(?<=\d)/\d+(?![.,\d])")
_TIMES_BEFORE = re.compile(r"(?:(?<![A-Za-z])[xX×]|(?<=[\d\s])\*)\s*(?:[^\W\d]{0,2}[$€£]|@)?\s?$")
_TIMES_AFTER = re.compile(r"^\s*(?:[xX×](?![A-Za-z])|\*\s?\d|@)")
_UNIT_AFTER = re.compile(
    r"^\s?(kgs?|g|gr|lbs?|oz|l|ltr|lt|litres?|liter|ml|gal|gallons?|m|cm|kwh|stk|st|pcs?|units?|ea|pz|biji)\b\.?(?!/)",
    re.IGNORECASE,
)
_LENGTH = re.compile(r"\s?(?:cm|mm|m)\b", re.IGNORECASE)
_MEASURE_AFTER = re.compile(r"\s?(?:kgs?|ml|ltr|lbs?|oz|cm|mm|KG|ML|gal)\b(?!/)")
_DASH = re.compile(r"[.,]-{1,2}$")
_LETTER_BEFORE = re.compile(r"(?<=[\w$€£])[IlOoBSZ]$")
"""A letter between a sign or a word and a number may be the number's first digit; ``S8.20`` is ``$8.20``."""
_MAX_DIGITS = 10
"""A longer number is a code."""
_OTHER_MARK = re.compile(r"(?<![\d.,:/-])(\d{1,5})[-:;*'](\d\d)$")
MARK_LOST = "decimal mark lost"
MARK_MISREAD = "decimal mark read as another sign"
CODE_AS_DIGIT = "tax letter read as a digit"
LETTER_TOUCHES = "a letter before it may be a digit"
BLANK_AT_MARK = "blank at the decimal mark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One printed number. ``value`` carries the printed sign; ``x0``, ``x1`` are page directions.

    ``money`` says that it has the form of an amount on this receipt, ``strong`` that a currency sign
    stands by it. ``repaired`` names what was put right to get the value, None where nothing was.
    ``start:end`` is its place in the row's text.
    """

    value: Decimal
    text: str
    x0: float
    x1: float
    quad: tuple[float, ...]
    score: float
    money: bool = False
    strong: bool = False
    percent: bool = False
    at: bool = False
    times: Literal["", "before", "after"] = ""
    unit: str | None = None
    repaired: str | None = None
    start: int = 0
    end: int = 0


def find_tokens(cell: Cell, convention: Convention) -> tuple[Token, ...]:
    """Return the numbers printed in one cell from left to right; dates, times, codes and phones are none."""
    text = _masked(plain_characters(cell.text))
    found = []
    for span in find_amounts(text, convention):
        if sum(char.isdigit() for char in span.text) <= _MAX_DIGITS:
            found.append((span.start, _amount_token(span, text, cell, convention)))
            text = _blank(text, span.start, span.end)
    original = _masked(plain_characters(cell.text))
    for match in _PLAIN.finditer(text):
        token = _plain_token(match, original, cell, convention)
        if token is not None:
            found.append((match.start(), token))
    return tuple(token for _, token in sorted(found, key=lambda pair: pair[0]))


def repair_mark(token: Token, convention: Convention) -> Token | None:
    """Return the amount a number would be with the decimal mark it may have lost, or None.

    ``6030`` on a receipt with two decimals becomes 60.30; its digits stay the printed ones.
    """
    digits = re.sub(r"\D", "", token.text)
    fits = 0 < convention.decimals < len(digits) <= 7 and digits in token.text
    if token.money or token.percent or token.times or token.unit or token.repaired or not fits:
        return None
    value = Decimal(digits).scaleb(-convention.decimals)
    return replace(token, value=value.copy_sign(token.value), money=True, repaired=MARK_LOST)


def misread_mark(cell: Cell, convention: Convention) -> Token | None:
    """Return the amount at a cell's end whose decimal mark was read as another sign (``52-00``), or None."""
    text = plain_characters(cell.text)
    match = _OTHER_MARK.search(text)
    if match is None or convention.decimals != 2:
        return None
    value = Decimal(f"{match[1]}.{match[2]}")
    token = Token(value=value, text=match.group(), x0=0, x1=0, quad=(), score=cell.score, money=True)
    return _token(cell, text, match.start(), match.end(2), replace(token, repaired=MARK_MISREAD))


def _masked(text: str) -> str:
    """Blank out what looks like a number and is none, keeping every position."""
    if sum(char.isdigit() for char in text) < 3:
        return text
    for reading in find_dates(text):
        text = _blank(text, reading.start, reading.end)
    for pattern in (_CLOCK, _CODE):
        for match in pattern.finditer(text):
            text = _blank(text, match.start(), match.end())
    return text


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + "\t" * (end - start) + text[end:]


def _amount_token(span: AmountSpan, text: str, cell: Cell, convention: Convention) -> Token:
    after = text[span.end :]
    measure = _MEASURE_AFTER.match(after) or (span.text[0] in "*xX" and _LENGTH.match(after))
    signed = span.marked and not re.search(r"[@*]", span.text) and not re.match(r"[#\w]", after)
    usual = (span.decimals == convention.decimals or _DASH.search(span.text)) and not measure
    token = Token(
        value=span.value,
        text=span.text.strip(),
        x0=0,
        x1=0,
        quad=(),
        score=cell.score,
        money=bool(usual) or (signed and span.decimals in (0, 2)),
        strong=signed,
        at="@" in span.text,
        repaired=_repair(span, text),
    )
    return _token(cell, text, span.start, span.end, _without_code(token, span, after, convention))


def _repair(span: AmountSpan, text: str) -> str | None:
    if span.repaired and " " in span.text.strip():
        return BLANK_AT_MARK
    return LETTER_TOUCHES if _LETTER_BEFORE.search(text[: span.start]) else None


def _without_code(token: Token, span: AmountSpan, after: str, convention: Convention) -> Token:
    """``32.709R`` is 32.70 and a misread tax code: the third decimal does not belong to the amount."""
    if (
        span.decimals != convention.decimals + 1
        or convention.decimals != 2
        or not re.match(r"[A-Z]\b", after)
    ):
        return token
    value = token.value.quantize(Decimal("0.01"), rounding=ROUND_DOWN)
    return replace(token, value=value, text=token.text[:-1], money=True, repaired=CODE_AS_DIGIT)


def _plain_token(match: re.Match[str], text: str, cell: Cell, convention: Convention) -> Token | None:
    numeral = Numeral.of(match.group())
    grouped = numeral.ambiguous and numeral.marks[0] == convention.thousands
    value = numeral.value(convention if grouped else Convention(decimal=convention.decimal or "."))
    digits = sum(char.isdigit() for char in match.group())
    if value is None or digits > _MAX_DIGITS:
        return None
    if re.search(r"(?:^|\s)-$", text[: match.start()]):
        value = -value
    token = _token(
        cell,
        text,
        match.start(),
        match.end(),
        Token(value=value, text=match.group(), x0=0, x1=0, quad=(), score=cell.score),
    )
    before, after = text[: match.start()], text[match.end() :]
    in_word = re.search(r"[A-Za-z#]$", before) or re.match(r"'?[^\W\d_]", after)
    allowed = _TIMES_BEFORE.search(before) or _TIMES_AFTER.match(after) or _UNIT_AFTER.match(after)
    return None if in_word and not allowed else token


def _token(cell: Cell, text: str, start: int, end: int, token: Token) -> Token:
    """Complete a token with its part of the cell's box and its place in the cell's text."""
    a, b = start / len(text), end / len(text)
    width = cell.x1 - cell.x0
    return replace(
        token,
        x0=cell.x0 + width * a,
        x1=cell.x0 + width * b,
        quad=_part(cell.quad, a, b),
        start=start,
        end=end,
    )


def in_context(token: Token, row_text: str) -> Token:
    """Complete a token with what stands beside it in its row: times signs, units, percent, ``@``."""
    before, after = row_text[: token.start], row_text[token.end :]
    times: Literal["", "before", "after"] = ""
    if _TIMES_AFTER.match(after):
        times = "after"
    elif _TIMES_BEFORE.search(before):
        times = "before"
    unit = _UNIT_AFTER.match(after)
    return replace(
        token,
        percent=bool(re.match(r"\s?%", after)),
        times=times,
        unit=unit.group(1).lower() if unit else None,
        at=token.at or bool(re.search(r"@\s*$", before)),
    )


def _part(quad: tuple[float, ...], a: float, b: float) -> tuple[float, ...]:
    """The part of a quad between two shares of its length."""
    (ax, ay, bx, by, cx, cy, dx, dy) = quad
    part = (
        ax + (bx - ax) * a, ay + (by - ay) * a, ax + (bx - ax) * b, ay + (by - ay) * b,
        dx + (cx - dx) * b, dy + (cy - dy) * b, dx + (cx - dx) * a, dy + (cy - dy) * a,
    )  # fmt: skip
    return tuple(round(v, 1) for v in part)
