"""Where on a page there is print, and marks spread over it that hide a share of what is printed."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.strips import Field

_CELLS_PER_TEXT = 4
_AROUND = 7
_FAINTEST = 0.25
_GOLDEN = 0.6180339887498949
_JITTER = 0.4
_MOST = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One mark: its middle (x, y in pixels), its size 0..1 of a full-grown one, and its own random draws."""

    x: float
    y: float
    size: float
    rng: np.random.Generator


def print_map(pixels: Pixels, text_height: float) -> Field:
    """Return 1 on cells of a quarter of a text height that hold print or lie within a line, else 0.

    Print is what is darker than the lightest level within a text height. A page without any counts as
    printed everywhere.
    """
    height, width = pixels.shape[:2]
    factor = max(text_height / _CELLS_PER_TEXT, 1.0)
    size = max(round(width / factor), 1), max(round(height / factor), 1)
    grey = cv2.cvtColor(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
    near = np.ones((_AROUND, _AROUND), np.uint8)
    ink = cv2.morphologyEx(grey, cv2.MORPH_BLACKHAT, near).astype(np.float32)
    printed = ink > _FAINTEST * max(float(np.percentile(ink, 99)), 16.0)
    if not printed.any():
        return np.ones(grey.shape, dtype=np.float32)
    joined = cv2.morphologyEx(printed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 5), np.uint8))
    return np.asarray(joined, dtype=np.float32)


def marks_on_print(
    pixels: Pixels, share: float, area: float, text_height: float, rng: np.random.Generator
) -> list[Mark]:
    """Return as many marks of ``area`` (square text heights) as amount to ``share`` of the printed area.

    They are spread evenly along the lines of text, from top to bottom (a golden-ratio sequence over the
    printed cells). A larger share keeps the places of the smaller one and adds to them; the last mark is
    the one that still grows.
    """
    printed = print_map(pixels, text_height)
    start, base = rng.uniform(), int(rng.integers(1 << 62))
    height, width = pixels.shape[:2]
    cell_x, cell_y = width / printed.shape[1], height / printed.shape[0]
    many = min(share * float(printed.sum()) * cell_x * cell_y / text_height**2 / area, _MOST)
    cells = np.flatnonzero(printed)
    marks = []
    for index in range(int(np.ceil(many))):
        own = np.random.Generator(np.random.PCG64([base, index]))
        place = cells[int(((start + index * _GOLDEN) % 1.0) * len(cells))]
        row, column = divmod(int(place), printed.shape[1])
        shift = own.uniform(-_JITTER, _JITTER, 2) * text_height
        marks.append(
            Mark(
                x=(column + 0.5) * cell_x + shift[0],
                y=(row + 0.5) * cell_y + shift[1],
                size=float(np.sqrt(min(many - index, 1.0))),
                rng=own,
            )
        )
    return marks
