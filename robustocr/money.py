"""Printed amounts of money -> Decimal, with the decimal mark decided per receipt, not per amount.

``infer_convention`` looks at all texts of one receipt; ``parse_amount`` reads one whole text,
``find_amounts`` every amount in a line of text, and ``parse_quantity`` a number of pieces or a weight.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from robustocr.convention import NOT_MONEY_AFTER, QUANTITY_BEFORE, infer_convention
from robustocr.currency import CURRENCY_PATTERN, currency_of, find_currency
from robustocr.numeral import SPACE, Convention, Numeral, plain_characters

__all__ = [
    "AmountSpan", "Convention", "amount_candidates", "find_amounts", "find_currency", "infer_convention",
    "parse_amount", "parse_quantity",
]  # fmt: skip

_MINUS = r"(?:(?<![^\W_])-|(?<=(?<![^\W_])V)-)"
_LEAD = rf"(?:(?:{_MINUS}|[+@*=~]|{CURRENCY_PATTERN}[.:]?[ {SPACE}]?-?|(?<![^\W_])V(?=-))[ {SPACE}]?)*"
_SPACED = rf"\d{{1,3}}(?:[ {SPACE}]\d{{3}})+(?:[.,]\d{{1,3}})?(?!\d)"
_GAP = r"\d+(?: [.,]|[.,] )\d\d(?![\d%]|[.,]\d| ?%)"
_COLON = r"\d+:\d\d(?![\d:])"
_NORMAL = rf"\d+(?:[.,'{SPACE}]\d+)*|[.,]\d{{1,3}}"
_DASH = r"(?:[.,]?-{1,2}(?![\d.])|[.,](?![\d.,]))"


def _pattern(body: str) -> str:
    return (
        rf"(?P<lead>{_LEAD})(?P<open>\( ?)?(?P<inner>{_LEAD})(?<!\d)(?<!\d[.,:/'])(?P<body>{body})"
        rf"(?P<dash>{_DASH})?(?P<close> ?\))?(?P<after>\s?{CURRENCY_PATTERN})?"
    )


_WHOLE = re.compile(_pattern(f"{_SPACED}|{_GAP}|{_COLON}|{_NORMAL}") + r"(?P<letters>\s?[A-WYZ*#]{1,2})?\.?")
_IN_LINE = re.compile(_pattern(f"{_GAP}|{_COLON}|{_NORMAL}"))
_IN_SPACED_LINE = re.compile(_pattern(f"{_SPACED}|{_GAP}|{_COLON}|{_NORMAL}"))
_BLANK_AT_MARK = re.compile(r" [.,]|[.,] ")
_MERGED = re.compile(r"\d+[.,]\d\d")
_QUANTITY = re.compile(
    r"(?:qty[.:]?|[xX*])?\s?(?P<body>\d+(?:[.,]\d+)?)\s?(?:[xX*@]|pcs?|st|stk|kg|g|lbs?|oz|l|ltr|lit(?:er|re)s?|ml|kwh"
    r"|gal(?:lons?)?|units?|items?|ea|buah|m)?\.?\s?(?:[xX*@]\s?(?:items?)?)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountSpan:
    """An amount found in a line: ``value``, the printed ``text``, and its place ``start:end`` in the line.

    ``decimals`` counts the printed decimals; ``currency`` is the ISO code printed beside it; ``marked``
    says that a currency sign or code, ``@`` or ``*`` stands beside it; ``repaired`` that blanks or a missing
    separation were mended; ``alternatives`` are further readings, the likeliest first.
    """

    value: Decimal
    text: str
    start: int
    end: int
    decimals: int = 0
    currency: str | None = None
    marked: bool = False
    repaired: bool = False
    alternatives: tuple[Decimal, ...] = ()


def parse_amount(text: str, convention: Convention | None = None) -> Decimal | None:
    """Return the amount that the whole text prints, or None when it is not one.

    Understands currency signs and codes on either side, grouping of every kind, minus before, after or as
    brackets, and trailing tax letters. Quantities (``2X``), percentages and times are not amounts. Without
    a convention the text alone decides: three digits after a single mark are thousands (``25.000``).
    """
    candidates = amount_candidates(text, convention)
    return candidates[0] if candidates else None


def amount_candidates(text: str, convention: Convention | None = None) -> tuple[Decimal, ...]:
    """Return every amount the whole text may stand for, best first; empty when it is not an amount.

    After the reading under the convention come the other meaning of a single mark (``25.000`` as 25) and
    the digits with the decimal mark where the receipt usually has it (``2890`` as 28.90).
    """
    convention = convention or infer_convention([text])
    match = _WHOLE.fullmatch(plain_characters(text).strip(f" {SPACE}\t[]|"))
    if not match:
        return ()
    numeral = Numeral.of(_plain_body(match["body"]))
    divided, marked = bool(numeral.fraction(convention)), _is_marked(match)
    if (match["letters"] and not (divided or marked)) or (":" in match["body"] and not marked):
        return ()
    return tuple(_signed(value, match) for value in _readings(numeral, convention))


def find_amounts(text: str, convention: Convention | None = None) -> tuple[AmountSpan, ...]:
    """Return every amount printed in a line of text, in order.

    Bare whole numbers count only where the receipt prints amounts without decimals, or beside a currency
    sign, ``@`` or ``*``. Percentages, quantities, dates, times and codes are left out.
    """
    convention = convention or infer_convention([text])
    plain = plain_characters(text)
    spaced = convention.thousands == " "
    spans: list[AmountSpan] = []
    for match in (_IN_SPACED_LINE if spaced else _IN_LINE).finditer(plain):
        spans.extend(_spans(match, plain, text, convention))
    return tuple(spans)


def parse_quantity(text: str, convention: Convention | None = None) -> Decimal | None:
    """Return the number in a printed quantity (``1 x``, ``x2``, ``0.586 kWh``), or None when it is not one.

    A mark divides off decimals, even three of them, unless the receipt's decimal mark is the other one.
    """
    match = _QUANTITY.fullmatch(plain_characters(text).replace(SPACE, " ").strip())
    if not match:
        return None
    numeral = Numeral.of(match["body"])
    if not numeral.marks:
        return Decimal(match["body"])
    groups = convention is not None and convention.decimal not in ("", numeral.marks[0])
    decimal = "" if groups else numeral.marks[0]
    return numeral.value(Convention(decimal=decimal))


def _spans(match: re.Match[str], plain: str, text: str, convention: Convention) -> Iterator[AmountSpan]:
    body = match["body"]
    numeral = Numeral.of(_plain_body(body))
    values = _readings(numeral, convention)
    if not values:
        yield from _merged(match, text, convention)
    elif _is_money(match, plain, numeral, convention):
        start = _start(match)
        end = match.end()
        if match["close"] and not match["open"]:
            end = match.start("close")
        elif match["dash"] in (".", ","):
            end = match.end("body")
        value, *others = (_signed(value, match) for value in values)
        yield AmountSpan(
            value=value,
            text=text[start:end],
            start=start,
            end=end,
            decimals=len(numeral.fraction(convention)),
            currency=_currency(match),
            marked=_is_marked(match),
            repaired=bool(_BLANK_AT_MARK.search(body)),
            alternatives=tuple(others),
        )


def _merged(match: re.Match[str], text: str, convention: Convention) -> Iterator[AmountSpan]:
    """Amounts printed so close that the engine joined them: ``5.005.00``."""
    parts = list(_MERGED.finditer(match["body"]))
    if "".join(part.group() for part in parts) != match["body"]:
        return
    for part in parts:
        value = Numeral.of(part.group()).value(convention)
        start, end = match.start("body") + part.start(), match.start("body") + part.end()
        if value is not None:
            yield AmountSpan(
                value=value, text=text[start:end], start=start, end=end, decimals=2, repaired=True
            )


def _readings(numeral: Numeral, convention: Convention) -> list[Decimal]:
    first = numeral.value(convention)
    if first is None:
        return []
    values = [first]
    if numeral.ambiguous:
        mark = "" if numeral.decimal_mark(convention) else numeral.marks[0]
        values.append(numeral.value(Convention(decimal=mark)) or first)
    digits = "".join(numeral.groups)
    if convention.decimals and len(numeral.fraction(convention)) != convention.decimals:
        values.append(Decimal(int(digits)).scaleb(-convention.decimals))
    return list(dict.fromkeys(values))


def _is_money(match: re.Match[str], plain: str, numeral: Numeral, convention: Convention) -> bool:
    after = plain[match.end() :]
    marked = _is_marked(match)
    if ":" in match["body"] or match["body"][0] in ".,":
        return marked or (match["body"][0] in ".," and _free_standing(match, plain))
    if _BLANK_AT_MARK.search(match["body"]) and convention.decimal not in ("", numeral.marks[-1]):
        return False
    if NOT_MONEY_AFTER.match(after) or re.match(r"[:/]\d", after):
        return False
    if not marked and _counts(match, plain, numeral, convention):
        return False
    even = (match["dash"] or "")[:2] in (".-", ",-")
    if even or numeral.fraction(convention) or (marked and not re.match(r"\s?[xX]\b", after)):
        return True
    return _is_whole_amount(match, plain, numeral, convention)


def _counts(match: re.Match[str], plain: str, numeral: Numeral, convention: Convention) -> bool:
    """Whether words before a whole number (``Qty 2.00``) say that it counts pieces."""
    cents = numeral.fraction(convention).strip("0")
    return not cents and bool(QUANTITY_BEFORE.search(plain[: match.start()]))


def _is_whole_amount(match: re.Match[str], plain: str, numeral: Numeral, convention: Convention) -> bool:
    digits = "".join(numeral.groups)
    if len(digits) > 9 or (len(digits) > 1 and digits.startswith("0")) or not _free_standing(match, plain):
        return False
    if re.match(r"\s?[xX]\b", plain[match.end() :]) or re.search(r"\b[xX]\s?$", plain[: match.start()]):
        return False
    return bool(numeral.marks) or convention.decimals == 0


def _free_standing(match: re.Match[str], plain: str) -> bool:
    before, after = plain[: match.start()], plain[match.end() :]
    return not re.search(r"[\w#:/.,-]$", before) and not re.match(r"[\w#/:-]", after)


def _is_marked(match: re.Match[str]) -> bool:
    lead = match["lead"] + match["inner"]
    return bool(match["after"] or re.search(rf"{CURRENCY_PATTERN}|@|\*$", lead))


def _start(match: re.Match[str]) -> int:
    """The match without an opening bracket that nothing closes, and what stands before it."""
    return match.start("inner") if match["open"] and not match["close"] else match.start()


def _signed(value: Decimal, match: re.Match[str]) -> Decimal:
    dash = match["dash"] or ""
    negative = (
        "-" in match["lead"] + match["inner"]
        or dash.startswith("-")
        or bool(match["open"] and match["close"])
    )
    return -value if negative and value else value


def _currency(match: re.Match[str]) -> str | None:
    signs = re.findall(CURRENCY_PATTERN, match.group())
    return next((code for code in map(currency_of, signs) if code), None)


def _plain_body(body: str) -> str:
    """The digits with their marks: blanks beside a mark gone, blanks between groups as ``SPACE``."""
    return re.sub(r" ?([.,]) ?", r"\1", body).replace(" ", SPACE)
