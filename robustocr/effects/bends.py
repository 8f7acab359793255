"""Paper that does not lie flat but stays in one piece: a gentle wave, and straight folds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.bent_moves import Chain
from robustocr.boxes import Mask
from robustocr.effects.dye import Layer, lit, soak
from robustocr.effects.noise import smooth_noise, smooth_step
from robustocr.effects.paper import paper_colour
from robustocr.effects.patch import Patch, patch_around
from robustocr.effects.registry import Change, Strength, effect
from robustocr.effects.surroundings import surroundings_beside
from robustocr.moves import Displacement, Homography
from robustocr.strips import Field, stretched

_STEEPEST = 0.72
_MARGIN = 0.8
_SHADOW = 0.5
_WAVES = 3
_SHORTEST, _LONGEST = 16.0, 34.0
_FOLDS = (
    (0, 0.5),
    (0, 0.27),
    (1, 0.5),
    (0, 0.75),
    (0, 0.13),
    (1, 0.77),
    (0, 0.63),
    (1, 0.25),
    (0, 0.38),
    (0, 0.88),
)
_PANEL = 9.0
_CREASE = 0.30
_BAND = 1.3
_GRID_PER_TEXT = 12
_POINTS_PER_TEXT = 5
_MOST_POINTS = 800


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """Points over the page, a fifth of a text height apart at least; all lengths in text heights."""

    x: Field
    y: Field
    step: float

    @staticmethod
    def over(pixels: Pixels, text_height: float) -> _Grid:
        """Return the grid over a page."""
        height, width = pixels.shape[:2]
        step = max(text_height / _POINTS_PER_TEXT, max(height, width) / _MOST_POINTS)
        rows, columns = max(round(height / step), 8), max(round(width / step), 8)
        y = ((np.arange(rows) + 0.5) * height / rows / text_height).astype(np.float32)
        x = ((np.arange(columns) + 0.5) * width / columns / text_height).astype(np.float32)
        grid_x, grid_y = np.meshgrid(x, y)
        return _Grid(x=grid_x, y=grid_y, step=step / text_height)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fold:
    """A straight crease: across the page (``along`` 0) or along it (1), up (``bend`` above 0) or down."""

    along: int
    place: float
    slant: float
    middle: float
    bend: float
    step: float
    seed: int

    def distance(self, x: Field, y: Field, text_height: float) -> Field:
        """Return the distance from the crease in text heights, for points in text heights."""
        place, middle = self.place / text_height, self.middle / text_height
        if self.along:
            return np.asarray(x - place - self.slant * (y - middle), dtype=np.float32)
        return np.asarray(y - place - self.slant * (x - middle), dtype=np.float32)


@effect(moves=True, version=2)
def page_bend(
    pixels: Pixels,
    *,
    shift: Annotated[float, Strength(0, 3, "text heights that points move")],
    shade: Annotated[float, Strength(0, 1, "share of the light that slopes differ by")],
    text_height: float,
    rng: np.random.Generator,
) -> Change:
    """Let the page sag between what it lies on, in a wave along it, seen at an angle from above.

    Height moves points along the line of sight; slopes turned away from the lamp are darker.
    """
    axis = rng.uniform(-0.35, 0.35) + (np.pi / 2 if rng.uniform() < 0.75 else 0.0)
    view = axis + rng.uniform(-0.7, 0.7)
    lengths, phases = rng.uniform(_SHORTEST, _LONGEST, _WAVES), rng.uniform(0, 2 * np.pi, _WAVES)
    grid = _Grid.over(pixels, text_height)
    along = grid.x * np.cos(axis) + grid.y * np.sin(axis)
    across = 0.1 * (grid.y * np.cos(axis) - grid.x * np.sin(axis))
    waves = [
        np.sin(2 * np.pi * (along + across * k) / length + phase) * length / _LONGEST
        for k, (length, phase) in enumerate(zip(lengths, phases, strict=True))
    ]
    relief = np.asarray(sum(waves), dtype=np.float32) / _WAVES
    slope = np.gradient(relief, axis=0 if abs(np.sin(axis)) > 0.7 else 1)
    steepest = max(float(np.abs(slope).max()), 1e-6)
    light = np.asarray(1 + shade * (0.5 * slope / steepest - 0.15), dtype=np.float32)
    bulge = _WAVES / 2 * shift * relief
    return _bent(pixels, None, grid, light, (bulge * np.cos(view), bulge * np.sin(view)), text_height, rng)


@effect(moves=True, version=2)
def folds(
    pixels: Pixels,
    *,
    count: Annotated[float, Strength(1, len(_FOLDS), "folds", whole=True)],
    shift: Annotated[float, Strength(0, 1, "text heights that points move")],
    shade: Annotated[float, Strength(0, 1, "share of the light that panels differ by")],
    wear: Annotated[float, Strength(0, 2, "text heights along a fold where the print is rubbed off")] = 0.2,
    text_height: float,
    rng: np.random.Generator,
) -> Change:
    """Fold the page as for a wallet and unfold it: panels slope, creases stand up and lose their print.

    Folds go across and along the page, halving it again and again; more folds keep the places of fewer.
    Panels on both sides of a fold catch different light and lie a little apart.
    """
    height, width = pixels.shape[:2]
    view = rng.uniform(0, 2 * np.pi)
    grid = _Grid.over(pixels, text_height)
    page, cover = pixels.copy(), np.zeros((height, width), dtype=np.uint8)
    paper = paper_colour(pixels, text_height)
    light, right, down = (np.zeros_like(grid.x) for _ in range(3))
    for fold in list(_drawn_folds((width, height), rng))[: int(count)]:
        distance = fold.distance(grid.x, grid.y, text_height)
        side, near = np.tanh(distance / 0.25), np.exp(-np.abs(distance) / _PANEL)
        light += fold.bend * side * near
        right += fold.bend * near * np.cos(view) + (1 - fold.along) * fold.step * side * near
        down += fold.bend * near * np.sin(view) + fold.along * fold.step * side * near
        _rub_off(page, cover, paper, fold, wear, shade, text_height)
    lamp = np.clip(1 + 0.5 * shade * light - 0.12 * shade, 0.1, 1.6)
    return _bent(page, cover, grid, lamp, (shift * right, shift * down), text_height, rng)


def _drawn_folds(size: tuple[int, int], rng: np.random.Generator) -> Iterator[_Fold]:
    """Yield the creases of a page of ``size`` (width, height), in the order in which it was folded."""
    width, height = size
    for along, share in _FOLDS:
        shift, slant, bend, step = rng.uniform(-1, 1, 4)
        yield _Fold(
            along=along,
            place=(share + 0.04 * shift) * (width if along else height),
            slant=0.02 * slant,
            middle=(height if along else width) / 2,
            bend=float(np.sign(bend) * (0.55 + 0.45 * abs(bend))),
            step=0.2 * step,
            seed=int(rng.integers(1 << 62)),
        )


def _rub_off(
    page: Pixels, cover: Mask, paper: Pixels, fold: _Fold, wear: float, shade: float, text_height: float
) -> None:
    """Draw a crease, in place: a lit and a dark flank, and print that is rubbed off along it."""
    height, width = page.shape[:2]
    reach = (_BAND + wear) * text_height + abs(fold.slant) * fold.middle
    low, high = fold.place - reach, fold.place + reach
    corners = ((low, 0.0), (high, float(height))) if fold.along else ((0.0, low), (float(width), high))
    patch = patch_around(page.shape, *corners, text_height / _GRID_PER_TEXT)
    if patch is None:
        return
    distance = fold.distance(patch.x / text_height, patch.y / text_height, text_height)
    rng = np.random.Generator(np.random.PCG64(fold.seed))
    ragged = _ragged(patch, text_height, rng)
    half = wear * (0.5 + 0.45 * ragged)
    lost = 1 - smooth_step(np.abs(distance) - half, -0.10, 0.06)
    flank = np.exp(-((distance / _CREASE) ** 2)) * distance / _CREASE
    line = np.exp(-((distance / 0.07) ** 2))
    light = 1 + 0.7 * shade * fold.bend * flank - 0.35 * shade * line
    passed = np.asarray(np.clip(light, 0.1, 1.5), dtype=np.float32)
    soak(page, cover, paper, [Layer(patch=patch, passed=passed, lost=lost)])


def _ragged(patch: Patch, text_height: float, rng: np.random.Generator) -> Field:
    """Return noise of -1..1 on a patch: patches of a text height with fibres of a sixth of it."""
    columns, rows = patch.size
    coarse = smooth_noise(patch.x.shape, (int(rows / text_height), int(columns / text_height)), rng)
    fine = smooth_noise(patch.x.shape, (int(6 * rows / text_height), int(6 * columns / text_height)), rng)
    return np.asarray(0.6 * coarse + 0.4 * fine, dtype=np.float32)


def _bent(
    pixels: Pixels,
    cover: Mask | None,
    grid: _Grid,
    light: Field,
    shift: tuple[Field, Field],
    text_height: float,
    rng: np.random.Generator,
) -> Change:
    """Return the page on a table, under a light and moved by ``shift`` (text heights, right and down)."""
    height, width = pixels.shape[:2]
    field = np.dstack(shift)
    steepest = max(float(np.abs(np.diff(field, axis=axis)).max()) for axis in (0, 1)) / grid.step
    field *= text_height * min(1.0, _STEEPEST / max(steepest, 1e-6))
    rows, columns = field.shape[:2]
    cells = int(np.ceil((_MARGIN * text_height + np.abs(field).max()) / (grid.step * text_height)))
    right, down = round(cells * width / columns), round(cells * height / rows)
    size = width + 2 * right, height + 2 * down
    placed = Homography(
        matrix=np.array([[1.0, 0, right], [0, 1, down], [0, 0, 1]]), old=(width, height), new=size
    )
    wide = np.pad(field, ((cells, cells), (cells, cells), (0, 0)), mode="edge").astype(np.float32)
    move = Chain(moves=(placed, Displacement(field=wide, size=size)))
    page = np.zeros((size[1], size[0]), dtype=np.uint8)
    inside = slice(down, down + height), slice(right, right + width)
    page[inside] = 255
    canvas = surroundings_beside(page, "table", text_height, rng, _SHADOW)
    canvas[inside] = lit(pixels, stretched(light.astype(np.float32), height, width))
    return Change(
        pixels=np.asarray(move.moves[1].move_image(canvas), dtype=np.uint8),
        move=move,
        cover=None if cover is None else np.asarray(move.move_image(cover), dtype=np.uint8),
    )
