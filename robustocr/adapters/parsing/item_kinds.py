"""What each row of the list of items is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from robustocr.adapters.parsing.factors import find_factors, multiplies_beside
from robustocr.adapters.parsing.keywords import Role
from robustocr.adapters.parsing.line import Line
from robustocr.adapters.parsing.lines import Page, in_column
from robustocr.adapters.parsing.phrases import split_phrases
from robustocr.adapters.parsing.tokens import Token
from robustocr.adapters.parsing.words import fold

Kind = Literal["item", "return", "discount", "factors", "free", "name", "return_heading", "other"]
"""``factors`` is a row like ``2 x 0,99`` that belongs to a neighbour, ``free`` a row that costs nothing."""

_NO_NAME = frozenset(
    split_phrases("""
    sr, zr, zrl, tx, rm, rp, eur, usd, myr, idr, unit, units, pcs, pc, ea, stk, st, kg, pkt, btl, nos, no, os,
    ks, gst, ctn, set, lb, lbs, oz, gal, ltr, ml, qty, disc, at
""")
)
"""Units, tax codes and currencies: no names of items."""
_RETURN = re.compile(r"^\W*(?:return|returns|returned|retoure|ruckgabe|refund|retour|reso|devolucion)\W*$")
_CODE = re.compile(r"\d{4,}")


def kind_of(line: Line, page: Page) -> Kind:
    """Return what a row of the list is."""
    amounts = line.amounts
    if not amounts and _RETURN.match(fold(line.text)):
        return "return_heading"
    if amounts and amounts[-1].value < 0 and (line.role == Role.CHARGE or _gives_back(line, page)):
        return "return"
    if is_discount(line):
        return "discount"
    if _is_factors(line, page):
        return "factors"
    if not amounts:
        return "name" if line.role in (None, Role.CHARGE, Role.DISCOUNT) else "other"
    if line.role in (Role.NOTE, Role.TAX_TABLE):
        return "other"
    return "free" if amounts[-1].value == 0 else "item"


def is_discount(line: Line) -> bool:
    """Whether a row takes something off: it says so, or its amount is negative."""
    amounts = line.amounts
    if not amounts or amounts[-1].value == 0:
        return False
    says_so = line.role == Role.DISCOUNT and line.weight > 0 and len(amounts) == 1
    return amounts[-1].value < 0 or says_so


def name_of(line: Line, numbers: Iterable[Token | None] = ()) -> str:
    """The row's text without codes and tax letters, and without its amounts and the ``numbers`` given."""
    if not line.amounts:
        cells = [cell.text for cell in line.row.cells]
        coded = len(cells) > 1 and all(is_no_name(word) for word in cells[-1].split())
        return _tidy(" ".join(cells[:-1] if coded else cells))
    text = list(line.text)
    for token in line.tokens:
        if token.money or token.times or token.at or token in numbers or _CODE.fullmatch(token.text):
            text[token.start : token.end] = " " * (token.end - token.start)
    words = re.sub(r"^\s*\d{1,3}\s+(?=\S)", "", "".join(text)).split()
    words = [word for word in words if not re.fullmatch(r"[^\w&+]+|\d{4,}|[xX]", word)]
    while words and is_no_name(words[-1]):
        words.pop()
    name = _tidy(" ".join(words))
    return name if any(char.isalpha() for char in name) else ""


def is_no_name(word: str) -> bool:
    """Whether a word is a unit, a tax code, a currency or a single letter."""
    plain = fold(word).strip("*@.:()=")
    return plain in _NO_NAME or (len(plain) == 1 and plain.isalpha())


def has_name(line: Line) -> bool:
    """Whether a row has enough letters besides units and codes to name an item."""
    words = [word for word in re.findall(r"[a-z]+", fold(name_of(line))) if not is_no_name(word)]
    return sum(len(word) for word in words) >= 3


def _tidy(text: str) -> str:
    return " ".join(text.split()).strip(" -:*@.")


def _gives_back(line: Line, page: Page) -> bool:
    """Whether a negative amount is an article returned: a negative quantity, or a heading that says so."""
    above = page.lines[max(page.start, line.index - 2) : line.index]
    counts = [token for other in (*above[-1:], line) for token in other.tokens if not token.money]
    if any(token.value < 0 for token in counts):
        return True
    return any(_RETURN.match(fold(other.text)) for other in above)


def _is_factors(line: Line, page: Page) -> bool:
    """Whether a row is only ``2 x 0,99`` or ``@ 0,99``: it belongs to a neighbouring row."""
    amounts = line.amounts
    if len(amounts) == 1 and _is_detail(line, page):
        return True
    marked = any(token.times or token.unit or token.at for token in line.tokens)
    if len(amounts) > 1 or not marked:
        return False
    if len(line.tokens) < 2:
        return line.tokens[0].at and line.letters == 0
    if not amounts:
        return not has_name(line)
    if find_factors(line, amounts[0]):
        return False
    timed = any(token.times or token.at for token in line.tokens)
    if timed and multiplies_beside(line, page):
        return True
    return not has_name(line) and not _is_priced_below(line, page)


def _is_detail(line: Line, page: Page) -> bool:
    """Whether a lone nameless amount ends left of the amounts' column, below a priced row: a unit price."""
    if page.column is None or has_name(line) or line.index <= page.start:
        return False
    left = line.amounts[0].x1 < page.column - 4.0 * page.text_height
    above = page.lines[line.index - 1]
    return left and bool(above.amounts) and in_column(above.amounts[-1], page.column, page.text_height)


def _is_priced_below(line: Line, page: Page) -> bool:
    """Whether the row above is a name that has no amount but this one."""
    above = page.lines[line.index - 1] if line.index > page.start else None
    in_place = in_column(line.amounts[0], page.column, page.text_height)
    return in_place and above is not None and not above.amounts and above.letters >= 3
