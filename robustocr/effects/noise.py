"""Random fields that effects share; each makes the same number of draws whatever its strength."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.strips import Field, Stretched, stretched

_POOL = 1 << 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """Standard normal noise (mean 0, variance 1), given row by row.

    Rows are windows at random places of one pool of normals: as good to the eye and to a reader as
    fresh draws, and many times faster.
    """

    windows: Field
    starts: npt.NDArray[np.int64]

    def rows(self, part: slice) -> Field:
        """Return the noise on some rows."""
        return np.asarray(self.windows[self.starts[part]])


def white_noise(height: int, width: int, rng: np.random.Generator) -> Noise:
    """Return height x width standard normal noise."""
    pool = rng.standard_normal(_POOL, dtype=np.float32)
    if width >= _POOL:
        pool = np.tile(pool, width // _POOL + 1)
    windows = np.lib.stride_tricks.sliding_window_view(pool, width)
    starts = np.random.Generator(np.random.PCG64(rng.integers(1 << 63))).integers(len(windows), size=height)
    return Noise(windows=windows, starts=starts)


def grainy_noise(
    height: int, width: int, grain: float, rng: np.random.Generator, channels: int = 1
) -> Noise | Stretched:
    """Return noise whose grains are ``grain`` pixels wide, height x width (x channels).

    With several channels, rows may come as width x channels or flat: reshape them to (-1, width, channels).
    Pixels larger than a grain average several of them: multiply by ``min(grain, 1)`` for what is left.
    """
    if grain <= 1:
        return white_noise(height, width * channels, rng)
    rows, columns = max(round(height / grain), 1), max(round(width / grain), 1)
    coarse = white_noise(rows, columns * channels, rng).rows(slice(0, rows))
    shape = (rows, columns) if channels == 1 else (rows, columns, channels)
    return stretched(coarse.reshape(shape), height, width)


def smooth_noise(shape: tuple[int, int], cells: tuple[int, int], rng: np.random.Generator) -> Field:
    """Return a smooth field of ``shape`` in about -1..1, from ``cells`` (rows, columns) random values."""
    grid = rng.uniform(-1, 1, (max(cells[0], 2), max(cells[1], 2))).astype(np.float32)
    return np.asarray(cv2.resize(grid, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def smooth_step(values: Field, low: float, high: float) -> Field:
    """Return 0 below ``low``, 1 above ``high``, and a smooth rise between."""
    share = np.clip((values - low) / (high - low), 0, 1)
    return np.asarray(share * share * (3 - 2 * share), dtype=np.float32)
