"""The project's own printer glyphs: pen strokes for thermal heads, pins for impact heads.

Both tables are plain text in ``data/``: ``strokes.txt`` and ``pins.txt`` say how to read them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from robustocr.errors import InputError

Dots = npt.NDArray[np.bool_]
"""A bitmap in printer dots, height x width; True is inked."""

Zero = Literal["plain", "slashed", "dotted"]
"""The forms of the digit zero that receipt printers have."""

_Stroke = tuple[tuple[float, float], ...]
STROKE_WIDTH, STROKE_HEIGHT = 8, 15
"""The stroke grid: x from 0 to 8, y from 0 (top of capitals) to 15 (baseline)."""
PIN_COLUMNS, PIN_ROWS = 5, 9


def _table_lines(name: str) -> list[str]:
    text = files("robustocr.synth").joinpath("data", name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("// ")]


def _round_corners(points: _Stroke) -> _Stroke:
    """One pass of Chaikin's corner cutting (Graphics and Image Processing 3, 1974); open ends stay."""
    cut: list[tuple[float, float]] = []
    for (x0, y0), (x1, y1) in pairwise(points):
        cut += [
            (0.75 * x0 + 0.25 * x1, 0.75 * y0 + 0.25 * y1),
            (0.25 * x0 + 0.75 * x1, 0.25 * y0 + 0.75 * y1),
        ]
    if points[0] == points[-1]:
        return (*cut, cut[0])
    return (points[0], *cut[1:-1], points[-1])


def _parse_stroke(text: str) -> _Stroke:
    pairs = [pair.split(",") for pair in text.strip().lstrip("~").split()]
    points = tuple((float(x), float(y)) for x, y in pairs)
    return _round_corners(points) if text.strip().startswith("~") else points


@cache
def stroke_table() -> dict[str, tuple[_Stroke, ...]]:
    """Return the strokes of every glyph, keyed by character (and ``zero:slashed``, ``zero:dotted``)."""
    table = {}
    for line in _table_lines("strokes.txt"):
        name, strokes = line.split(" ", 1)
        table[name] = tuple(_parse_stroke(stroke) for stroke in strokes.split(" ; "))
    return table


@cache
def pin_table() -> dict[str, Dots]:
    """Return the 9 x 5 pins of every glyph, keyed by character (and ``zero:slashed``)."""
    table: dict[str, Dots] = {}
    lines = _table_lines("pins.txt")
    for start in range(0, len(lines), PIN_ROWS + 1):
        names = lines[start].removeprefix("> ").split(" ")
        rows = [line.split(" ") for line in lines[start + 1 : start + PIN_ROWS + 1]]
        for column, name in enumerate(names):
            table[name] = np.array([[pin == "#" for pin in row[column]] for row in rows])
    return table


def _key(char: str, zero: Zero, known: dict[str, tuple[_Stroke, ...]] | dict[str, Dots], table: str) -> str:
    special = f"zero:{zero}"
    if char == "0" and special in known:
        return special
    if char not in known:
        raise InputError(
            f"no glyph for {char!r} (U+{ord(char):04X}) in {table}; draw it there, or print with an open font"
        )
    return char


def _segment_distance(
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    start: tuple[float, float],
    end: tuple[float, float],
) -> npt.NDArray[np.float64]:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    along = ((x - start[0]) * dx + (y - start[1]) * dy) / length if length else np.zeros_like(x)
    along = np.clip(along, 0.0, 1.0)
    return np.hypot(x - start[0] - along * dx, y - start[1] - along * dy)


@cache
def stroke_glyph(char: str, *, width: int, height: int, pen: float, zero: Zero = "plain") -> Dots:
    """Return a glyph drawn with a round pen in a cell of ``width`` x ``height`` dots.

    The pen is its diameter in dots. A cell is 24/16 of a capital's height and 12/9 of a letter's width, as
    in the printers' common 12 x 24 font. Raises InputError for a character that has no strokes.
    """
    strokes = stroke_table()
    name = char if char == " " else _key(char, zero, strokes, "data/strokes.txt")
    dots = np.zeros((height, width), dtype=bool)
    y, x = np.mgrid[0:height, 0:width] + 0.5
    for stroke in () if name == " " else strokes[name]:
        for start, end in pairwise(_placed(stroke, width, height, snap=pen < 1.5)):
            dots |= _segment_distance(x, y, start, end) <= pen / 2 + 1e-6
    return dots


def _placed(stroke: _Stroke, width: int, height: int, *, snap: bool) -> list[tuple[float, float]]:
    """Return the points of a stroke in dots; pens of hardly more than one dot need points on dots."""
    if not snap:
        scale_x, scale_y = (width * 0.8125 - 2.0) / STROKE_WIDTH, height * (16 / 24) / (STROKE_HEIGHT + 1)
        left, top = 1.0 + 0.02 * width, height * 2 / 24
        return [(left + px * scale_x, top + py * scale_y) for px, py in stroke]
    across, down = round(width * 0.7) / STROKE_WIDTH, round(height * 0.6) / STROKE_HEIGHT
    return [(round(px * across) + 0.5, round(py * down) + 1.5) for px, py in stroke]


@cache
def pin_glyph(char: str, *, zero: Zero = "plain") -> Dots:
    """Return the 9 x 5 pins of a glyph. Raises InputError for a character that has none."""
    if char == " ":
        return np.zeros((PIN_ROWS, PIN_COLUMNS), dtype=bool)
    pins = pin_table()
    return pins[_key(char, zero, pins, "data/pins.txt")]
