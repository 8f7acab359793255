"""Small things of metal and plastic that lie on a page: a coin, a key, a pen."""

from __future__ import annotations

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.effects.noise import smooth_noise, smooth_step
from robustocr.effects.print_dots import line_dots
from robustocr.effects.sprite import Place, Shadow, Sprite, lamp_at, lay_sprite, sprite_of
from robustocr.strips import Field

_METALS = ((196, 196, 192), (206, 172, 104), (188, 122, 84))
_BARRELS = ((34, 62, 128), (28, 28, 32), (168, 34, 38), (222, 222, 218))
_GRID_PER_TEXT = 14
_KEY_LENGTH, _KEY_HALF = 21.0, 4.9


def grid_step(text_height: float) -> float:
    """Return the size in pixels of the page of the grid on which things are drawn, one pixel at least."""
    return max(text_height / _GRID_PER_TEXT, 1.0)


def draw_coin(
    page: Pixels, cover: Mask, centre: Place, radius: float, text_height: float, metal: int
) -> None:
    """Draw a coin of ``radius`` pixels, in place; ``metal`` seeds its look."""
    rng = np.random.Generator(np.random.PCG64(metal))
    tone = np.array(_METALS[rng.integers(len(_METALS))], dtype=np.float32)
    turn, grid = rng.uniform(0, 2 * np.pi), grid_step(text_height)
    half = max(int(np.ceil(1.03 * radius / grid)), 2)
    y, x = (np.mgrid[-half : half + 1, -half : half + 1] * (grid / max(radius, 1e-6))).astype(np.float32)
    ratio = np.hypot(x, y)
    height = 0.10 * smooth_step(ratio, 0.86, 0.90) * (1 - smooth_step(ratio, 0.96, 1.0))
    height = height + 0.08 * _numeral(half, "1255"[rng.integers(4)], turn)
    slope_y, slope_x = np.gradient(cv2.GaussianBlur(height.astype(np.float32), (0, 0), 1.0))
    glint = 0.16 * np.cos(2 * (np.arctan2(y, x) - turn)) * ratio
    worn = 0.04 * smooth_noise(ratio.shape, (9, 9), rng)
    shade = 0.80 + glint + worn - (slope_x + slope_y) * 4.5 - 0.05 * ratio
    colour = tone * np.clip(shade, 0.2, 1.25)[..., None]
    soft = grid / max(radius, 1e-6)
    sprite = sprite_of(colour, 1 - smooth_step(ratio, 1 - soft, 1 + soft), grid)
    thick = 0.75 * text_height
    lay_sprite(page, cover, sprite, centre, 0.0, _shadows(thick))


def _numeral(half: int, char: str, turn: float) -> Field:
    """Return the relief 0..1 of a coin's numeral, turned by ``turn`` radians, on its grid."""
    size = 2 * half + 1
    dots = line_dots(char, size=3, pen=3.0)
    scale = 0.062 * half / 3
    cosine, sine = scale * np.cos(turn), scale * np.sin(turn)
    x, y = dots.shape[1] * 0.45, dots.shape[0] * 0.42
    matrix = np.array(
        [[cosine, -sine, half - cosine * x + sine * y], [sine, cosine, half - sine * x - cosine * y]]
    )
    relief = np.asarray(cv2.warpAffine(dots, matrix, (size, size)), dtype=np.float32)
    return relief / np.float32(255)


def draw_key(page: Pixels, cover: Mask, centre: Place, turn: float, text_height: float, look: int) -> None:
    """Draw a door key of about 21 text heights, turned by ``turn`` radians, in place; ``look`` seeds it."""
    rng = np.random.Generator(np.random.PCG64(look))
    tone = np.array(_METALS[rng.integers(2)], dtype=np.float32)
    teeth, scratch = rng.uniform(0.35, 1.25, 7), rng.integers(1 << 30)
    grid = grid_step(text_height)
    unit = text_height / grid
    x = (np.arange(int(_KEY_LENGTH * unit) + 2) / unit).astype(np.float32)[None, :]
    y = (np.arange(int(2 * _KEY_HALF * unit) + 2) / unit - _KEY_HALF).astype(np.float32)[:, None]
    inside = _key_outline(x, y, teeth).astype(np.uint8)
    depth = np.asarray(cv2.distanceTransform(inside, cv2.DIST_L2, 3), dtype=np.float32) / np.float32(unit)
    groove = 0.22 * (np.exp(-(((y - 0.15) / 0.22) ** 2)) * smooth_step(x, 9.8, 10.3)).astype(np.float32)
    height = cv2.GaussianBlur(np.minimum(depth, 0.45) - groove, (0, 0), 0.10 * unit)
    shade = _metal_shade(height * np.float32(unit), turn, int(scratch))
    colour = tone * shade[..., None]
    opacity = cv2.GaussianBlur(inside.astype(np.float32), (0, 0), 0.7)
    lay_sprite(page, cover, sprite_of(colour, opacity, grid), centre, turn, _shadows(0.9 * text_height))


def _key_outline(x: Field, y: Field, teeth: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Mask:
    """Return where the key is: a round bow with a hole, a collar, a blade cut into teeth."""
    bow = np.hypot((x - 4.8) / 4.8, y / 4.6) < 1
    hole = np.hypot(x - 2.3, y) < 1.15
    collar = (np.abs(x - 9.5) < 0.7) & (np.abs(y) < 2.1)
    cuts = np.interp(x[0], np.linspace(11.2, 20.2, len(teeth)), teeth).astype(np.float32)[None, :]
    lower = np.minimum(cuts, np.maximum((_KEY_LENGTH - x) * 1.3 - 1.4, -1.2))
    upper = np.minimum(1.45, (_KEY_LENGTH - x) * 1.6)
    blade = (x > 9.0) & (x < _KEY_LENGTH) & (y < lower) & (y > -upper)
    return np.asarray((bow & ~hole) | collar | blade, dtype=np.uint8)


def _metal_shade(height: Field, turn: float, look: int) -> Field:
    """Return the brightness of brushed metal with a relief, about 0.3..1.3, under the lamp."""
    rng = np.random.Generator(np.random.PCG64(look))
    slope_y, slope_x = np.gradient(height)
    along, beside, _ = lamp_at(turn)
    facing = -(slope_x * along + slope_y * beside)
    brushed = smooth_noise(height.shape, (max(height.shape[0] // 2, 2), 5), rng)
    sheen = smooth_noise(height.shape, (3, 5), rng)
    shade = 0.78 + 0.42 * np.clip(-facing, -1, 1) + 0.05 * brushed + 0.14 * sheen
    return np.asarray(np.clip(shade, 0.25, 1.3), dtype=np.float32)


def draw_pen(
    page: Pixels,
    cover: Mask,
    tip: Place,
    direction: float,
    length: float,
    text_height: float,
    colour: int,
) -> None:
    """Draw a pen that points to ``tip`` along ``direction`` (radians), in place.

    It is 3.4 text heights wide; ``length`` (pixels) of it is drawn. ``colour`` seeds its look.
    """
    rng = np.random.Generator(np.random.PCG64(colour))
    tone = np.array(_BARRELS[rng.integers(len(_BARRELS))], dtype=np.float32)
    half_width, grid = 1.7 * text_height, grid_step(text_height)
    columns, rows = max(int(length / grid), 2), max(round(2.3 * half_width / grid), 2)
    behind = ((np.arange(columns, 0, -1) - 1) * grid / half_width).astype(np.float32)[None, :]
    aside = ((np.arange(rows) - (rows - 1) / 2) * grid / half_width).astype(np.float32)[:, None]
    sprite = _pen(behind, aside, tone, direction, grid, grid / half_width)
    lay_sprite(page, cover, sprite, tip, direction, _shadows(1.5 * text_height))


def _pen(behind: Field, aside: Field, tone: Field, direction: float, grid: float, soft: float) -> Sprite:
    """Return the pen; ``behind`` (1 x columns) and ``aside`` (rows x 1) are in half widths."""
    profile = _pen_profile(behind)
    across = (aside / profile).astype(np.float32)
    metal = smooth_step(4.6 - behind, 0, 0.2)
    ring = np.maximum(metal, np.exp(-(((behind - 19.0) / 0.25) ** 2)))[..., None]
    paint = tone + (np.array([200, 202, 206], np.float32) - tone) * ring
    up = np.sqrt(np.clip(1 - across**2, 0.02, 1))
    _, beside, above = lamp_at(direction)
    facing = np.clip(across * beside + up * above, 0, 1)
    lit = 0.30 + 0.85 * facing
    full = (paint * lit[..., None] + (110 * facing**22)[..., None]).astype(np.float32)
    edge = soft / profile
    opacity = np.clip((1 - np.abs(across)) / edge + 0.5, 0, 1).astype(np.float32)
    sprite = sprite_of(full, opacity, grid)
    return Sprite(
        colour=sprite.colour,
        opacity=sprite.opacity,
        step=grid,
        anchor=(behind.size - 1.0, (aside.size - 1) / 2),
    )


def _pen_profile(behind: Field) -> Field:
    """Return the half width of the pen behind its tip: a fine point, a metal cone, the barrel."""
    cone = 0.12 + 0.88 * np.clip((behind - 0.5) / 4.0, 0, 1) ** 0.8
    return np.asarray(np.where(behind < 0.5, 0.12, cone), dtype=np.float32)


def _shadows(thickness: float) -> tuple[Shadow, ...]:
    """Return the shadows of something that lies flat and is ``thickness`` pixels high: close, and wide."""
    return (
        Shadow(shift=(0.30 * thickness, 0.40 * thickness), softness=0.28 * thickness, share=0.38),
        Shadow(shift=(0.75 * thickness, 1.0 * thickness), softness=0.8 * thickness, share=0.26),
    )
