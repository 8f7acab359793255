"""How the page lies in the picture: turned by quarters, or partly outside of it; pixels stay as they are."""

from __future__ import annotations

from typing import Annotated

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.effects.registry import Change, Strength, effect
from robustocr.moves import Homography

_ROTATIONS = {1: cv2.ROTATE_90_COUNTERCLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_CLOCKWISE}
_LEAST = 8
_OTHER_SIDE = 0.3


@effect(moves=True)
def sideways(pixels: Pixels, *, rng: np.random.Generator) -> Change:
    """Turn the page by 90 degrees, to the left or to the right as drawn."""
    return _turned(pixels, int(rng.choice([1, 3])))


@effect(moves=True)
def upside_down(pixels: Pixels) -> Change:
    """Turn the page by 180 degrees."""
    return _turned(pixels, 2)


def _turned(pixels: Pixels, quarters: int) -> Change:
    """Return the page turned to the left by quarters of a circle."""
    height, width = pixels.shape[:2]
    matrix, columns, rows = np.eye(3), width, height
    for _ in range(quarters):
        matrix = np.array([[0.0, 1, 0], [-1, 0, columns - 1], [0, 0, 1]]) @ matrix
        columns, rows = rows, columns
    turned = np.asarray(cv2.rotate(pixels, _ROTATIONS[quarters]), dtype=np.uint8)
    return Change(pixels=turned, move=Homography(matrix=matrix, old=(width, height), new=(columns, rows)))


@effect(moves=True)
def cut_off(
    pixels: Pixels,
    *,
    share: Annotated[float, Strength(0, 1, "share of the page's length or width outside of the picture")],
    rng: np.random.Generator,
) -> Change:
    """Frame the page so that a part of it lies outside of the picture, on one side and less on the next.

    The sides are drawn. The picture shrinks by what is gone; at least eight pixels stay. What lay there
    counts as covered.
    """
    first = int(rng.choice(4, p=(0.25, 0.25, 0.30, 0.20)))
    second = (first + int(rng.choice([1, 3]))) % 4
    other = _OTHER_SIDE * rng.uniform(0.3, 1.0)
    cuts = np.zeros(4)
    cuts[first], cuts[second] = share, share * other
    height, width = pixels.shape[:2]
    rows, columns = _kept(height, cuts[0], cuts[2]), _kept(width, cuts[3], cuts[1])
    size = columns.stop - columns.start, rows.stop - rows.start
    matrix = np.array([[1.0, 0, -columns.start], [0, 1, -rows.start], [0, 0, 1]])
    return Change(
        pixels=pixels[rows, columns].copy(),
        move=Homography(matrix=matrix, old=(width, height), new=size),
        cover=_nothing(size),
    )


def _kept(length: int, before: float, after: float) -> slice:
    """Return what is left of ``length`` pixels when shares are cut off before and after."""
    least = min(_LEAST, length)
    start = min(round(before * length), length - least)
    return slice(start, max(length - round(after * length), start + least))


def _nothing(size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """Return a cover that hides nothing of the picture, so that only what lies outside of it is hidden."""
    return np.zeros((size[1], size[0]), dtype=np.uint8)
