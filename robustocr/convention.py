"""Infer how one receipt prints amounts: which mark divides off the decimals, which groups thousands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from robustocr.currency import CURRENCY_PATTERN, DECIMALS, find_currency
from robustocr.numeral import SPACE, Convention, Numeral, plain_characters

NOT_MONEY_AFTER = re.compile(
    r"\s?%|\s?(?i:kwh|kw|kg|lbs?|ml|cl|ltr|pcs?|pck|items?|itm|uhr|mm|cm|gb|mb|gal)\b|\s?[lghL]\b|\s?(?i:x\s?items?)"
    r"|\s?/\s?(?i:l|kg|gal|lb|100)"
)
"""What follows a number that is a share, a quantity or a size, not money (matched at the number's end)."""

_NUMBER = re.compile(
    rf"(?<![\d])(?<!\d[.,:/'-])(?P<sign>{CURRENCY_PATTERN}[.:]?\s?)?-?(?P<body>\d+(?:[.,'{SPACE}]\d+)+|\d+)(?![\d:/]|-\d)"
)
_SPACED = re.compile(rf"\D{{0,6}}\d{{1,3}}(?:[ {SPACE}]\d{{3}})+(?:[.,]\d{{1,2}})?\D{{0,6}}")
QUANTITY_BEFORE = re.compile(
    r"(?:\b(?:qty|quantity|jml|menge|anzahl)|\bitems?\s?(?=[:(])|\b(?:total|no\.? of|number of) items?)"
    r"[\s.:(]*$",
    re.IGNORECASE,
)
"""What stands before a number of pieces (searched at the end of the text before the number)."""

_MEASURED = re.compile(
    r"\b(?:gal(?:lons?)?|lit(?:er|re)s?|ltrs?|kg|kwh|lbs?|m3|kilo)\b|/\s?(?:l|kg|gal|lb)\b", re.IGNORECASE
)


def infer_convention(texts: Iterable[str]) -> Convention:
    """Return how one receipt prints amounts, from all of its texts (lines, words or amounts alone).

    Two decimals, two kinds of marks in one number, and a leading zero say which mark is the decimal one;
    repeated marks and groups of three say which one groups. Where both meanings of a mark are seen, the
    weightier evidence wins; currencies with no or three decimals add to it.
    """
    lines = [plain_characters(text) for text in texts]
    currency = find_currency(lines)
    usual = DECIMALS.get(currency or "", 2)
    decimal_votes: Counter[str] = Counter()
    group_votes: Counter[str] = Counter()
    numerals: list[Numeral] = []
    evidence: list[str] = []
    for line in lines:
        for match in _money_numbers(line):
            numeral = Numeral.of(match["body"])
            numerals.append(numeral)
            if numeral.marks:
                evidence.append(match["body"])
                _vote(numeral, bool(match["sign"]), usual, decimal_votes, group_votes)
        if _SPACED.fullmatch(line.strip()):
            group_votes[" "] += 2
    decimal = _winner(decimal_votes, group_votes, ties=True)
    return Convention(
        decimal=decimal,
        thousands=_winner(group_votes, decimal_votes, ties=False).replace(SPACE, " "),
        decimals=_usual_decimals(numerals, decimal, usual),
        currency=currency,
        evidence=tuple(dict.fromkeys(evidence)),
    )


def _money_numbers(line: str) -> list[re.Match[str]]:
    measured = bool(_MEASURED.search(line))
    found = []
    for match in _NUMBER.finditer(line):
        after, before = line[match.end() :], line[: match.start()]
        skip = NOT_MONEY_AFTER.match(after) or QUANTITY_BEFORE.search(before)
        numeral = Numeral.of(match["body"])
        if not (skip or (measured and numeral.ambiguous) or numeral.value(Convention()) is None):
            found.append(match)
    return found


def _vote(numeral: Numeral, signed: bool, usual: int, decimal: Counter[str], group: Counter[str]) -> None:
    last, tail = numeral.marks[-1], numeral.groups[-1]
    if numeral.ambiguous:
        if usual == 3:
            decimal[last] += 2
        else:
            group[last] += 1 if usual else 2
    elif not numeral.decimal_mark(Convention()):
        group[last] += 3
    else:
        group.update(dict.fromkeys(numeral.marks[:-1], 3))
        cents = len(tail) == 2 and (tail != "00" or signed)
        decimal[last] += 3 if cents or len(numeral.marks) > 1 else 1


def _winner(votes: Counter[str], against: Counter[str], *, ties: bool) -> str:
    winners = [
        (count, mark)
        for mark, count in votes.items()
        if count > against[mark] or (ties and count == against[mark])
    ]
    return max(winners)[1] if winners else ""


def _usual_decimals(numerals: list[Numeral], decimal: str, usual: int) -> int:
    if usual == 3 or not numerals:
        return usual
    convention = Convention(decimal=decimal)
    lengths = Counter(len(numeral.fraction(convention)) for numeral in numerals if numeral.marks)
    lengths.pop(0, None)
    if not decimal or not lengths:
        return 0
    return 2 if lengths[2] else min(lengths)
