"""The light of a page summed along a short path of the camera: shifted sums in 16 bits, few of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.effects.tone import COUNTS, LIGHT_OF_LEVEL, looked_up, of_counts, pairs_of

Place = tuple[int, int]
"""Row and column, from the middle of a path."""

Counts = npt.NDArray[np.uint16]

MOST_PLACES = 17
"""Each place rounds its light to a count: with more of them, black of one level could become another's."""

_PIXELS_PER_STRIP = 1 << 15
_NEGLIGIBLE = 1 / 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """Where light comes from: ``full`` places in equal shares, and ``ends`` in ``share`` (0..1) of theirs."""

    full: tuple[Place, ...]
    ends: tuple[Place, ...] = ()
    share: float = 1.0


def path_through(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> Path:
    """Return the path through points at ``x``, ``y`` (pixels): one pixel per column, or row if it is steep.

    It is travelled at an even pace along the longer of its sides, and lies about its middle. The columns at
    both ends count by as much of them as the path covers.
    """
    if np.ptp(x) < np.ptp(y):
        turned = path_through(y, x)
        flip = [tuple((column, row) for row, column in places) for places in (turned.full, turned.ends)]
        return Path(full=flip[0], ends=flip[1], share=turned.share)
    column = np.round(x).astype(int)
    columns = np.arange(column.min(), column.max() + 1)
    rows = [float(y[column == at].mean()) for at in columns]
    down, right = round(float(np.mean(rows))), round(float(columns.mean()))
    places = tuple((round(row) - down, int(at) - right) for row, at in zip(rows, columns, strict=True))
    covered = np.ptp(x) * len(x) / max(len(x) - 1, 1)
    share = min((covered - len(places) + 2) / 2, 1.0) if len(places) > 2 else 1.0
    if share > 1 - _NEGLIGIBLE:
        return Path(full=places)
    if share < _NEGLIGIBLE:
        return Path(full=places[1:-1])
    return Path(full=places[1:-1], ends=(places[0], places[-1]), share=share)


def swept(pixels: Pixels, path: Path) -> Pixels:
    """Return RGB pixels with their light averaged along a path; the border repeats outwards.

    Raises ValueError for a path of more than ``MOST_PLACES`` places.
    """
    places = np.array(path.full + path.ends)
    if len(places) > MOST_PLACES:
        raise ValueError(f"a path of {len(places)} places has more than {MOST_PLACES}")
    (top, left), (bottom, right) = np.minimum(places.min(axis=0), 0), np.maximum(places.max(axis=0), 0)
    height, width, channels = pixels.shape
    table = _table(COUNTS / (len(path.full) + path.share * len(path.ends)))
    pairs = pairs_of(table)
    beside = right + (width + right - left) % 2
    full, ends = (
        [(row - int(top), (column - int(left)) * channels) for row, column in group]
        for group in (path.full, path.ends)
    )
    seen = np.empty_like(pixels)
    step = max(_PIXELS_PER_STRIP // width, 2 * int(bottom - top), 1)
    for start in range(0, height, step):
        stop = min(start + step, height)
        above, below = max(-start - top, 0), max(stop + bottom - height, 0)
        near = pixels[start + top + above : stop + bottom - below]
        framed = cv2.copyMakeBorder(near, above, below, -left, beside, cv2.BORDER_REPLICATE)
        flat, size = framed.reshape(len(framed), -1), (stop - start, width * channels)
        counts = looked_up(flat, table, pairs)
        total = _summed(counts, full, size)
        if ends:
            first, last = (_window(counts, corner, size) for corner in ends)
            total = cv2.add(total, cv2.addWeighted(first, path.share, last, path.share, 0))
        of_counts(total, out=seen[start:stop].reshape(size))
    return seen


def _table(white: float) -> Counts:
    """Return the light of each level in counts, ``white`` of them for full light."""
    return np.floor(LIGHT_OF_LEVEL.astype(np.float64) * white + 0.5).astype(np.uint16)


def _summed(counts: Counts, places: list[Place], size: tuple[int, int]) -> Counts:
    """Return the sum of the windows of ``size`` (rows, columns) whose corners are at ``places``.

    Places that lie in pairs, one step apart, are summed at once, and so on with the pairs.
    """
    if len(places) == 1:
        return _window(counts, places[0], size)
    (down, right), firsts, rest = _paired(tuple(places))
    corner = max(-down, 0), max(-right, 0)
    around = counts.shape[0] - abs(down), counts.shape[1] - abs(right)
    other = corner[0] + down, corner[1] + right
    pairs = cv2.add(_window(counts, corner, around), _window(counts, other, around))
    total = _summed(pairs, [(row - corner[0], column - corner[1]) for row, column in firsts], size)
    for place in rest:
        cv2.add(total, _window(counts, place, size), dst=total)
    return total


def _window(counts: Counts, corner: Place, size: tuple[int, int]) -> Counts:
    return counts[corner[0] : corner[0] + size[0], corner[1] : corner[1] + size[1]]


@lru_cache(maxsize=64)
def _paired(places: tuple[Place, ...]) -> tuple[Place, list[Place], list[Place]]:
    """Return the step by which the most places pair up, the first of each pair, and what stays alone."""
    return max((_pairs_by(step, places) for step in _steps(places)), key=lambda found: len(found[1]))


def _steps(places: tuple[Place, ...]) -> list[Place]:
    ordered = sorted(places)
    return [(row - ordered[0][0], column - ordered[0][1]) for row, column in ordered[1:]]


def _pairs_by(step: Place, places: tuple[Place, ...]) -> tuple[Place, list[Place], list[Place]]:
    free, firsts = set(places), []
    for place in sorted(places):
        partner = place[0] + step[0], place[1] + step[1]
        if place in free and partner in free:
            firsts.append(place)
            free -= {place, partner}
    return step, firsts, sorted(free)
