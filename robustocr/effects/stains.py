"""What is spilt on paper: coffee and grease."""

from __future__ import annotations

from typing import Annotated, Literal

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.effects.noise import smooth_noise, smooth_step
from robustocr.effects.paper import paper_colour
from robustocr.effects.patch import Patch, patch_around
from robustocr.effects.registry import Change, Strength, effect
from robustocr.strips import Field

Drawn = npt.NDArray[np.float64]

_COFFEE = np.array([0.22, 0.50, 0.95], dtype=np.float32)
_GREASE = np.array([0.22, 0.23, 0.30], dtype=np.float32)
_DROPS = 6
_OPAQUE = 0.10
_GRID_PER_TEXT = 14


@effect()
def stain(
    pixels: Pixels,
    *,
    radius: Annotated[float, Strength(0, 60, "text heights")],
    density: Annotated[float, Strength(0, 4, "optical density of the rim")],
    bleach: Annotated[float, Strength(0, 1, "share of the print lost inside")] = 0.0,
    kind: Literal["coffee", "grease", "drawn"] = "drawn",
    text_height: float,
    rng: np.random.Generator,
) -> Change:
    """Spill coffee or grease on the page; what it lets through follows Beer and Lambert.

    Coffee leaves a darker rim, for evaporation carries the solids to the edge (Deegan et al., Nature
    389, 1997); grease spreads evenly and loosens thermal print. Where less than a tenth of the light
    passes, or of the print is left, the page counts as covered.
    """
    spilt = kind if kind != "drawn" else ("coffee", "coffee", "grease")[int(rng.integers(3))]
    height, width = pixels.shape[:2]
    centre = rng.uniform(0.2, 0.8, 2) * [width, height]
    drops = _drops(rng)
    waves = rng.uniform(0, 2 * np.pi, (_DROPS + 1, 4)), rng.uniform(0.4, 1.0, (_DROPS + 1, 4))
    cloud = smooth_noise((96, 96), (14, 14), rng)
    page, cover = pixels.copy(), np.zeros((height, width), dtype=np.uint8)
    reach = radius * text_height
    patch = patch_around(pixels.shape, *_corners(centre, 2.1 * reach), text_height / _GRID_PER_TEXT)
    if patch is None or reach <= 0:
        return Change(pixels=page, cover=cover)
    absorbed, wet = _blots(patch, centre, reach, drops, waves, sharp=spilt == "coffee")
    absorbed *= 1 + 0.25 * cv2.resize(cloud, absorbed.shape[::-1])
    tint = density * (_COFFEE if spilt == "coffee" else 0.6 * _GREASE)
    lost = bleach * (0.7 if spilt == "coffee" else 1.0) * wet
    _soak(page, cover, patch, absorbed, lost, tint, text_height)
    return Change(pixels=page, cover=cover)


def _corners(centre: Drawn, reach: float) -> tuple[tuple[float, float], tuple[float, float]]:
    return (centre[0] - reach, centre[1] - reach), (centre[0] + reach, centre[1] + reach)


def _drops(rng: np.random.Generator) -> Field:
    """Return the blot and its splashes: rows of distance, direction and size, as shares of the radius."""
    splashes = np.column_stack(
        [rng.uniform(1.15, 1.8, _DROPS), rng.uniform(0, 2 * np.pi, _DROPS), rng.uniform(0.04, 0.16, _DROPS)]
    )
    return np.vstack([[0, 0, 1], splashes]).astype(np.float32)


def _blots(
    patch: Patch, centre: Drawn, reach: float, drops: Field, waves: tuple[Drawn, Drawn], *, sharp: bool
) -> tuple[Field, Field]:
    """Return density (rim 1) and wetness (0..1) on the grid of the patch, over all drops."""
    density, wet = np.zeros_like(patch.x), np.zeros_like(patch.x)
    for (distance, direction, size), phases, heights in zip(drops, *waves, strict=True):
        x = patch.x - centre[0] - distance * reach * np.cos(direction)
        y = patch.y - centre[1] - distance * reach * np.sin(direction)
        around = np.arctan2(y, x)
        edge = 1 + sum(
            0.09 / k**0.7 * height * np.sin(k * around + phase)
            for k, phase, height in zip((2, 3, 5, 8), phases, heights, strict=True)
        )
        ratio = (np.hypot(x, y) / (size * reach * edge)).astype(np.float32)
        inside = 1 - smooth_step(ratio, 0.975, 1.0) if sharp else 1 - smooth_step(ratio, 0.93, 1.02)
        rim = np.exp(-(((ratio - 0.955) / 0.028) ** 2)) + 0.35 * np.exp(-np.abs(ratio - 0.95) / 0.09)
        profile = inside * (0.34 + 0.16 * ratio**3 + (0.55 * rim if sharp else 0.10 * ratio))
        density, wet = np.maximum(density, profile), np.maximum(wet, inside)
    return density.astype(np.float32), wet.astype(np.float32)


def _soak(
    page: Pixels, cover: Mask, patch: Patch, density: Field, lost: Field, tint: Field, text_height: float
) -> None:
    """Bleach and tint the page under the patch, in place, and mark what can no longer be seen."""
    under, cover = patch.of(page), patch.of(cover)
    paper = paper_colour(under, text_height)
    densities, losses = patch.full(density), patch.full(lost)
    for part in patch.strips():
        missing = losses.rows(part)[..., None]
        passed = np.power(np.float32(10), -densities.rows(part)[..., None] * tint)
        faded = under[part] + (paper[part].astype(np.float32) - under[part]) * missing
        under[part] = (faded * passed + 0.5).astype(np.uint8)
        hidden = (passed.mean(axis=2) < _OPAQUE) | (missing[..., 0] > 1 - _OPAQUE)
        cover[part][hidden] = 255
