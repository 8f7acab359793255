"""A finger as seen from above: skin shaded by its roundness, creases, a nail, a soft edge and its shadow."""

from __future__ import annotations

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.effects.noise import smooth_step
from robustocr.effects.sprite import Shadow, Sprite, lamp_at, lay_sprite, sprite_of
from robustocr.strips import Field

_SKINS = ((232, 188, 164), (221, 168, 136), (198, 140, 106), (156, 102, 72), (108, 70, 50))
_GRID_PER_HALF = 42
_AHEAD, _ASIDE = 0.12, 1.12
_LONGEST = 24
_JOINTS = (3.2, 7.4, 13.0)
_EDGE = 0.05


def draw_finger(
    page: Pixels,
    cover: Mask,
    tip: tuple[float, float],
    direction: float,
    half_width: float,
    length: float,
    skin: int,
) -> None:
    """Draw a finger onto ``page`` and into ``cover``, in place.

    ``tip`` is where it ends (x, y in pixels), ``direction`` where it points (radians), ``half_width`` and
    ``length`` (how much of it is drawn) in pixels; ``skin`` seeds tone and mottling.
    """
    per_half = min(_GRID_PER_HALF, max(half_width, 4.0))
    grid = half_width / per_half
    columns = max(int((min(length / half_width, _LONGEST) + _AHEAD) * per_half), 2)
    rows = max(round(2 * _ASIDE * per_half), 2)
    behind = ((np.arange(columns, 0, -1) - 0.5) / per_half - _AHEAD).astype(np.float32)[None, :]
    aside = ((np.arange(rows) - (rows - 1) / 2) / per_half).astype(np.float32)[:, None]
    sprite = _finger(behind, aside, direction, grid, skin)
    shadows = (
        Shadow(shift=(0.10 * half_width, 0.14 * half_width), softness=0.10 * half_width, share=0.30),
        Shadow(shift=(0.22 * half_width, 0.30 * half_width), softness=0.26 * half_width, share=0.42),
    )
    lay_sprite(page, cover, sprite, tip, direction, shadows)


def _finger(behind: Field, aside: Field, direction: float, grid: float, skin: int) -> Sprite:
    """Return the finger; ``behind`` (1 x columns) and ``aside`` (rows x 1) are in half widths."""
    rng = np.random.Generator(np.random.PCG64(skin))
    ratio, cap, across = _roundness(behind, aside)
    lit = _lit(ratio, cap, across, direction)
    tone = np.array(_SKINS[rng.integers(len(_SKINS))], dtype=np.float32)
    colour = _skin(behind, aside, ratio, lit, tone, rng)
    near_tip = int(np.searchsorted(-behind[0], -2.6))
    colour[:, near_tip:] = _with_nail(
        colour[:, near_tip:], behind[:, near_tip:], aside, tone, lit[:, near_tip:]
    )
    opacity = np.asarray(1 - smooth_step(ratio, 1 - _EDGE, 1 + _EDGE), dtype=np.float32)
    sprite = sprite_of(colour, opacity, grid)
    tip = float(np.interp(0.0, -behind[0], np.arange(behind.size)))
    return Sprite(colour=sprite.colour, opacity=sprite.opacity, step=grid, anchor=(tip, (aside.size - 1) / 2))


def _roundness(behind: Field, aside: Field) -> tuple[Field, Field, Field]:
    """Return the distance from the axis (1 at the skin's edge) and the slopes along and aside."""
    width = 0.90 + 0.10 * smooth_step(behind, 0.8, 3.4) + 0.05 * np.exp(-(((behind - 3.3) / 0.8) ** 2))
    cap = np.maximum(1.25 - behind, 0) / 1.25
    across = (aside / width).astype(np.float32)
    power = cv2.pow(np.abs(across), 2.2) + (cap**2.2).astype(np.float32)
    return np.asarray(cv2.pow(power, 1 / 2.2), np.float32), cap.astype(np.float32), across


def _lit(ratio: Field, cap: Field, across: Field, direction: float) -> Field:
    """Return -1..1: how far the surface of a round finger faces the lamp at the upper left."""
    along, beside, above = lamp_at(direction)
    up = np.sqrt(np.clip(1 - np.minimum(ratio, 1) ** 2, 0.02, 1))
    length = np.sqrt(cap**2 + across**2 + up**2)
    return np.asarray((cap * along + across * beside + up * above) / length, dtype=np.float32)


def _skin(
    behind: Field, aside: Field, ratio: Field, lit: Field, tone: Field, rng: np.random.Generator
) -> Field:
    """Return the colour of the finger on the grid, levels 0..255, 3 channels."""
    mottle, pores = (_texture(behind, aside, cells, rng) for cells in (3, 20))
    bump = 0.03 * pores
    _add_creases(bump, behind, aside, rng)
    shade = np.clip(0.50 + 0.56 * lit, 0.16, 1.08) * (1 + bump)
    flush = 0.10 * smooth_step(ratio, 0.45, 1.0) + 0.05 * (1 - smooth_step(behind, 0.5, 2.2)) + 0.02 * mottle
    gloss = 26 * np.clip(lit, 0, 1) ** 14
    channels = [
        tone[index] * cv2.pow(shade.astype(np.float32), power) * (1 + warm * flush) + gloss
        for index, (power, warm) in enumerate(((0.85, 0.25), (1.0, -0.75), (1.08, -0.65)))
    ]
    return np.asarray(cv2.merge([channel.astype(np.float32) for channel in channels]), dtype=np.float32)


def _texture(behind: Field, aside: Field, cells: int, rng: np.random.Generator) -> Field:
    """Return smooth noise of ``cells`` values per half width, the same however much of the finger is seen."""
    seen = max(min(int((float(behind[0, 0]) + _AHEAD) * cells) + 1, _LONGEST * cells), 2)
    values = rng.uniform(-1, 1, (3 * cells, _LONGEST * cells + 2)).astype(np.float32)[:, -seen:]
    size = behind.size, aside.size
    return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)


def _add_creases(bump: Field, behind: Field, aside: Field, rng: np.random.Generator) -> None:
    """Add the dark lines over the joints and finer wrinkles beside them, down to about -0.2, in place."""
    within = 1 - smooth_step(np.abs(aside), 0.55, 0.95)
    for joint in _JOINTS:
        seen = np.flatnonzero(np.abs(behind[0] - joint) < 1.3)
        part = slice(seen[0], seen[-1] + 1) if seen.size else slice(0, 0)
        for offset, depth in ((-0.42, 0.07), (-0.16, 0.12), (0.10, 0.15), (0.38, 0.08)):
            bend = 0.22 * rng.uniform(-1, 1) * aside + 0.16 * aside**2 * np.sign(offset)
            away = (behind[:, part] - joint - offset - bend).astype(np.float32) / np.float32(0.055)
            bump[:, part] -= depth * np.exp(-(away**2)) * within


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
