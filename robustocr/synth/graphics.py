"""Bitmaps that are neither text nor field: logos, barcodes, square codes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from robustocr.synth.glyphs import Dots, stroke_glyph
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


Plane = npt.NDArray[np.float64]
"""Coordinates over a square from -1 to 1."""


def _target(y: Plane, x: Plane) -> Dots:
    radius = np.hypot(x, y)
    ring, slot = (radius > 0.72) & (radius < 0.84), (np.abs(x) < 0.12) & (np.abs(y) < 0.5)
    return (radius < 1) & ~ring & ~slot


def _diamond(y: Plane, x: Plane) -> Dots:
    distance = np.abs(x) + np.abs(y)
    return ((distance < 1) & (distance > 0.5)) | (np.hypot(x, y) < 0.22)


def _house(y: Plane, x: Plane) -> Dots:
    walls = (np.abs(x) < 0.95) & (y < 0.8) & (y > -0.2)
    door, roof = (np.abs(x) < 0.3) & (y > 0.2), (y <= -0.2) & (np.abs(x) < 1.2 * (y + 1))
    return (walls & ~door) | roof


def _leaf(y: Plane, x: Plane) -> Dots:
    return (np.hypot(x - 0.45, y) < 0.95) & (np.hypot(x + 0.45, y) < 0.95) & (np.abs(x) > 0.05)


def _stripes(y: Plane, x: Plane) -> Dots:
    radius: Plane = np.hypot(x, y)
    bars: Dots = (np.floor((x + 1) * 5) % 2 == 0) | (radius > 0.85)
    return bars & (radius < 1)


def _cross(y: Plane, x: Plane) -> Dots:
    square = (np.abs(x) < 0.9) & (np.abs(y) < 0.9)
    return square & ~((np.abs(x - y) < 0.25) | (np.abs(x + y) < 0.25))


_SHAPES = (_target, _diamond, _house, _leaf, _stripes, _cross)


def logo(shop: Shop, *, size: int) -> Dots:
    """Return this shop's mark, ``size`` dots high: a simple shape, always the same for a shop."""
    y, x = (np.mgrid[0:size, 0:size] - (size - 1) / 2) / (size / 2)
    return _SHAPES[shop.choose("logo shape", len(_SHAPES))](y, x)


_SMALL_PRINT = {
    "us": ("RETURNS NEED THIS RECEIPT", "See full terms in store", "or ask at the desk"),
    "uk": ("Your statutory rights are", "not affected. Keep this", "slip for any exchange"),
    "de": ("Bitte bewahren Sie den Beleg", "für Umtausch und Garantie", "sorgfältig auf. Danke!"),
    "my": ("Terima kasih. Barang yang", "dibeli boleh ditukar dalam", "tempoh tujuh hari"),
}


def back_mark(shop: Shop) -> Dots:
    """Return one tile of the mirrored print on the back of this shop's paper: small print or its mark."""
    if shop.choose("back", 3) == 0:
        return np.pad(logo(shop, size=56), ((28, 60), (28, 60)))
    lines = [
        np.hstack([stroke_glyph(char, width=14, height=28, pen=3.2) for char in f"{line:30}"])
        for line in _SMALL_PRINT[shop.convention]
    ]
    return np.pad(np.vstack(lines), ((0, 90), (0, 0)))[:, ::-1]
