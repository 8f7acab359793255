"""Characters of a printed field whose text is known: where each stands, and how dark it is."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.boxes import bounds_of, quad_of
from robustocr.fields import PrintedField
from robustocr.strips import Field

Bounds = tuple[int, int, int, int]
"""x0, y0, x1, y1 in whole pixels; x1 and y1 are the first outside."""

Colour = npt.NDArray[np.float32]
"""Three levels, 0..255."""

_STEEPEST = 0.12
_LEAST_CONTRAST = 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GlyphCell:
    """One printed character: what it is (None where the text is not known) and its ink's bounds."""

    char: str | None
    bounds: Bounds

    @property
    def height(self) -> int:
        """Height of the ink in pixels."""
        return self.bounds[3] - self.bounds[1]

    @property
    def width(self) -> int:
        """Width of the ink in pixels."""
        return self.bounds[2] - self.bounds[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedText:
    """The characters of one printed field. ``ink`` is 0 (paper) to 1 (print) on ``bounds``."""

    bounds: Bounds
    ink: Field
    paper: Colour
    print: Colour
    cells: tuple[GlyphCell, ...]

    @property
    def digit_width(self) -> float:
        """Usual width of a digit's ink in pixels, ones aside; 0.55 of the height where there is no other."""
        digits = [cell for cell in self.cells if cell.char is not None and cell.char.isdigit()]
        wide = [float(cell.width) for cell in digits if cell.char != "1"]
        narrow = [0.55 * cell.height for cell in digits]
        return float(np.median(wide or narrow or [1.0]))

    def ink_of(self, cell: GlyphCell) -> Field:
        """Return the ink 0..1 of one character."""
        x0, y0, x1, y1 = cell.bounds
        left, top = self.bounds[:2]
        return self.ink[y0 - top : y1 - top, x0 - left : x1 - left]


def find_glyphs(pixels: Pixels, place: PrintedField) -> PrintedText | None:
    """Return the characters printed at a place, from left to right.

    ``pixels`` are RGB. Ink is told from paper by Otsu's threshold (IEEE Trans. SMC 9, 1979), light print on a
    dark ground included. Where the gaps between runs of inked columns agree with the text, each run is a
    character; where glyphs touch, the text is laid over the print at an even pitch. None for a place
    that is off the page, steeply tilted (more than 7 degrees), empty, or without contrast.
    """
    bounds = _bounds_on_page(place, pixels.shape)
    if bounds is None or _slope(place) > _STEEPEST:
        return None
    x0, y0, x1, y1 = bounds
    part = np.ascontiguousarray(pixels[y0:y1, x0:x1])
    inked = _inked(part)
    if inked is None:
        return None
    paper, printed = _median(part, ~inked), _core(part, inked)
    direction = paper - printed
    strength = float(direction @ direction)
    if strength < 3 * _LEAST_CONTRAST**2:
        return None
    ink = np.clip((paper - part) @ (direction / strength), 0, 1).astype(np.float32)
    cells = _cells(inked, place.text)
    placed = tuple(
        GlyphCell(char=char, bounds=(x0 + left, y0 + top, x0 + right, y0 + bottom))
        for char, (left, top, right, bottom) in cells
    )
    return PrintedText(bounds=bounds, ink=ink, paper=paper, print=printed, cells=placed)


def _bounds_on_page(place: PrintedField, shape: tuple[int, ...]) -> Bounds | None:
    x0, y0, x1, y1 = bounds_of(place.box)
    left, top = max(int(np.floor(x0)), 0), max(int(np.floor(y0)), 0)
    right, bottom = min(int(np.ceil(x1)), shape[1]), min(int(np.ceil(y1)), shape[0])
    return None if right - left < 3 or bottom - top < 3 else (left, top, right, bottom)


def _slope(place: PrintedField) -> float:
    """Return how far the upper side of a box rises or falls, as a share of its length; large when turned."""
    top_left, top_right = quad_of(place.box)[:2]
    across, down = top_right - top_left
    return float(abs(down) / across) if across > 0 else np.inf


def _inked(part: Pixels) -> npt.NDArray[np.bool_] | None:
    grey = cv2.cvtColor(part, cv2.COLOR_RGB2GRAY)
    level, _ = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    dark = grey <= level
    inked = dark if _border_share(dark) <= 0.5 else ~dark
    return inked if inked.any() and not inked.all() else None


def _border_share(dark: npt.NDArray[np.bool_]) -> float:
    border = np.concatenate([dark[0], dark[-1], dark[:, 0], dark[:, -1]])
    return float(border.mean())


def _median(part: Pixels, where: npt.NDArray[np.bool_]) -> Colour:
    return np.asarray(np.median(part[where], axis=0), dtype=np.float32)


def _core(part: Pixels, inked: npt.NDArray[np.bool_]) -> Colour:
    """Return the colour of the fuller half of the ink, for the rest is blurred into the paper."""
    levels = part[inked]
    depth = np.abs(levels.astype(np.int16) - np.median(part[~inked], axis=0)).sum(axis=1)
    return np.asarray(np.median(levels[depth >= np.median(depth)], axis=0), dtype=np.float32)


def _cells(inked: npt.NDArray[np.bool_], text: str | None) -> list[tuple[str | None, Bounds]]:
    """Return characters with the bounds of their ink, in the coordinates of ``inked``."""
    counts = inked.sum(axis=0)
    runs = _runs(counts > 0)
    solid = [run for run in runs if inked[:, run[0] : run[1]].sum() >= max(2, 0.004 * inked.size / len(runs))]
    printed = [char for char in text or "" if not char.isspace()]
    if not printed:
        found: list[tuple[str | None, tuple[int, int]]] = [(None, run) for run in solid]
    elif len(solid) == len(printed):
        found = list(zip(printed, solid, strict=True))
    else:
        found = _laid_over(text or "", counts, solid)
    trimmed = ((char, _trimmed(inked, *run)) for char, run in found)
    return [(char, bounds) for char, bounds in trimmed if bounds is not None]


def _runs(filled: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], filled.astype(np.int8), [0]])))
    return [(int(start), int(stop)) for start, stop in edges.reshape(-1, 2)]


def _laid_over(
    text: str, counts: npt.NDArray[np.int64], runs: list[tuple[int, int]]
) -> list[tuple[str | None, tuple[int, int]]]:
    """Return characters at an even pitch over the print, each border moved to the emptiest column nearby."""
    if not runs:
        return []
    text = text.strip()
    first, last = runs[0][0], runs[-1][1]
    pitch = (last - first) / len(text)
    borders = [first]
    for index in range(1, len(text)):
        near = first + index * pitch
        low, high = int(np.ceil(near - 0.3 * pitch)), int(near + 0.3 * pitch) + 1
        low, high = max(low, borders[-1] + 1), min(high, last)
        span = counts[low:high]
        borders.append(low + int(np.argmin(span)) if len(span) else min(round(near), last))
    borders.append(last)
    pairs = zip(text, borders[:-1], borders[1:], strict=True)
    return [(char, (left, right)) for char, left, right in pairs if not char.isspace() and right > left]


def _trimmed(inked: npt.NDArray[np.bool_], left: int, right: int) -> Bounds | None:
    """Return the bounds of the ink between two columns, None where there is none."""
    rows = np.flatnonzero(inked[:, left:right].any(axis=1))
    columns = np.flatnonzero(inked[:, left:right].any(axis=0))
    if not len(rows):
        return None
    return left + int(columns[0]), int(rows[0]), left + int(columns[-1]) + 1, int(rows[-1]) + 1
