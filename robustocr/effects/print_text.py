"""Print lines onto a page as if its own printer had: the same ink, blur and tilt, in blank space."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.effects.print_dots import (
    CELL_HEIGHT,
    CELL_WIDTH,
    LINE_PITCH,
    TEXT_DOTS,
    ink_share,
    line_dots,
    put_dots,
)
from robustocr.effects.print_rows import Gap, Inked, PrintRows, inked_pixels
from robustocr.strips import Field, strips

_MOST_LINES = 3
_AIR = 0.27
_PEN, _PENS = 2.1, (1.5, 3.4)
_STILL_GOOD = 0.66
_PLAIN_EDGE = 0.8
_SAMPLE_HEIGHTS = 7.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintStyle:
    """How print looks: ``passed`` is the share of the paper's levels left in its core, per channel.

    ``softness`` is the sigma of its edges in pixels, ``stroke`` the width of its strokes in text heights.
    """

    passed: npt.NDArray[np.float32]
    softness: float
    stroke: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Lines of text in a gap; ``size`` is their text height in pixels."""

    lines: tuple[str, ...]
    gap: Gap
    size: float


def print_style(pixels: Pixels, rows: PrintRows, text_height: float) -> PrintStyle:
    """Return the look of the print in the middle of a page; black and sharp where there is none."""
    x, y = rows.on_page((rows.left + rows.right) / 2, (rows.top + rows.bottom) / 2)
    reach = _SAMPLE_HEIGHTS * text_height
    x0, x1 = max(int(x - reach), 0), min(int(x + reach) + 1, pixels.shape[1])
    y0, y1 = max(int(y - reach), 0), min(int(y + reach) + 1, pixels.shape[0])
    part = pixels[y0:y1, x0:x1]
    grey = np.asarray(cv2.cvtColor(part, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
    inked = inked_pixels(grey, text_height)
    if inked.sum() < 16 or inked.all():
        return PrintStyle(passed=np.full(3, 0.2, np.float32), softness=0.03 * text_height, stroke=0.1)
    paper = np.maximum(np.median(part[~inked], axis=0), 1.0)
    levels = part[inked]
    depth = grey[inked]
    passed = np.median(levels[depth <= np.quantile(depth, 0.4)], axis=0) / paper
    contrast = max(float(np.median(grey[~inked])) - float(np.quantile(depth, 0.2)), 1.0)
    slope = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=1) / 2
    steepest = max(float(np.quantile(np.abs(slope[inked]), 0.9)), 1.0)
    sigma = contrast / (steepest * np.sqrt(2 * np.pi))
    softness = np.sqrt(max(sigma**2 - _PLAIN_EDGE**2, 0.0))
    return PrintStyle(
        passed=np.clip(passed, 0.02, 0.95).astype(np.float32),
        softness=float(min(softness, 0.25 * text_height)),
        stroke=_stroke_width(grey < (np.median(grey[~inked]) + np.quantile(depth, 0.2)) / 2) / text_height,
    )


def _stroke_width(inked: Inked) -> float:
    """Return the mean width of strokes in pixels: twice their area by the length of their outline."""
    across, down = inked[:, 1:] != inked[:, :-1], inked[1:] != inked[:-1]
    outline = (float(across.sum()) + float(down.sum())) * np.pi / 4
    return 2 * float(inked.sum()) / max(outline, 1.0)


def place_text(text: str, gaps: Sequence[Gap], width: float, size: float, wanted: float) -> Placed | None:
    """Return a text broken into at most three lines, in the gap nearest to row ``wanted`` where it fits well.

    ``width`` of the lines and ``size`` (text height) are in pixels. Where it fits nowhere at two thirds of
    that size, it takes the roomiest gap and is as small as that. None without a gap.
    """
    if not gaps:
        return None
    fits = [(_fit(text, gap, width, size), gap) for gap in gaps]
    good = [entry for entry in fits if entry[0][1] >= _STILL_GOOD * size]
    if good:
        (lines, fitted), gap = min(good, key=lambda entry: entry[1].distance(wanted))
    else:
        (lines, fitted), gap = max(fits, key=lambda entry: entry[0][1])
    return Placed(lines=lines, gap=gap, size=fitted)


def _fit(text: str, gap: Gap, width: float, size: float) -> tuple[tuple[str, ...], float]:
    """Return the lines and the largest text height, ``size`` at most, at which a text fits into a gap."""
    best: tuple[tuple[str, ...], float] = ((text,), 0.0)
    for count in range(1, _MOST_LINES + 1):
        lines = _broken(text, count)
        wide = width / (max(map(len, lines)) * CELL_WIDTH / TEXT_DOTS)
        fitted = min(size, wide, gap.height / (lines_height(lines) + 2 * _AIR))
        if fitted > best[1] * 1.02:
            best = (lines, fitted)
    return best


def lines_height(lines: Sequence[str]) -> float:
    """Return how high lines of print are from the first ink to the last, in text heights."""
    return len(_text_dots(lines, _PEN)) / TEXT_DOTS


def _broken(text: str, count: int) -> tuple[str, ...]:
    """Return a text in about ``count`` lines of equal length, broken at blanks."""
    if count == 1:
        return (text,)
    return tuple(textwrap.wrap(text, max(len(text) // count + 4, 8), break_long_words=False))


def row_text(label: str, amount: str, width: float, size: float) -> str:
    """Return a row with its amount at the right end, for lines of ``width`` at a text height ``size``."""
    columns = int(width / (size * CELL_WIDTH / TEXT_DOTS))
    return label + amount.rjust(max(columns - len(label), len(amount) + 2))


def print_lines(
    page: Pixels, placed: Placed, rows: PrintRows, style: PrintStyle, *, near: float | None = None
) -> None:
    """Print placed lines onto ``page``, in place, from the left end of its rows on.

    In a gap higher than they need they stand at its upper end, or next to row ``near``.
    """
    step = placed.size / TEXT_DOTS
    dots = _text_dots(placed.lines, float(np.clip(style.stroke * TEXT_DOTS, *_PENS)))
    high = dots.shape[0] * step
    room = max(placed.gap.height - high, 0.0)
    air = min(room / 2, _AIR * placed.size)
    top = (
        placed.gap.top + air if near is None or near <= placed.gap.middle else placed.gap.bottom - air - high
    )
    x, y = rows.on_page(rows.left, top)
    ink, corner = _on_page(dots, step, (x, y), rows.tilt, style.softness, page.shape)
    if ink is not None:
        _multiply(page, _like(ink, style), corner)


def _text_dots(lines: Sequence[str], pen: float) -> Mask:
    """Return the bitmap of lines, one below the other, without the blank rows above and below."""
    columns = max(len(line) for line in lines) * CELL_WIDTH
    dots = np.zeros((CELL_HEIGHT + LINE_PITCH * (len(lines) - 1), columns), dtype=np.uint8)
    for index, line in enumerate(lines):
        put_dots(dots, line_dots(line, pen=pen), 0, index * LINE_PITCH)
    inked = np.flatnonzero(dots.any(axis=1))
    return dots[inked[0] : inked[-1] + 1] if inked.size else dots[:CELL_HEIGHT]


def _on_page(
    dots: Mask,
    step: float,
    place: tuple[float, float],
    tilt: float,
    softness: float,
    shape: tuple[int, ...],
) -> tuple[Field | None, tuple[int, int]]:
    """Return the ink 0..1 of dots on a part of the page, and that part's corner; None off the page."""
    pad = int(np.ceil(3 * softness)) + 2
    corners = (
        np.array([[0, 0], [dots.shape[1], 0], [dots.shape[1], dots.shape[0]], [0, dots.shape[0]]]) * step
    )
    turn = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]])
    there = corners @ turn.T + np.array(place)
    low, high = np.floor(there.min(axis=0)) - pad, np.ceil(there.max(axis=0)) + pad
    x0, y0 = max(int(low[0]), 0), max(int(low[1]), 0)
    x1, y1 = min(int(high[0]), shape[1]), min(int(high[1]), shape[0])
    if x1 <= x0 or y1 <= y0:
        return None, (0, 0)
    fine = 2.0
    sharp = ink_share(np.repeat(np.repeat(dots, 2, axis=0), 2, axis=1), spread=0.9)
    scale = step / fine
    if scale < 1:
        size = max(round(sharp.shape[1] * scale), 1), max(round(sharp.shape[0] * scale), 1)
        sharp, scale = np.asarray(cv2.resize(sharp, size, interpolation=cv2.INTER_AREA), np.float32), 1.0
    matrix = np.column_stack([turn * scale, np.array(place) - (x0, y0)])
    ink = cv2.warpAffine(sharp, matrix, (x1 - x0, y1 - y0))
    if softness > 0.3:
        ink = cv2.GaussianBlur(ink, (0, 0), softness, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(ink, dtype=np.float32), (x0, y0)


def _like(ink: Field, style: PrintStyle) -> Field:
    """Return the share of light that passes, per channel; the core of the ink is as dark as in the style."""
    seen = ink[ink > 0.35 * float(ink.max())] if ink.max() > 0 else ink.ravel()
    core = max(float(np.median(seen[seen >= np.quantile(seen, 0.6)])), 0.05)
    strength = np.minimum(ink / np.float32(core), 1.25)
    passed = 1 - strength[..., None] * (1 - style.passed)
    return np.asarray(np.clip(passed, 0.02, 1), dtype=np.float32)


def _multiply(page: Pixels, passed: Field, corner: tuple[int, int]) -> None:
    x0, y0 = corner
    under = page[y0 : y0 + passed.shape[0], x0 : x0 + passed.shape[1]]
    for part in strips(*passed.shape[:2]):
        under[part] = np.round(under[part] * passed[part]).astype(np.uint8)
