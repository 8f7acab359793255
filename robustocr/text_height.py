"""How high a line of text is in a picture: the unit in which the strength of a corruption is measured."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels

_WORKING_AREA = 1.2e6
_LARGEST_AREA = 5e6
_SMALLEST_GLYPH = 4
_TOO_SMALL_GLYPH = 9.0
_LINKING_GLYPH = 10.0
_BOX_OVER_INK = 1.21
_FALLBACK_SHARE = 1 / 40
_MIN_LINES = 3
_PIN_GAP = 0.2
_MUCH_HIGHER = 1.3

Stats = npt.NDArray[np.float64]
Grey = npt.NDArray[np.uint8]


def estimate_text_height(pixels: Pixels) -> float:
    """Return the median height of the text lines in pixels, tilted by up to 12 degrees; nothing is read.

    Ink is found by a local threshold; glyphs by connected components; the tilt by the sharpest row
    profile; lines by chaining glyphs along it. A label box around a line is about 1.21 times as high as
    its ink, and that is what comes back. Where fewer than three lines are found (blank, tiny), the
    fallback is a 40th of the longer side, at least 8 pixels but never more than the shorter side.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY) if pixels.ndim == 3 else pixels
    area = float(grey.shape[0] * grey.shape[1])
    factor = min(1.0, np.sqrt(_WORKING_AREA / area))
    height = _line_height(_resized(grey, factor))
    largest = min(1.0, np.sqrt(_LARGEST_AREA / area))
    if (height is None or height < _TOO_SMALL_GLYPH) and largest > factor * 1.2:
        factor, height = largest, _line_height(_resized(grey, largest))
    if height is None:
        return float(min(max(_FALLBACK_SHARE * max(grey.shape), 8.0), *grey.shape))
    return float(height / factor)


def _resized(grey: Grey, factor: float) -> Grey:
    if factor >= 1:
        return grey
    size = max(round(grey.shape[1] * factor), 1), max(round(grey.shape[0] * factor), 1)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _line_height(grey: Grey) -> float | None:
    """Return the median height of text lines in the pixels of this picture, or None without text.

    Pins of a dot-matrix printer that do not touch look like small glyphs: where lines grow much higher once
    gaps of a fifth of their height are closed, the closed print counts.
    """
    ink = _ink(grey)
    height = _chained_height(ink)
    if height is None:
        return None
    gap = max(round(_PIN_GAP * height / _BOX_OVER_INK), 2)
    closed = _chained_height(cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((gap + 1, gap + 1), np.uint8)))
    return closed if closed is not None and closed > _MUCH_HIGHER * height else height


def _chained_height(ink: Grey) -> float | None:
    glyphs = _glyphs(ink)
    if len(glyphs) < 2 * _MIN_LINES:
        return None
    glyph_height = float(np.median(glyphs[:, 3]))
    glyphs = glyphs[(glyphs[:, 3] < 3.2 * glyph_height) & (glyphs[:, 2] < 5 * glyph_height)]
    if len(glyphs) < _MIN_LINES:
        return None
    heights = _chained_heights(glyphs, glyph_height, _tilt(glyphs, glyph_height))
    return None if len(heights) < _MIN_LINES else float(np.median(heights)) * _BOX_OVER_INK


def _ink(grey: Grey) -> Grey:
    """Return 255 where the picture is darker than its surroundings."""
    block = max(int(min(grey.shape) / 16), 15) | 1
    low, high = np.percentile(grey[::4, ::4], (2, 90))
    offset = max(0.18 * (high - low), 10.0)
    return np.asarray(
        cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, offset)
    )


def _glyphs(ink: Grey) -> Stats:
    """Return left, top, width, height and area of the connected pieces of ink that may be glyphs."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    stats = stats[1:].astype(np.float64)
    width, height, area = stats[:, 2], stats[:, 3], stats[:, 4]
    fits = (height >= _SMALLEST_GLYPH) & (height < 0.2 * ink.shape[0]) & (width < 0.6 * ink.shape[1])
    solid = (area < 0.95 * width * height) | (width < 0.6 * height)
    slim = (height < 6 * width) | (height < 40)
    return np.asarray(stats[fits & solid & slim & (width < 12 * height)])


def _tilt(glyphs: Stats, glyph_height: float) -> float:
    """Return the angle in radians at which the glyphs' feet fall into the fewest rows."""
    x, foot = glyphs[:, 0] + glyphs[:, 2] / 2, glyphs[:, 1] + glyphs[:, 3]
    tall = (glyphs[:, 3] > 0.7 * glyph_height) & (glyphs[:, 3] < 1.6 * glyph_height)
    x, foot = x[tall], foot[tall]

    def sharpness(angle: float) -> float:
        rows = (foot * np.cos(angle) - x * np.sin(angle)) / (0.25 * glyph_height)
        counts = np.bincount((rows - rows.min()).astype(int)).astype(np.float64)
        return float((counts**2).sum())

    if len(x) == 0:
        return 0.0
    coarse = max(np.radians(np.arange(-13, 13.5, 1.0)), key=sharpness)
    return float(max(coarse + np.radians(np.arange(-1, 1.01, 0.25)), key=sharpness))


def _chained_heights(glyphs: Stats, glyph_height: float, tilt: float) -> Stats:
    """Return the heights of the chains of neighbouring glyphs along the tilt (two glyphs or more)."""
    cosine, sine = np.cos(tilt), np.sin(abs(tilt))
    width, height = glyphs[:, 2], glyphs[:, 3]
    upright = np.clip((height * cosine - width * sine) / max(cosine**2 - sine**2, 0.5), 0.5 * height, height)
    x, y = glyphs[:, 0] + width / 2, glyphs[:, 1] + height / 2
    along, across = x * np.cos(tilt) + y * np.sin(tilt), y * np.cos(tilt) - x * np.sin(tilt)
    top, bottom = across - upright / 2, across + upright / 2
    return _runs(along - width / 2, along + width / 2, top, bottom, glyph_height)


def _runs(left: Stats, right: Stats, top: Stats, bottom: Stats, glyph_height: float) -> Stats:
    """Return the heights of runs: glyphs whose middles lie side by side, 1.2 glyph heights apart at most."""
    scale = _LINKING_GLYPH / glyph_height
    left, right = left - left.min(), right - left.min()
    offset = top.min()
    middle, half = (top + bottom) / 2 - offset, (bottom - top) / 5
    x0, x1 = (
        ((left - 0.6 * glyph_height) * scale).astype(int),
        ((right + 0.6 * glyph_height) * scale).astype(int),
    )
    y0, y1 = ((middle - half) * scale).astype(int), ((middle + half) * scale).astype(int)
    links = np.zeros((int(y1.max()) + 1, int(x1.max()) + 1), dtype=np.uint8)
    for corner in zip(x0.clip(0), y0.clip(0), x1, y1, strict=True):
        cv2.rectangle(links, corner[:2], corner[2:], 255, -1)
    _, labels = cv2.connectedComponents(links, connectivity=4)
    run = labels[(middle * scale).astype(int), ((left + right) / 2 * scale).astype(int)]
    upper, lower = np.full(labels.max() + 1, np.inf), np.full(labels.max() + 1, -np.inf)
    np.minimum.at(upper, run, top)
    np.maximum.at(lower, run, bottom)
    size = np.bincount(run, minlength=len(upper))
    heights = (lower - upper)[size >= 2]
    return np.asarray(heights[(heights > 0.6 * glyph_height) & (heights < 2.5 * glyph_height)])
