"""What lies around a page: a table top, or the bed of a scanner."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.effects.noise import smooth_noise
from robustocr.moves import Points
from robustocr.strips import strips

Surroundings = Literal["table", "scanner"]

_TABLES = ((104, 74, 50), (150, 112, 76), (72, 56, 46), (92, 94, 98), (58, 64, 72), (136, 128, 118))
_SCANNER_LID = (226, 227, 225)
_SHADOW = {"table": 0.55, "scanner": 0.12}
_SHRUNK = 4
_FRACTION = 4


def surroundings(
    size: tuple[int, int], kind: Surroundings, text_height: float, rng: np.random.Generator
) -> Pixels:
    """Return a picture of ``size`` (width, height) of what a page lies on, without the page."""
    small = _coarse_surroundings(size, kind, text_height, rng)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def surroundings_of(
    page: Points, size: tuple[int, int], kind: Surroundings, text_height: float, rng: np.random.Generator
) -> Pixels:
    """Return a picture of ``size`` (width, height) of what a flat page lies on, in the shadow of its edge.

    ``page`` is 4 x 2 corners (x, y) in pixels. The shadow is darker on a table than under a scanner's lid.
    """
    small = _coarse_surroundings(size, kind, text_height, rng)
    scale = np.array([small.shape[1] / size[0], small.shape[0] / size[1]])
    mask = np.zeros(small.shape[:2], dtype=np.uint8)
    corners = np.round(((page + 0.5) * scale - 0.5) * (1 << _FRACTION)).astype(np.int32)
    cv2.fillConvexPoly(mask, corners, 255, lineType=cv2.LINE_AA, shift=_FRACTION)
    small = shaded_by_page(small, mask, text_height * float(scale[1]), _SHADOW[kind])
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def surroundings_beside(
    page: Mask, kind: Surroundings, text_height: float, rng: np.random.Generator, shadow: float
) -> Pixels:
    """Return a picture, as large as the mask, of what a page of any shape lies on.

    ``page`` is 255 where the page is; next to it up to ``shadow`` (0..1) of the light is missing.
    """
    size = page.shape[1], page.shape[0]
    small = _coarse_surroundings(size, kind, text_height, rng)
    mask = np.asarray(cv2.resize(page, small.shape[1::-1], interpolation=cv2.INTER_AREA), dtype=np.uint8)
    small = shaded_by_page(small, mask, text_height * small.shape[0] / size[1], shadow)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def _coarse_surroundings(
    size: tuple[int, int], kind: Surroundings, text_height: float, rng: np.random.Generator
) -> Pixels:
    rows = max(size[1] // _SHRUNK, 2), max(size[0] // _SHRUNK, 2)
    drift = smooth_noise(rows, (3, 3), rng)
    if kind == "scanner":
        return _merged([cv2.convertScaleAbs(drift, alpha=2, beta=level) for level in _SCANNER_LID])
    scale = _SHRUNK / text_height
    tone = _TABLES[rng.integers(len(_TABLES))]
    grain = smooth_noise(rows, (int(rows[0] * scale * 2.5), int(rows[1] * scale / 9)), rng)
    veins = smooth_noise(rows, (int(rows[0] * scale / 2.5), int(rows[1] * scale / 20)), rng)
    light = 1 + 0.07 * grain + 0.12 * veins + 0.10 * drift
    return _merged([cv2.convertScaleAbs(light, alpha=level) for level in tone])


def _merged(channels: list[Mask]) -> Pixels:
    return np.asarray(cv2.merge(channels), dtype=np.uint8)


def shaded_by_page(ground: Pixels, page: Mask, text_height: float, strength: float) -> Pixels:
    """Return the ground darkened next to the page by up to ``strength`` (0..1): the shadow of its edge."""
    height, width = page.shape
    factor = max(text_height / 4, 1.0)
    size = max(int(width / factor), 1), max(int(height / factor), 1)
    small = page if factor == 1 else cv2.resize(page, size, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), 0.5 * text_height / factor)
    kept = cv2.convertScaleAbs(soft, alpha=-strength, beta=255)
    kept = cv2.resize(kept, (width, height), interpolation=cv2.INTER_LINEAR)
    shaded = np.empty_like(ground)
    for part in strips(height, width):
        share = cv2.cvtColor(kept[part], cv2.COLOR_GRAY2RGB)
        cv2.multiply(ground[part], share, dst=shaded[part], scale=1 / 255)
    return shaded
