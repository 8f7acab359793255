"""Small things that lie on a page: a coin, a pen."""

from __future__ import annotations

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.effects.noise import smooth_noise, smooth_step
from robustocr.effects.patch import darken, lay_over, patch_around
from robustocr.strips import Field

_METALS = ((196, 196, 192), (206, 172, 104), (188, 122, 84))
_BARRELS = ((34, 62, 128), (28, 28, 32), (168, 34, 38), (222, 222, 218))
_GRID_PER_TEXT = 12


def draw_coin(
    page: Pixels, cover: Mask, centre: tuple[float, float], radius: float, text_height: float, metal: int
) -> None:
    """Draw a coin of ``radius`` pixels, in place; ``metal`` seeds its look."""
    rng = np.random.Generator(np.random.PCG64(metal))
    tone = np.array(_METALS[rng.integers(len(_METALS))], dtype=np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    reach = 1.35 * radius
    low, high = (centre[0] - reach, centre[1] - reach), (centre[0] + reach, centre[1] + reach)
    patch = patch_around(page.shape, low, high, text_height / _GRID_PER_TEXT)
    if patch is None or radius <= 0:
        return
    relief = smooth_noise(patch.x.shape, (14, 14), rng)
    x, y = (patch.x - centre[0]) / radius, (patch.y - centre[1]) / radius
    darken(page, patch, 0.5 * (1 - smooth_step(np.hypot(x - 0.08, y - 0.11), 0.88, 1.16)))
    ratio = np.hypot(x, y).astype(np.float32)
    height = 0.10 * smooth_step(ratio, 0.86, 0.90) * (1 - smooth_step(ratio, 0.96, 1.0))
    height = height + 0.06 * smooth_step(relief, 0.05, 0.2) * (1 - smooth_step(ratio, 0.66, 0.72))
    slope_y, slope_x = np.gradient(cv2.GaussianBlur(height.astype(np.float32), (0, 0), 1.0))
    glint = 0.16 * np.cos(2 * (np.arctan2(y, x) - turn)) * ratio
    shade = 0.80 + glint - (slope_x + slope_y) * 4.5 - 0.05 * ratio
    colour = tone * np.clip(shade, 0.2, 1.25)[..., None]
    lay_over(page, cover, patch, colour.astype(np.float32), 1 - smooth_step(ratio, 0.985, 1.015))


def draw_pen(
    page: Pixels,
    cover: Mask,
    tip: tuple[float, float],
    direction: float,
    half_width: float,
    text_height: float,
    colour: int,
) -> None:
    """Draw a pen that points to ``tip`` along ``direction`` (radians), in place."""
    rng = np.random.Generator(np.random.PCG64(colour))
    tone = np.array(_BARRELS[rng.integers(len(_BARRELS))], dtype=np.float32)
    height, width = page.shape[:2]
    patch = patch_around(page.shape, (0, 0), (width, height), text_height / _GRID_PER_TEXT)
    if patch is None:
        return
    behind = -((patch.x - tip[0]) * np.cos(direction) + (patch.y - tip[1]) * np.sin(direction)) / half_width
    aside = ((patch.y - tip[1]) * np.cos(direction) - (patch.x - tip[0]) * np.sin(direction)) / half_width
    across = (aside / _pen_profile(behind)).astype(np.float32)
    drop = 0.32 * np.array([-np.sin(direction), np.cos(direction)]) @ np.array([0.6, 0.8])
    darken(
        page,
        patch,
        0.5 * (1 - smooth_step(np.abs(across - np.float32(drop) - 0.15), 0.75, 1.5)) * (behind > 0),
    )
    metal = smooth_step(4.6 - behind, 0, 0.2)[..., None]
    paint = tone + (np.array([200, 202, 206], np.float32) - tone) * metal
    up = np.sqrt(np.clip(1 - across**2, 0.02, 1))
    lit = 0.34 + 0.62 * up + 0.12 * across
    shine = 95 * np.exp(-(((across + 0.38) / 0.14) ** 2))
    full = (paint * lit[..., None] + shine[..., None]).astype(np.float32)
    opacity = (1 - smooth_step(np.abs(across), 0.94, 1.06)) * smooth_step(behind, 0.0, 0.08)
    lay_over(page, cover, patch, full, opacity.astype(np.float32))


def _pen_profile(behind: Field) -> Field:
    """Return the half width of the pen behind its tip: a fine point, a metal cone, the barrel."""
    cone = 0.12 + 0.88 * np.clip((behind - 0.5) / 4.0, 0, 1) ** 0.8
    return np.asarray(np.where(behind < 0.5, 0.12, cone), dtype=np.float32)
