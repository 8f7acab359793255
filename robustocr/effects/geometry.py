"""The page turned, or seen at an angle: the canvas grows, nothing is cut off."""

from __future__ import annotations

from typing import Annotated, Literal

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.effects.registry import Change, Strength, effect
from robustocr.effects.surroundings import surroundings_of
from robustocr.moves import Homography

Matrix = npt.NDArray[np.float64]

_MARGIN = 0.5
_DISTANCE = 1.4


@effect(moves=True, version=3)
def tilt(
    pixels: Pixels,
    *,
    angle: Annotated[float, Strength(0, 45, "degrees")],
    around: Literal["table", "scanner"] = "scanner",
    text_height: float,
    rng: np.random.Generator,
) -> Change:
    """Turn the page by ``angle`` degrees, to the left or to the right as drawn, on a larger canvas."""
    turn = np.radians(angle) * rng.choice([-1.0, 1.0])
    cosine, sine = np.cos(turn), np.sin(turn)
    matrix = np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])
    return _laid_out(pixels, matrix, around, text_height, rng)


@effect(moves=True, version=3)
def perspective(
    pixels: Pixels,
    *,
    angle: Annotated[float, Strength(0, 60, "degrees")],
    around: Literal["table", "scanner"] = "table",
    text_height: float,
    rng: np.random.Generator,
) -> Change:
    """Look at the page at ``angle`` degrees from the upright, from a drawn side, with a pinhole camera.

    The camera is 1.4 times the longer side of the page away, as for a page that fills a phone's picture,
    and the scale at the middle of the page stays 1 across the line of sight.
    """
    side = rng.uniform(0, 2 * np.pi)
    height, width = pixels.shape[:2]
    to_middle = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, 1]])
    spin = np.array([[np.cos(side), -np.sin(side), 0], [np.sin(side), np.cos(side), 0], [0, 0, 1]])
    lean, distance = np.radians(angle), _DISTANCE * max(width, height)
    tip = np.array([[1, 0, 0], [0, np.cos(lean), 0], [0, np.sin(lean) / distance, 1]])
    return _laid_out(pixels, spin.T @ tip @ spin @ to_middle, around, text_height, rng)


def _laid_out(
    pixels: Pixels,
    matrix: Matrix,
    around: Literal["table", "scanner"],
    text_height: float,
    rng: np.random.Generator,
) -> Change:
    """Return the page under ``matrix`` on a canvas that holds all of it."""
    height, width = pixels.shape[:2]
    corners = np.array(
        [[[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]]]
    )
    seen = cv2.perspectiveTransform(corners, matrix)[0]
    margin = _MARGIN * text_height
    low, high = seen.min(axis=0) - margin, seen.max(axis=0) + margin
    size = int(np.ceil(high[0] - low[0])) + 1, int(np.ceil(high[1] - low[1])) + 1
    placed = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ matrix
    canvas = surroundings_of(seen - low, size, around, text_height, rng)
    if placed[2].tolist() == [0, 0, 1]:
        warp, to_canvas = cv2.warpAffine, placed[:2]
    else:
        warp, to_canvas = cv2.warpPerspective, placed
    warp(pixels, to_canvas, size, dst=canvas, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT)
    return Change(pixels=canvas, move=Homography(matrix=placed, old=(width, height), new=size))
