"""Draw on a grid of fixed resolution per text height over a part of the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.strips import Field, Stretched, stretched, strips


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """A part of the page (x0, y0, x1, y1 in whole pixels) and a grid over it.

    ``x`` and ``y`` are the page coordinates of the grid's points, in pixels.
    """

    bounds: tuple[int, int, int, int]
    x: Field
    y: Field

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the part of the page, in pixels."""
        x0, y0, x1, y1 = self.bounds
        return x1 - x0, y1 - y0

    def full(self, field: Field) -> Stretched:
        """Return a field on the grid at the resolution of the page, row by row."""
        return stretched(field, self.size[1], self.size[0])

    def strips(self) -> Iterator[slice]:
        """Yield slices of the patch's rows, small enough to work on."""
        return strips(self.size[1], self.size[0])

    def of(self, image: Pixels) -> Pixels:
        """Return the view of an image under the patch."""
        x0, y0, x1, y1 = self.bounds
        return image[y0:y1, x0:x1]


def patch_around(
    shape: tuple[int, ...], low: tuple[float, float], high: tuple[float, float], step: float
) -> Patch | None:
    """Return the patch between two corners (x, y), clipped to the page; None if it lies off the page.

    ``step`` is the distance of grid points in pixels; it is never below one pixel.
    """
    x0, y0 = max(int(np.floor(low[0])), 0), max(int(np.floor(low[1])), 0)
    x1, y1 = min(int(np.ceil(high[0])), shape[1]), min(int(np.ceil(high[1])), shape[0])
    if x1 <= x0 or y1 <= y0:
        return None
    columns = max(round((x1 - x0) / max(step, 1.0)), 1)
    rows = max(round((y1 - y0) / max(step, 1.0)), 1)
    x = (x0 - 0.5 + (np.arange(columns) + 0.5) * (x1 - x0) / columns).astype(np.float32)
    y = (y0 - 0.5 + (np.arange(rows) + 0.5) * (y1 - y0) / rows).astype(np.float32)
    grid_x, grid_y = np.meshgrid(x, y)
    return Patch(bounds=(x0, y0, x1, y1), x=grid_x, y=grid_y)
