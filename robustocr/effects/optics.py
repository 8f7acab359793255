"""What lenses and moving hands do: defocus, motion, a generic Gaussian blur. All convolve linear light."""

from __future__ import annotations

from typing import Annotated

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.effects.convolution import Kernel, convolved, normalised
from robustocr.effects.registry import Strength, effect
from robustocr.effects.sweep import path_through, swept

_WIDEST_DISC = 5.0
_LONGEST_SWEEP = 15.0
_LONGEST_PATH, _LONGEST_SHRUNK_PATH = 36.0, 18.0
_WIDEST_SIGMA = 6.0
_FINE = 8


@effect()
def defocus(
    pixels: Pixels, *, radius: Annotated[float, Strength(0, 4, "text heights")], text_height: float
) -> Pixels:
    """Blur with the disc that an out-of-focus lens makes of each point, radius in text heights."""
    return disc_blurred(pixels, radius * text_height)


def disc_blurred(pixels: Pixels, reach: float) -> Pixels:
    """Return a page, or one channel, blurred with a disc of ``reach`` pixels.

    Wide discs are made at a fraction of the size. Shrinking (a box of one block) and enlarging (a triangle
    of two) blur as well, by a variance of 1/12 + 1/6 blocks; that of a disc is a quarter of its radius
    squared, so its radius is taken smaller by as much.
    """
    factor = max(int(np.ceil(reach / _WIDEST_DISC)), 1)
    left = reach / factor if factor == 1 else np.sqrt((reach / factor) ** 2 - 1)
    return convolved(pixels, disc_kernel(float(left)), factor)


@effect(version=3)
def motion_blur(
    pixels: Pixels,
    *,
    length: Annotated[float, Strength(0, 8, "text heights")],
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Blur along the path of the camera while the shutter is open, length in text heights.

    The direction and the slight bend of the path are drawn. Short paths go through one pixel per column, or
    row; long ones are made at a fraction of the size, which blurs by half of its blocks besides.
    """
    direction, bend = rng.uniform(0, np.pi), rng.uniform(-0.35, 0.35)
    reach = length * text_height
    if reach <= _LONGEST_SWEEP:
        return swept(pixels, path_through(*_path(reach, direction, bend)))
    factor = 1 if reach <= _LONGEST_PATH else int(np.ceil(reach / _LONGEST_SHRUNK_PATH))
    return convolved(pixels, path_kernel(reach / factor, direction, bend), factor)


@effect(version=2)
def gaussian_blur(
    pixels: Pixels, *, sigma: Annotated[float, Strength(0, 4, "text heights")], text_height: float
) -> Pixels:
    """Blur encoded levels with a Gaussian, sigma in text heights: a yardstick, not a lens.

    Wide ones are made at a fraction of the size, less wide by what resizing blurs (see ``disc_blurred``).
    """
    reach = sigma * text_height
    if reach <= 0:
        return pixels.copy()
    height, width = pixels.shape[:2]
    factor = max(int(np.ceil(reach / _WIDEST_SIGMA)), 1)
    left = reach if factor == 1 else float(np.sqrt((reach / factor) ** 2 - 0.25))
    size = max(round(width / factor), 1), max(round(height / factor), 1)
    small = pixels if factor == 1 else cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    kernel = cv2.getGaussianKernel(2 * int(np.ceil(3 * left)) + 1, left, cv2.CV_32F)
    soft = cv2.sepFilter2D(small, -1, kernel, kernel)
    if factor > 1:
        soft = cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(soft, dtype=np.uint8)


def disc_kernel(radius: float) -> Kernel:
    """Return a normalised disc of ``radius`` pixels whose edge is shared out between pixels."""
    half = int(np.ceil(radius))
    fine = (np.arange((2 * half + 1) * _FINE) + 0.5) / _FINE - half - 0.5
    inside = (fine[:, None] ** 2 + fine[None, :] ** 2 <= max(radius, 0.5) ** 2).astype(np.float32)
    return normalised(inside.reshape(2 * half + 1, _FINE, -1, _FINE).sum(axis=(1, 3)))


def path_kernel(length: float, direction: float, bend: float) -> Kernel:
    """Return the normalised trace of a point that moves ``length`` pixels along a slightly bent path.

    ``direction`` is in radians; ``bend`` is the sag of the path as a share of its length.
    """
    x, y = _path(length, direction, bend)
    return _line_kernel(x, y) if np.ptp(x) >= np.ptp(y) else np.ascontiguousarray(_line_kernel(y, x).T)


def _path(
    length: float, direction: float, bend: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return x and y of a point on a bent path, at even times."""
    samples = 2 * _FINE * (int(length) + 1)
    along = ((np.arange(samples) + 0.5) / samples - 0.5) * length
    aside = bend * length * (0.25 - (along / max(length, 1e-6)) ** 2) - bend * length / 6
    x = along * np.cos(direction) - aside * np.sin(direction)
    y = along * np.sin(direction) + aside * np.cos(direction)
    return x, y


def _line_kernel(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> Kernel:
    """Return the normalised trace of a point that goes along x and less along y, two pixels a column.

    The fewer pixels a kernel has, the faster it is: shares below a tenth of the largest are left out.
    """
    column = np.round(x).astype(int)
    half = int(np.ceil(np.abs(x).max())) + 1
    share = np.bincount(column + half, minlength=2 * half + 1)
    place = np.bincount(column + half, weights=y, minlength=2 * half + 1) / np.maximum(share, 1)
    row = np.floor(place).astype(int)
    kernel = np.zeros((2 * half + 1, 2 * half + 1), dtype=np.float32)
    columns = np.arange(2 * half + 1)
    kernel[row + half, columns] = share * (1 - (place - row))
    kernel[row + half + 1, columns] = share * (place - row)
    kernel[kernel < kernel.max() / 10] = 0
    return normalised(kernel)
