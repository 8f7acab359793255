"""Printed dates and times -> ISO values; a day-month order that nothing decides stays open."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass

from robustocr.currency import find_currency
from robustocr.numeral import plain_characters

_MONTH_NAMES = (
    "jan january januar janvier enero januari gennaio janeiro jänner jaenner ene janv gen",
    "feb february februar février fevrier febrero februari febbraio fevereiro fév fev févr fevr",
    "mar march märz maerz marz mars marzo maret mac março marco mrz mär",
    "apr april avril abril aprile avr abr",
    "may mai mayo mei maggio maio mag",
    "jun june juni juin junio giugno junho giu",
    "jul july juli juillet julio julai luglio julho juil lug",
    "aug august août aout agosto agustus ogos ags ago agt",
    "sep september septembre septiembre settembre setembro sept set septiembre",
    "oct october oktober octobre octubre ottobre outubro okt ott out",
    "nov november novembre noviembre novembro nop nopember",
    "dec december dezember décembre decembre diciembre desember disember dicembre dezembro dez dic des dis",
)
MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
"""Month names and short forms, casefolded, in eight languages -> month number."""

_NAME = "(?P<name>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")(?![^\W\d_])\.?"
_END = r"(?!\d(?!\d?:\d\d))(?![/-]\d)(?!\.\d{1,2}(?![\d:]))"
"""Not in the midst of a longer number, but a glued time (``20188:13``) may follow."""

_YEAR = r"(?P<year>(?:19|20)\d\d(?!:[0-5]\d(?!:\d))(?!:(?:2[4-9]|[3-5]\d):)|\d\d(?!:\d))"
"""Four digits, or two; of ``2015:59`` only the first two, for the rest is a time glued on."""

_PATTERNS = tuple(
    re.compile(rf"(?<!\d)(?<!\d[.,/:-]){pattern}{_END}", re.IGNORECASE)
    for pattern in (
        r"(?P<year>(?:19|20)\d\d)\s?(?P<sep>[-/.])\s?(?P<month>\d{1,2})\s?(?P=sep)\s?(?P<day>\d{1,2})",
        r"(?P<year>(?:19|20)\d\d)\s?[年년]\s?(?P<month>\d{1,2})\s?[月월]\s?(?P<day>\d{1,2})\s?[日일]?",
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|er)?[\s./,'-]{{0,2}}(?:de\s)?{_NAME}[\s./,'-]{{0,2}}(?:de\s)?{_YEAR}",
        rf"(?<![^\W\d_]){_NAME}[\s./-]{{0,2}}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[\s.,/'-]{{1,3}}{_YEAR}",
        rf"(?P<year>(?:19|20)\d\d)[\s./-]{{0,2}}{_NAME}[\s./-]{{0,2}}(?P<day>\d{{1,2}})",
        rf"(?P<first>\d{{1,2}})\s?(?P<sep>[-/.])\s?(?P<second>\d{{1,2}})\s?(?P=sep)\s?{_YEAR}",
        r"(?P<first>\d{1,2})(?P<sep>\s)(?P<second>\d{1,2})\s(?P<year>(?:19|20)\d\d)",
        r"(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])",
    )
)
_TIME = re.compile(
    r"(?<![\d:.,$€£])(?P<hour>\d{1,2})(?:(?P<mark>[:.h])(?P<minute>[0-5]\d)(?:(?P=mark)(?P<second>[0-5]\d))?)?"
    r"(?:\.\d+)?\s?(?P<half>[ap]\.?\s?m\b\.?)?(?P<word>\s?uhr\b)?(?![\d:])",
    re.IGNORECASE,
)


_DAY_FIRST_CURRENCIES = (
    "MYR", "IDR", "EUR", "GBP", "INR", "SGD", "AUD", "NZD", "THB", "VND", "BRL", "MXN", "TRY", "AED", "SAR",
    "KWD", "BHD", "OMR", "TND", "DKK", "NOK", "CHF", "PLN", "CZK", "RUB",
)  # fmt: skip
_DAY_FIRST_WORDS = re.compile(
    r"\b(sdn\.?\s?bhd|gmbh|mwst|ust-id|tva|pajak|npwp|ltd\.? \(uk\))\b", re.IGNORECASE
)
_US_POSTAL_CODE = re.compile(
    r"\b(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])"
    r",? \d{5}(?:-\d{4})?\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DateReading:
    """A date as read: ``value``, or None with both readings in ``alternatives``, day first, then month first.

    ``text`` is what was printed; ``start`` and ``end`` its place in the text searched. Both empty means
    that there is no date.
    """

    value: dt.date | None = None
    alternatives: tuple[dt.date, ...] = ()
    text: str = ""
    start: int = 0
    end: int = 0

    @property
    def possible(self) -> tuple[dt.date, ...]:
        """All readings, the decided one alone where there is one."""
        return (self.value,) if self.value else self.alternatives


def parse_date(text: str, *, day_first: bool | None = None) -> DateReading:
    """Return the first date printed in a text; an empty reading when there is none.

    ``day_first`` settles orders that the numbers leave open (``02/01/2018``). A year first is always
    year-month-day. Two-digit years are 1970 to 2069.
    """
    return next(iter(find_dates(text, day_first=day_first)), DateReading())


def find_dates(text: str, *, day_first: bool | None = None) -> tuple[DateReading, ...]:
    """Return every date printed in a text, in order, with its place; impossible dates are left out."""
    plain = plain_characters(text).replace("\u00a0", " ")
    found: list[DateReading] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(plain):
            overlaps = any(match.start() < other.end and other.start < match.end() for other in found)
            reading = None if overlaps else _reading(match, text, day_first)
            if reading:
                found.append(reading)
    return tuple(sorted(found, key=lambda reading: reading.start))


def infer_day_first(texts: Iterable[str]) -> bool | None:
    """Return whether a receipt prints the day before the month, None where nothing on it decides.

    Evidence, strongest first: dates with one possible order, dates that repeat a decided one in figures,
    dots between day and month, and what tells the country (currency, company forms, US postal codes).
    """
    lines = list(texts)
    readings = [reading for line in lines for reading in find_dates(line)]
    certain = {reading.value for reading in readings if reading.value}
    votes = [vote for reading in readings for vote in _order_votes(reading, certain)]
    for strength in (3, 2):
        chosen = {first for first, weight in votes if weight == strength}
        if len(chosen) == 1:
            return chosen.pop()
    return _country_order(lines)


def parse_time(text: str) -> dt.time | None:
    """Return the first time of day printed in a text (``8:13:39 PM``, ``18.05 Uhr``), or None."""
    plain = list(plain_characters(text).replace("\u00a0", " "))
    for reading in find_dates(text):
        colon = plain[reading.end : reading.end + 1] == [":"]
        end = reading.end + colon
        plain[reading.start : end] = " " * (end - reading.start)
    for match in _TIME.finditer("".join(plain)):
        time = _time(match)
        if time:
            return time
    return None


def _reading(match: re.Match[str], text: str, day_first: bool | None) -> DateReading | None:
    parts = match.groupdict()
    year = _full_year(parts["year"])
    if parts.get("first"):
        first, second = int(parts["first"]), int(parts["second"])
        options = [_day(year, second, first), _day(year, first, second)]
    else:
        month = MONTHS[parts["name"].casefold()] if parts.get("name") else int(parts["month"])
        options = [_day(year, month, int(parts["day"]))]
    possible = tuple(dict.fromkeys(day for day in options if day))
    if not possible:
        return None
    value = possible[0] if len(possible) == 1 else _choose(possible, day_first)
    return DateReading(
        value=value,
        alternatives=() if value else possible,
        text=text[match.start() : match.end()],
        start=match.start(),
        end=match.end(),
    )


def _choose(possible: tuple[dt.date, ...], day_first: bool | None) -> dt.date | None:
    return None if day_first is None else possible[0 if day_first else 1]


def _full_year(digits: str) -> int:
    year = int(digits)
    if len(digits) == 4:
        return year
    return 2000 + year if year < 70 else 1900 + year


def _day(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def _order_votes(reading: DateReading, certain: set[dt.date]) -> list[tuple[bool, int]]:
    figures = re.fullmatch(r"(\d{1,2})\s?([-/. ])\s?(\d{1,2})\s?\2\s?\d+", plain_characters(reading.text))
    if not figures or figures[1] == figures[3]:
        return []
    if reading.value:
        return [(int(figures[1]) == reading.value.day, 3)]
    same = [index == 0 for index, day in enumerate(reading.alternatives) if day in certain]
    if len(same) == 1:
        return [(same[0], 3)]
    return [(True, 2)] if figures[2] == "." else []


def _country_order(lines: list[str]) -> bool | None:
    currency = find_currency(lines)
    day_first = currency in _DAY_FIRST_CURRENCIES or any(_DAY_FIRST_WORDS.search(line) for line in lines)
    month_first = currency == "USD" or any(_US_POSTAL_CODE.search(line) for line in lines)
    return None if day_first == month_first else day_first


def _time(match: re.Match[str]) -> dt.time | None:
    half = (match["half"] or "").replace(".", "").replace(" ", "").casefold()
    named = bool(half or match["word"])
    if (match["mark"] in (None, ".")) and not named:
        return None
    hour = int(match["hour"])
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 23:
        return None
    return dt.time(hour, int(match["minute"] or 0), int(match["second"] or 0))
