"""OCR lines of one picture -> an Extraction: the one parser that every OCR engine shares."""

from __future__ import annotations

from robustocr.adapters.base import OcrPage, Request
from robustocr.adapters.parsing.assemble import assemble
from robustocr.adapters.parsing.items import read_items
from robustocr.adapters.parsing.lines import read_page
from robustocr.adapters.parsing.summary import read_summary
from robustocr.adapters.parsing.totals import rank_totals
from robustocr.adapters.parsing.version import parser_version
from robustocr.records import Extraction

__all__ = ["PARSER_VERSION", "parse_page"]

PARSER_VERSION = parser_version()
"""``parser-`` and a hash of the parsing package's source."""


def parse_page(page: OcrPage, request: Request) -> Extraction:
    """Return the Receipt printed on a page, with a Mark for every field read.

    A field that is not printed is left out; every amount is a printed one. A page without text gives an
    empty Extraction. ``request.fields`` limits what is returned.
    """
    read = read_page(page.lines)
    if not read.lines:
        return Extraction()
    items = read_items(read)
    summary = read_summary(read, items)
    totals = rank_totals(read, summary)
    return assemble(read, summary, totals, request.fields)
