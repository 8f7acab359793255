"""Bitmaps that are neither text nor field: logos, barcodes, square codes."""

from __future__ import annotations

import numpy as np

from robustocr.synth.glyphs import Dots
from robustocr.synth.shops import Shop


def barcode(rng: np.random.Generator, *, modules: int, module: int, height: int) -> Dots:
    """Return bars and gaps 1 to 4 modules wide, ``modules`` in all; ``module`` and ``height`` are in dots."""
    widths = rng.choice([1, 1, 2, 2, 3, 4], size=modules)
    colours = np.repeat(np.arange(modules) % 2 == 0, widths)[:modules]
    colours[-2:] = True
    return np.tile(colours.repeat(module), (height, 1))


def _finder(size: int) -> Dots:
    square = np.zeros((size, size), dtype=bool)
    square[:7, :7] = True
    square[1:6, 1:6] = False
    square[2:5, 2:5] = True
    return square


def square_code(rng: np.random.Generator, *, module: int) -> Dots:
    """Return a square code of 25 x 25 modules with three corner marks; it carries no message."""
    size = 25
    code = rng.random((size, size)) < 0.48
    mark = _finder(8)
    code[:8, :8], code[:8, -8:], code[-8:, :8] = mark, mark[:, ::-1], mark[::-1]
    return code.repeat(module, axis=0).repeat(module, axis=1)


def _disc(size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    y, x = np.mgrid[0:size, 0:size] - (size - 1) / 2
    return y / (size / 2), x / (size / 2), np.hypot(x, y) / (size / 2)


def logo(shop: Shop, *, size: int) -> Dots:
    """Return this shop's mark, ``size`` dots high: simple shapes, always the same for a shop."""
    y, x, radius = _disc(size)
    kind = shop.choose("logo shape", 6)
    if kind == 0:
        return (radius < 1) & ~((radius > 0.72) & (radius < 0.84)) & ~((np.abs(x) < 0.12) & (np.abs(y) < 0.5))
    if kind == 1:
        return (np.abs(x) + np.abs(y) < 1) & (np.abs(x) + np.abs(y) > 0.5) | (radius < 0.22)
    if kind == 2:
        return (np.abs(x) < 0.95) & (y < 0.8) & (y > -0.2) & ~((np.abs(x) < 0.3) & (y > 0.2)) | (
            (y <= -0.2) & (np.abs(x) < 1.2 * (y + 1))
        )
    if kind == 3:
        leaf = (np.hypot(x - 0.45, y) < 0.95) & (np.hypot(x + 0.45, y) < 0.95)
        return leaf & (np.abs(x) > 0.05)
    if kind == 4:
        return (radius < 1) & ((np.floor((x + 1) * 5) % 2 == 0) | (radius > 0.85))
    return ((np.abs(x) < 0.9) & (np.abs(y) < 0.9)) & ~((np.abs(x - y) < 0.25) | (np.abs(x + y) < 0.25))
