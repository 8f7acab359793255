"""Flat pictures of things, laid onto the page at any place and turn, with the shadows they throw."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.strips import strips

Place = tuple[float, float]
"""x, y on the page, in pixels."""

Affine = npt.NDArray[np.float64]

LAMP = np.array([-0.45, -0.60, 0.66])
"""Where the light comes from: the upper left, in the frame of the page (x, y, up)."""

_COARSEST = 0.75
_SHADOW_CELL = 2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Sprite:
    """A thing seen from above: ``colour`` (rows x columns x 3) and ``opacity`` (rows x columns), 0..255.

    ``step`` is the size of its pixels in pixels of the page, ``anchor`` the point (x, y in its own pixels)
    that is put at a place of the page.
    """

    colour: Pixels
    opacity: Mask
    step: float
    anchor: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shadow:
    """``shift`` (x, y) and ``softness`` (sigma) in pixels; ``share`` 0..1 of the light is lost."""

    shift: Place
    softness: float
    share: float


def sprite_of(colour: npt.NDArray[np.float32], opacity: npt.NDArray[np.float32], step: float) -> Sprite:
    """Return a sprite of colours 0..255 and opacities 0..1 on a grid, anchored in its middle."""
    rows, columns = opacity.shape
    return Sprite(
        colour=cv2.convertScaleAbs(np.maximum(colour, 0)),
        opacity=cv2.convertScaleAbs(opacity, alpha=255),
        step=step,
        anchor=((columns - 1) / 2, (rows - 1) / 2),
    )


def lamp_at(turn: float) -> tuple[float, float, float]:
    """Return the direction of the light (x, y, up) in the frame of a thing turned by ``turn`` radians."""
    cosine, sine = np.cos(turn), np.sin(turn)
    x, y, up = LAMP
    return float(x * cosine + y * sine), float(y * cosine - x * sine), float(up)


def lay_sprite(
    page: Pixels, cover: Mask, sprite: Sprite, place: Place, turn: float, shadows: tuple[Shadow, ...]
) -> None:
    """Lay a sprite with its anchor at ``place``, turned clockwise by ``turn`` radians, in place.

    ``cover`` gets its opacity. The shadows fall on the page first.
    """
    sprite = _shrunk(sprite)
    matrix = _matrix(sprite, place, turn)
    for shadow in shadows:
        _darken(page, sprite, matrix, shadow)
    window = _window(sprite, matrix, page.shape, 1.0)
    if window is None:
        return
    x0, y0, x1, y1 = window
    inside = _shifted(matrix, -x0, -y0, 1.0)
    size = x1 - x0, y1 - y0
    colour = cv2.warpAffine(sprite.colour, inside, size, borderMode=cv2.BORDER_REPLICATE)
    opacity = cv2.warpAffine(sprite.opacity, inside, size)
    _blend(page[y0:y1, x0:x1], np.asarray(colour, np.uint8), np.asarray(opacity, np.uint8))
    hidden = cover[y0:y1, x0:x1]
    np.maximum(hidden, opacity, out=hidden)


def cast_shadow(page: Pixels, sprite: Sprite, place: Place, turn: float, shadow: Shadow) -> None:
    """Darken the page where a sprite, laid as by :func:`lay_sprite`, throws a shadow, in place."""
    sprite = _shrunk(sprite)
    _darken(page, sprite, _matrix(sprite, place, turn), shadow)


def _blend(under: Pixels, colour: Pixels, opacity: Mask) -> None:
    for part in strips(*opacity.shape):
        weight = opacity[part].astype(np.float32)
        weight *= np.float32(1 / 255)
        under[part] = cv2.blendLinear(colour[part], np.ascontiguousarray(under[part]), weight, 1 - weight)


def _darken(page: Pixels, sprite: Sprite, matrix: Affine, shadow: Shadow) -> None:
    """Take light away where the shadow falls; it is drawn small, since it is soft."""
    moved = _shifted(matrix, *shadow.shift, 1.0)
    window = _window(sprite, moved, page.shape, 3 * shadow.softness + 2)
    if window is None or shadow.share <= 0:
        return
    x0, y0, x1, y1 = window
    scale = 1 / max(shadow.softness / _SHADOW_CELL, 1.0)
    columns, rows = max(round((x1 - x0) * scale), 1), max(round((y1 - y0) * scale), 1)
    small = _shifted(moved, -x0, -y0, scale)
    cast = cv2.warpAffine(sprite.opacity, small, (columns, rows))
    cast = cv2.GaussianBlur(cast, (0, 0), max(shadow.softness * scale, 0.5), borderType=cv2.BORDER_CONSTANT)
    kept = cv2.convertScaleAbs(255 - cast.astype(np.float32) * np.float32(shadow.share))
    full = np.asarray(cv2.resize(kept, (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR), np.uint8)
    under = page[y0:y1, x0:x1]
    for part in strips(*full.shape):
        under[part] = cv2.multiply(
            np.ascontiguousarray(under[part]), cv2.merge([full[part]] * 3), scale=1 / 255
        )


def _shrunk(sprite: Sprite) -> Sprite:
    """Return the sprite with pixels no finer than those of the page, so that nothing aliases."""
    if sprite.step >= _COARSEST:
        return sprite
    rows, columns = sprite.opacity.shape
    size = max(round(columns * sprite.step), 1), max(round(rows * sprite.step), 1)
    across, down = size[0] / columns, size[1] / rows
    return replace(
        sprite,
        colour=np.asarray(cv2.resize(sprite.colour, size, interpolation=cv2.INTER_AREA), np.uint8),
        opacity=np.asarray(cv2.resize(sprite.opacity, size, interpolation=cv2.INTER_AREA), np.uint8),
        step=1.0,
        anchor=((sprite.anchor[0] + 0.5) * across - 0.5, (sprite.anchor[1] + 0.5) * down - 0.5),
    )


def _matrix(sprite: Sprite, place: Place, turn: float) -> Affine:
    cosine, sine = np.cos(turn) * sprite.step, np.sin(turn) * sprite.step
    x, y = sprite.anchor
    return np.array(
        [
            [cosine, -sine, place[0] - cosine * x + sine * y],
            [sine, cosine, place[1] - sine * x - cosine * y],
        ]
    )


def _shifted(matrix: Affine, dx: float, dy: float, scale: float) -> Affine:
    """Return a matrix whose points are moved by ``dx``, ``dy`` pixels and then scaled."""
    moved = matrix.copy()
    moved[:, 2] += (dx, dy)
    moved *= scale
    moved[:, 2] += (scale - 1) / 2
    return moved


def _window(
    sprite: Sprite, matrix: Affine, shape: tuple[int, ...], around: float
) -> tuple[int, int, int, int] | None:
    """Return x0, y0, x1, y1 of the page around the sprite, in whole pixels; None if it lies off the page."""
    rows, columns = sprite.opacity.shape
    corners = np.array([[0, 0, 1], [columns, 0, 1], [columns, rows, 1], [0, rows, 1]]) @ matrix.T
    low, high = np.floor(corners.min(axis=0) - around), np.ceil(corners.max(axis=0) + around)
    x0, y0 = max(int(low[0]), 0), max(int(low[1]), 0)
    x1, y1 = min(int(high[0]), shape[1]), min(int(high[1]), shape[0])
    return None if x1 <= x0 or y1 <= y0 else (x0, y0, x1, y1)
