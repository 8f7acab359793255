"""Convolve the light of a page, wide kernels at a fraction of its size."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.effects.tone import Linear, to_light, to_pixels
from robustocr.strips import Stretched, strips

Kernel = npt.NDArray[np.float32]


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
    halo = len(kernel) // 2
    for part in strips(height, width):
        top, bottom = max(part.start - halo, 0), min(part.stop + halo, height)
        light = filtered(to_light(pixels[top:bottom]), kernel)
        blurred[part] = to_pixels(light[part.start - top : part.stop - top])
    return blurred


def filtered(light: Linear, kernel: Kernel) -> Linear:
    """Return light convolved with a kernel; the border repeats outwards."""
    return np.asarray(cv2.filter2D(light, -1, kernel, borderType=cv2.BORDER_REPLICATE), dtype=np.float32)


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
