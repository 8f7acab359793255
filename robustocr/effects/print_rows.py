"""Where a page has print and where it is blank, on a small copy turned so that its lines lie level."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask

_TEXT_PIXELS = 8.0
_FAINT, _CLEAR = 0.2, 0.35
_ROOMY = 0.8
_LEAST_CONTRAST = 9.0
_END_MARGIN = 0.6
_FRAME = 0.02
_HIGHEST = 4.0
_TILTS = np.radians(np.arange(-8.0, 8.01, 0.5))
_LEAST_GAP = 0.4

Inked = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Blank rows from ``top`` to ``bottom``, in pixels along the page's own down direction."""

    top: float
    bottom: float

    @property
    def height(self) -> float:
        """Height in pixels."""
        return self.bottom - self.top

    def distance(self, row: float) -> float:
        """Return how far a row lies outside of the gap, in pixels; 0 within."""
        return max(self.top - row, row - self.bottom, 0.0)

    @property
    def middle(self) -> float:
        """Middle row in pixels."""
        return (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintRows:
    """The print of a page in a frame turned by ``tilt`` radians about the page's top left corner.

    Lines run from ``left`` to ``right`` and from ``top`` to ``bottom`` (pixels in that frame); ``gaps`` lie
    between and after them, from top to bottom.
    """

    tilt: float
    left: float
    right: float
    top: float
    bottom: float
    gaps: tuple[Gap, ...]

    def on_page(self, along: float, down: float) -> tuple[float, float]:
        """Return the page's x, y of a point of the turned frame."""
        cosine, sine = np.cos(self.tilt), np.sin(self.tilt)
        return float(along * cosine - down * sine), float(along * sine + down * cosine)

    def down_of(self, x: float, y: float) -> float:
        """Return how far down in the turned frame a point of the page lies."""
        return float(y * np.cos(self.tilt) - x * np.sin(self.tilt))


def find_rows(pixels: Pixels, text_height: float) -> PrintRows:
    """Return the printed and the blank rows of a page; one without print is a single gap.

    Faint print counts, unless then no row of 0.8 text heights is blank: it may be print of the other side.
    """
    found = _rows(pixels, text_height, _FAINT)
    roomy = any(gap.height > _ROOMY * text_height for gap in found.gaps)
    return found if roomy else _rows(pixels, text_height, _CLEAR)


def _rows(pixels: Pixels, text_height: float, contrast: float) -> PrintRows:
    height, width = pixels.shape[:2]
    factor = max(text_height / _TEXT_PIXELS, 1.0)
    size = max(round(width / factor), 1), max(round(height / factor), 1)
    thick = max(round(factor / 2), 1)
    darkest = cv2.erode(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.ones((thick, thick), np.uint8))
    small = np.asarray(cv2.resize(darkest, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    inked = _without_ground(inked_pixels(small, text_height / factor, contrast), text_height / factor)
    factor = height / size[1]
    tilt = _tilt(inked, text_height / factor)
    y, x = np.nonzero(inked)
    if y.size < 8:
        gap = Gap(top=0.0, bottom=float(height))
        return PrintRows(tilt=0.0, left=0.06 * width, right=0.94 * width, top=0.0, bottom=0.0, gaps=(gap,))
    along = (x * np.cos(tilt) + y * np.sin(tilt)) * factor
    down = (y * np.cos(tilt) - x * np.sin(tilt)) * factor
    inner = along[(x > _FRAME * size[0]) & (x < (1 - _FRAME) * size[0] - 1)]
    left, right = np.quantile(inner if inner.size > 0.5 * along.size else along, (0.015, 0.985))
    top, bottom = np.quantile(down, (0.004, 0.996))
    end = height * np.cos(tilt) - max(width * np.sin(tilt), 0.0) - _END_MARGIN * text_height
    gaps = _gaps(down, factor, text_height, float(max(end, bottom)))
    return PrintRows(
        tilt=tilt, left=float(left), right=float(right), top=float(top), bottom=float(bottom), gaps=gaps
    )


def inked_pixels(grey: Mask, text_height: float, contrast: float = _CLEAR) -> Inked:
    """Return where a grey picture is darker than its paper, by ``contrast`` (0..1) of its darkest print."""
    reach = max(round(1.2 * text_height), 3) | 1
    paper = cv2.dilate(grey, np.ones((reach, reach), np.uint8))
    paper = cv2.blur(cv2.erode(paper, np.ones((reach, reach), np.uint8)), (reach, reach))
    depth = cv2.subtract(paper, grey)
    level = max(contrast * float(np.percentile(depth, 99)), _LEAST_CONTRAST)
    return np.asarray(depth > level)


def _without_ground(inked: Inked, text_height: float) -> Inked:
    """Return the ink without what is higher than four text heights: the ground beside the page, its edges."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(inked.astype(np.uint8), connectivity=8)
    low = stats[:, cv2.CC_STAT_HEIGHT] <= _HIGHEST * text_height
    return np.asarray(inked & low[labels])


def _tilt(inked: Inked, text_height: float) -> float:
    """Return the angle in radians at which ink falls into the fewest rows (projection profile)."""
    y, x = np.nonzero(inked)
    if y.size < 8:
        return 0.0
    cell = max(text_height / 6, 1.0)

    def sharpness(angle: float) -> float:
        rows = (y * np.cos(angle) - x * np.sin(angle)) / cell
        counts = np.bincount((rows - rows.min()).astype(int)).astype(np.float64)
        return float((counts**2).sum())

    coarse = float(max(_TILTS, key=sharpness))
    return float(max(coarse + np.radians(np.arange(-0.4, 0.41, 0.1)), key=sharpness))


def _gaps(down: npt.NDArray[np.float64], factor: float, text_height: float, end: float) -> tuple[Gap, ...]:
    """Return the runs of rows with hardly any ink, at least 0.4 text heights high, down to ``end``."""
    rows = max(int(end / factor) + 1, 1)
    counts = np.bincount(np.clip(down / factor, 0, rows - 1).astype(int), minlength=rows)
    filled = counts > max(0.012 * np.quantile(counts[counts > 0], 0.8), 1)
    edges = np.flatnonzero(np.diff(np.concatenate([[1], filled.astype(np.int8), [1]])))
    runs = [(start * factor, stop * factor) for start, stop in edges.reshape(-1, 2)]
    return tuple(
        Gap(top=float(top), bottom=float(min(bottom, end)))
        for top, bottom in runs
        if bottom - top >= _LEAST_GAP * text_height
    )
