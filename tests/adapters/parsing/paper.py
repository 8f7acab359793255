"""Receipts typed as text -> OCR pages, so that a test shows the receipt it is about."""

import math
import re
from textwrap import dedent

from robustocr.adapters.base import OcrLine, OcrPage, Request
from robustocr.adapters.parsing.page import parse_page
from robustocr.records import Extraction

CHAR, LINE = 11.0, 24.0


def page_of(
    text: str, *, tilt: float = 0.0, score: float = 0.99, scores: dict[str, float] | None = None
) -> OcrPage:
    """Each run of text without two blanks is one OCR line, at its place on the paper; ``tilt`` in degrees."""
    lines = []
    rows = dedent(text).strip("\n").split("\n")
    for number, row in enumerate(rows):
        for match in re.finditer(r"\S+(?: \S+)*", row):
            x0, x1 = 20 + CHAR * match.start(), 20 + CHAR * match.end()
            y0 = 20 + 1.4 * LINE * number
            quad = [(x0, y0), (x1, y0), (x1, y0 + LINE), (x0, y0 + LINE)]
            box = tuple(value for point in quad for value in _turned(point, tilt))
            chosen = next((s for part, s in (scores or {}).items() if part in match.group()), score)
            lines.append(OcrLine(text=match.group(), box=box, score=chosen))
    return OcrPage(lines=tuple(lines), height=2000, width=900)


def read(text: str, **options) -> Extraction:
    """Parse a typed receipt."""
    return parse_page(page_of(text, **options), Request())


def amounts(extraction: Extraction) -> list[str]:
    """The items' amounts as text."""
    return [str(item.amount) for item in extraction.receipt.items]


def _turned(point: tuple[float, float], degrees: float) -> tuple[float, float]:
    angle = math.radians(degrees)
    x, y = point
    return x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
