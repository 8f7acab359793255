"""What a fax machine makes of a page: one bit for each point of a coarse raster, sent line by line."""

from __future__ import annotations

from typing import Annotated, Literal

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.effects.registry import Strength, effect

Grey = npt.NDArray[np.float32]

_COLUMNS_PER_LINE = {"standard": 8.04 / 3.85, "fine": 8.04 / 7.7}
_DRAWS = 4096
_COARSE_TEXT = 40.0
_WHITE_REACH = 2.0


@effect(version=2)
def fax(
    pixels: Pixels,
    *,
    lines: Annotated[float, Strength(3, 100, "scan lines per text height")],
    resolution: Literal["standard", "fine"] = "standard",
    threshold: Annotated[float, Strength(0.1, 0.95, "share of the paper's light that counts as black")] = 0.6,
    noise: Annotated[float, Strength(0, 0.5, "share of the paper's light")] = 0.03,
    errors: Annotated[float, Strength(0, 0.5, "share of lines that arrive damaged")] = 0.0,
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Scan ``lines`` lines per text height, make every point black or white, and damage some lines.

    ITU-T T.4 scans 8.04 points per millimetre, in 3.85 (standard) or 7.7 (fine) lines per millimetre. Its
    one-dimensional code sends each line as the lengths of its runs: after a wrong bit the rest of the line
    slips sideways, and the receiver prints it so or repeats the line before. Where points are finer than the
    pixels of the page, a viewer averages them. Text lower than 40 pixels is scanned and viewed at twice its
    size, so that the raster does not beat with the pixels.
    """
    height, width = pixels.shape[:2]
    rows = _points(height, lines / text_height)
    columns = _points(width, lines / text_height * _COLUMNS_PER_LINE[resolution])
    page = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    fine = 1 if text_height > _COARSE_TEXT else 2
    page = _resized(page, width * fine, height * fine, cv2.INTER_LINEAR)
    grey = _resized(page, columns, rows, cv2.INTER_LINEAR)
    share = grey.astype(np.float32) / np.maximum(_white_around(grey, lines), 1)
    grain = rng.standard_normal(1 << 16, dtype=np.float32)
    share += noise * np.resize(grain, share.shape)
    dots = np.where(share < threshold, np.uint8(0), np.uint8(255))
    received = _received(dots, errors, rng)
    large = _resized(received, width * fine, height * fine, cv2.INTER_NEAREST)
    printed = _resized(large, width, height, cv2.INTER_NEAREST)
    return np.asarray(cv2.cvtColor(printed, cv2.COLOR_GRAY2RGB), dtype=np.uint8)


def _resized(grey: Pixels, width: int, height: int, enlarging: int) -> Pixels:
    """Return a grey picture resized: averaged along the sides that shrink, ``enlarging`` along the others."""
    size = min(width, grey.shape[1]), min(height, grey.shape[0])
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=enlarging), dtype=np.uint8)


def _points(length: int, per_pixel: float) -> int:
    """Return how many points a scanner takes along ``length`` pixels: at most three for each."""
    return max(min(round(length * per_pixel), 3 * length), 1)


def _white_around(grey: Pixels, lines: float) -> Grey:
    """Return the level of the paper around each point: what the machine's gain control makes white."""
    block = max(round(lines * _WHITE_REACH), 1)
    size = max(grey.shape[1] // block, 1), max(grey.shape[0] // block, 1)
    bright = cv2.dilate(
        cv2.resize(grey, (size[0] * 4, size[1] * 4), interpolation=cv2.INTER_AREA), np.ones((5, 5))
    )
    smooth = cv2.blur(bright, (5, 5))
    return np.asarray(cv2.resize(smooth, grey.shape[1::-1], interpolation=cv2.INTER_LINEAR), dtype=np.float32)


def _received(dots: Pixels, errors: float, rng: np.random.Generator) -> Pixels:
    """Return what arrives: damaged lines slip from some point on, or repeat the line before."""
    chance, place, kind = rng.random((3, _DRAWS))
    slip = rng.normal(0, 0.02, _DRAWS)
    received = dots.copy()
    rows, columns = dots.shape
    for row in range(1, rows):
        draw = row * _DRAWS // rows if rows < _DRAWS else row % _DRAWS
        if chance[draw] >= errors:
            continue
        if kind[draw] < 0.5:
            received[row] = received[row - 1]
            continue
        start = int(place[draw] * columns)
        received[row, start:] = np.roll(dots[row, start:], round(slip[draw] * columns))
    return received
