"""What lamps do: glare on glossy paper, shadows cast over the page. All in linear light."""

from __future__ import annotations

from typing import Annotated

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.effects.noise import Field, smooth_step
from robustocr.effects.registry import Strength, effect
from robustocr.effects.tone import Linear, to_light, to_pixels

_SMALL = 160
_BLOOM = 0.10
_SKY = (1.10, 1.0, 0.90)


@effect()
def glare(
    pixels: Pixels,
    *,
    share: Annotated[float, Strength(0, 1, "share of the page inside the spot")],
    stops: Annotated[float, Strength(-3, 6, "stops of the spot above white paper")] = 2.0,
    rng: np.random.Generator,
) -> Pixels:
    """Add the reflection of a lamp on glossy paper: an oval spot that clips, and a wide bloom around it.

    The light of the lamp adds to that of page and print alike, so contrast falls until the sensor clips.
    """
    height, width = pixels.shape[:2]
    x, y = _grid(height, width)
    centre_x, centre_y = rng.uniform(0.15, 0.85) * width, rng.uniform(0.15, 0.85) * height
    turn, aspect = rng.uniform(-0.5, 0.5), rng.uniform(1.3, 2.6)
    wobble = rng.uniform(0, 2 * np.pi, 2)
    radius = np.sqrt(max(share, 1e-6) * height * width / (np.pi * aspect))
    along = ((x - centre_x) * np.cos(turn) + (y - centre_y) * np.sin(turn)) / (radius * aspect)
    across = ((y - centre_y) * np.cos(turn) - (x - centre_x) * np.sin(turn)) / radius
    around = np.arctan2(across, along)
    distance = np.hypot(along, across) * (
        1 + 0.06 * np.sin(2 * around + wobble[0]) + 0.05 * np.sin(3 * around + wobble[1])
    )
    peak = 2.0**stops
    spot = peak * np.exp(-np.log(peak + 1) * distance**2.4) + _BLOOM * peak * np.exp(
        -((distance / 2.2) ** 1.5)
    )
    added = cv2.resize(spot.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    return to_pixels(
        np.asarray(cv2.add(to_light(pixels), cv2.merge([added, added, added * np.float32(0.95)])))
    )


@effect()
def cast_shadow(
    pixels: Pixels,
    *,
    stops: Annotated[float, Strength(0, 8, "stops darker")],
    softness: Annotated[float, Strength(0, 20, "text heights of penumbra")] = 1.0,
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Darken what lies in the shadow of a phone and the hand that holds it; what is left is the bluer sky light."""
    height, width = pixels.shape[:2]
    x, y = _grid(height, width)
    shade = _silhouette(x, y, height, width, rng)
    shade = cv2.GaussianBlur(shade, (0, 0), max(softness * text_height * x.shape[1] / width, 0.6))
    full = cv2.resize(shade, (width, height), interpolation=cv2.INTER_LINEAR)
    lost = [1 - np.float32(min(2.0**-stops * sky, 1.0)) for sky in reversed(_SKY)]
    keep = cv2.merge([1 - full * loss for loss in lost])
    return to_pixels(_times(to_light(pixels), keep))


def _silhouette(x: Field, y: Field, height: int, width: int, rng: np.random.Generator) -> Field:
    """Return 0..1 on the grid: a phone with rounded corners, leaning, and an arm that leads to it from below."""
    reach = np.hypot(height, width)
    side = rng.choice([-1.0, 1.0])
    centre_x, centre_y = width * (0.5 + side * rng.uniform(0.2, 0.4)), height * rng.uniform(0.35, 0.75)
    turn = rng.uniform(-0.5, 0.5)
    half = np.array([0.20, 0.36]) * rng.uniform(0.75, 1.0) * min(reach, 1.7 * width)
    right = (x - centre_x) * np.cos(turn) + (y - centre_y) * np.sin(turn)
    down = (y - centre_y) * np.cos(turn) - (x - centre_x) * np.sin(turn)
    corner = 0.25 * half[0]
    outside = np.hypot(
        np.maximum(np.abs(right) - half[0] + corner, 0), np.maximum(np.abs(down) - half[1] + corner, 0)
    )
    phone = outside <= corner
    lean = rng.uniform(0.1, 0.5) * side
    arm_half = half[0] * (0.42 + 0.25 * np.clip(down / (3 * half[1]), 0, 1))
    arm = (np.abs(right - lean * down - 0.8 * side * half[0]) <= arm_half) & (down > 0)
    knuckles = np.hypot(right - side * half[0], (down - 0.15 * half[1]) * 0.7) <= 0.55 * half[0]
    return np.asarray(phone | arm | knuckles, dtype=np.float32)


def _grid(height: int, width: int) -> tuple[Field, Field]:
    """Return x and y in full-size pixels on a small grid that covers the page: wide light has no fine detail."""
    factor = max(min(height, width) / _SMALL, 1.0)
    rows, columns = max(round(height / factor), 2), max(round(width / factor), 2)
    x = ((np.arange(columns) + 0.5) * width / columns - 0.5).astype(np.float32)
    y = ((np.arange(rows) + 0.5) * height / rows - 0.5).astype(np.float32)
    grid_x, grid_y = np.meshgrid(x, y)
    return grid_x, grid_y


def _times(light: Linear, keep: Field) -> Linear:
    return np.asarray(cv2.multiply(light, keep), dtype=np.float32)
