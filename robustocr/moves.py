"""How a corruption moves points of the page: a homography, or a smooth field of displacements.

A move knows both directions: where a point of the clean page went, and how to bring pixels back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.strips import stretched, strips

Points = npt.NDArray[np.float64]
"""n x 2 array of x, y in pixels."""

Image = npt.NDArray[Any]
"""height x width, or height x width x channels."""

_FIXED_POINT_ROUNDS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Homography:
    """A plane seen from elsewhere: ``matrix`` maps a point of the old page to the new one.

    ``old`` and ``new`` are (width, height) of the page before and after, in pixels.
    """

    matrix: npt.NDArray[np.float64]
    old: tuple[int, int]
    new: tuple[int, int]

    def move_points(self, points: Points) -> Points:
        """Return where points of the old page lie on the new one, n x 2 pixels."""
        homogeneous = np.column_stack([points, np.ones(len(points))]) @ self.matrix.T
        return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])

    def move_image(self, image: Image) -> Image:
        """Return an old mask or picture in the new frame, zero outside of the old page."""
        return np.asarray(cv2.warpPerspective(image, self.matrix, self.new, flags=cv2.INTER_LINEAR))

    def restore_image(self, image: Image) -> Image:
        """Return a new picture brought back to the old frame."""
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpPerspective(image, self.matrix, self.old, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """A window cut out of a page, or put back: every point moves by ``dx``, ``dy`` whole pixels."""

    dx: int
    dy: int

    def move_points(self, points: Points) -> Points:
        """Return where points of the old page lie on the new one, n x 2 pixels."""
        return points + np.array([self.dx, self.dy], dtype=np.float64)

    def move_image(self, image: Image) -> Image:
        """Return an old picture in a frame of the same size, zero where nothing was."""
        matrix = np.array([[1, 0, self.dx], [0, 1, self.dy]], dtype=np.float64)
        return np.asarray(cv2.warpAffine(image, matrix, image.shape[1::-1], flags=cv2.INTER_NEAREST))


@dataclass(frozen=True, slots=True, kw_only=True)
class Displacement:
    """A smooth field on a coarse grid: the new page at p shows the old page at ``p + field(p)``.

    ``field`` is grid height x grid width x 2 (x, y) in pixels; it must change by less than one pixel
    per pixel, else the page would fold over itself. ``size`` is (width, height), which stays the same.
    """

    field: npt.NDArray[np.float32]
    size: tuple[int, int]

    def move_points(self, points: Points) -> Points:
        """Return where points of the old page lie on the new one, n x 2 pixels (fixed-point iteration)."""
        moved = points
        for _ in range(_FIXED_POINT_ROUNDS):
            moved = points - self._at(moved)
        return moved

    def move_image(self, image: Image) -> Image:
        """Return an old mask or picture in the new frame; the border repeats outwards."""
        width, height = self.size
        field = stretched(self.field, height, width)
        moved = np.empty_like(image)
        for part in strips(height, width):
            across, down = cv2.split(field.rows(part))
            down += part.start
            flags = cv2.INTER_LINEAR | cv2.WARP_RELATIVE_MAP
            cv2.remap(image, across, down, flags, dst=moved[part], borderMode=cv2.BORDER_REPLICATE)
        return moved

    def restore_image(self, image: Image) -> Image:
        """Return a new picture brought back to the old frame."""
        width, height = self.size
        rows, columns = self.field.shape[:2]
        xs, ys = np.meshgrid(
            (np.arange(columns) + 0.5) * width / columns - 0.5, (np.arange(rows) + 0.5) * height / rows - 0.5
        )
        old = np.column_stack([xs.ravel(), ys.ravel()])
        back = (self.move_points(old) - old).reshape(rows, columns, 2).astype(np.float32)
        return Displacement(field=back, size=self.size).move_image(image)

    def _at(self, points: Points) -> Points:
        """Return the field at points, bilinear on the grid."""
        rows, columns = self.field.shape[:2]
        scale = np.array([columns / self.size[0], rows / self.size[1]])
        place = np.clip((points + 0.5) * scale - 0.5, 0, [columns - 1, rows - 1])
        low = np.minimum(place.astype(int), [max(columns - 2, 0), max(rows - 2, 0)])
        share = place - low
        high = np.minimum(low + 1, [columns - 1, rows - 1])
        top = _mix(self.field[low[:, 1], low[:, 0]], self.field[low[:, 1], high[:, 0]], share[:, :1])
        bottom = _mix(self.field[high[:, 1], low[:, 0]], self.field[high[:, 1], high[:, 0]], share[:, :1])
        return _mix(top, bottom, share[:, 1:])


class Move(Protocol):
    """Any way in which points of the page move: ours, or that of a transform from elsewhere."""

    def move_points(self, points: Points) -> Points:
        """Return where points of the old page lie on the new one, n x 2 pixels."""
        ...

    def move_image(self, image: Image) -> Image:
        """Return an old mask or picture in the new frame."""
        ...


def _mix(first: Points, second: Points, share: Points) -> Points:
    return np.asarray(first * (1 - share) + second * share, dtype=np.float64)
