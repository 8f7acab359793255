"""Where on a page there is print, and marks spread over it that hide a share of what is printed."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.boxes import quad_of
from robustocr.fields import Fields
from robustocr.strips import Field

_CELLS_PER_TEXT = 4
_AROUND = 7
_FAINTEST = 0.25
_GOLDEN = 0.6180339887498949
_JITTER = 0.4
_MOST = 1000
_SCRAP = 300.0


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
    pixels: Pixels,
    share: float,
    area: float,
    text_height: float,
    rng: np.random.Generator,
    fields: Fields | None = None,
) -> list[Mark]:
    """Return as many marks of ``area`` (square text heights) as amount to ``share`` of the printed area.

    They are spread evenly along the lines of text, from top to bottom (a golden-ratio sequence over the
    printed cells). A larger share keeps the places of the smaller one and adds to them; the last mark is
    the one that still grows. On a scrap (less than 300 square text heights, such as what surrounds a field
    that is aimed at) the first mark lies on the field nearest to the middle.
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
        x, y = (column + 0.5) * cell_x, (row + 0.5) * cell_y
        if index == 0 and width * height < _SCRAP * text_height**2:
            x, y = _middle_field(fields or {}, width, height)
        shift = own.uniform(-_JITTER, _JITTER, 2) * text_height
        size = float(np.sqrt(min(many - index, 1.0)))
        marks.append(Mark(x=x + shift[0], y=y + shift[1], size=size, rng=own))
    return marks


def _middle_field(fields: Fields, width: int, height: int) -> tuple[float, float]:
    """Return the middle of the field nearest to that of the page, or that of the page without any."""
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    places = [quad_of(place.box).mean(axis=0) for printed in fields.values() for place in printed]
    x, y = min(places, key=lambda place: float(((place - middle) ** 2).sum()), default=middle)
    return float(x), float(y)
