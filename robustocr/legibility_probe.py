"""A clean page made ready to measure legibility: its digits, and pages with look-alikes in their place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.digits import LOOK_ALIKES, GlyphBook, collect_glyphs, paint, replaced
from robustocr.fields import Fields, PrintedField
from robustocr.glyph_cells import Bounds, GlyphCell, PrintedText, find_glyphs
from robustocr.strips import Field

RUNS = 4
"""Pages that are corrupted: the clean one, and three with look-alikes."""

_PLANS = ((1, 1, -1, -1), (1, -1, 1, -1), (1, -1, -1, 1))
_SHIFTS = ((0.0, 0.0), (0.07, 0.12), (-0.12, 0.07), (0.07, -0.12))
_MIRROR_LEAST = 0.12
_MARGIN = 0.5
_GREY = np.array([0.299, 0.587, 0.114], dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """One character and what could stand there instead. ``plan``: on which run it is itself (1) or not."""

    bounds: Bounds
    difference: Field
    norm: float
    plan: npt.NDArray[np.float64]
    text: PrintedText
    new_bounds: Bounds
    new_ink: Field


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbedPlace:
    """A place of a field with its swaps, and the window of the page that is looked at."""

    path: str
    index: int
    place: PrintedField
    window: Bounds
    swaps: tuple[Swap, ...]
    darkness: float

    @property
    def text_bounds(self) -> Bounds:
        """Bounds of the printed text, in pixels of the page."""
        return self.swaps[0].text.bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class LegibilityProbe:
    """A clean page made ready: where its digits stand, and the same page with look-alikes in their place.

    ``pages`` are the pictures to corrupt besides the clean one, each moved by a few pixels (``shifts``), so
    that what depends on exact pixels becomes chance. On ``blank`` nothing is printed at the places: what is
    seen there after the corruption lies over the print.
    """

    places: tuple[ProbedPlace, ...]
    pages: tuple[Pixels, ...]
    blank: Pixels | None
    shifts: tuple[tuple[int, int], ...]
    text_height: float

    @property
    def paths(self) -> frozenset[str]:
        """The fields that can be measured."""
        return frozenset(place.path for place in self.places)


NO_PROBE = LegibilityProbe(places=(), pages=(), blank=None, shifts=(), text_height=1.0)
"""The probe of a page of which nothing is to be measured."""


def prepare(pixels: Pixels, fields: Fields, text_height: float) -> LegibilityProbe:
    """Return the probe of a clean RGB page; places without characters that can be told apart are left out."""
    found = [
        (path, index, place, text)
        for path, places in sorted(fields.items())
        for index, place in enumerate(places)
        if (text := find_glyphs(pixels, place)) is not None and text.cells
    ]
    book = collect_glyphs(text for *_, text in found)
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    places = tuple(
        _probed(grey, path, index, place, text, book, text_height) for path, index, place, text in found
    )
    places = tuple(place for place in places if place.swaps)
    shifts = tuple((_steps(dx, text_height), _steps(dy, text_height)) for dx, dy in _SHIFTS)
    pages = tuple(_swapped_page(pixels, places, run, shifts[run]) for run in range(1, RUNS))
    return LegibilityProbe(
        places=places,
        pages=pages,
        blank=_blank_page(pixels, places),
        shifts=shifts,
        text_height=text_height,
    )


def _steps(share: float, text_height: float) -> int:
    return int(np.sign(share) * max(round(abs(share) * text_height), 1 + (abs(share) > 0.1))) if share else 0


def _probed(
    grey: npt.NDArray[np.uint8],
    path: str,
    index: int,
    place: PrintedField,
    text: PrintedText,
    book: GlyphBook,
    text_height: float,
) -> ProbedPlace:
    margin = max(round(_MARGIN * text_height), 2)
    x0, y0, x1, y1 = text.bounds
    window = max(x0 - margin, 0), max(y0 - margin, 0), min(x1 + margin, grey.shape[1]), y1 + margin
    window = (*window[:3], min(window[3], grey.shape[0]))
    view = grey[window[1] : window[3], window[0] : window[2]].astype(np.float32)
    swaps: list[Swap] = []
    for cell in _told_apart(text):
        swap = _swap(view, window, cell, text, book, len(swaps) % len(_PLANS))
        if swap is not None:
            swaps.append(swap)
    printed = _inside(view, window, text.bounds)
    return ProbedPlace(
        path=path,
        index=index,
        place=place,
        window=window,
        swaps=tuple(swaps),
        darkness=float((text.paper @ _GREY - printed).sum()),
    )


def _told_apart(text: PrintedText) -> list[GlyphCell]:
    """Return the digits of a text; where it has none, its other characters."""
    digits = [cell for cell in text.cells if cell.char is not None and cell.char in LOOK_ALIKES]
    tallest = max(cell.height for cell in text.cells)
    return digits or [cell for cell in text.cells if cell.height >= 0.6 * tallest]


def _swap(
    view: Field, window: Bounds, cell: GlyphCell, text: PrintedText, book: GlyphBook, plan: int
) -> Swap | None:
    """Return a character's swap, None where its mirror image cannot be told from it."""
    if cell.char is not None and cell.char in LOOK_ALIKES:
        bounds, ink = replaced(text, cell, book.glyph(LOOK_ALIKES[cell.char], cell.height))
    else:
        bounds, ink = cell.bounds, np.ascontiguousarray(text.ink_of(cell)[:, ::-1])
        if np.abs(ink - text.ink_of(cell)).mean() < _MIRROR_LEAST:
            return None
    x0, y0, x1, y1 = (value - window[index % 2] for index, value in enumerate(bounds))
    new = (text.paper + (text.print - text.paper) * ink[..., None]) @ _GREY
    difference = view[y0:y1, x0:x1] - new
    norm = float(np.linalg.norm(difference))
    if norm < 1:
        return None
    return Swap(
        bounds=(x0, y0, x1, y1),
        difference=difference / norm,
        norm=norm,
        plan=np.array(_PLANS[plan], dtype=np.float64),
        text=text,
        new_bounds=bounds,
        new_ink=ink,
    )


def _inside(view: Field, window: Bounds, bounds: Bounds) -> Field:
    left, top = window[:2]
    x0, y0, x1, y1 = bounds
    return view[..., y0 - top : y1 - top, x0 - left : x1 - left]


def _blank_page(pixels: Pixels, places: Sequence[ProbedPlace]) -> Pixels:
    page = pixels.copy()
    for place in places:
        x0, y0, x1, y1 = place.text_bounds
        page[y0:y1, x0:x1] = np.round(place.swaps[0].text.paper).astype(np.uint8)
    return page


def _swapped_page(pixels: Pixels, places: Sequence[ProbedPlace], run: int, shift: tuple[int, int]) -> Pixels:
    """Return the page with the look-alikes of one run, moved by ``shift``; the border repeats outwards."""
    page = pixels.copy()
    for place in places:
        for swap in place.swaps:
            if swap.plan[run] < 0:
                paint(page, swap.text, swap.new_bounds, swap.new_ink)
    dx, dy = shift
    height, width = page.shape[:2]
    padded = cv2.copyMakeBorder(page, max(dy, 0), max(-dy, 0), max(dx, 0), max(-dx, 0), cv2.BORDER_REPLICATE)
    top, left = max(-dy, 0), max(-dx, 0)
    return np.ascontiguousarray(padded[top : top + height, left : left + width])
