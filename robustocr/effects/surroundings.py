"""What lies around a page: a table top, or the bed of a scanner."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.effects.noise import smooth_noise
from robustocr.moves import Points
from robustocr.strips import Field

Surroundings = Literal["table", "scanner"]

_TABLES = ((104, 74, 50), (150, 112, 76), (72, 56, 46), (92, 94, 98), (58, 64, 72), (136, 128, 118))
_SCANNER_LID = (226, 227, 225)
_SHADOW = {"table": 0.55, "scanner": 0.12}
_SHRUNK = 4
_FRACTION = 4
_SHADOW_PER_TEXT = 3
_ROWS = 128
_UNDER = 4


def surroundings_of(
    page: Points, size: tuple[int, int], kind: Surroundings, text_height: float, rng: np.random.Generator
) -> Pixels:
    """Return a picture of ``size`` (width, height) of what a flat page lies on, in the shadow of its edge.

    ``page`` is 4 x 2 corners (x, y) in pixels, in order around it. What lies under the page, a few pixels
    from its edge, is not drawn: lay the page over it. The shadow is darker on a table than under a scanner's
    lid.
    """
    step = max(text_height / _SHADOW_PER_TEXT, 1.0)
    mask = np.zeros((max(round(size[1] / step), 1), max(round(size[0] / step), 1)), dtype=np.uint8)
    scale = np.array([mask.shape[1] / size[0], mask.shape[0] / size[1]])
    corners = np.round(((page + 0.5) * scale - 0.5) * (1 << _FRACTION)).astype(np.int32)
    cv2.fillConvexPoly(mask, corners, 255, lineType=cv2.LINE_AA, shift=_FRACTION)
    small = _coarse_surroundings(
        (-(-size[1] // _SHRUNK), -(-size[0] // _SHRUNK)), kind, text_height, rng, (mask, _SHADOW[kind])
    )
    canvas = np.empty((size[1], size[0], 3), dtype=np.uint8)
    edge = [(float(x), float(y)) for x, y in page]
    for start in range(0, size[1], _ROWS):
        rows = slice(start, min(start + _ROWS, size[1]))
        left, right = _under(edge, rows)
        for columns in (slice(0, left), slice(right, size[0])) if left < right else (slice(0, size[0]),):
            if columns.start < columns.stop:
                canvas[rows, columns] = _enlarged(small, rows, columns)
    return canvas


def _under(page: list[tuple[float, float]], rows: slice) -> tuple[int, int]:
    """Return the columns (from, to) that a page with four corners covers in all of some rows, well inside."""
    spans = [_section(page, y) for y in (rows.start - _UNDER, rows.stop + _UNDER)]
    low, high = max(span[0] for span in spans), min(span[1] for span in spans)
    if low >= high:
        return 0, 0
    return (int(low) // _SHRUNK + 1) * _SHRUNK + _UNDER, int(high) // _SHRUNK * _SHRUNK - _UNDER


def _section(page: list[tuple[float, float]], y: float) -> tuple[float, float]:
    """Return the smallest and largest x at which a line of constant ``y`` meets the page's edge."""
    met = [
        x0 + (x1 - x0) * (y - y0) / (y1 - y0)
        for (x0, y0), (x1, y1) in zip(page, page[1:] + page[:1], strict=True)
        if y0 != y1 and min(y0, y1) <= y <= max(y0, y1)
    ]
    return (min(met), max(met)) if met else (np.inf, -np.inf)


def _enlarged(small: Pixels, rows: slice, columns: slice) -> Pixels:
    """Return a part of a coarse picture at full size; rows and columns start at whole coarse pixels."""
    top, left = max(rows.start // _SHRUNK - 1, 0), max(columns.start // _SHRUNK - 1, 0)
    near = small[top : -(-rows.stop // _SHRUNK) + 1, left : -(-columns.stop // _SHRUNK) + 1]
    size = near.shape[1] * _SHRUNK, near.shape[0] * _SHRUNK
    large = cv2.resize(near, size, interpolation=cv2.INTER_LINEAR)[rows.start - top * _SHRUNK :]
    cut = large[: rows.stop - rows.start, columns.start - left * _SHRUNK :]
    return np.asarray(cut[:, : columns.stop - columns.start], dtype=np.uint8)


def surroundings_beside(
    page: Mask, kind: Surroundings, text_height: float, rng: np.random.Generator, shadow: float
) -> Pixels:
    """Return a picture, as large as the mask, of what a page of any shape lies on.

    ``page`` is 255 where the page is; next to it up to ``shadow`` (0..1) of the light is missing.
    """
    height, width = page.shape
    step = max(text_height / _SHADOW_PER_TEXT, 1.0)
    size = max(round(width / step), 1), max(round(height / step), 1)
    mask = np.asarray(cv2.resize(page, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    rows = max(height // _SHRUNK, 2), max(width // _SHRUNK, 2)
    small = _coarse_surroundings(rows, kind, text_height, rng, (mask, shadow))
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def _coarse_surroundings(
    rows: tuple[int, int],
    kind: Surroundings,
    text_height: float,
    rng: np.random.Generator,
    shadow: tuple[Mask, float],
) -> Pixels:
    """Return surroundings of ``rows`` (height, width) for enlarging, under a ``shadow`` (page, share)."""
    scale = _SHRUNK / text_height
    drift = smooth_noise(rows, (3, 3), rng)
    kept = _kept_beside(*shadow, rows)
    if kind == "scanner":
        drift *= kept * 2
        return _merged(
            [cv2.convertScaleAbs(cv2.addWeighted(kept, level, drift, 1, 0)) for level in _SCANNER_LID]
        )
    tone = _TABLES[rng.integers(len(_TABLES))]
    grain = smooth_noise(rows, (int(rows[0] * scale * 2.5), int(rows[1] * scale / 9)), rng)
    veins = smooth_noise(rows, (int(rows[0] * scale / 2.5), int(rows[1] * scale / 20)), rng)
    light = kept * (1 + 0.07 * grain + 0.12 * veins + 0.10 * drift)
    return _merged([cv2.convertScaleAbs(light, alpha=level) for level in tone])


def _merged(channels: list[Mask]) -> Pixels:
    return np.asarray(cv2.merge(channels), dtype=np.uint8)


def _kept_beside(page: Mask, strength: float, shape: tuple[int, int]) -> Field:
    """Return the share of the light that is left: next to the page up to ``strength`` (0..1) is missing.

    The page has 3 pixels per text height; what is returned has ``shape`` (height, width).
    """
    soft = cv2.GaussianBlur(page.astype(np.float32), (0, 0), 0.5 * _SHADOW_PER_TEXT)
    soft = cv2.resize(soft, shape[::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(1 - np.float32(strength / 255) * soft, dtype=np.float32)
