"""What is spilt on paper: coffee and grease."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.effects.dye import Layer, passed_by, soak
from robustocr.effects.noise import smooth_noise, smooth_step
from robustocr.effects.paper import paper_colour
from robustocr.effects.patch import Patch, patch_around
from robustocr.effects.places import Mark, marks_on_print
from robustocr.effects.registry import Change, Strength, effect
from robustocr.fields import Layout
from robustocr.strips import Field

_COFFEE = np.array([0.50, 1.05, 1.90], dtype=np.float32)
_GREASE = np.array([0.26, 0.30, 0.46], dtype=np.float32)
_DROPS = 6
_GRID_PER_TEXT = 12


@effect(version=2)
def stain(
    pixels: Pixels,
    *,
    share: Annotated[float, Strength(0, 3, "of the printed area, overlaps counted twice")],
    radius: Annotated[float, Strength(0.2, 60, "text heights")],
    density: Annotated[float, Strength(0, 4, "optical density of the rim")],
    bleach: Annotated[float, Strength(0, 1, "share of the print lost inside")] = 0.0,
    kind: Literal["coffee", "grease", "drawn"] = "drawn",
    text_height: float,
    rng: np.random.Generator,
    layout: Layout,
) -> Change:
    """Spill coffee or grease on the print, with splashes around; what passes follows Beer and Lambert.

    Coffee leaves a darker rim, for evaporation carries the solids to the edge (Deegan et al., Nature
    389, 1997). Grease fills the pores of the paper, which then scatters less: it turns translucent and
    shows the grain of what lies beneath. Both loosen thermal print.
    """
    spilt = kind if kind != "drawn" else ("coffee", "coffee", "grease")[int(rng.integers(3))]
    page, cover = pixels.copy(), np.zeros(pixels.shape[:2], dtype=np.uint8)
    paper = paper_colour(pixels, text_height)
    layers = []
    for mark in marks_on_print(layout, share, np.pi * radius**2, text_height, rng):
        for x, y, reach in _drops(mark, radius * text_height):
            corners = (x - 1.3 * reach, y - 1.3 * reach), (x + 1.3 * reach, y + 1.3 * reach)
            patch = patch_around(pixels.shape, *corners, text_height / _GRID_PER_TEXT)
            waves = mark.rng.uniform(0, 2 * np.pi, 4), mark.rng.uniform(0.4, 1.0, 4)
            cloud = smooth_noise((64, 64), (12, 12), mark.rng)
            if patch is None:
                continue
            ratio = _ratio(patch, (x, y), reach, waves)
            spill = _coffee(ratio) if spilt == "coffee" else _grease(ratio, patch, text_height)
            spill *= 1 + (0.22 if spilt == "coffee" else 0.08) * _over(cloud, ratio)
            tint = _COFFEE if spilt == "coffee" else _GREASE
            wet = 1 - smooth_step(ratio, 0.95, 1.02)
            layers.append(Layer(patch=patch, passed=passed_by(density * spill, tint), lost=bleach * wet))
    soak(page, cover, paper, layers)
    return Change(pixels=page, cover=cover)


def _drops(mark: Mark, radius: float) -> list[tuple[float, float, float]]:
    """Return x, y and radius (pixels) of the blot and of the splashes around it."""
    size = mark.rng.uniform(0.8, 1.2) * mark.size * radius
    far, turn = mark.rng.uniform(1.15, 1.8, _DROPS), mark.rng.uniform(0, 2 * np.pi, _DROPS)
    small = mark.rng.uniform(0.04, 0.16, _DROPS)
    splashes = zip(mark.x + far * size * np.cos(turn), mark.y + far * size * np.sin(turn), small, strict=True)
    return [(mark.x, mark.y, size), *((float(x), float(y), float(part * size)) for x, y, part in splashes)]


def _ratio(
    patch: Patch, centre: tuple[float, float], radius: float, waves: tuple[np.ndarray, np.ndarray]
) -> Field:
    """Return the distance from the middle of a blot, 1 on its wavy outline."""
    x, y = patch.x - centre[0], patch.y - centre[1]
    around = np.arctan2(y, x)
    edge = np.ones_like(x)
    for k, phase, height in zip((2, 3, 5, 8), *waves, strict=True):
        edge += np.float32(0.09 / k**0.7 * height) * np.sin(k * around + np.float32(phase))
    return np.asarray(np.hypot(x, y) / (max(radius, 1e-3) * edge), dtype=np.float32)


def _coffee(ratio: Field) -> Field:
    """Return the density of dried coffee: pale inside, with a dark rim that falls off inwards."""
    rim = np.exp(-(((ratio - 0.955) / 0.028) ** 2)) + 0.35 * np.exp(-np.abs(ratio - 0.95) / 0.09)
    inside = 1 - smooth_step(ratio, 0.975, 1.0)
    return np.asarray(inside * (0.34 + 0.16 * ratio**3 + 0.55 * rim), dtype=np.float32)


def _grease(ratio: Field, patch: Patch, text_height: float) -> Field:
    """Return the density of grease: even, with a soft edge, and the grain of the table seen through it."""
    grain = np.sin(patch.y / (0.55 * text_height) + 2.0 * np.sin(patch.x / (11 * text_height)))
    grain += 0.6 * np.sin(patch.y / (0.23 * text_height) + 1.3 * np.sin(patch.x / (7 * text_height)))
    inside = 1 - smooth_step(ratio, 0.88, 1.04)
    return np.asarray(inside * (0.70 + 0.10 * ratio + 0.07 * grain), dtype=np.float32)


def _over(cloud: Field, like: Field) -> Field:
    """Return a small square of noise stretched over the shape of another field."""
    rows = np.linspace(0, len(cloud) - 1, like.shape[0]).astype(int)
    columns = np.linspace(0, len(cloud) - 1, like.shape[1]).astype(int)
    return np.asarray(cloud[rows][:, columns], dtype=np.float32)
