"""Printer physics: a bitmap of dots becomes ink on paper, as a heated head or a row of pins leaves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.synth.glyphs import Dots

Ink = npt.NDArray[np.float32]
"""Share of the paper covered with ink, 0 to 1, height x width in pixels."""

Kind = Literal["heat", "pins"]
"""How a printer marks paper: a heated head, or pins through a ribbon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wear:
    """The state of a printer. ``density`` 1 is a good print, ``spread`` is the dots' blur in dots.

    ``faint_columns`` counts weak heating elements; ``banding`` (by row), ``grain`` (by dot) and ``blotches``
    (by place) are shares of the density.
    """

    density: float = 1.0
    faint_columns: int = 0
    banding: float = 0.03
    grain: float = 0.1
    blotches: float = 0.05
    spread: float = 0.5


def draw_wear(kind: Kind, rng: np.random.Generator) -> Wear:
    """Return the state of one printer: most are good, some are faint, worn or dirty."""
    quality, columns = rng.random(), int(rng.integers(1, 4))
    dirty, spread = rng.random() < 0.3, float(rng.uniform(0.0, 0.15))
    if kind == "heat":
        low, high = (0.92, 1.2) if quality < 0.6 else (0.78, 0.92) if quality < 0.88 else (0.68, 0.78)
        return Wear(
            density=float(rng.uniform(low, high)), faint_columns=columns if dirty else 0,
            banding=float(rng.uniform(0.02, 0.08)), grain=float(rng.uniform(0.06, 0.16)),
            blotches=float(rng.uniform(0.02, 0.08)), spread=0.42 + spread,
        )  # fmt: skip
    return Wear(
        density=float(rng.uniform(0.85, 1.2) if quality < 0.7 else rng.uniform(0.72, 0.85)),
        banding=float(rng.uniform(0.02, 0.1)), grain=float(rng.uniform(0.1, 0.22)),
        blotches=float(rng.uniform(0.05, 0.16)), spread=0.4 + spread / 2,
    )  # fmt: skip


def smooth_field(height: int, width: int, cell: float, rng: np.random.Generator) -> Ink:
    """Return smooth noise of mean 0 and deviation about 1 whose patches are ``cell`` pixels wide."""
    coarse = rng.standard_normal((max(2, round(height / cell) + 2), max(2, round(width / cell) + 2)))
    field: Ink = cv2.resize(coarse.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return field


def _energy(dots: Dots, wear: Wear, rng: np.random.Generator) -> Ink:
    """Return how hard every dot is printed: by column (head), row (heat, feed) and place (paper, ribbon)."""
    height, width = dots.shape
    columns = np.ones(width) + 0.03 * rng.standard_normal(width)
    weak = rng.integers(0, width, 8)[: wear.faint_columns]
    columns[weak] *= rng.uniform(0.25, 0.65, 8)[: wear.faint_columns]
    knots = np.arange(0, height + 60, 30)
    slow = np.interp(np.arange(height), knots, rng.standard_normal(len(knots)))
    rows = 1 + wear.banding * (slow + rng.standard_normal(height))
    places = 1 + wear.blotches * smooth_field(height, width, 48, rng)
    single = 1 + wear.grain * rng.standard_normal((height, width))
    energy = dots * columns[None, :] * rows[:, None] * places * single * wear.density
    return np.clip(energy, 0, 2).astype(np.float32)


def _spread_heat(energy: Ink, fine: int, spread: float) -> Ink:
    """Square dots that run into each other, a little more along the feed."""
    squares = energy.repeat(fine, axis=0).repeat(fine, axis=1)
    blurred: Ink = cv2.GaussianBlur(squares, (0, 0), sigmaX=spread * fine, sigmaY=spread * fine * 1.25)
    return blurred


def _spread_pins(energy: Ink, fine: int, spread: float, rng: np.random.Generator) -> Ink:
    """Round blots, one per struck pin, each row of pins a little off its place."""
    height, width = energy.shape
    canvas = np.zeros((height * fine, width * fine), dtype=np.float32)
    shifts = rng.integers(-1, 2, size=(height,))
    for row in range(height):
        struck = np.flatnonzero(energy[row])
        across = np.clip(struck * fine + fine // 2 + shifts[row], 0, width * fine - 1)
        canvas[row * fine + fine // 2, across] = energy[row, struck]
    sigma = spread * fine
    blots: Ink = cv2.GaussianBlur(canvas, (0, 0), sigma) * np.float32(2 * np.pi * sigma * sigma * 0.8)
    return blots


def press(dots: Dots, *, kind: Kind, scale: float, wear: Wear, rng: np.random.Generator) -> Ink:
    """Return the ink of a page of dots at ``scale`` pixels per dot."""
    fine = 3 if kind == "heat" else 6
    energy = _energy(dots, wear, rng)
    if kind == "heat":
        spread = _spread_heat(energy, fine, wear.spread)
    else:
        spread = _spread_pins(energy, fine, wear.spread, rng)
    threshold = 0.5 + 0.06 * rng.standard_normal(spread.shape, dtype=np.float32)
    ink = np.clip((spread - threshold) / 0.3 + 0.5, 0, 1)
    size = (round(dots.shape[1] * scale), round(dots.shape[0] * scale))
    scaled: Ink = cv2.resize(ink.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    return np.clip(scaled, 0, 1)
