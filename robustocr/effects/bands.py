"""What is drawn or stuck over print in bands: tape, and the strokes of a highlighter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.effects.dye import Layer, passed_by, soak
from robustocr.effects.noise import smooth_step
from robustocr.effects.paper import paper_colour
from robustocr.effects.patch import Patch, patch_around
from robustocr.effects.places import Mark, marks_on_print
from robustocr.effects.registry import Change, Strength, effect
from robustocr.fields import Layout
from robustocr.strips import Field

_TAPE_WIDTH, _TAPE_LENGTH = 5.5, 16.0
_TEETH = 0.42
_YELLOWED = np.array([0.03, 0.12, 0.50], dtype=np.float32)
_TIP_WIDTH, _STROKE_LENGTH = 1.35, 8.0
_MARKERS = {
    "yellow": (0.02, 0.02, 0.85),
    "green": (0.45, 0.02, 0.50),
    "pink": (0.02, 0.55, 0.25),
    "orange": (0.01, 0.26, 0.85),
    "blue": (0.60, 0.16, 0.03),
}
_GRID_PER_TEXT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class _Band:
    """A straight band on a patch: distance from one end and from the axis, in text heights."""

    patch: Patch
    along: Field
    across: Field
    length: float


@effect()
def tape(
    pixels: Pixels,
    *,
    share: Annotated[float, Strength(0, 3, "of the printed area, overlaps counted twice")],
    loss: Annotated[float, Strength(0, 1, "share of the print that the glue has dissolved")],
    yellowing: Annotated[float, Strength(0, 3, "optical density for blue light, in halves")] = 0.5,
    text_height: float,
    rng: np.random.Generator,
    layout: Layout,
) -> Change:
    """Stick strips of tape over the print, cut by teeth: glossy, yellowed, with dirt along their edges.

    The plasticisers of the glue dissolve the dye of thermal print, less where air was caught beneath.
    """
    page, cover = pixels.copy(), np.zeros(pixels.shape[:2], dtype=np.uint8)
    layers = []
    for mark in marks_on_print(layout, share, _TAPE_WIDTH * _TAPE_LENGTH, text_height, rng):
        turn = mark.rng.normal(0, 0.12) + (np.pi / 2 if mark.rng.uniform() < 0.2 else 0.0)
        band = _band(pixels, mark, turn, _TAPE_LENGTH, _TAPE_WIDTH, text_height)
        if band is not None:
            layers.append(_tape_layer(band, loss, yellowing, mark.rng))
    soak(page, cover, paper_colour(pixels, text_height), layers)
    return Change(pixels=page, cover=cover)


def _tape_layer(band: _Band, loss: float, yellowing: float, rng: np.random.Generator) -> Layer:
    air, streaks = _noise(band, (1.1, 0.8), rng), _noise(band, (5.0, 0.16), rng)
    teeth = 0.12 * np.abs(np.mod(band.across / _TEETH, 1) * 2 - 1)
    ends = np.minimum(band.along, band.length - band.along) - teeth
    edge = _TAPE_WIDTH / 2 - np.abs(band.across)
    inside = smooth_step(np.minimum(ends, edge), -0.02, 0.10)
    bubbles = smooth_step(air, 0.45, 0.62)
    dirt = 0.20 * np.exp(-((np.minimum(edge, ends) / 0.11) ** 2))
    density = inside * (yellowing * (0.8 + 0.2 * air) + dirt)
    grey = np.exp(-np.log(10) * inside * (0.03 + 0.9 * dirt))
    shine = rng.uniform(-0.35, 0.35) * _TAPE_WIDTH
    gloss = 0.16 * np.exp(-(((band.across - shine) / 0.55) ** 2)) * (0.7 + 0.3 * streaks)
    veil = inside * (0.02 + np.maximum(gloss, 0) + 0.05 * bubbles)
    return Layer(
        patch=band.patch,
        passed=(passed_by(density, _YELLOWED) * grey[..., None]).astype(np.float32),
        lost=np.asarray(loss * inside * (1 - 0.5 * bubbles), dtype=np.float32),
        veil=veil.astype(np.float32),
    )


@effect()
def highlighter(
    pixels: Pixels,
    *,
    share: Annotated[float, Strength(0, 3, "of the printed area, overlaps counted twice")],
    loss: Annotated[float, Strength(0, 1, "share of the print that the solvent has dissolved")],
    density: Annotated[float, Strength(0, 3, "strength of the dye, 1 is a fresh pen")] = 1.0,
    colour: Literal["yellow", "green", "pink", "orange", "blue", "drawn"] = "drawn",
    text_height: float,
    rng: np.random.Generator,
    layout: Layout,
) -> Change:
    """Draw over lines of text with a highlighter, whose solvent dissolves the dye of thermal print.

    Strokes are streaked along their way, denser along their edges and where the pen was put down.
    """
    drawn = tuple(_MARKERS)[int(rng.integers(len(_MARKERS)))]
    tint = np.array(_MARKERS[drawn if colour == "drawn" else colour], dtype=np.float32)
    page, cover = pixels.copy(), np.zeros(pixels.shape[:2], dtype=np.uint8)
    layers = []
    for mark in marks_on_print(layout, share, _TIP_WIDTH * _STROKE_LENGTH, text_height, rng):
        band = _band(pixels, mark, mark.rng.normal(0, 0.03), _STROKE_LENGTH, _TIP_WIDTH, text_height)
        if band is not None:
            layers.append(_stroke_layer(band, loss, density * tint, mark.rng))
    soak(page, cover, paper_colour(pixels, text_height), layers)
    return Change(pixels=page, cover=cover)


def _stroke_layer(band: _Band, loss: float, tint: Field, rng: np.random.Generator) -> Layer:
    waver, streaks = _noise(band, (2.5, 9.0), rng), _noise(band, (3.5, 0.12), rng)
    edge = _TIP_WIDTH / 2 - np.abs(band.across + 0.10 * waver)
    slanted = band.along + 0.35 * band.across
    ends = np.minimum(slanted, band.length - slanted)
    rim = np.minimum(edge, ends + 0.2)
    inside = smooth_step(rim, -0.03, 0.07)
    pooled = 0.30 * np.exp(-((rim / 0.10) ** 2)) + 0.25 * np.exp(-np.maximum(slanted, 0) / 0.4)
    wet = inside * (0.85 + 0.13 * streaks + pooled)
    return Layer(
        patch=band.patch,
        passed=passed_by(wet.astype(np.float32), tint),
        lost=np.clip(loss * inside * (0.92 + 0.08 * streaks), 0, 1).astype(np.float32),
    )


def _band(
    pixels: Pixels, mark: Mark, turn: float, length: float, width: float, text_height: float
) -> _Band | None:
    """Return a band through a mark, turned by ``turn`` radians, shorter for a small one, or None."""
    length *= float(mark.rng.uniform(0.7, 1.3)) * mark.size**2
    x = (mark.x - np.cos(turn) * length * text_height / 2, mark.x + np.cos(turn) * length * text_height / 2)
    y = (mark.y - np.sin(turn) * length * text_height / 2, mark.y + np.sin(turn) * length * text_height / 2)
    reach = 0.75 * width * text_height
    patch = patch_around(
        pixels.shape,
        (min(x) - reach, min(y) - reach),
        (max(x) + reach, max(y) + reach),
        text_height / _GRID_PER_TEXT,
    )
    if patch is None:
        return None
    right, down = (patch.x - x[0]) / text_height, (patch.y - y[0]) / text_height
    along = np.asarray(right * np.cos(turn) + down * np.sin(turn), dtype=np.float32)
    across = np.asarray(down * np.cos(turn) - right * np.sin(turn), dtype=np.float32)
    return _Band(patch=patch, along=along, across=across, length=length)


def _noise(band: _Band, cell: tuple[float, float], rng: np.random.Generator) -> Field:
    """Return noise of -1..1 in cells of ``cell`` text heights along and across a band."""
    grid = rng.uniform(-1, 1, (64, 64)).astype(np.float32)
    return _sampled(grid, band.along / np.float32(cell[0]), band.across / np.float32(cell[1]))


def _sampled(grid: Field, x: Field, y: Field) -> Field:
    """Return a grid of noise at places in cells, smooth between its points and repeated endlessly."""
    across, down = np.mod(x, 63), np.mod(y, 63)
    return np.asarray(
        cv2.remap(grid, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.float32
    )
