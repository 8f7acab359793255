"""What lamps and the sun do where they light the page themselves, and what too much light does."""

from __future__ import annotations

from typing import Annotated

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.effects.convolution import shrunk
from robustocr.effects.light import grid
from robustocr.effects.noise import smooth_step
from robustocr.effects.optics import disc_blurred
from robustocr.effects.registry import Strength, effect
from robustocr.effects.relight import relit
from robustocr.effects.tone import to_light, to_pixels
from robustocr.strips import Field, stretched, strips

_POINT, _NEAR, _WIDE = 0.06, 0.5, 4.0
_NEAR_SHARE = 0.5
_LED = (0.96, 1.0, 1.05)
_FAINTEST_RIM = 0.05
_SUN, _SKY = (1.06, 1.0, 0.86), (0.90, 1.0, 1.12)


@effect(version=2)
def flash(
    pixels: Pixels,
    *,
    share: Annotated[float, Strength(0, 1, "share of the page where white paper clips")],
    stops: Annotated[float, Strength(-3, 6, "stops of the hot spot above white paper")] = 2.0,
    distance: Annotated[float, Strength(0.1, 10, "page diagonals between phone and page")] = 0.6,
    dimming: Annotated[float, Strength(0, 4, "stops by which the camera exposes less")] = 0.5,
    rng: np.random.Generator,
) -> Pixels:
    """Light the page with the flash of the phone that photographs it.

    Light on the page falls with the square of the distance and with the cosine at which it arrives, so to
    the power -2 of 1 + (r / distance)^2 at r from the foot of the lamp. Where the paper mirrors the flash
    into the lens, a round spot is added to page and print alike and clips.
    """
    height, width = pixels.shape[:2]
    x, y = grid(height, width)
    diagonal = np.hypot(height, width)
    foot = (0.5 + rng.uniform(-0.08, 0.08, 2)) * (width, height)
    spot = foot + rng.uniform(-0.16, 0.16, 2) * (width, height)
    lit = (1 + ((x - foot[0]) ** 2 + (y - foot[1]) ** 2) / (distance * diagonal) ** 2) ** -2
    radius = np.sqrt(max(share, 1e-6) * height * width / np.pi)
    rim, peak = max(1 - 2.0**-dimming, _FAINTEST_RIM), 2.0**stops
    away = ((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / radius**2
    mirrored = peak * np.exp(-max(np.log(peak / rim), 0.1) * away**0.6)
    kept = np.sqrt(lit * 2.0**-dimming).astype(np.float32)
    dimmed = relit(pixels, kept, lambda page, root: page * root**2)
    root = np.sqrt(np.minimum(mirrored * min(_LED), 1)).astype(np.float32)
    tint = np.array(_LED, dtype=np.float32) / min(_LED)
    return relit(dimmed, root, lambda page, root: page + root**2 * tint)


@effect()
def window_stripes(
    pixels: Pixels,
    *,
    contrast: Annotated[float, Strength(0, 10, "stops between sun and shade")],
    over: Annotated[float, Strength(-2, 8, "stops of sunlit paper above white")] = 0.5,
    period: Annotated[float, Strength(1, 100, "text heights from band to band")] = 9.0,
    flare: Annotated[float, Strength(0, 0.5, "share of the light that the lens scatters")] = 0.03,
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Light the page with the sun through a blind: warm bands, and between them the bluer light of the sky.

    The camera exposes in between, so that paper in the sun clips ``over`` stops above white while the shade
    is ``contrast`` stops darker. The sun is half a degree wide, so the edges of the bands are soft.
    """
    height, width = pixels.shape[:2]
    x, y = grid(height, width)
    sun = _blind(x / text_height / period, y / text_height / period, rng)
    dark = 2.0 ** (over - contrast)
    bright = 2.0**over - dark
    gain = np.stack([dark * sky + bright * sun * warm for sky, warm in zip(_SKY, _SUN, strict=True)], axis=-1)
    return exposed(pixels, gain.astype(np.float32), flare, text_height)


def _blind(x: Field, y: Field, rng: np.random.Generator) -> Field:
    """Return 0..1 on the grid, whose places are in periods: where the sun comes through the slats."""
    turn, fan = rng.uniform(-0.6, 0.6), rng.uniform(-0.012, 0.012)
    phase, duty, soft = rng.uniform(0, 1), rng.uniform(0.42, 0.58), rng.uniform(0.08, 0.18)
    bar = rng.uniform(-0.35, 0.35)
    along = x * np.cos(turn) + y * np.sin(turn)
    across = (y * np.cos(turn) - x * np.sin(turn)) * (1 + fan * along)
    middle = np.abs((across + phase) % 1 - 0.5)
    slats = 1 - smooth_step(middle.astype(np.float32), duty / 2 - soft, duty / 2 + soft)
    extent = max(float(np.ptp(along)), 1e-6)
    cord = np.abs(along - along.mean() - bar * extent)
    return slats * (0.25 + 0.75 * smooth_step(cord.astype(np.float32), 0.05, 0.16))


@effect()
def overexposure(
    pixels: Pixels,
    *,
    stops: Annotated[float, Strength(0, 10, "stops of exposure too many")],
    uneven: Annotated[float, Strength(0, 4, "stops between the two ends of the page")] = 1.0,
    flare: Annotated[float, Strength(0, 0.5, "share of the light that the lens scatters")] = 0.04,
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Expose ``stops`` too much: paper clips, and the light it scatters in the lens fills the print.

    A lens scatters a few per cent of all light over the picture (veiling glare, ISO 18844), some of it near
    by: beside clipped paper that is as much as print itself returns. The page is lit from one side.
    """
    height, width = pixels.shape[:2]
    x, y = grid(height, width)
    turn = rng.uniform(0, 2 * np.pi)
    along = (x - width / 2) * np.cos(turn) + (y - height / 2) * np.sin(turn)
    reach = max(float(np.abs(along).max()), 1e-6)
    gain = 2.0 ** (stops + uneven * along / reach / 2)
    return exposed(pixels, np.repeat(gain[..., None], 3, axis=2).astype(np.float32), flare, text_height)


@effect(version=2)
def mixed_light(
    pixels: Pixels,
    *,
    gap: Annotated[float, Strength(0, 600, "mireds between the two lamps")],
    miss: Annotated[float, Strength(-300, 300, "mireds by which the white balance misses")] = 0.0,
    rng: np.random.Generator,
) -> Pixels:
    """Light the page from two sides with lamps of different colour, under one white balance for all.

    A mired is a millionth of the inverse colour temperature, a scale on which equal steps look alike: from
    daylight (154) to a warm bulb (370) are 216. Lamps are black bodies, and neither makes paper clip.
    """
    height, width = pixels.shape[:2]
    x, y = grid(height, width)
    turn, middle, side = rng.uniform(0, 2 * np.pi), rng.uniform(-0.3, 0.3), rng.choice([-1.0, 1.0])
    along = (x - width / 2) * np.cos(turn) + (y - height / 2) * np.sin(turn)
    warm = smooth_step((along / max(float(np.abs(along).max()), 1e-6) - middle).astype(np.float32), -1.0, 1.0)
    white = lamp_colour(_MIDDLE_MIRED + side * miss)
    tints = [lamp_colour(_MIDDLE_MIRED + sign * gap / 2) / white for sign in (-1, 1)]
    cold, hot = (tint / tint.max() for tint in tints)
    cold, change = cold.astype(np.float32), (hot - cold).astype(np.float32)
    return relit(pixels, warm, lambda page, warm: page * (cold + warm * change))


_MIDDLE_MIRED = 262.0
_PLANCK = 1.4387769e7
_LOBES = (
    ((1.056, 599.8, 37.9, 31.0), (0.362, 442.0, 16.0, 26.7), (-0.065, 501.1, 20.4, 26.2)),
    ((0.821, 568.8, 46.9, 40.5), (0.286, 530.9, 16.3, 31.1)),
    ((1.217, 437.0, 11.8, 36.0), (0.681, 459.0, 26.0, 13.8)),
)
_RGB_OF_XYZ = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])


def lamp_colour(mired: float) -> np.typing.NDArray[np.float64]:
    """Return linear sRGB, 3 values of luminance 1, of a black body of ``mired`` (1e6 / kelvin).

    Planck's law under the CIE 1931 observer, whose curves are sums of Gaussians with two half-widths (Wyman,
    Sloan and Shirley, Simple Analytic Approximations to the CIE XYZ Color Matching Functions, JCGT 2013).
    """
    wave = np.arange(380.0, 781.0, 5.0)
    light = wave**-5.0 / np.expm1(_PLANCK * mired / 1e6 / wave)
    xyz = [
        sum(
            peak * np.exp(-0.5 * ((wave - at) / np.where(wave < at, low, high)) ** 2)
            for peak, at, low, high in lobes
        )
        @ light
        for lobes in _LOBES
    ]
    rgb = _RGB_OF_XYZ @ (np.array(xyz) / xyz[1])
    return np.asarray(np.maximum(rgb, 0.02))


def exposed(pixels: Pixels, gain: Field, flare: float, text_height: float) -> Pixels:
    """Return the page in ``gain`` times its light (grid x 3), through a lens, up to where the sensor clips.

    The lens draws a point as a small disc, so that fine print is as pale on a large
    picture as on a small one, and scatters the share ``flare``: half of it half a text height around, half
    four text heights around.
    """
    height, width = pixels.shape[:2]
    gains = stretched(gain, height, width)
    veil = stretched(flare * _scattered(pixels, gain, text_height), height, width)
    drawn = disc_blurred(pixels, _POINT * text_height)
    seen = np.empty_like(pixels)
    for part in strips(height, width):
        light = cv2.multiply(to_light(drawn[part]), gains.rows(part))
        light *= np.float32(1 - flare)
        light += veil.rows(part)
        seen[part] = to_pixels(light)
    return seen


def _scattered(pixels: Pixels, gain: Field, text_height: float) -> Field:
    """Return the light of the page as the lens scatters it, on a grid x 3."""
    factor = max(int(text_height * _NEAR / 2), 1)
    light = shrunk(pixels, factor)
    light *= cv2.resize(gain, light.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    near = cv2.GaussianBlur(light, (0, 0), text_height * _NEAR / factor)
    size = max(light.shape[1] // 4, 1), max(light.shape[0] // 4, 1)
    wide = cv2.resize(light, size, interpolation=cv2.INTER_AREA)
    wide = cv2.GaussianBlur(wide, (0, 0), text_height * _WIDE / factor / 4)
    wide = cv2.resize(wide, light.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(_NEAR_SHARE * near + (1 - _NEAR_SHARE) * wide, dtype=np.float32)
