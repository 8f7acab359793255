"""Work on a page in strips of rows, so that nothing large is computed for the whole page at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Field = npt.NDArray[np.float32]

_PIXELS_PER_STRIP = 1 << 16


def strips(height: int, width: int, multiple: int = 1) -> Iterator[slice]:
    """Yield slices of rows that cover ``height``, each (but the last) a multiple of ``multiple`` rows."""
    rows = max(_PIXELS_PER_STRIP // max(width, 1) // multiple, 1) * multiple
    for start in range(0, height, rows):
        yield slice(start, min(start + rows, height))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretched:
    """A coarse field (rows x columns, or x channels) over a page, row by row at its resolution.

    ``wide`` is the field stretched to the page's width; ``step`` is the distance of its rows in pixels.
    Values between grid points are bilinear, with grid points in the middle of their cells.
    """

    wide: Field
    step: float

    def rows(self, part: slice) -> Field:
        """Return the field on some rows of the page."""
        last = len(self.wide) - 1
        place = np.clip((np.arange(part.start, part.stop) + 0.5) / self.step - 0.5, 0, last)
        low = np.minimum(place.astype(int), max(last - 1, 0))
        share = (place - low).astype(np.float32).reshape(-1, *[1] * (self.wide.ndim - 1))
        below = self.wide[np.minimum(low + 1, last)]
        below -= self.wide[low]
        below *= share
        below += self.wide[low]
        return np.asarray(below)


def stretched(field: Field, height: int, width: int) -> Stretched:
    """Return a coarse field stretched over a page of ``height`` x ``width`` pixels."""
    wide = cv2.resize(field, (width, field.shape[0]), interpolation=cv2.INTER_LINEAR)
    return Stretched(wide=np.asarray(wide, dtype=np.float32), step=height / field.shape[0])
