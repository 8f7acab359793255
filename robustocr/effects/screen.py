"""What the screen does to a page of which a photograph is taken: its grid, and moire."""

from __future__ import annotations

from typing import Annotated

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.effects.registry import Strength, effect
from robustocr.effects.sensor import shrink
from robustocr.effects.tone import to_light, to_pixels
from robustocr.strips import Field, stretched, strips

_GRID_STEP = 1 / 6
_THIRD = 2 * np.pi / 3
_COLUMNS, _ROWS = 0.65, 0.35
_RESOLVED = 0.18
_BACKLIGHT = (0.92, 1.0, 1.06)


@effect()
def screen_moire(
    pixels: Pixels,
    *,
    text_pixels: Annotated[float, Strength(3, 100, "screen pixels per text height")],
    depth: Annotated[float, Strength(0, 1, "share of the light by which bands differ")] = 0.3,
    leak: Annotated[float, Strength(0, 0.6, "share of white that black shows")] = 0.03,
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Show the page on a screen with ``text_pixels`` pixels per text height, and photograph that.

    The columns of red, green and blue bars and the rows of the screen meet the grid of the sensor, whose
    pitch is nearly the same and which is turned by a degree or two: what is left of either grid after
    sampling is the difference of their frequencies, in coloured bands across and grey ones down. A slight
    tilt and the lens bend them. Where a screen pixel is wider than two of the picture, the grid itself shows.
    """
    height, width = pixels.shape[:2]
    pitch = text_height / text_pixels
    shown = cv2.resize(shrink(pixels, 1 / pitch), (width, height), interpolation=cv2.INTER_AREA)
    bands = stretched(_bands(height, width, text_height, text_pixels, depth, rng), height, width)
    across, down = _grid_of_pixels(width, pitch, 3), _grid_of_pixels(height, pitch, 1)
    seen = np.empty_like(pixels)
    for part in strips(height, width):
        light = to_light(shown[part])
        light *= np.float32(1 - leak)
        light += np.float32(leak)
        light *= bands.rows(part)
        light *= across[None]
        light *= down[part][:, None]
        seen[part] = to_pixels(light)
    return seen


def _bands(
    height: int, width: int, text_height: float, text_pixels: float, depth: float, rng: np.random.Generator
) -> Field:
    """Return a grid x 3 of the light that each channel keeps, about 1: the moire of both grids."""
    step = max(text_height * _GRID_STEP, 1.0)
    rows, columns = max(round(height / step), 2), max(round(width / step), 2)
    x, y = np.meshgrid(_middle(columns) * width, _middle(rows) * height)
    detune = rng.uniform(0.02, 0.05, 2) * rng.choice([-1, 1], 2)
    turn = rng.uniform(0.008, 0.035) * rng.choice([-1, 1])
    keystone, barrel = rng.uniform(-0.02, 0.02, 2), rng.uniform(0.005, 0.02)
    phases = rng.uniform(0, 2 * np.pi, 2)
    half = max(height, width) / 2
    scale = (keystone[0] * x + keystone[1] * y) / half + barrel * (x**2 + y**2) / half**2
    cycles = 2 * np.pi * text_pixels / text_height
    vertical = cycles * ((detune[0] + scale) * x - turn * y) + phases[0]
    horizontal = cycles * ((detune[1] + scale) * y + turn * x) + phases[1]
    channels = [
        1 + depth * (_COLUMNS * np.cos(vertical + shift) + _ROWS * np.cos(horizontal))
        for shift in (-_THIRD, 0, _THIRD)
    ]
    tinted = np.stack(channels, axis=-1) * np.array(_BACKLIGHT) / (1 + depth / 3)
    return np.asarray(tinted, dtype=np.float32)


def _middle(count: int) -> np.typing.NDArray[np.float64]:
    """Return the middles of ``count`` cells, -0.5 to 0.5."""
    return (np.arange(count) + 0.5) / count - 0.5


def _grid_of_pixels(length: int, pitch: float, bars: int) -> Field:
    """Return length x ``bars`` of the light that a grid of screen pixels lets through, if resolved."""
    strength = _RESOLVED * float(np.clip(pitch - 2, 0, 1))
    place = 2 * np.pi * (np.arange(length)[:, None] + 0.5) / pitch
    shift = _THIRD * (np.arange(bars) - bars // 2)
    return np.asarray(1 - strength * np.cos(place - shift), dtype=np.float32)
