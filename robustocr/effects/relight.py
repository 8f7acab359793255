"""Light that changes slowly over a page: one look-up for each pixel."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.effects.tone import LIGHT_OF_LEVEL, Linear, to_pixels
from robustocr.strips import Field, strips

_CODES, _ROWS = 256, 32


def relit(pixels: Pixels, amount: Field, light: Callable[[Linear, Linear], Linear]) -> Pixels:
    """Return RGB pixels under light that depends on an ``amount`` from 0 to 1, given on a grid over the page.

    ``light(page, amount)`` returns what arrives of the page's light at an amount: broadcast together, with
    the three channels last, or one for all of them, which is faster. Amounts are kept in 256 steps, so
    equal steps should look equally large.
    """
    height, width = pixels.shape[:2]
    table = _table(light)
    coarse = np.round(np.clip(amount, 0, 1) * (_CODES - 1)).astype(np.uint8)
    codes = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    lit = np.empty_like(pixels)
    for part in strips(height, width):
        levels = pixels[part].reshape(-1, width * 3)
        code = cv2.cvtColor(codes[part], cv2.COLOR_GRAY2RGB).reshape(-1, width * 3)
        places = cv2.merge([levels, code]).view(np.uint16)
        cv2.LUT(places.reshape(-1, width, 3), table, dst=lit[part])
    return lit


def _table(light: Callable[[Linear, Linear], Linear]) -> Pixels:
    """Return encoded pixels for each code and level, 1 x 65536 x channels of ``light``."""
    page = LIGHT_OF_LEVEL[None, :, None]
    amounts = np.linspace(0, 1, _CODES, dtype=np.float32)[:, None, None]
    channels = light(page, amounts[:1]).shape[-1]
    table = np.empty((_CODES, 256, channels), dtype=np.uint8)
    for start in range(0, _CODES, _ROWS):
        rows = slice(start, start + _ROWS)
        seen = np.broadcast_to(light(page, amounts[rows]), table[rows].shape)
        table[rows] = to_pixels(seen.astype(np.float32)).reshape(seen.shape)
    return table.reshape(1, -1, channels)
