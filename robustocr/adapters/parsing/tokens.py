"""Numbers in printed lines: where they stand, what they say, and what stands beside them.

Recognisers glue columns together (``1X5.00 5.00``, ``RM60.30``), so numbers are found per character,
and each keeps the part of the line's box it was printed in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from robustocr.adapters.parsing.geometry import Cell
from robustocr.dates import find_dates
from robustocr.money import AmountSpan, find_amounts
from robustocr.numeral import Convention, Numeral, plain_characters

_PLAIN = re.compile(r"(?<![\d.,])\d+(?:[.,]\d+)?(?![\d.,]?\d)")
_CLOCK = re.compile(r"(?<![\d$€£])(?<![$€£]\s)\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\b)?(?!\d)")
_CODE = re.compile(r"\d[\d\s/-]{9,}\d(?![.,\d])|(?<![\d.,])\d+(?:-\d+)+(?![.,\d])|(?<=\d)/\d+(?![.,\d])")
_TIMES_BEFORE = re.compile(r"(?:(?<![A-Za-z])[xX×]|(?<=[\d\s])\*)\s?(?:[^\W\d]{0,2}[$€£]|@)?\s?$")
_TIMES_AFTER = re.compile(r"^\s?(?:[xX×](?![A-Za-z])|\*\s?\d|@)")
_UNIT_AFTER = re.compile(
    r"^\s?(kgs?|g|gr|lbs?|oz|l|ltr|lt|litres?|liter|ml|gal|gallons?|m|cm|kwh|stk|st|pcs?|units?|ea|pz|biji)\b\.?(?!/)",
    re.IGNORECASE,
)
_LENGTH = re.compile(r"\s?(?:cm|mm|m)\b", re.IGNORECASE)
_MEASURE_AFTER = re.compile(r"\s?(?:kgs?|ml|ltr|lbs?|oz|cm|mm|KG|ML|gal)\b(?!/)")
_MAX_DIGITS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One printed number. ``value`` carries the printed sign; ``x0``, ``x1`` are page directions.

    ``money`` says that it has the form of an amount on this receipt, ``strong`` that a currency sign
    stands by it. ``repaired`` names what was put right to get the value, None where nothing was.
    ``others`` are further values its digits may stand for; ``start:end`` is its place in the row's text.
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
    others: tuple[Decimal, ...] = ()
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
    fits = 0 < convention.decimals < len(digits) <= 7
    if token.money or token.percent or token.times or token.unit or token.repaired or not fits:
        return None
    value = Decimal(digits).scaleb(-convention.decimals)
    reason = "decimal mark lost" if re.fullmatch(r"\D*\d+\D*", token.text) else "decimal mark misplaced"
    return replace(token, value=value.copy_sign(token.value), money=True, repaired=reason)


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
    measure = bool(_LENGTH.match(after) and re.match(r"[*xX]", span.text)) or bool(
        _MEASURE_AFTER.match(after)
    )
    usual = span.decimals == convention.decimals and not measure
    signed = "@" not in span.text and "*" not in span.text and span.marked and not re.match(r"[#\w]", after)
    return _token(
        cell,
        text,
        span.start,
        span.end,
        Token(
            value=span.value,
            text=span.text.strip(),
            x0=0,
            x1=0,
            quad=(),
            score=cell.score,
            money=usual or (signed and span.decimals in (0, 2)),
            strong=signed,
            at="@" in span.text,
            repaired="blank at the decimal mark" if span.repaired and " " in span.text.strip() else None,
            others=span.alternatives,
        ),
    )


def _plain_token(match: re.Match[str], text: str, cell: Cell, convention: Convention) -> Token | None:
    value = Numeral.of(match.group()).value(Convention(decimal=convention.decimal or "."))
    digits = sum(char.isdigit() for char in match.group())
    if value is None or digits > _MAX_DIGITS:
        return None
    token = _token(
        cell,
        text,
        match.start(),
        match.end(),
        Token(value=value, text=match.group(), x0=0, x1=0, quad=(), score=cell.score),
    )
    before, after = text[: match.start()], text[match.end() :]
    in_word = re.search(r"[A-Za-z#]$", before) or (re.match(r"'?[^\W\d_]", after) and not token.unit)
    return None if in_word and not token.times else token


def _token(cell: Cell, text: str, start: int, end: int, token: Token) -> Token:
    """Complete a token with what stands beside it and with its part of the cell's box."""
    before, after = text[:start], text[end:]
    times: Literal["", "before", "after"] = ""
    if _TIMES_AFTER.match(after):
        times = "after"
    elif _TIMES_BEFORE.search(before):
        times = "before"
    unit = _UNIT_AFTER.match(after)
    a, b = start / len(text), end / len(text)
    width = cell.x1 - cell.x0
    return replace(
        token,
        x0=cell.x0 + width * a,
        x1=cell.x0 + width * b,
        quad=_part(cell.quad, a, b),
        percent=bool(re.match(r"\s?%", after)),
        times=times,
        unit=unit.group(1).lower() if unit else None,
        at=token.at or bool(re.search(r"@\s?$", before)),
        start=start,
        end=end,
    )


def _part(quad: tuple[float, ...], a: float, b: float) -> tuple[float, ...]:
    """The part of a quad between two shares of its length."""
    (ax, ay, bx, by, cx, cy, dx, dy) = quad
    part = (
        ax + (bx - ax) * a, ay + (by - ay) * a, ax + (bx - ax) * b, ay + (by - ay) * b,
        dx + (cx - dx) * b, dy + (cy - dy) * b, dx + (cx - dx) * a, dy + (cy - dy) * a,
    )  # fmt: skip
    return tuple(round(v, 1) for v in part)
