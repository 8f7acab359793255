"""From boxes to printed rows: find the tilt from the angles of the boxes, then chain neighbours.

Rows are not horizontal bands: on a tilted, curled or perspective page a name at the left edge and
its price at the right edge can differ by several text heights. Every line box carries its own
direction, so a smooth field of directions is estimated first, and boxes are joined along it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import OcrLine

_Floats = npt.NDArray[np.float64]

GAP = "  "
"""What parts the cells in a row's text."""
_REACH = 6.0
"""How far the direction of a box speaks for its neighbourhood, in text heights."""
_LEANING = 0.03
"""Slope by which a box may differ from the plane of all slopes before its weight is halved."""
_FEW = 6
"""With fewer wide boxes the page has one direction."""
_OFF_ROW = 0.55
"""Largest distance between the centre lines of two boxes of one row, in heights of the lower box."""
_MOST_SHARED = 0.9
"""How far boxes of one row may reach into each other, in text heights: detectors pad them."""
_GAP_COST = 0.015
"""What one text height of white space between two boxes costs, against heights off the centre line."""
_STEEP = 0.35
"""Radians: a box that leans more than this against its page says nothing about the rows."""
_WINDOW = 60
"""How many boxes of similar level one box is compared with."""
_MAX_FIELD = 1500
"""Above so many boxes one direction serves the whole page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One OCR line in page directions: ``x0``, ``x1`` along the rows, ``y`` the centre, ``h`` its height."""

    text: str
    quad: tuple[float, ...]
    score: float
    x0: float
    x1: float
    y: float
    h: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Cells printed beside each other, from left to right."""

    cells: tuple[Cell, ...]

    @property
    def text(self) -> str:
        """The printed text, cells parted by two spaces."""
        return GAP.join(cell.text for cell in self.cells)

    @property
    def y(self) -> float:
        """Centre of the row, in pixels of the straightened page."""
        return sum(cell.y for cell in self.cells) / len(self.cells)

    @property
    def h(self) -> float:
        """Median height of the cells, in pixels."""
        return median(cell.h for cell in self.cells)

    @property
    def x0(self) -> float:
        """Left edge, in pixels of the straightened page."""
        return self.cells[0].x0

    @property
    def x1(self) -> float:
        """Right edge, in pixels of the straightened page."""
        return self.cells[-1].x1


def as_quad(box: Sequence[float]) -> tuple[float, ...]:
    """Return the 8 numbers of a quad, clockwise from top left, for a box of 4 or 8 numbers."""
    if len(box) == 8:
        return tuple(float(v) for v in box)
    x0, y0, x1, y1 = (float(v) for v in box)
    return (x0, y0, x1, y0, x1, y1, x0, y1)


def build_rows(lines: Iterable[OcrLine]) -> tuple[Row, ...]:
    """Return the printed rows from top to bottom, without lines of no text or with an impossible box."""
    usable = [line for line in lines if line.text.strip() and _is_possible(line.box)]
    if not usable:
        return ()
    shapes = _Shapes.of(np.array([as_quad(line.box) for line in usable]))
    shapes = shapes.turned(-shapes.page_angle())
    field = shapes.direction_field()
    groups = _join(shapes, field)
    level = shapes.level(field)
    rows = [
        Row(cells=tuple(_cell(usable[i], shapes, level, i) for i in sorted(group, key=lambda i: shapes.x[i])))
        for group in groups
    ]
    return tuple(sorted(rows, key=lambda row: row.y))


def _is_possible(box: Sequence[float]) -> bool:
    if len(box) not in (4, 8) or not all(math.isfinite(v) and abs(v) < 1e6 for v in box):
        return False
    quad = as_quad(box)
    width = math.dist(quad[0:2], quad[2:4])
    height = math.dist(quad[0:2], quad[6:8])
    return width >= 1 and height >= 1


def _cell(line: OcrLine, shapes: _Shapes, level: _Floats, i: int) -> Cell:
    half = float(shapes.w[i]) / 2
    return Cell(
        text=" ".join(line.text.split()),
        quad=as_quad(line.box),
        score=line.score if math.isfinite(line.score) else 0.0,
        x0=float(shapes.x[i]) - half,
        x1=float(shapes.x[i]) + half,
        y=float(level[i]),
        h=float(shapes.h[i]),
    )


@dataclass(frozen=True, slots=True)
class _Shapes:
    """Centres, widths, heights and slopes of all boxes, one entry each."""

    x: _Floats
    y: _Floats
    w: _Floats
    h: _Floats
    angle: _Floats

    @classmethod
    def of(cls, quads: _Floats) -> _Shapes:
        corners = quads.reshape(-1, 4, 2)
        along = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
        down = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
        w, h = np.hypot(*along.T), np.hypot(*down.T)
        centre = corners.mean(axis=1)
        return cls(centre[:, 0], centre[:, 1], w, np.maximum(h, 1.0), np.arctan2(along[:, 1], along[:, 0]))

    def page_angle(self) -> float:
        """Direction of the text in radians: the weighted median over boxes that are clearly wide."""
        weight = np.where(self.w > 1.5 * self.h, self.w, 0.0)
        if not weight.any():
            return 0.0
        order = np.argsort(self.angle)
        share = np.cumsum(weight[order]) / weight.sum()
        return float(self.angle[order][np.searchsorted(share, 0.5)])

    def turned(self, angle: float) -> _Shapes:
        cos, sin = math.cos(angle), math.sin(angle)
        wrapped = (self.angle + angle + math.pi) % (2 * math.pi) - math.pi
        return _Shapes(cos * self.x - sin * self.y, sin * self.x + cos * self.y, self.w, self.h, wrapped)

    def level(self, field: _Floats) -> _Floats:
        """Height of each box's row where it crosses the middle of the page, in pixels."""
        return self.y - field * (self.x - float(np.median(self.x)))

    def own_slope(self, field: _Floats) -> _Floats:
        """The box's own direction where it is long enough to have one, else that of its surroundings."""
        ratio = (self.w / self.h) ** 2
        trust = np.where(np.abs(self.angle) < _STEEP, ratio / (ratio + 25), 0.0)
        return trust * np.tan(np.clip(self.angle, -_STEEP, _STEEP)) + (1 - trust) * field

    def direction_field(self) -> _Floats:
        """Slope of the row at each box: a plane over the page, as in perspective, and what near boxes add."""
        slope = np.tan(np.clip(self.angle, -_STEEP, _STEEP))
        weight = np.where((self.w > 1.5 * self.h) & (np.abs(self.angle) < _STEEP), self.w, 0.0)
        if np.count_nonzero(weight) < _FEW:
            return np.full_like(slope, np.average(slope, weights=weight) if weight.any() else 0.0)
        plane = _fit_plane(self.x, self.y, slope, weight)
        if len(slope) > _MAX_FIELD:
            return plane
        reach = _REACH * float(np.median(self.h))
        across = (self.x[:, None] - self.x) / (4 * reach)
        near = np.exp(-(((self.y[:, None] - self.y) / reach) ** 2) - across**2) * weight
        inertia = 2 * float(np.median(weight[weight > 0]))
        return np.asarray(plane + near @ (slope - plane) / (near.sum(axis=1) + inertia), dtype=np.float64)


def _fit_plane(x: _Floats, y: _Floats, slope: _Floats, weight: _Floats) -> _Floats:
    """Return the plane through the slopes at all boxes; boxes that lean otherwise lose their weight."""
    terms = np.stack([np.ones_like(x), x - x.mean(), y - y.mean()], axis=1)
    trust = np.sqrt(weight)
    fitted = np.zeros_like(slope)
    for _ in range(4):
        solution, *_ = np.linalg.lstsq(terms * trust[:, None], slope * trust, rcond=None)
        fitted = terms @ solution
        trust = np.sqrt(weight) / (1 + ((slope - fitted) / _LEANING) ** 2)
    return np.asarray(fitted, dtype=np.float64)


def _join(shapes: _Shapes, field: _Floats) -> list[list[int]]:
    """Merge boxes into rows, the best aligned pairs first, never two boxes above each other."""
    owner = list(range(len(shapes.x)))
    members = {i: [i] for i in owner}
    for _, i, j in sorted(_pairs(shapes, field)):
        a, b = owner[i], owner[j]
        if a == b or _overlap(shapes, members[a], members[b]):
            continue
        for k in members[b]:
            owner[k] = a
        members[a] += members.pop(b)
    return list(members.values())


def _pairs(shapes: _Shapes, field: _Floats) -> list[tuple[float, int, int]]:
    """Return (cost, left box, right box) for boxes whose centre lines meet, a gap costing a little."""
    order = np.argsort(shapes.level(field), kind="stable")
    slope = shapes.own_slope(field)
    found: list[tuple[float, int, int]] = []
    for step in range(1, min(_WINDOW, len(order))):
        one, two = order[:-step], order[step:]
        swap = shapes.x[one] > shapes.x[two]
        left, right = np.where(swap, two, one), np.where(swap, one, two)
        height = np.minimum(shapes.h[left], shapes.h[right])
        gap = shapes.x[right] - shapes.x[left] - (shapes.w[left] + shapes.w[right]) / 2
        wide = np.maximum(gap, 0.0)
        end = shapes.y[left] + slope[left] * shapes.w[left] / 2
        start = shapes.y[right] - slope[right] * shapes.w[right] / 2
        off = np.abs(start - end - wide * (field[left] + field[right]) / 2) / height
        keep = (off < _OFF_ROW) & (gap > -_MOST_SHARED * height)
        cost = off + _GAP_COST * wide / height
        found += zip(cost[keep].tolist(), left[keep].tolist(), right[keep].tolist(), strict=True)
    return found


def _overlap(shapes: _Shapes, first: list[int], second: list[int]) -> bool:
    """Whether any box of one group lies above or below a box of the other."""
    for i in first:
        for j in second:
            shared = (shapes.w[i] + shapes.w[j]) / 2 - abs(shapes.x[i] - shapes.x[j])
            if shared > min(
                _MOST_SHARED * min(shapes.h[i], shapes.h[j]), 0.5 * min(shapes.w[i], shapes.w[j])
            ):
                return True
    return False
