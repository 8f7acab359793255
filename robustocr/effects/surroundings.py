"""What lies around a page: a table top, or the bed of a scanner."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.effects.noise import smooth_noise
from robustocr.strips import stretched, strips

Surroundings = Literal["table", "scanner"]

_TABLES = ((104, 74, 50), (150, 112, 76), (72, 56, 46), (92, 94, 98), (58, 64, 72), (136, 128, 118))
_SCANNER_LID = (226, 227, 225)
_SHRUNK = 4


def surroundings(
    size: tuple[int, int], kind: Surroundings, text_height: float, rng: np.random.Generator
) -> Pixels:
    """Return a picture of ``size`` (width, height) of what a page lies on, without the page."""
    width, height = size
    tone = np.array(_TABLES[rng.integers(len(_TABLES))], dtype=np.float32)
    rows = max(height // _SHRUNK, 2), max(width // _SHRUNK, 2)
    scale = _SHRUNK / text_height
    grain = smooth_noise(rows, (int(rows[0] * scale * 2.5), int(rows[1] * scale / 9)), rng)
    veins = smooth_noise(rows, (int(rows[0] * scale / 2.5), int(rows[1] * scale / 20)), rng)
    drift = smooth_noise(rows, (3, 3), rng)
    if kind == "scanner":
        small = np.array(_SCANNER_LID, dtype=np.float32) + 2 * drift[..., None]
    else:
        small = tone * (1 + 0.07 * grain + 0.12 * veins + 0.10 * drift)[..., None]
    small = np.clip(small, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def shaded_by_page(ground: Pixels, page: Mask, text_height: float, strength: float) -> Pixels:
    """Return the ground darkened next to the page by up to ``strength`` (0..1): the shadow of its edge."""
    height, width = page.shape
    factor = max(text_height / 4, 1.0)
    small = cv2.resize(
        page, (max(int(width / factor), 1), max(int(height / factor), 1)), interpolation=cv2.INTER_AREA
    )
    soft = cv2.GaussianBlur(small, (0, 0), 0.5 * text_height / factor)
    dark = stretched(soft.astype(np.float32) * np.float32(strength / 255), height, width)
    shaded = np.empty_like(ground)
    for part in strips(height, width):
        share = dark.rows(part)
        cv2.multiply(ground[part], cv2.merge([1 - share] * 3), dst=shaded[part], dtype=cv2.CV_8U)
    return shaded
