"""Strokes of a ballpoint over the print."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Annotated, Literal

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.effects.noise import smooth_noise, smooth_step
from robustocr.effects.patch import patch_around
from robustocr.effects.places import Mark, marks_on_print
from robustocr.effects.registry import Change, Strength, effect
from robustocr.fields import Layout
from robustocr.strips import Field

Path = npt.NDArray[np.float64]
"""n x 3: x and y in text heights, and the pressure 0..1 of the pen."""

_INKS = ((30, 46, 132), (30, 46, 132), (28, 28, 34), (168, 30, 40))
_STROKE_AREA = 4.0
_POINTS = 10
_FINE = 2
_LINE_EXCESS = 1.5
"""By how many pixels OpenCV draws smooth lines wider than it is told."""


@effect()
def pen_strokes(
    pixels: Pixels,
    *,
    share: Annotated[float, Strength(0, 3, "of the printed area, scribbles counted with their gaps")],
    width: Annotated[float, Strength(0.02, 1, "text heights")] = 0.15,
    colour: Literal["blue", "black", "red", "drawn"] = "drawn",
    text_height: float,
    rng: np.random.Generator,
    layout: Layout,
) -> Change:
    """Scribble over the print with a ballpoint: crossed out, encircled, ticked off, signed.

    The paste is opaque; it thins and skips where the pen was pressed less.
    """
    inks = {"blue": _INKS[0], "black": _INKS[2], "red": _INKS[3], "drawn": _INKS[int(rng.integers(4))]}
    page, cover = pixels.copy(), np.zeros(pixels.shape[:2], dtype=np.uint8)
    for mark in marks_on_print(layout, share, _STROKE_AREA, text_height, rng):
        kind = _KINDS[int(mark.rng.choice(len(_KINDS), p=(0.55, 0.15, 0.12, 0.18)))]
        path = _smooth(kind(mark.rng)) * np.array([mark.size, 0.5 + 0.5 * mark.size, 1.0])
        _draw_stroke(page, cover, mark, path, width, np.array(inks[colour], np.float32), text_height)
    return Change(pixels=page, cover=cover)


def _crossed_out(rng: np.random.Generator) -> Path:
    turns = int(rng.integers(13, 22))
    x = np.linspace(-2.2, 2.2, turns) * rng.uniform(0.8, 1.2) + rng.normal(0, 0.14, turns)
    y = np.where(np.arange(turns) % 2, 0.5, -0.5) * rng.uniform(0.6, 1.2, turns) + rng.normal(0, 0.06, turns)
    return np.column_stack([x, y, rng.uniform(0.6, 1.0, turns)])


def _encircled(rng: np.random.Generator) -> Path:
    turn = np.linspace(0, rng.uniform(2.2, 3.9) * np.pi, 18) + rng.uniform(0, 6)
    reach = 1 + np.cumsum(rng.normal(0, 0.03, 18))
    return np.column_stack(
        [2.4 * reach * np.cos(turn), 0.85 * reach * np.sin(turn), rng.uniform(0.6, 1.0, 18)]
    )


def _ticked(rng: np.random.Generator) -> Path:
    x = np.array([-0.5, -0.25, 0.05, 0.7, 1.5]) * rng.uniform(0.8, 1.3)
    y = np.array([0.0, 0.25, 0.75, -0.5, -1.6]) * rng.uniform(0.7, 1.1)
    return np.column_stack([x, y, [0.7, 0.9, 1.0, 0.8, 0.5]])


def _signed(rng: np.random.Generator) -> Path:
    steps = np.arange(26)
    tall = rng.uniform(0.15, 0.5, 26) * np.where(rng.uniform(size=26) < 0.15, 3.0, 1.0)
    x = -2.8 + 0.22 * steps + 0.28 * np.sin(1.7 * steps + 0.5)
    y = tall * np.cos(1.7 * steps) - 0.012 * steps
    return np.column_stack([x, y, rng.uniform(0.5, 1.0, 26)])


_KINDS: tuple[Callable[[np.random.Generator], Path], ...] = (_crossed_out, _encircled, _ticked, _signed)


def _smooth(path: Path) -> Path:
    """Return a path through the same points without corners (Catmull-Rom), with many points more."""
    padded = np.vstack([path[:1], path, path[-1:]])
    share = np.linspace(0, 1, _POINTS, endpoint=False)[:, None]
    weights = (
        (-share + 2 * share**2 - share**3) / 2,
        (2 - 5 * share**2 + 3 * share**3) / 2,
        (share + 4 * share**2 - 3 * share**3) / 2,
        (share**3 - share**2) / 2,
    )
    parts = [sum(weight * padded[at + k] for k, weight in enumerate(weights)) for at in range(len(path) - 1)]
    return np.vstack([*parts, path[-1:]])


def _draw_stroke(
    page: Pixels, cover: Mask, mark: Mark, path: Path, width: float, ink: Field, text_height: float
) -> None:
    """Draw one stroke, in place: wider where pressed, and with gaps where the ball skips."""
    turn = mark.rng.normal(-0.05, 0.12)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    points = path[:, :2] @ spin * text_height + [mark.x, mark.y]
    reach = width * text_height + 2
    low, high = points.min(axis=0) - reach, points.max(axis=0) + reach
    patch = patch_around(page.shape, (low[0], low[1]), (high[0], high[1]), 1e9)
    skips = smooth_noise((96, 96), (40, 40), mark.rng)
    if patch is None:
        return
    left, top = patch.bounds[:2]
    fine = np.zeros((patch.size[1] * _FINE, patch.size[0] * _FINE), dtype=np.uint8)
    places = np.round((points - [left, top] + 0.5) * _FINE * 8 - 4).astype(np.int32)
    across = width * text_height * _FINE * (0.55 + 0.45 * path[:, 2])
    thick = np.round(np.maximum(across - _LINE_EXCESS, 1.0)).astype(int)
    turns = [0, *(np.flatnonzero(np.diff(thick)) + 1).tolist(), len(thick)]
    for start, end in pairwise(turns):
        run = places[start : end + 1]
        cv2.polylines(fine, [run], False, 255, int(thick[start]), cv2.LINE_AA, 3)
    drawn = cv2.resize(fine, patch.size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    paste = cv2.resize(skips, patch.size, interpolation=cv2.INTER_LINEAR)
    share = (drawn * (0.97 - 0.35 * smooth_step(paste, 0.35, 0.75)))[..., None]
    under = patch.of(page)
    under[...] = (under + (ink - under) * share + 0.5).astype(np.uint8)
    np.maximum(patch.of(cover), (share[..., 0] * 255).astype(np.uint8), out=patch.of(cover))
