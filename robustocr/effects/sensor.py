"""What the image sensor does: too few photons, read noise, too few pixels."""

from __future__ import annotations

from typing import Annotated

import cv2
import numpy as np
import numpy.typing as npt
import stringzilla

from robustocr.adapters.base import Pixels
from robustocr.effects.noise import grainy_noise
from robustocr.effects.registry import Strength, effect
from robustocr.effects.tone import LIGHT_OF_LEVEL, to_pixels
from robustocr.strips import strips

_FULL_WELL = 6000.0
_READ_NOISE = 5.0
_PIXELS_PER_TEXT_HEIGHT = 20.0
_WARM = (1.0, 0.93, 0.80)


@effect()
def low_light(
    pixels: Pixels,
    *,
    stops: Annotated[float, Strength(0, 14, "stops below full exposure")],
    dimness: Annotated[float, Strength(0, 6, "stops that the gain leaves dark")] = 0.0,
    warmth: Annotated[float, Strength(0, 1, "share of the tint of a warm lamp")] = 1.0,
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Expose ``stops`` too little and let the gain bring the picture back to ``dimness`` stops below.

    Shot noise (its variance is the number of photons) and read noise are added in linear light, for a sensor
    with 20 pixels per text height, 6000 electrons of full well and 5 of read noise (EMVA 1288 model), so that
    a page is equally noisy whatever its size in pixels.
    """
    height, width = pixels.shape[:2]
    grain = text_height / _PIXELS_PER_TEXT_HEIGHT
    gain = 2.0**-dimness
    noise = grainy_noise(height, width, grain, rng, channels=3)
    white = _FULL_WELL * 2.0**-stops
    mean, spread = np.empty((1, 256, 3), np.float32), np.empty((1, 256, 3), np.float32)
    for channel, warm in enumerate(_WARM):
        tint = 1 - warmth * (1 - warm)
        electrons = LIGHT_OF_LEVEL * white * tint
        mean[0, :, channel] = LIGHT_OF_LEVEL * tint * gain
        spread[0, :, channel] = np.sqrt(electrons + _READ_NOISE**2) / white * gain
    dim = np.empty_like(pixels)
    for part in strips(height, width):
        shaken = noise.rows(part).reshape(-1, width, 3)
        shaken *= min(grain, 1.0)
        shaken *= cv2.LUT(pixels[part], spread)
        shaken += cv2.LUT(pixels[part], mean)
        dim[part] = to_pixels(shaken)
    return dim


@effect()
def exposure(
    pixels: Pixels, *, stops: Annotated[float, Strength(-10, 10, "stops more than before")]
) -> Pixels:
    """Let in ``stops`` more light, or less below 0, evenly: paper clips, or print sinks into the dark."""
    levels = to_pixels(LIGHT_OF_LEVEL * np.float32(2.0**stops)).reshape(-1)
    exposed = np.array(pixels, order="C")
    stringzilla.translate(exposed.data, levels.data, inplace=True)
    return exposed


@effect()
def downscale(
    pixels: Pixels,
    *,
    text_pixels: Annotated[float, Strength(2, 400, "pixels of text height left")],
    text_height: float,
) -> Pixels:
    """Shrink until text is ``text_pixels`` high and enlarge again; smaller text is left alone."""
    factor = text_pixels / text_height
    return pixels.copy() if factor >= 1 else enlarge(shrink(pixels, factor), pixels.shape)


def shrink(pixels: Pixels, factor: float) -> Pixels:
    """Return the picture at ``factor`` (below 1) of its size, averaging; itself from a factor of 1."""
    if factor >= 1:
        return pixels
    size = max(round(pixels.shape[1] * factor), 1), max(round(pixels.shape[0] * factor), 1)
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def enlarge(pixels: Pixels, shape: tuple[int, ...]) -> Pixels:
    """Return the picture resized to ``shape`` (height, width, ...), as a viewer does."""
    if pixels.shape[:2] == shape[:2]:
        return pixels
    large: npt.NDArray[np.uint8] = cv2.resize(pixels, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return large
