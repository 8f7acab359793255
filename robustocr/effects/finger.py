"""A finger as seen from above: skin shaded by its roundness, creases, a nail, a soft edge and its shadow."""

from __future__ import annotations

import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.effects.noise import smooth_noise, smooth_step
from robustocr.effects.patch import darken, lay_over, patch_around
from robustocr.strips import Field

_SKINS = ((232, 188, 164), (221, 168, 136), (198, 140, 106), (156, 102, 72), (108, 70, 50))
_LAMP = np.array([-0.45, -0.60, 0.66], dtype=np.float32)
_GRID_PER_TEXT = 12
_LENGTH = 14.0


def draw_finger(
    page: Pixels,
    cover: Mask,
    tip: tuple[float, float],
    direction: float,
    half_width: float,
    text_height: float,
    skin: int,
) -> None:
    """Draw a finger onto ``page`` and into ``cover``, in place.

    ``tip`` is where it ends (x, y in pixels), ``direction`` where it points (radians), ``half_width`` in
    pixels; ``skin`` seeds tone and mottling.
    """
    rng = np.random.Generator(np.random.PCG64(skin))
    back = np.array([np.cos(direction), np.sin(direction)]) * -_LENGTH * half_width
    reach = 1.8 * half_width
    low = min(tip[0], tip[0] + back[0]) - reach, min(tip[1], tip[1] + back[1]) - reach
    high = max(tip[0], tip[0] + back[0]) + reach, max(tip[1], tip[1] + back[1]) + reach
    patch = patch_around(page.shape, low, high, text_height / _GRID_PER_TEXT)
    if patch is None:
        return
    shadow_x, shadow_y = patch.x - 0.20 * half_width, patch.y - 0.28 * half_width
    behind, aside = _in_finger(shadow_x, shadow_y, tip, direction, half_width)
    darken(page, patch, 0.52 * (1 - smooth_step(_roundness(behind, aside)[0], 0.72, 1.38)))
    behind, aside = _in_finger(patch.x, patch.y, tip, direction, half_width)
    ratio, slope_along, slope_aside = _roundness(behind, aside)
    colour = _skin(behind, aside, ratio, slope_along, slope_aside, direction, rng)
    edge = max(0.35 / _GRID_PER_TEXT * 2, 0.05)
    lay_over(page, cover, patch, colour, 1 - smooth_step(ratio, 1 - edge, 1 + edge))


def _in_finger(
    x: Field, y: Field, tip: tuple[float, float], direction: float, half_width: float
) -> tuple[Field, Field]:
    """Return the distance behind the tip and beside the axis, in half widths."""
    along = ((x - tip[0]) * np.cos(direction) + (y - tip[1]) * np.sin(direction)) / half_width
    aside = ((y - tip[1]) * np.cos(direction) - (x - tip[0]) * np.sin(direction)) / half_width
    return -along, aside


def _roundness(behind: Field, aside: Field) -> tuple[Field, Field, Field]:
    """Return the distance from the axis (1 at the skin's edge) and the slopes along and aside."""
    width = 0.90 + 0.10 * smooth_step(behind, 0.8, 3.4) + 0.05 * np.exp(-(((behind - 3.3) / 0.8) ** 2))
    cap = np.maximum(1.25 - behind, 0) / 1.25
    ratio = (np.abs(aside / width) ** 2.2 + cap**2.2) ** (1 / 2.2)
    return ratio.astype(np.float32), cap.astype(np.float32), (aside / width).astype(np.float32)


def _skin(
    behind: Field,
    aside: Field,
    ratio: Field,
    cap: Field,
    across: Field,
    direction: float,
    rng: np.random.Generator,
) -> Field:
    """Return the colour of the finger on the grid, levels 0..255, 3 channels."""
    tone = np.array(_SKINS[rng.integers(len(_SKINS))], dtype=np.float32)
    mottle = smooth_noise(behind.shape, (behind.shape[0] // 14, behind.shape[1] // 14), rng)
    pores = smooth_noise(behind.shape, (behind.shape[0] // 2, behind.shape[1] // 2), rng)
    bump = 0.03 * pores + _creases(behind, aside, rng)
    lit = _lit(ratio, cap, across, direction)
    shade = np.clip(0.50 + 0.56 * lit, 0.16, 1.08) * (1 + bump)
    flush = 0.10 * smooth_step(ratio, 0.45, 1.0) + 0.05 * (1 - smooth_step(behind, 0.5, 2.2)) + 0.02 * mottle
    colour = tone * (shade[..., None] ** np.array([0.85, 1.0, 1.08], np.float32))
    colour = colour * (1 + flush[..., None] * np.array([0.25, -0.75, -0.65], np.float32))
    gloss = 26 * np.clip(lit, 0, 1) ** 14
    return _with_nail(np.asarray(colour + gloss[..., None], dtype=np.float32), behind, aside, tone, lit)


def _lit(ratio: Field, cap: Field, across: Field, direction: float) -> Field:
    """Return -1..1: how far the surface of a round finger faces the lamp at the upper left."""
    up = np.sqrt(np.clip(1 - np.clip(ratio, 0, 1) ** 2, 0.02, 1))
    along_x, along_y = np.cos(direction), np.sin(direction)
    normal_x = cap * along_x - across * along_y
    normal_y = cap * along_y + across * along_x
    length = np.sqrt(normal_x**2 + normal_y**2 + up**2)
    return np.asarray((normal_x * _LAMP[0] + normal_y * _LAMP[1] + up * _LAMP[2]) / length, dtype=np.float32)


def _creases(behind: Field, aside: Field, rng: np.random.Generator) -> Field:
    """Return the dark lines over the joints, about -0.2..0, and finer wrinkles beside them."""
    lines = np.zeros_like(behind)
    for joint in (3.2, 7.4):
        for offset, depth in ((-0.42, 0.07), (-0.16, 0.12), (0.10, 0.15), (0.38, 0.08)):
            bend = 0.22 * rng.uniform(-1, 1) * aside + 0.16 * np.abs(aside) ** 2 * np.sign(offset)
            lines -= depth * np.exp(-(((behind - joint - offset - bend) / 0.055) ** 2))
    return np.asarray(lines * (1 - smooth_step(np.abs(aside), 0.55, 0.95)), dtype=np.float32)


def _with_nail(colour: Field, behind: Field, aside: Field, tone: Field, lit: Field) -> Field:
    """Return the colours with a nail: a pink bed, a white tip, a half-moon, a fold of skin, a highlight."""
    along, beside = (behind - 1.05) / 0.88, aside / 0.60
    ratio = (np.abs(along) ** 3 + np.abs(beside) ** 2.6) ** (1 / 2.8)
    inside = (1 - smooth_step(ratio, 0.93, 1.0))[..., None]
    bed = 0.62 * tone + 0.38 * np.array([250, 206, 200], np.float32)
    nail = bed * (0.72 + 0.34 * np.clip(lit, 0, 1) - 0.10 * beside**2)[..., None]
    white = smooth_step(-along - 0.10 * (1 - beside**2), 0.60, 0.70)[..., None]
    moon = 0.45 * (1 - smooth_step((along - 1.02) ** 2 / 0.10 + beside**2 / 0.34, 0.7, 1.0))[..., None]
    pale = np.array([246, 238, 228], np.float32)
    nail = nail + (pale * 0.94 - nail) * np.maximum(white * 0.85, moon)
    shine = np.exp(-(((beside + 0.30) / 0.16) ** 2)) * (1 - smooth_step(np.abs(along + 0.05), 0.35, 0.75))
    nail = nail + 52 * shine[..., None]
    fold = 0.24 * np.exp(-(((ratio - 1.02) / 0.075) ** 2)) * smooth_step(along, -0.75, -0.2)
    colour = colour * (1 - fold)[..., None]
    return np.asarray(colour + (nail - colour) * inside, dtype=np.float32)
