"""Moves of paper that does not lie flat: one move after another, and a page whose ends roll up."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.moves import Displacement, Homography, Image, Points
from robustocr.strips import Field, strips

Row = npt.NDArray[np.float64]
"""One number per row of a page."""

_NOWHERE = -1e4


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """One move after another."""

    moves: tuple[Homography | Displacement, ...]

    def move_points(self, points: Points) -> Points:
        """Return where points of the old page lie on the new one, n x 2 pixels."""
        for move in self.moves:
            points = move.move_points(points)
        return points

    def move_image(self, image: Image) -> Image:
        """Return an old mask or picture in the new frame."""
        for move in self.moves:
            image = move.move_image(image)
        return image

    def restore_image(self, image: Image) -> Image:
        """Return a new picture brought back to the old frame."""
        for move in self.moves[::-1]:
            image = move.restore_image(image)
        return image


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """A page bent about an axis along its rows, seen from above: rows move, and widen towards the camera.

    ``old`` and ``new`` are (width, height) in pixels. Each row of the old page has its place ``lies`` (y in
    the new picture) and its ``scale``; each row of the new picture shows the old row ``shows`` (negative
    where it shows none) at ``shown_scale``. Rows are centred on the middle of both pictures.
    """

    old: tuple[int, int]
    new: tuple[int, int]
    lies: Row
    scale: Row
    shows: Row
    shown_scale: Row

    def move_points(self, points: Points) -> Points:
        """Return where points of the old page lie, n x 2 pixels; rolled up ones lie beneath the roll."""
        rows = np.arange(len(self.lies))
        beyond = points[:, 1] - np.clip(points[:, 1], 0, len(rows) - 1)
        y = np.interp(points[:, 1], rows, self.lies) + beyond
        x = (points[:, 0] - (self.old[0] - 1) / 2) * np.interp(points[:, 1], rows, self.scale)
        return np.column_stack([x + (self.new[0] - 1) / 2, y])

    def move_image(self, image: Image) -> Image:
        """Return an old mask or picture in the new frame, zero where the old page does not show."""
        moved = np.zeros((self.new[1], self.new[0], *image.shape[2:]), dtype=image.dtype)
        for part in strips(self.new[1], self.new[0]):
            across, down = self.source(part)
            cv2.remap(image, across, down, cv2.INTER_LINEAR, dst=moved[part], borderMode=cv2.BORDER_CONSTANT)
        return moved

    def source(self, part: slice) -> tuple[Field, Field]:
        """Return x and y on the old page for each pixel of some rows of the new picture."""
        down = np.where(self.shows[part] < -0.5, _NOWHERE, self.shows[part])
        return _maps(down, self.shown_scale[part], self.new[0], self.old[0])

    def restore_image(self, image: Image) -> Image:
        """Return a new picture brought back to the old frame; what is rolled up shows what covers it."""
        back = np.zeros((self.old[1], self.old[0], *image.shape[2:]), dtype=image.dtype)
        for part in strips(self.old[1], self.old[0]):
            across, down = _maps(self.lies[part], 1 / self.scale[part], self.old[0], self.new[0])
            cv2.remap(image, across, down, cv2.INTER_LINEAR, dst=back[part], borderMode=cv2.BORDER_REPLICATE)
        return back


def _maps(down: Row, scale: Row, width: int, other_width: int) -> tuple[Field, Field]:
    """Return the maps of cv2.remap for rows of ``width`` pixels that shrink by ``scale``."""
    x = (np.arange(width, dtype=np.float32) - (width - 1) / 2).astype(np.float32)
    across = x[None, :] / scale[:, None].astype(np.float32) + np.float32((other_width - 1) / 2)
    deep = np.repeat(down.astype(np.float32)[:, None], width, axis=1)
    return np.ascontiguousarray(across, dtype=np.float32), deep
