"""Between encoded grey levels (sRGB, 0..255) and linear light (0..1), in which lenses and lamps work."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels

Linear = npt.NDArray[np.float32]
"""Light per channel, 0 (none) to 1 (where the picture clips)."""

COUNTS = 65535
"""Counts of 16 bits that full light has."""

_TWICE = {1: np.uint16, 2: np.uint32, 4: np.float64}


def _decode(encoded: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def _encode(linear: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)


LIGHT_OF_LEVEL: Linear = _decode(np.arange(256) / 255).astype(np.float32)
"""Linear light of each of the 256 levels (IEC 61966-2-1)."""

_LEVEL_OF_LIGHT = np.round(255 * _encode(np.arange(COUNTS + 1) / COUNTS)).astype(np.uint8)


def pairs_of(table: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a table for two levels at once: 1 x 65536, each pair of values as one number of twice the bits.

    Two levels side by side in memory, read as one number of 16 bits, lead to their two values side by side.
    ``table`` has 256 values of 1, 2 or 4 bytes.
    """
    size = table.itemsize
    bits = table.view(f"u{size}").astype(f"u{2 * size}")
    pairs = np.bitwise_or.outer(bits << (8 * size), bits).reshape(1, -1)
    return np.asarray(pairs.view(_TWICE[size]))


_LIGHT_OF_PAIR = pairs_of(LIGHT_OF_LEVEL)


def looked_up(
    pixels: Pixels, table: npt.NDArray[Any], pairs: npt.NDArray[Any] | None = None
) -> npt.NDArray[Any]:
    """Return ``table[level]`` of every level, in the shape of the pixels, two levels at a time if possible.

    ``table`` has 256 values of 1, 2 or 4 bytes; ``pairs`` is ``pairs_of(table)``, where it is at hand.
    """
    found = np.empty(pixels.shape, dtype=table.dtype)
    return _look_up(pixels, table, pairs_of(table) if pairs is None else pairs, found)


def _look_up(
    pixels: Pixels, table: npt.NDArray[Any], pairs: npt.NDArray[Any], out: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    if pixels.size % 2 or not (pixels.flags.c_contiguous and out.flags.c_contiguous):
        cv2.LUT(pixels, table, dst=out)
    else:
        cv2.LUT(pixels.reshape(1, -1).view(np.uint16), pairs, dst=out.reshape(1, -1).view(pairs.dtype))
    return out


def to_light(pixels: Pixels, out: Linear | None = None) -> Linear:
    """Return the linear light 0..1 of encoded pixels, in the same shape, written into ``out`` if given."""
    light = np.empty(pixels.shape, dtype=np.float32) if out is None else out
    return _look_up(pixels, LIGHT_OF_LEVEL, _LIGHT_OF_PAIR, light)


def to_pixels(light: Linear) -> Pixels:
    """Return encoded pixels of linear light; light beyond 0..1 clips, as a sensor does."""
    return of_counts(cv2.addWeighted(light, COUNTS, light, 0, 0, dtype=cv2.CV_16U).reshape(light.shape))


def of_counts(counts: npt.NDArray[np.uint16], out: Pixels | None = None) -> Pixels:
    """Return encoded pixels of linear light in counts of 16 bits, written into ``out`` if given."""
    pixels = np.empty(counts.shape, dtype=np.uint8) if out is None else out
    cv2.LUT(counts, _LEVEL_OF_LIGHT, dst=pixels)
    return pixels
