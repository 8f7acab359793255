"""Currency signs and codes as receipts print them, and how many decimals each currency has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

SIGNS = {
    "US$": "USD", "S$": "SGD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "NZ$": "NZD",
    "HK$": "HKD", "NT$": "TWD", "R$": "BRL", "MX$": "MXN", "€": "EUR", "£": "GBP", "₩": "KRW", "원": "KRW",
    "円": "JPY", "元": "CNY", "₹": "INR", "₫": "VND", "đ": "VND", "฿": "THB", "₱": "PHP", "₽": "RUB",
    "₺": "TRY", "₴": "UAH", "₪": "ILS", "zł": "PLN", "Kč": "CZK",
    "RM": "MYR", "Rp": "IDR", "RMB": "CNY", "KD": "KWD", "Ft": "HUF",
    "$": None, "¥": None, "kr": None, "Rs": None, "Fr": None,
}  # fmt: skip
"""Printed sign -> ISO 4217 code, None where several currencies share the sign."""

CODES = (
    "MYR", "IDR", "USD", "EUR", "GBP", "JPY", "CNY", "KRW", "VND", "KWD", "BHD", "OMR", "TND", "SGD", "AUD",
    "CAD", "NZD", "HKD", "TWD", "THB", "PHP", "INR", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "BRL",
    "MXN", "ZAR", "AED", "SAR", "TRY", "ILS", "RUB", "UAH", "JOD", "CLP",
)  # fmt: skip
"""ISO 4217 codes that are recognised when printed as such."""

DECIMALS = {
    "KWD": 3, "BHD": 3, "OMR": 3, "TND": 3, "JOD": 3, "JPY": 0, "KRW": 0, "VND": 0, "IDR": 0, "CLP": 0,
}  # fmt: skip
"""How many decimals a currency is printed with, where that is not two (ISO 4217; IDR as practised)."""

_BESIDE_ONLY = ("BHD", "TRY", "KD", "Ft", "Fr", "kr", "Rs")
"""Signs that are also other words ("SDN BHD", "try our ..."): believed only right beside a number."""

_ANY_CASE = ("RM", "Rp", "RMB")
_MARKS = sorted((sign for sign in SIGNS if not sign.isascii() or "$" in sign), key=len, reverse=True)
_WORDS = [code for code in CODES if code not in _BESIDE_ONLY]

CURRENCY_PATTERN = (
    r"(?:"
    + "|".join(
        rf"(?<![A-Za-z]){re.escape(mark)}" if mark[0].isalpha() else re.escape(mark) for mark in _MARKS
    )
    + rf"|(?<![A-Za-z])(?:(?i:{'|'.join(_ANY_CASE)})|{'|'.join(_WORDS)})(?![A-Za-z])"
    + rf"|(?<![A-Za-z])(?<!SDN )(?<!SDN\. )(?<!\) )(?:{'|'.join(_BESIDE_ONLY)})(?=[.:]?\s?-?\d)"
    + rf"|(?:(?<=\d)|(?<=\d ))(?:{'|'.join(_BESIDE_ONLY)})(?![A-Za-z]))"
)
"""Regular expression (no groups) for one printed currency sign or code."""

_FOUND = re.compile(CURRENCY_PATTERN)
_BESIDE_NUMBER = re.compile(rf"({CURRENCY_PATTERN})\.?\s?-?[\d.,]|\d\s?({CURRENCY_PATTERN})")
_KANA = re.compile(r"[\u3040-\u30ff]")


def currency_of(sign: str) -> str | None:
    """Return the ISO code of a printed sign or code, None when unknown or shared by several currencies."""
    if sign.upper() in CODES:
        return sign.upper()
    folded = {known.casefold(): code for known, code in SIGNS.items()}
    return folded.get(sign.casefold())


def find_currency(texts: Iterable[str]) -> str | None:
    """Return the ISO code that a receipt's texts print most, or None when none or undecidable.

    ``$``, ``¥``, ``kr`` and ``Rs`` alone are shared by several currencies and decide nothing; kana beside
    a ``¥`` says JPY.
    """
    lines = [text.replace("￥", "¥").replace("＄", "$") for text in texts]
    votes: Counter[str] = Counter()
    for line in lines:
        beside = {match.start(1 if match.group(1) else 2) for match in _BESIDE_NUMBER.finditer(line)}
        for match in _FOUND.finditer(line):
            code = currency_of(match.group())
            if code:
                votes[code] += 3 if match.start() in beside else 1
            elif match.group() == "¥" and any(_KANA.search(other) for other in lines):
                votes["JPY"] += 1
    ranked = votes.most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]
