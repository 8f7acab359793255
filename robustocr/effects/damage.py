"""Paper that is no longer there: holes with what lies beneath, and edges or corners torn off."""

from __future__ import annotations

from typing import Annotated, Literal

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.effects.dye import passed_by
from robustocr.effects.noise import smooth_noise
from robustocr.effects.places import Mark, marks_on_print
from robustocr.effects.registry import Change, Strength, effect
from robustocr.effects.surroundings import surroundings_beside
from robustocr.effects.tone import to_light, to_pixels
from robustocr.fields import Layout
from robustocr.strips import stretched, strips

Outline = npt.NDArray[np.float64]
"""n x 2 points x, y in pixels."""

_FINE = 4
_STEPS = 72
_CHAR = np.array([2.2, 2.9, 3.8], dtype=np.float32)
_CHARRED = 0.55
_SHADOW = 0.5
_EDGE_STEP = 0.12
_FIBRE = (247, 245, 240)


@effect(version=2)
def hole(
    pixels: Pixels,
    *,
    share: Annotated[float, Strength(0, 3, "of the printed area, overlaps counted twice")],
    radius: Annotated[float, Strength(0.1, 20, "text heights")] = 1.2,
    kind: Literal["punched", "burnt", "ripped", "drawn"] = "drawn",
    text_height: float,
    rng: np.random.Generator,
    layout: Layout,
) -> Change:
    """Leave holes in the print through which the table is seen, in the shadow of the paper.

    They are round from a punch, charred around from embers, or ragged with a pale rim where a staple or a
    pin was torn out.
    """
    drawn = ("punched", "burnt", "ripped")[int(rng.integers(3))]
    how = drawn if kind == "drawn" else kind
    height, width = pixels.shape[:2]
    gone, rim = np.zeros((height, width), dtype=np.uint8), np.zeros((height, width), dtype=np.uint8)
    for mark in marks_on_print(layout, share, np.pi * radius**2, text_height, rng):
        inner, outer = _hole_outlines(mark, radius * text_height, how)
        _fill(gone, inner)
        _fill(rim, outer)
    page = _charred(pixels, gone, text_height) if how == "burnt" else _frayed(pixels, rim, rng)
    hidden = gone if how == "burnt" else np.maximum(gone, rim)
    return _without(page, gone, hidden, text_height, rng)


@effect(version=2)
def tear(
    pixels: Pixels,
    *,
    share: Annotated[float, Strength(0, 0.9, "of the page torn off")],
    text_height: float,
    rng: np.random.Generator,
) -> Change:
    """Tear off an edge or a corner along a ragged line; the print layer breaks earlier than the fibres do.

    The pale rim of fibres is up to a text height wide. Where the page was, the table is seen.
    """
    height, width = pixels.shape[:2]
    side = rng.integers(8) * np.pi / 4 + rng.uniform(-0.25, 0.25)
    middle, reach = np.array([width, height]) / 2, float(np.hypot(width, height))
    outwards = np.array([np.cos(side) * width, np.sin(side) * height])
    outwards /= np.hypot(*outwards)
    steps = max(round(2 * reach / (_EDGE_STEP * text_height)), 4)
    course = _course(steps, rng) * text_height
    fray = np.abs(_course(steps, rng)) * 0.45 * text_height + 0.12 * text_height
    along = np.linspace(-reach, reach, steps)
    far = _distance_of(share, (width, height), outwards)
    gone, rim = np.zeros((height, width), dtype=np.uint8), np.zeros((height, width), dtype=np.uint8)
    if share > 0:
        for mask, edge in ((gone, far + course), (rim, far + course - fray)):
            _fill(mask, _half_plane(middle, outwards, along, edge, reach))
    page = _frayed(pixels, rim, rng)
    return _without(page, gone, np.maximum(gone, rim), text_height, rng)


def _course(steps: int, rng: np.random.Generator) -> Outline:
    """Return how far a torn edge strays, step by step, in text heights: wide bends, and teeth on them."""
    course = np.zeros(steps)
    for cell, height in ((60, 1.6), (18, 0.55), (5, 0.18), (2, 0.09)):
        cells = (2, max(steps // cell, 2))
        course += height * smooth_noise((2, steps), cells, rng)[0]
    return course


def _distance_of(share: float, size: tuple[int, int], outwards: Outline) -> float:
    """Return how far from the middle (pixels, along ``outwards``) a line cuts off ``share`` of a page."""
    width, height = size
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, 101) * width, np.linspace(-0.5, 0.5, 101) * height)
    return float(np.quantile(x * outwards[0] + y * outwards[1], 1 - share))


def _half_plane(middle: Outline, outwards: Outline, along: Outline, edge: Outline, reach: float) -> Outline:
    """Return the outline of all that lies beyond an edge (pixels along ``outwards``, at steps ``along``)."""
    aside = np.array([-outwards[1], outwards[0]])
    line = middle + edge[:, None] * outwards + along[:, None] * aside
    beyond = middle + 3 * reach * outwards + np.array([[reach], [-reach]]) * aside
    return np.vstack([line, beyond])


def _hole_outlines(mark: Mark, radius: float, how: str) -> tuple[Outline, Outline]:
    """Return the outline of a hole, and of the rim where the print is gone as well."""
    turn = np.linspace(0, 2 * np.pi, _STEPS, endpoint=False)
    waves = [
        mark.rng.uniform(0.3, 1.0) / k**0.8 * np.sin(k * turn + mark.rng.uniform(0, 2 * np.pi))
        for k in (2, 3, 5, 9, 14)
    ]
    rough = {"punched": 0.01, "burnt": 0.12, "ripped": 0.26}[how]
    far = np.maximum(1 + rough * np.sum(waves, axis=0), 0.2) * radius * mark.size
    if how != "punched":
        far *= mark.rng.uniform(0.6, 1.4)
    fray = np.abs(np.sin(7 * turn + mark.rng.uniform(0, 6)) + waves[0]) * (0.22 if how == "ripped" else 0.0)
    ray = np.column_stack([np.cos(turn), np.sin(turn)])
    place = np.array([mark.x, mark.y])
    return place + far[:, None] * ray, place + (far * (1 + fray))[:, None] * ray


def _fill(mask: Mask, outline: Outline) -> None:
    points = np.round(np.clip(outline, -1e5, 1e5) * 2**_FINE).astype(np.int32)
    cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, _FINE)


def _frayed(pixels: Pixels, rim: Mask, rng: np.random.Generator) -> Pixels:
    """Return the page with its print layer gone inside ``rim``: white fibres."""
    page = pixels.copy()
    fibres = rng.uniform(0.88, 1.0, (256, 256, 1)).astype(np.float32)
    fibres = cv2.GaussianBlur(fibres, (0, 0), 0.8)[..., None] * np.array(_FIBRE, np.float32)
    width = page.shape[1]
    for part in strips(*page.shape[:2]):
        if not rim[part].any():
            continue
        rows = np.arange(part.start, part.stop) % 256
        pale = np.tile(fibres[rows], (1, width // 256 + 1, 1))[:, :width]
        share = rim[part].astype(np.float32)[..., None] / 255
        page[part] = (page[part] + (pale - page[part]) * share + 0.5).astype(np.uint8)
    return page


def _charred(pixels: Pixels, gone: Mask, text_height: float) -> Pixels:
    """Return the page browned around what has burnt away."""
    height, width = gone.shape
    factor = max(text_height / 6, 1.0)
    size = max(round(width / factor), 1), max(round(height / factor), 1)
    small = cv2.resize(gone, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    heat = 0.6 * cv2.GaussianBlur(small, (0, 0), _CHARRED * text_height / factor)
    heat += 0.5 * cv2.GaussianBlur(small, (0, 0), _CHARRED / 3 * text_height / factor)
    passed = stretched(passed_by(heat, _CHAR), height, width)
    page = pixels.copy()
    for part in strips(height, width):
        page[part] = to_pixels(cv2.multiply(to_light(pixels[part]), passed.rows(part)))
    return page


def _without(page: Pixels, gone: Mask, hidden: Mask, text_height: float, rng: np.random.Generator) -> Change:
    """Return the page with the table where it is gone, in the shadow of what is left."""
    height, width = gone.shape
    ground = surroundings_beside(255 - gone, "table", text_height, rng, _SHADOW)
    for part in strips(height, width):
        if gone[part].any():
            share = gone[part].astype(np.float32)[..., None] / 255
            page[part] = (page[part] * (1 - share) + ground[part] * share + 0.5).astype(np.uint8)
    return Change(pixels=page, cover=hidden)
