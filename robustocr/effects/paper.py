"""What paper is and what happens to it: it has a colour, it lets the other side show, it crumples."""

from __future__ import annotations

from typing import Annotated, Literal

import cv2
import numpy as np
from scipy.spatial import Delaunay

from robustocr.adapters.base import Pixels
from robustocr.effects.dye import lit
from robustocr.effects.noise import smooth_step
from robustocr.effects.registry import Change, Strength, effect
from robustocr.effects.tone import LIGHT_OF_LEVEL, to_light, to_pixels
from robustocr.moves import Displacement, Points
from robustocr.strips import Field, stretched, strips

_COLOURS = {
    "yellow": (252, 236, 120),
    "pink": (248, 176, 196),
    "blue": (150, 196, 236),
    "green": (170, 222, 166),
    "salmon": (250, 188, 150),
}
_DIFFUSION = 0.07
_FINEST_BLUR = 2.5
_FACET = 7.0
_FOLD_LINE = 0.30
_DIMMING = 0.30
_STEEPEST = 0.75
_MOST_FACETS = 40
_GRID_PER_TEXT = 5
_FINE = 4


def paper_colour(pixels: Pixels, text_height: float) -> Pixels:
    """Return the page without its print: the brightest level nearby, smoothed, per channel."""
    height, width = pixels.shape[:2]
    factor = max(text_height / 4, 1.0)
    size = max(round(width / factor), 1), max(round(height / factor), 1)
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    light = cv2.dilate(small, np.ones((9, 9), np.uint8))
    smooth = cv2.GaussianBlur(cv2.erode(light, np.ones((5, 5), np.uint8)), (0, 0), 3)
    return np.asarray(cv2.resize(smooth, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


@effect()
def coloured_paper(
    pixels: Pixels,
    *,
    saturation: Annotated[float, Strength(0, 1, "share of the way from white to the full colour")],
    colour: Literal["yellow", "pink", "blue", "green", "salmon", "drawn"] = "drawn",
    rng: np.random.Generator,
) -> Pixels:
    """Print on coloured paper, such as the copies of a carbon set: it reflects each channel by its share."""
    drawn = tuple(_COLOURS)[int(rng.integers(len(_COLOURS)))]
    full = np.array(_COLOURS[drawn if colour == "drawn" else colour], dtype=np.uint8)
    reflected = 1 - saturation * (1 - LIGHT_OF_LEVEL[full])
    table = to_pixels((LIGHT_OF_LEVEL[:, None, None] * reflected).astype(np.float32))
    return np.asarray(cv2.LUT(pixels, table), dtype=np.uint8)


@effect()
def show_through(
    pixels: Pixels,
    *,
    strength: Annotated[float, Strength(0, 1, "share of the back's contrast that shows")],
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Let the print of the back show through thin paper: mirrored, blurred by the fibres, in its own place.

    The back carries the same print as the front (as the terms and adverts that are often there do), shifted
    by a drawn part of a few lines. Both prints absorb light one after the other.
    """
    height, width = pixels.shape[:2]
    paper = paper_colour(pixels, text_height)
    ink = cv2.cvtColor(cv2.subtract(paper, pixels), cv2.COLOR_RGB2GRAY)
    down, across = rng.uniform(1.0, 6.0) * text_height, rng.uniform(-1.0, 1.0) * text_height
    sigma = max(_DIFFUSION * text_height, 0.3)
    factor = max(sigma / _FINEST_BLUR, 1.0)
    size = max(round(width / factor), 1), max(round(height / factor), 1)
    small = ink if factor == 1 else cv2.resize(ink, size, interpolation=cv2.INTER_AREA)
    mirror = np.array([[-1, 0, size[0] - 1 + across / factor], [0, 1, down / factor]], dtype=np.float64)
    back = cv2.warpAffine(small, mirror, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    back = cv2.GaussianBlur(back, (0, 0), sigma / factor)
    back = back if factor == 1 else cv2.resize(back, (width, height), interpolation=cv2.INTER_LINEAR)
    shown = np.empty_like(pixels)
    for part in strips(height, width):
        passed = cv2.LUT(back[part], (1 - strength * np.arange(256) / 255).astype(np.float32))
        shown[part] = to_pixels(cv2.multiply(to_light(pixels[part]), cv2.merge([passed] * 3)))
    return shown


@effect(moves=True, version=2)
def crumple(
    pixels: Pixels,
    *,
    shift: Annotated[float, Strength(0, 1.2, "text heights that points move")],
    shade: Annotated[float, Strength(0, 1, "share of the light that facets differ by")],
    text_height: float,
    rng: np.random.Generator,
) -> Change:
    """Crumple the page: facets between folds are shaded by slope, and parallax moves what is on them."""
    height, width = pixels.shape[:2]
    step = max(text_height / _GRID_PER_TEXT, max(height, width) / 800)
    rows, columns = max(round(height / step), 8), max(round(width / step), 8)
    folds = _facets(rows, columns, text_height * _FACET / step, rng)
    relief = folds + 0.35 * _facets(rows, columns, text_height * _FACET / 2.5 / step, rng)
    lamp, view = rng.uniform(0, 2 * np.pi, 2)
    light = _facet_light(relief, lamp, shade, text_height * _FACET / step)
    bulge = _bulge(folds, text_height / step) * (shift * text_height)
    field = np.dstack([bulge * np.cos(view), bulge * np.sin(view)]).astype(np.float32)
    move = Displacement(field=field, size=(width, height))
    page = lit(np.asarray(move.move_image(pixels), dtype=np.uint8), stretched(light, height, width))
    return Change(pixels=page, move=move)


def _facet_light(relief: Field, lamp: float, shade: float, cell: float) -> Field:
    """Return the light on each point: less on slopes away from the lamp, bright and dark lines at folds."""
    slope_y, slope_x = np.gradient(cv2.GaussianBlur(relief, (0, 0), 0.6))
    slope = (slope_x * np.cos(lamp) + slope_y * np.sin(lamp)) * cell
    folds = np.clip(cv2.Laplacian(cv2.GaussianBlur(relief, (0, 0), 0.9), cv2.CV_32F) * cell, -1, 1)
    change = 0.62 * np.clip(slope, -1.5, 1.3) - _FOLD_LINE * folds
    light = np.clip((1 - _DIMMING * shade) * (1 + shade * change), 0.05, 1.5)
    return np.asarray(light, dtype=np.float32)


def _bulge(folds: Field, text_step: float) -> Field:
    """Return how far points move, -1..1 of the shift: 0 at the border, nowhere so steep that it overlaps.

    ``text_step`` is a text height in steps of the grid.
    """
    rows, columns = folds.shape
    soft = cv2.GaussianBlur(folds, (0, 0), 0.4 * text_step) * _towards_edge(rows, columns, text_step)
    steepest = max(float(np.abs(np.diff(soft, axis=axis)).max()) for axis in (0, 1)) * text_step
    return np.asarray(soft * min(1.0, _STEEPEST / max(steepest, 1e-6)), dtype=np.float32)


def _facets(rows: int, columns: int, cell: float, rng: np.random.Generator) -> Field:
    """Return a height map in -1..1 of flat triangles about ``cell`` grid steps wide."""
    cell = max(cell, max(rows, columns) / _MOST_FACETS, 2.0)
    down, across = int(np.ceil(rows / cell)) + 3, int(np.ceil(columns / cell)) + 3
    place = np.stack(np.meshgrid(np.arange(across), np.arange(down)), axis=-1).reshape(-1, 2) - 1.0
    corners: Points = (place + rng.uniform(-0.34, 0.34, place.shape)) * cell
    levels = rng.uniform(-1, 1, len(corners))
    triangles = Delaunay(corners).simplices
    planes = np.linalg.solve(
        np.dstack([corners[triangles], np.ones(triangles.shape)]), levels[triangles][..., None]
    )[..., 0].astype(np.float32)
    owner = np.zeros((rows, columns), dtype=np.int32)
    for index, outline in enumerate(np.round(corners * 2**_FINE).astype(np.int32)[triangles]):
        cv2.fillConvexPoly(owner, outline, index, cv2.LINE_8, _FINE)
    x, y = np.arange(columns, dtype=np.float32)[None], np.arange(rows, dtype=np.float32)[:, None]
    return np.asarray(planes[owner, 0] * x + planes[owner, 1] * y + planes[owner, 2], dtype=np.float32)


def _towards_edge(rows: int, columns: int, reach: float) -> Field:
    """Return 1 inside and a smooth fall to 0 at the border, over ``reach`` grid steps."""
    down, across = (
        np.minimum(np.arange(n) + 0.5, n - np.arange(n) - 0.5) / max(reach, 1) for n in (rows, columns)
    )
    return smooth_step(np.minimum(down[:, None], across[None, :]).astype(np.float32), 0, 1)
