"""What lamps do: glare on glossy paper, shadows cast over the page. All in linear light."""

from __future__ import annotations

from typing import Annotated

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.effects.registry import Strength, effect
from robustocr.effects.relight import relit
from robustocr.strips import Field

_SMALL, _SOFT = 160, 120
_BLOOM = 0.06
_FAINTEST_RIM = 0.05
_LAMP = (1.0, 0.99, 0.94)
_SKY = (0.92, 1.0, 1.10)


@effect(version=2)
def glare(
    pixels: Pixels,
    *,
    share: Annotated[float, Strength(0, 1, "share of the page where white paper clips")],
    stops: Annotated[float, Strength(-3, 6, "stops of the spot above white paper")] = 2.0,
    dimming: Annotated[float, Strength(0, 4, "stops by which the camera exposes less")] = 0.7,
    rng: np.random.Generator,
) -> Pixels:
    """Add the reflection of a lamp on glossy paper: an oval spot that clips, and a wide bloom around it.

    The light of the lamp adds to that of page and print alike, so contrast falls until the sensor clips;
    the camera exposes less for the bright spot, which dims the rest of the page.
    """
    height, width = pixels.shape[:2]
    distance = _oval(height, width, share, rng)
    peak = 2.0**stops
    rim = max(1 - 2.0**-dimming, _FAINTEST_RIM)
    spot = peak * np.exp(-max(np.log(peak / rim), 0.1) * distance**2.2)
    bloom = _BLOOM * peak * np.exp(-((distance / 1.8) ** 1.4))
    root = np.sqrt(np.minimum((spot + bloom) * min(_LAMP), 1)).astype(np.float32)
    tint = np.array(_LAMP, dtype=np.float32) / min(_LAMP)
    return relit(pixels, root, lambda page, root: page * np.float32(2.0**-dimming) + root**2 * tint)


def _oval(height: int, width: int, share: float, rng: np.random.Generator) -> Field:
    """Return the distance from a drawn place, 1 on the rim of an oval that holds ``share`` of the page."""
    x, y = grid(height, width)
    centre_x, centre_y = rng.uniform(0.15, 0.85) * width, rng.uniform(0.15, 0.85) * height
    turn, aspect = rng.uniform(-0.5, 0.5), rng.uniform(1.2, 2.4)
    phases = rng.uniform(0, 2 * np.pi, 2)
    radius = np.sqrt(max(share, 1e-6) * height * width / (np.pi * aspect))
    along = ((x - centre_x) * np.cos(turn) + (y - centre_y) * np.sin(turn)) / (radius * aspect)
    across = ((y - centre_y) * np.cos(turn) - (x - centre_x) * np.sin(turn)) / radius
    around = np.arctan2(across, along)
    waves = 0.06 * np.sin(2 * around + phases[0]) + 0.05 * np.sin(3 * around + phases[1])
    return np.asarray(np.hypot(along, across) * (1 + waves), dtype=np.float32)


@effect(version=2)
def cast_shadow(
    pixels: Pixels,
    *,
    stops: Annotated[float, Strength(0, 8, "stops darker")],
    softness: Annotated[float, Strength(0, 20, "text heights of penumbra")] = 1.0,
    size: Annotated[float, Strength(0.1, 6, "times a shadow of 0.44 page widths")] = 1.0,
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Darken what lies in the shadow of a phone and its hand; what is left is the bluer light of the sky."""
    height, width = pixels.shape[:2]
    x, y = grid(height, width, _SOFT)
    shade = _silhouette(x, y, height, width, size, rng)
    shade = cv2.GaussianBlur(shade, (0, 0), max(softness * text_height * x.shape[1] / width, 0.6))
    lost = 1 - np.minimum(2.0**-stops * np.array(_SKY, dtype=np.float32), 1)
    most = float(lost.max())
    root = np.sqrt(1 - np.asarray(shade, dtype=np.float32) * most)
    tint = lost / max(most, 1e-6)
    return relit(pixels, root, lambda page, root: page * (1 - (1 - root**2) * tint))


def _silhouette(x: Field, y: Field, height: int, width: int, size: float, rng: np.random.Generator) -> Field:
    """Return 0..1 on the grid: the shadow of a phone, of the hand around its lower half, and of the arm."""
    side = rng.choice([-1.0, 1.0])
    centre_x, centre_y = width * (0.5 + side * rng.uniform(0.0, 0.22)), height * rng.uniform(0.3, 0.6)
    turn = -side * rng.uniform(0.1, 0.6)
    half = rng.uniform(0.85, 1.1) * size * np.array([0.22, 0.44]) * min(width, 0.9 * height)
    right = ((x - centre_x) * np.cos(turn) + (y - centre_y) * np.sin(turn)) * side / half[0]
    down = ((y - centre_y) * np.cos(turn) - (x - centre_x) * np.sin(turn)) / half[0]
    tall = half[1] / half[0]
    corner = np.maximum(np.abs(right) - 0.78, 0) ** 2 + np.maximum(np.abs(down) - tall + 0.22, 0) ** 2
    shape = corner <= 0.22**2
    for level, length in ((-0.25, 0.32), (0.25, 0.42), (0.75, 0.40), (1.2, 0.30)):
        shape |= np.maximum(np.abs(right + 1) - length, 0) ** 2 + (down - level) ** 2 <= 0.22**2
    shape |= np.maximum(np.abs(right - 1.05) - 0.15, 0) ** 2 + ((down - 0.55) / 1.6) ** 2 <= 0.5**2
    wrist = 0.75 + 0.30 * np.clip((down - 1.2) / 6, 0, 1)
    shape |= (np.abs(right - 0.55 - 0.22 * (down - 1)) <= wrist) & (down > 0.9)
    return np.asarray(shape, dtype=np.float32)


def grid(height: int, width: int, cells: int = _SMALL) -> tuple[Field, Field]:
    """Return x and y in full-size pixels on a small grid over the page: wide light has no fine detail.

    It has ``cells`` along the shorter side, or as many as there are pixels.
    """
    factor = max(min(height, width) / cells, 1.0)
    rows, columns = max(round(height / factor), 2), max(round(width / factor), 2)
    x = ((np.arange(columns) + 0.5) * width / columns - 0.5).astype(np.float32)
    y = ((np.arange(rows) + 0.5) * height / rows - 0.5).astype(np.float32)
    grid_x, grid_y = np.meshgrid(x, y)
    return grid_x, grid_y
