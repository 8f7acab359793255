"""One printed number: digits with marks between them, and what the marks mean on one receipt."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

SPACE = "\u00a0"
"""Every non-breaking kind of space, after ``plain_characters``."""

_SAME = {
    **dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\u2014\ufe63\uff0d", "-"),
    **dict.fromkeys("\u00a0\u202f\u2007\u2009", SPACE),
    **dict.fromkeys("\u2019\u2018\u00b4`\u02bc\uff07", "'"),
    "，": ",", "．": ".", "：": ":", "（": "(", "）": ")", "＠": "@", "＊": "*", "％": "%",
    "＄": "$", "￥": "¥", "￦": "₩", "￡": "£", "\u066b": ".", "\u066c": ",", "×": "x",
}  # fmt: skip


def plain_characters(text: str) -> str:
    """Return the text with digits, minus signs, marks and spaces in their plain form, of equal length."""
    if text.isascii():
        return text.replace("`", "'")
    return "".join(_SAME.get(char) or _digit(char) for char in text)


def _digit(char: str) -> str:
    value = unicodedata.decimal(char, None) if not char.isascii() else None
    return char if value is None else str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Convention:
    """How one receipt prints amounts.

    ``decimal`` is the decimal mark, ``thousands`` the grouping mark, each empty where the receipt shows
    none; ``decimals`` is the usual number of decimals; ``currency`` an ISO code where one is printed;
    ``evidence`` holds the printed numbers that decided.
    """

    decimal: str = ""
    thousands: str = ""
    decimals: int = 2
    currency: str | None = None
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number taken apart: ``groups`` of digits with ``marks`` between them (one fewer than groups)."""

    groups: tuple[str, ...]
    marks: tuple[str, ...]

    @classmethod
    def of(cls, body: str) -> Numeral:
        """Take a printed number such as ``1.234,50`` apart; it starts with a digit or a mark."""
        return cls(tuple(re.split(r"\D", body)), tuple(re.findall(r"\D", body)))

    @property
    def ambiguous(self) -> bool:
        """Whether the only mark is followed by three digits, so that it may group or divide."""
        whole = self.groups[0]
        return (
            len(self.marks) == 1
            and self.marks[0] in ".,"
            and len(self.groups[1]) == 3
            and 1 <= len(whole) <= 3
            and not whole.startswith("0")
        )

    def decimal_mark(self, convention: Convention) -> str:
        """Return the mark that divides off the decimals, empty when all marks group thousands."""
        if not self.marks or self.marks[-1] not in ".,:" or self.marks.count(self.marks[-1]) > 1:
            return ""
        if self.ambiguous:
            return self.marks[0] if self.marks[0] == convention.decimal else ""
        return self.marks[-1]

    def fraction(self, convention: Convention) -> str:
        """Return the digits after the decimal mark, empty when there are none."""
        return self.groups[-1] if self.decimal_mark(convention) else ""

    def value(self, convention: Convention) -> Decimal | None:
        """Return the number, or None when its groups are not those of a number (``25.12.2018``)."""
        divided = bool(self.decimal_mark(convention))
        whole = self.groups[:-1] if divided else self.groups
        marks = self.marks[:-1] if divided else self.marks
        if not _well_grouped(whole, marks) or (divided and self.marks[-1] in marks):
            return None
        digits = "".join(whole) or "0"
        return Decimal(f"{digits}.{self.groups[-1]}" if divided and self.groups[-1] else digits)


def _well_grouped(whole: tuple[str, ...], marks: tuple[str, ...]) -> bool:
    if len(whole) == 1:
        return True
    if len(set(marks)) > 1 or not 1 <= len(whole[0]) <= 3 or whole[0].startswith("0"):
        return False
    western = all(len(group) == 3 for group in whole[1:])
    indian = len(whole[0]) <= 2 and all(len(group) == 2 for group in whole[1:-1]) and marks[0] == ","
    return western or (indian and len(whole[-1]) == 3)
