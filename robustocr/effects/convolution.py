"""Convolve the light of a page, wide kernels at a fraction of its size."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.effects.tone import COUNTS, Linear, of_counts, to_light, to_pixels
from robustocr.strips import Stretched, strips

Kernel = npt.NDArray[np.float32]

_Tile = tuple[int, int, Kernel]

_LARGEST_DIRECT = 121
_HALOS_PER_STRIP = 16


def normalised(kernel: Kernel) -> Kernel:
    """Return the kernel with a sum of 1, so that light is neither lost nor made."""
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)


def trace_kernel(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> Kernel:
    """Return the normalised trace of a point at ``x``, ``y`` (pixels from the middle) at even times."""
    half = int(np.ceil(max(np.abs(x).max(), np.abs(y).max()))) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1), dtype=np.float32)
    column, row = np.floor(x).astype(int), np.floor(y).astype(int)
    right, below = x - column, y - row
    for dy, share_y in ((0, 1 - below), (1, below)):
        for dx, share_x in ((0, 1 - right), (1, right)):
            np.add.at(kernel, (row + dy + half, column + dx + half), share_x * share_y)
    return normalised(kernel)


def convolved(pixels: Pixels, kernel: Kernel, factor: int) -> Pixels:
    """Return a page, or one channel, with its light convolved, at a ``factor``-th of its size if above 1."""
    height, width = pixels.shape[:2]
    blurred = np.empty_like(pixels)
    if factor > 1:
        large = enlarged(filtered(shrunk(pixels, factor), kernel), width, factor)
        for part in strips(height, width):
            blurred[part] = to_pixels(large.rows(part))
        return blurred
    half = len(kernel) // 2
    tiles = _tiles(kernel * COUNTS)
    parts = list(strips(height, width, multiple=_HALOS_PER_STRIP * max(half, 1)))
    light = np.empty((parts[0].stop + 2 * half, width + 2 * half, *pixels.shape[2:]), dtype=np.float32)
    counts = np.empty((parts[0].stop, *pixels.shape[1:]), dtype=np.uint16)
    for part in parts:
        rows = part.stop - part.start
        above, below = max(half - part.start, 0), max(part.stop + half - height, 0)
        near = pixels[part.start - half + above : part.stop + half - below]
        framed = cv2.copyMakeBorder(near, above, below, half, half, cv2.BORDER_REPLICATE)
        summed = _summed(to_light(framed, out=light[: len(framed)]), tiles, (rows, width), rounding=0.5)
        np.copyto(counts[:rows], summed, casting="unsafe")
        of_counts(counts[:rows], out=blurred[part])
    return blurred


def filtered(light: Linear, kernel: Kernel) -> Linear:
    """Return light convolved with a kernel; the border repeats outwards."""
    framed = cv2.copyMakeBorder(light, *(len(kernel) // 2,) * 4, cv2.BORDER_REPLICATE)
    return _summed(framed, _tiles(kernel), (light.shape[0], light.shape[1]))


def _summed(light: Linear, tiles: list[_Tile], size: tuple[int, int], rounding: float = 0.0) -> Linear:
    """Return the convolution with a kernel in tiles; ``light`` exceeds ``size`` by the kernel's halo."""
    total: Linear | None = None
    for row, column, tile in tiles:
        bottom, right = row + size[0] + len(tile) - 1, column + size[1] + tile.shape[1] - 1
        part = cv2.filter2D(light[row:bottom, column:right], -1, tile, anchor=(0, 0), delta=rounding)
        part = part[: size[0], : size[1]]
        total, rounding = part if total is None else np.add(total, part, out=total), 0.0
    return np.asarray(total)


def _tiles(kernel: Kernel) -> list[_Tile]:
    """Return the parts of a kernel that hold all that is not zero, none too large for a direct sum.

    OpenCV turns to Fourier transforms from 130 places on, which take ten times as long as the few that
    are not zero on the trace of a point.
    """
    rows, columns = np.flatnonzero(kernel.any(axis=1)), np.flatnonzero(kernel.any(axis=0))
    top, left = int(rows[0]), int(columns[0])
    found = kernel[top : rows[-1] + 1, left : columns[-1] + 1]
    if found.size <= _LARGEST_DIRECT:
        return [(top, left, np.ascontiguousarray(found))]
    if len(found) >= found.shape[1]:
        middle = top + len(found) // 2
        first, second = _tiles(kernel[:middle]), _tiles(kernel[middle:])
        return first + [(row + middle, column, tile) for row, column, tile in second]
    middle = left + found.shape[1] // 2
    first, second = _tiles(kernel[:, :middle]), _tiles(kernel[:, middle:])
    return first + [(row, column + middle, tile) for row, column, tile in second]


def shrunk(pixels: Pixels, factor: int) -> Linear:
    """Return the light of blocks of ``factor`` x ``factor`` pixels; what sticks out repeats the border."""
    height, width = pixels.shape[:2]
    rows, columns = -(-height // factor), -(-width // factor)
    light = np.empty((rows, columns, *pixels.shape[2:]), dtype=np.float32)
    for part in strips(height, width, multiple=factor):
        over = -(part.stop - part.start) % factor, columns * factor - width
        block = to_light(cv2.copyMakeBorder(pixels[part], 0, over[0], 0, over[1], cv2.BORDER_REPLICATE))
        size = columns, len(block) // factor
        light[part.start // factor :][: size[1]] = cv2.resize(block, size, interpolation=cv2.INTER_AREA)
    return light


def enlarged(light: Linear, width: int, factor: int) -> Stretched:
    """Return light of blocks at the resolution of a page of ``width`` pixels, row by row."""
    wide = cv2.resize(light, (light.shape[1] * factor, len(light)), interpolation=cv2.INTER_LINEAR)
    return Stretched(wide=np.ascontiguousarray(wide[:, :width]), step=factor)
