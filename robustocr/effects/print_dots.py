"""Lines of print as bitmaps, with the project's own printer glyphs."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from robustocr.boxes import Mask
from robustocr.errors import InputError
from robustocr.strips import Field
from robustocr.synth.glyphs import stroke_glyph

CELL_WIDTH, CELL_HEIGHT = 12, 24
"""One character of the printers' common 12 x 24 font, in dots."""

LINE_PITCH = 30
"""From one line to the next, in dots."""

TEXT_DOTS = 21.0
"""Dots in one text height: that of a line with capitals, digits and a few descenders."""

_PEN = 2.1


def line_dots(text: str, size: int = 1, pen: float = _PEN) -> Mask:
    """Return a line of text, 24 x 12 dots per character times ``size``; 255 is ink.

    A character without a glyph is left blank.
    """
    blank = np.zeros((CELL_HEIGHT * size, CELL_WIDTH * size), dtype=np.uint8)
    cells = [_cell(char, size, pen) for char in text]
    return np.hstack([blank if cell is None else cell for cell in cells] or [blank])


def _cell(char: str, size: int, pen: float) -> Mask | None:
    try:
        dots = stroke_glyph(char, width=CELL_WIDTH * size, height=CELL_HEIGHT * size, pen=pen * size)
    except InputError:
        return None
    return np.asarray(dots, dtype=np.uint8) * np.uint8(255)


def put_dots(dots: Mask, line: Mask, x: int, y: int) -> None:
    """Put a line onto a bitmap with its top left corner at x, y, in place; what sticks out is cut off."""
    rows, columns = dots.shape
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + line.shape[1], columns), min(y + line.shape[0], rows)
    if x1 > x0 and y1 > y0:
        part = dots[y0:y1, x0:x1]
        np.maximum(part, line[y0 - y : y1 - y, x0 - x : x1 - x], out=part)


def page_dots(lines: Sequence[str], rows: int, columns: int, margin: int) -> Mask:
    """Return a bitmap of ``rows`` x ``columns`` dots with lines of print one below the other."""
    dots = np.zeros((rows, columns), dtype=np.uint8)
    for index, text in enumerate(lines):
        put_dots(dots, line_dots(text), margin, margin + index * LINE_PITCH)
    return dots


def ink_share(dots: Mask, spread: float = 0.55) -> Field:
    """Return the share 0..1 of ink that dots leave, which run into each other by ``spread`` dots (sigma)."""
    blurred = cv2.GaussianBlur(dots, (0, 0), spread)
    return np.asarray(np.clip(blurred.astype(np.float32) * np.float32(1.25 / 255), 0, 1), dtype=np.float32)
