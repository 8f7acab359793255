"""Boxes on a page: quads, bounds, masks, overlap, and where they go when the page moves.

A Box is 4 numbers (x0, y0, x1, y1) or an 8-number quad, clockwise from top left, in pixels.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.moves import Homography, Move, Points, Shift
from robustocr.records import Box

Mask = npt.NDArray[np.uint8]
"""height x width; 255 where something is, 0 where not."""

_SIDE_SAMPLES = 9


def quad_of(box: Box) -> Points:
    """Return the 4 x 2 corners (x, y) of a box, clockwise from top left, in pixels."""
    if len(box) == 4:
        x0, y0, x1, y1 = box
        return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], dtype=np.float64)
    return np.array(box, dtype=np.float64).reshape(4, 2)


def box_of(quad: Points) -> Box:
    """Return the 8-number box of 4 x 2 corners."""
    return tuple(round(float(value), 3) for value in quad.ravel())


def bounds_of(box: Box) -> tuple[float, float, float, float]:
    """Return x0, y0, x1, y1 of the upright rectangle around a box, in pixels."""
    quad = quad_of(box)
    x0, y0 = quad.min(axis=0)
    x1, y1 = quad.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def area_of(box: Box) -> float:
    """Return the area of a box in square pixels (shoelace formula)."""
    x, y = quad_of(box).T
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def shift_box(box: Box, dx: float, dy: float) -> Box:
    """Return the box moved by ``dx``, ``dy`` pixels, with as many numbers as before."""
    return tuple(value + (dy if index % 2 else dx) for index, value in enumerate(box))


def move_box(box: Box, move: Move) -> Box:
    """Return the 8-number box on the moved page.

    Exact for a homography. Under any other move the sides may bend, so the quad is the smallest turned
    rectangle around the bent outline: what was inside the box is inside the moved box.
    """
    quad = quad_of(box)
    if isinstance(move, Homography | Shift):
        return box_of(move.move_points(quad))
    steps = np.linspace(0, 1, _SIDE_SAMPLES)[:-1, None]
    outline = np.concatenate([quad[i] * (1 - steps) + quad[(i + 1) % 4] * steps for i in range(4)])
    moved = move.move_points(outline)
    around = cv2.boxPoints(cv2.minAreaRect(moved.astype(np.float32))).astype(np.float64)
    return box_of(_aligned(around, moved[:: _SIDE_SAMPLES - 1]))


def chain_box(box: Box, moves: Iterable[Move]) -> Box:
    """Return the box after one move after another; itself without any."""
    for move in moves:
        box = move_box(box, move)
    return box


def _aligned(quad: Points, like: Points) -> Points:
    """Return the corners of ``quad`` in the order (of eight possible) closest to the corners ``like``."""
    orders = [np.roll(corners, shift, axis=0) for corners in (quad, quad[::-1]) for shift in range(4)]
    return min(orders, key=lambda corners: float(((corners - like) ** 2).sum()))


def quad_mask(box: Box, height: int, width: int) -> Mask:
    """Return a height x width mask, 255 inside the box (the part on the page), else 0."""
    mask = np.zeros((height, width), dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad_of(box)).astype(np.int32), 255)
    return mask


def covered_share(box: Box, cover: Mask) -> float:
    """Return the share 0..1 of a box that is hidden: off the picture or under a cover (255: opaque)."""
    height, width = cover.shape
    x0, y0, x1, y1 = bounds_of(box)
    left, top = int(np.floor(x0)), int(np.floor(y0))
    inside = quad_mask(shift_box(box, -left, -top), int(np.ceil(y1)) + 1 - top, int(np.ceil(x1)) + 1 - left)
    rows = slice(min(max(-top, 0), len(inside)), max(height - top, 0))
    columns = slice(min(max(-left, 0), inside.shape[1]), max(width - left, 0))
    part = inside[rows, columns]
    clear = cover[max(top, 0) :, max(left, 0) :][: part.shape[0], : part.shape[1]] < 128
    return float(1 - (clear & (part > 0)).sum() / max(int((inside > 0).sum()), 1))


def share_outside(box: Box, shape: tuple[int, ...]) -> float:
    """Return the share 0..1 of a box that lies off a picture of ``shape`` (height, width, ...)."""
    height, width = shape[:2]
    x0, y0, x1, y1 = bounds_of(box)
    if (x0 >= -1 and y0 >= -1 and x1 <= width + 1 and y1 <= height + 1) or area_of(box) == 0:
        return 0.0
    return 1 - overlap_share(box, (-0.5, -0.5, width - 0.5, height - 0.5))


def overlap_share(box: Box, other: Box) -> float:
    """Return the share 0..1 of ``box`` that lies inside ``other``; both must be convex."""
    area = area_of(box)
    if area == 0:
        return 0.0
    common, _ = cv2.intersectConvexConvex(
        quad_of(box).astype(np.float32), quad_of(other).astype(np.float32), handleNested=True
    )
    return float(min(common / area, 1.0))
