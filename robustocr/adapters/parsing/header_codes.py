"""Numbers that name something: the receipt, the shop's tax number, an account; and the currency."""

from __future__ import annotations

import re

from robustocr.adapters.parsing.found import Found
from robustocr.adapters.parsing.geometry import Cell
from robustocr.adapters.parsing.header_words import NUMBER_WORDS
from robustocr.adapters.parsing.line import Line
from robustocr.adapters.parsing.lines import Page
from robustocr.adapters.parsing.phrases import any_of
from robustocr.dates import find_dates

_NUMBER = re.compile(
    rf"\b{any_of(NUMBER_WORDS)}[\s.-]{{0,2}}(?P<named>(?:no|nr|num|number|id|nummer|n)\b|n?[°º]|#)?[\s.:#-]*"
    r"(?=\S*\d)(?P<code>[A-Z0-9][A-Z0-9/._-]{2,})",
    re.IGNORECASE,
)
_VAT_ID = re.compile(
    r"\b(?:gst|vat|sst|ust|tva|btw|npwp)\W{0,2}(?:id|reg|registration)?\W{0,2}"
    r"(?:id|reg|registration|no|nr|number|idnr)?[\s.:#-]*"
    r"(?P<code>(?:[A-Z]{2,3} ?)?\d[\d .-]{6,18}\d|[A-Z]\d{2}-\d{4}-\d{8})",
    re.IGNORECASE,
)
_EU_VAT_ID = re.compile(r"\b(?P<code>(?:DE|FR|GB|IT|NL|ES|AT|BE|CHE|PL|DK|SE|FI|IE|LU|PT|CZ)[- ]?\d{8,12})\b")
_IBAN = re.compile(r"\b(?P<code>[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?)\b")
_AMERICAN = re.compile(
    r"\b[A-Z]{2},? \d{5}(?:-\d{4})?\b|\bsales tax\b|\b(?:city|state|county) tax\b", re.IGNORECASE
)


def find_receipt_number(page: Page) -> Found | None:
    """Return the number of the receipt, invoice or bill, where one is named as such."""
    best: Found | None = None
    for line in page.lines:
        for match in _NUMBER.finditer(_plain(line)):
            code = match["code"].strip(" .:-/")
            if sum(char.isdigit() for char in code) < 3 or find_dates(code):
                continue
            sure = 0.85 if match["named"] else 0.75
            if best is None or sure > best.sure:
                best = Found(value=code, text=code, cells=_cells_with(line, code), sure=sure)
    return best


def find_vat_id(page: Page) -> Found | None:
    """Return the shop's tax number."""
    return _first(page, _VAT_ID) or _first(page, _EU_VAT_ID)


def find_iban(page: Page) -> Found | None:
    """Return an IBAN."""
    return _first(page, _IBAN)


def find_currency_sign(page: Page) -> Found | None:
    """Return the currency printed; ``$`` alone needs an address or a tax of the United States."""
    code = page.convention.currency
    if code is not None:
        return Found(value=code, text=code, cells=(), sure=0.95)
    dollars = any("$" in line.text for line in page.lines)
    return Found(value="USD", text="$", cells=(), sure=0.85) if dollars and is_american(page) else None


def is_american(page: Page) -> bool:
    """Whether a US postal code or a US tax is printed."""
    return any(_AMERICAN.search(_plain(line)) for line in page.lines)


def _first(page: Page, pattern: re.Pattern[str]) -> Found | None:
    for line in page.lines:
        match = pattern.search(_plain(line))
        if match:
            code = match["code"].strip(" .:-")
            return Found(value=code, text=code, cells=_cells_with(line, code), sure=0.8)
    return None


def _plain(line: Line) -> str:
    return " ".join(line.text.split())


def _cells_with(line: Line, text: str) -> tuple[Cell, ...]:
    return tuple(cell for cell in line.row.cells if text in cell.text) or line.row.cells
