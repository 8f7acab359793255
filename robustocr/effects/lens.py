"""What the lens and the hand that holds it do: shake, smudges, colour fringes, a tilted plane of focus."""

from __future__ import annotations

from typing import Annotated

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.effects.convolution import (
    Kernel,
    convolved,
    enlarged,
    filtered,
    normalised,
    shrunk,
    trace_kernel,
)
from robustocr.effects.noise import smooth_noise, smooth_step
from robustocr.effects.optics import disc_blurred
from robustocr.effects.registry import Strength, effect
from robustocr.effects.tone import Linear, to_light, to_pixels
from robustocr.strips import Field, stretched, strips

Path = npt.NDArray[np.float64]
"""2 x n places (x, y) of the image on the sensor, at even times."""

_STEPS = 256
_INERTIA = 0.97
_LONGEST_TRACE = 10.0
_SMUDGE = 6.0
_LEVELS = (0.0, 0.15, 0.3, 0.5, 0.75, 1.0)
_TILE = 8.0
_SMALLEST_DISC = 0.5


@effect()
def camera_shake(
    pixels: Pixels,
    *,
    length: Annotated[float, Strength(0, 8, "text heights")],
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Blur along the trembling path of a camera in the hand, ``length`` text heights from end to end."""
    path = tremor_path(rng)
    reach = length * text_height
    factor = max(int(np.ceil(reach / _LONGEST_TRACE)), 1)
    x, y = path * reach / factor
    return convolved(pixels, trace_kernel(x, y), factor)


def tremor_path(rng: np.random.Generator) -> Path:
    """Return the path of a trembling hand during one exposure, 2 x 256, its widest extent 1, its mean 0.

    A particle with inertia is pushed at random and now and then jerked the other way (Boracchi and Foi,
    Modeling the Performance of Image Restoration from Motion Blur, IEEE TIP 2012), and a tremor of one to
    three periods is added to it.
    """
    pushes = rng.standard_normal((_STEPS, 2)) * 0.25
    jerks = rng.random(_STEPS) < 3 / _STEPS
    velocity = rng.standard_normal(2)
    places = np.empty((_STEPS, 2))
    place = np.zeros(2)
    for step in range(_STEPS):
        velocity = _INERTIA * velocity + pushes[step] - (2 * velocity if jerks[step] else 0)
        place = place + velocity
        places[step] = place
    direction, periods, phase = rng.uniform(0, np.pi), rng.uniform(1, 3), rng.uniform(0, 2 * np.pi)
    swing = 0.15 * _extent(places) * np.sin(2 * np.pi * periods * np.arange(_STEPS) / _STEPS + phase)
    places += swing[:, None] * np.array([np.cos(direction), np.sin(direction)])
    places -= places.mean(axis=0)
    return np.asarray(places.T / max(_extent(places), 1e-9))


def _extent(places: Path) -> float:
    """Return the largest extent of n x 2 places over all directions."""
    angles = np.linspace(0, np.pi, 16, endpoint=False)
    return float(np.ptp(places @ np.stack([np.cos(angles), np.sin(angles)]), axis=0).max())


@effect()
def dirty_lens(
    pixels: Pixels,
    *,
    scatter: Annotated[float, Strength(0, 1, "share of the light that grease scatters")],
    spread: Annotated[float, Strength(0, 8, "text heights")] = 0.4,
    cover: Annotated[float, Strength(0, 1, "share of the view behind smudges")] = 0.5,
    veil: Annotated[float, Strength(0, 1, "share of the scattered light that comes from lamps")] = 0.2,
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Look through fingerprints and grease on the lens: much of the light is scattered, most of it near by.

    Smudges are far out of focus, so they show as haze without edges. The finger left the grease in
    streaks, which scatter across their direction, ``spread`` text heights wide; a fourth of the light goes
    six times as far, and some comes from lamps outside of the picture.
    """
    height, width = pixels.shape[:2]
    turn = rng.uniform(0, np.pi)
    cells = max(int(height / text_height / _SMUDGE), 2), max(int(width / text_height / _SMUDGE), 2)
    smudge = smooth_noise((cells[0] * 6, cells[1] * 6), cells, rng)
    level = float(np.quantile(smudge, 1 - cover))
    share = stretched(scatter * smooth_step(smudge, level - 0.4, level + 0.4), height, width)
    haze, factor = _haze(pixels, spread * text_height, turn)
    haze = (1 - veil) * haze + veil * np.float32(0.9 * haze.max())
    wide = enlarged(haze, width, factor)
    seen = np.empty_like(pixels)
    for part in strips(height, width):
        light, away = to_light(pixels[part]), wide.rows(part)
        away -= light
        away *= share.rows(part)[..., None]
        away += light
        seen[part] = to_pixels(away)
    return seen


def _haze(pixels: Pixels, spread: float, turn: float) -> tuple[Linear, int]:
    """Return the light that grease scatters ``spread`` pixels across its streaks, and its block size."""
    factor = max(int(spread / 2), 1)
    light = shrunk(pixels, factor)
    near = filtered(light, _streak(spread / factor, turn))
    size = max(light.shape[1] // 4, 1), max(light.shape[0] // 4, 1)
    wide = cv2.resize(light, size, interpolation=cv2.INTER_AREA)
    wide = cv2.GaussianBlur(wide, (0, 0), max(1.5 * spread / factor, 0.5))
    wide = cv2.resize(wide, light.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(0.75 * near + 0.25 * wide, dtype=np.float32), factor


def _streak(spread: float, turn: float) -> Kernel:
    """Return a Gaussian whose widths are ``spread`` pixels across the streaks and 0.35 of it along them."""
    half = int(np.ceil(2.5 * spread))
    x, y = np.meshgrid(np.arange(-half, half + 1), np.arange(-half, half + 1))
    across, along = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    narrow = max(0.35 * spread, 0.3)
    weight = np.exp(-0.5 * (across / max(spread, 0.3)) ** 2 - 0.5 * (along / narrow) ** 2)
    return normalised(weight.astype(np.float32))


@effect()
def colour_fringe(
    pixels: Pixels,
    *,
    lateral: Annotated[float, Strength(0, 4, "text heights between red and blue in the corners")],
    radius: Annotated[float, Strength(0, 4, "text heights of defocus of the worst colour")] = 0.0,
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Focus each colour elsewhere: beside its place (lateral) and before or behind it (longitudinal).

    Red and blue are magnified differently, so that they part in proportion to the distance from the middle;
    one end of the spectrum is in focus, the other the blurriest, green between them.
    """
    height, width = pixels.shape[:2]
    wide_red, sharp_red = rng.choice([-1, 1]), bool(rng.random() < 0.5)
    blurs = (0.3, 0.62, 1.0) if sharp_red else (1.0, 0.62, 0.3)
    growth = lateral * text_height / max(np.hypot(height, width), 1.0) * wide_red
    channels = [
        _magnified(
            disc_blurred(np.ascontiguousarray(channel), radius * blur * text_height), 1 + sign * growth
        )
        for channel, blur, sign in zip(cv2.split(pixels), blurs, (1, 0, -1), strict=True)
    ]
    return np.asarray(cv2.merge(channels), dtype=np.uint8)


def _magnified(channel: Pixels, scale: float) -> Pixels:
    """Return one channel magnified about the middle of the picture."""
    if scale == 1:
        return channel
    height, width = channel.shape
    middle = (width - 1) / 2, (height - 1) / 2
    matrix = np.array([[scale, 0, middle[0] * (1 - scale)], [0, scale, middle[1] * (1 - scale)]])
    return np.asarray(
        cv2.warpAffine(
            channel, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ),
        dtype=np.uint8,
    )


@effect()
def focus_tilt(
    pixels: Pixels,
    *,
    radius: Annotated[float, Strength(0, 4, "text heights of defocus at the far side")],
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Tilt the plane of focus against the page: sharp along one side, and ever blurrier towards the other.

    The radius of the disc grows in proportion to the distance from the line where the planes meet.
    Between a few radii the light is mixed.
    """
    height, width = pixels.shape[:2]
    turn, sharp, side = rng.uniform(-0.5, 0.5), rng.uniform(0.05, 0.25), rng.choice([-1.0, 1.0])
    x, y = np.linspace(-0.5, 0.5, 65)[None, :], np.linspace(-0.5, 0.5, 129)[:, None]
    slant = side * (y * height * np.cos(turn) + x * width * np.sin(turn))
    slant = (slant - slant.min()) / max(float(np.ptp(slant)), 1e-9)
    far = stretched(np.maximum((slant - sharp) / (1 - sharp), 0).astype(np.float32), height, width)
    blurred = np.empty_like(pixels)
    size = max(int(_TILE * text_height), 1)
    for top in range(0, height, size):
        rows = slice(top, min(top + size, height))
        places = np.interp(far.rows(rows), _LEVELS, np.arange(len(_LEVELS))).astype(np.float32)
        for left in range(0, width, size):
            columns = slice(left, min(left + size, width))
            blurred[rows, columns] = _mixed(pixels, (rows, columns), places[:, columns], radius * text_height)
    return blurred


def _mixed(pixels: Pixels, window: tuple[slice, slice], places: Field, reach: float) -> Pixels:
    """Return a window under discs of ``reach`` pixels times the levels at ``places`` (0 is the first)."""
    first, last = int(places.min()), int(np.ceil(places.max()))
    mixed = _disc_window(pixels, window, _LEVELS[first] * reach)
    for level in range(first + 1, last + 1):
        share = np.clip(places - (level - 1), 0, 1)
        mixed = cv2.blendLinear(mixed, _disc_window(pixels, window, _LEVELS[level] * reach), 1 - share, share)
    return mixed


def _disc_window(pixels: Pixels, window: tuple[slice, slice], reach: float) -> Pixels:
    """Return a window blurred with a disc of ``reach`` pixels, made from just as much as that needs."""
    if reach < _SMALLEST_DISC:
        return np.ascontiguousarray(pixels[window])
    halo = int(np.ceil(1.6 * reach)) + 3
    around = [slice(max(part.start - halo, 0), part.stop + halo) for part in window]
    inner = [
        slice(part.start - outer.start, part.stop - outer.start)
        for part, outer in zip(window, around, strict=True)
    ]
    blurred = disc_blurred(np.ascontiguousarray(pixels[around[0], around[1]]), reach)
    return np.ascontiguousarray(blurred[inner[0], inner[1]])
