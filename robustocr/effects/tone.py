"""Between encoded grey levels (sRGB, 0..255) and linear light (0..1), in which lenses and lamps work."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels

Linear = npt.NDArray[np.float32]
"""Light per channel, 0 (none) to 1 (where the picture clips)."""

_LEVELS = 65535


def _decode(encoded: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def _encode(linear: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)


LIGHT_OF_LEVEL: Linear = _decode(np.arange(256) / 255).astype(np.float32)
"""Linear light of each of the 256 levels (IEC 61966-2-1)."""

_LEVEL_OF_LIGHT = np.round(255 * _encode(np.arange(_LEVELS + 1) / _LEVELS)).astype(np.uint8)


def to_light(pixels: Pixels) -> Linear:
    """Return the linear light 0..1 of encoded pixels, in the same shape."""
    return np.asarray(cv2.LUT(pixels, LIGHT_OF_LEVEL), dtype=np.float32)


def to_pixels(light: Linear) -> Pixels:
    """Return encoded pixels of linear light; light beyond 0..1 clips, as a sensor does."""
    counts = cv2.multiply(light, (_LEVELS,) * 4, dtype=cv2.CV_16U)
    return np.asarray(cv2.LUT(counts.reshape(light.shape), _LEVEL_OF_LIGHT), dtype=np.uint8)
