"""A move of which only this is known: for every pixel of the new picture, where it was on the old page."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.moves import Image, Points

_NODES = 64
_NOWHERE = -1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelMap:
    """A move given pixel by pixel.

    ``origin`` is height x width x 2: x, y on the old page of what each new pixel shows, NaN where that is
    no part of the page. At least one pixel must show the page.
    """

    origin: npt.NDArray[np.float32]

    def move_points(self, points: Points) -> Points:
        """Return where points of the old page lie on the new one, n x 2 pixels.

        That is at the pixel that shows the nearest point, and as far from it as the two points were apart:
        points that left the picture lie outside of it.
        """
        step = max(1, max(self.origin.shape[:2]) // _NODES)
        nodes = self.origin[step // 2 :: step, step // 2 :: step]
        known = np.argwhere(~np.isnan(nodes[..., 0]))
        if not len(known):
            return self._nearest(points, np.argwhere(~np.isnan(self.origin[..., 0])))
        near = _nearest_of(nodes[known[:, 0], known[:, 1]], points)
        places = known[near] * step + step // 2
        return np.array(
            [
                self._nearest(point[None], self._around(place, step))[0]
                for point, place in zip(points, places, strict=True)
            ]
        )

    def move_image(self, image: Image) -> Image:
        """Return an old mask or picture in the new frame, zero where the page is not."""
        across, down = cv2.split(np.nan_to_num(self.origin, nan=_NOWHERE))
        return np.asarray(cv2.remap(image, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT))

    def _around(self, place: npt.NDArray[np.int64], step: int) -> npt.NDArray[np.int64]:
        """Return rows and columns of the pixels at most ``step`` away that show the page."""
        top, left = np.maximum(place - step, 0)
        window = self.origin[top : place[0] + step + 1, left : place[1] + step + 1, 0]
        return np.asarray(np.argwhere(~np.isnan(window)) + np.array([top, left]))

    def _nearest(self, points: Points, pixels: npt.NDArray[np.int64]) -> Points:
        shown = self.origin[pixels[:, 0], pixels[:, 1]].astype(np.float64)
        near = _nearest_of(shown, points)
        return np.asarray(pixels[near, ::-1] + points - shown[near])


def _nearest_of(candidates: npt.NDArray[np.floating], points: Points) -> npt.NDArray[np.int64]:
    """Return for each point the index of the nearest candidate."""
    distances = ((points[:, None] - candidates[None]) ** 2).sum(axis=2)
    return np.asarray(distances.argmin(axis=1))
