"""Where things come to lie on a page: spread over what is printed, each in the widest gap left."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels

MOST_THINGS = 96

_CANDIDATES = 8
_BORDER = 3.0
_TEXT_PIXELS = 4.0
_CONTRAST = 0.12
_SMALLEST_THING = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedArea:
    """The part of the page with print: x0, y0, x1, y1 in pixels."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Width in pixels."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Height in pixels."""
        return self.y1 - self.y0


def printed_area(pixels: Pixels, text_height: float) -> PrintedArea:
    """Return the smallest upright rectangle around nearly all print (98 % of its ink across and down).

    A page without print, or on a ground that looks like print, counts as a whole.
    """
    height, width = pixels.shape[:2]
    factor = max(text_height / _TEXT_PIXELS, 1.0)
    size = max(round(width / factor), 1), max(round(height / factor), 1)
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.float32)
    paper = cv2.GaussianBlur(cv2.dilate(grey, np.ones((9, 9), np.uint8)), (0, 0), 2)
    ink = (paper - grey) > _CONTRAST * 255
    if ink.sum() < 8:
        return PrintedArea(x0=0.0, y0=0.0, x1=float(width), y1=float(height))
    x0, x1 = _span(ink.sum(axis=0))
    y0, y1 = _span(ink.sum(axis=1))
    across, down = width / size[0], height / size[1]
    return PrintedArea(x0=x0 * across, y0=y0 * down, x1=x1 * across, y1=y1 * down)


def _span(counts: npt.NDArray[np.int64]) -> tuple[int, int]:
    share = np.cumsum(counts) / counts.sum()
    return int(np.searchsorted(share, 0.01)), int(np.searchsorted(share, 0.99)) + 1


def spread_places(area: PrintedArea, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Return ``MOST_THINGS`` x 2 points (x, y in pixels), each far from those before it and from the border.

    Best of eight candidates (Mitchell, "Spectrally optimal sampling for distribution ray tracing", 1991).
    """
    size = np.array([area.width, area.height])
    candidates = rng.uniform(0, 1, (MOST_THINGS, _CANDIDATES, 2)) * size
    to_border = _BORDER * np.minimum(candidates, size - candidates).min(axis=2)
    places = np.empty((MOST_THINGS, 2))
    places[0] = candidates[0, 0]
    for index in range(1, MOST_THINGS):
        apart = candidates[index][:, None, :] - places[None, :index]
        nearest = np.sqrt((apart**2).sum(axis=2).min(axis=1))
        places[index] = candidates[index][int(np.minimum(nearest, to_border[index]).argmax())]
    return np.asarray(places + np.array([area.x0, area.y0]))


def sizes_for(share: float, areas: npt.NDArray[np.float64], total: float) -> npt.NDArray[np.float64]:
    """Return sizes, 0.5..1 of the usual one, with which things together take a share of ``total``.

    ``areas`` are those of the things at their usual size. Things come one after another in their order:
    the last one may be smaller, those after it are left out; one lies there whatever the share.
    """
    left = share * total - np.concatenate([[0.0], np.cumsum(areas)[:-1]])
    count = max(int((left > 0).sum()), 1)
    shares = np.clip(left[:count] / areas[:count], 0, 1)
    return np.asarray(np.maximum(np.sqrt(shares), _SMALLEST_THING))
