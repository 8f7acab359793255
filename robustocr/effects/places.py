"""Where on a page there is print, and marks spread over it that hide a share of what is printed."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.boxes import bounds_of, quad_of
from robustocr.fields import Fields, Layout

_CELLS_PER_TEXT = 4
_LINE_GAP = 7
_AROUND = 2
_FAINTEST = 0.25
_STEPS = 0.7548776662466927, 0.5698402909980532
_MOST = 1000
_SCRAP = 300.0

PrintMap = npt.NDArray[np.bool_]
"""Cells of a quarter of a text height, rows x columns; true within blocks of text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One mark: its middle (x, y in pixels), its size 0..1 of a full-grown one, and its own random draws."""

    x: float
    y: float
    size: float
    rng: np.random.Generator


def print_map(layout: Layout, text_height: float) -> PrintMap:
    """Return where there are blocks of text: lines of print with the gaps between them, and all fields.

    Print is what is darker than the lightest level within a text height. A page without any counts as
    printed everywhere.
    """
    pixels = layout.pixels
    height, width = pixels.shape[:2]
    factor = max(text_height / _CELLS_PER_TEXT, 1.0)
    size = max(round(width / factor), 1), max(round(height / factor), 1)
    grey = cv2.cvtColor(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
    near = np.ones((_LINE_GAP, _LINE_GAP), np.uint8)
    ink = cv2.morphologyEx(grey, cv2.MORPH_BLACKHAT, near).astype(np.float32)
    printed = (ink > _FAINTEST * max(float(np.percentile(ink, 99)), 16.0)).astype(np.uint8)
    for place in (place for places in layout.fields.values() for place in places):
        x0, y0, x1, y1 = bounds_of(place.box)
        low, high = (int(x0 / factor), int(y0 / factor)), (int(x1 / factor), int(y1 / factor))
        cv2.rectangle(printed, low, high, 1, cv2.FILLED)
    if not printed.any():
        return np.ones(grey.shape, dtype=np.bool_)
    block = cv2.morphologyEx(printed, cv2.MORPH_CLOSE, near)
    around = np.ones((2 * _AROUND + 1, 2 * _AROUND + 1), np.uint8)
    return np.asarray(cv2.dilate(block, around) > 0)


def marks_on_print(
    layout: Layout, share: float, area: float, text_height: float, rng: np.random.Generator
) -> list[Mark]:
    """Return as many marks of ``area`` (square text heights) as amount to ``share`` of the blocks of text.

    They are spread evenly over the blocks: the points of an additive recurrence in two dimensions (Roberts,
    The unreasonable effectiveness of quasirandom sequences, 2018) that fall into them. A larger share keeps
    the marks of the smaller one and adds to them; the last mark is the one that still grows. On a scrap
    (less than 300 square text heights, such as what surrounds a field that is aimed at) the first mark
    lies on the field nearest to the middle.
    """
    printed = print_map(layout, text_height)
    start, base = rng.uniform(size=2), int(rng.integers(1 << 62))
    height, width = layout.pixels.shape[:2]
    blocks = float(printed.mean()) * width * height / text_height**2
    many = min(share * blocks / area, _MOST)
    scrap = width * height < _SCRAP * text_height**2
    marks: list[Mark] = []
    index = 0
    while len(marks) < many:
        x, y = (start + index * np.array(_STEPS)) % 1.0
        row, column = int(y * printed.shape[0]), int(x * printed.shape[1])
        if printed[row, column]:
            place = (
                _middle_field(layout.fields, width, height)
                if scrap and not marks
                else (x * width, y * height)
            )
            own = np.random.Generator(np.random.PCG64([base, index]))
            size = float(np.sqrt(min(many - len(marks), 1.0)))
            marks.append(Mark(x=float(place[0]), y=float(place[1]), size=size, rng=own))
        index += 1
    return marks


def _middle_field(fields: Fields, width: int, height: int) -> tuple[float, float]:
    """Return the middle of the field nearest to that of the page, or that of the page without any."""
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    places = [quad_of(place.box).mean(axis=0) for printed in fields.values() for place in printed]
    x, y = min(places, key=lambda place: float(((place - middle) ** 2).sum()), default=middle)
    return float(x), float(y)
