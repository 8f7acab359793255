"""Rubber stamps on the page."""

from __future__ import annotations

from typing import Annotated, Literal

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.effects.dye import Layer, passed_by, soak
from robustocr.effects.noise import smooth_noise, smooth_step
from robustocr.effects.paper import paper_colour
from robustocr.effects.patch import patch_around
from robustocr.effects.places import Mark, marks_on_print
from robustocr.effects.registry import Change, Strength, effect
from robustocr.fields import Layout
from robustocr.strips import Field

_INKS = {
    "red": (0.10, 1.00, 0.85),
    "blue": (1.00, 0.75, 0.20),
    "violet": (0.75, 1.00, 0.30),
    "black": (0.95, 0.95, 0.90),
    "green": (1.00, 0.35, 0.80),
}
_WIDTH, _HEIGHT = 14.0, 5.6
_WORDS = ("PAID", "RECEIVED", "COPY", "BEZAHLT", "CANCELLED", "POSTED", "DUPLICATE", "CHECKED")
_DOTS = 44
_GRID_PER_TEXT = 14
_FONT = cv2.FONT_HERSHEY_DUPLEX


@effect()
def stamp(
    pixels: Pixels,
    *,
    share: Annotated[float, Strength(0, 3, "of the printed area, overlaps counted twice")],
    density: Annotated[float, Strength(0, 4, "optical density of the ink")],
    colour: Literal["red", "blue", "violet", "black", "green", "drawn"] = "drawn",
    text_height: float,
    rng: np.random.Generator,
    layout: Layout,
) -> Change:
    """Stamp the page with framed words and a date: turned, unevenly pressed, inked more along its edges."""
    drawn = tuple(_INKS)[int(rng.integers(len(_INKS)))]
    tint = np.array(_INKS[drawn if colour == "drawn" else colour], dtype=np.float32)
    word, day = _WORDS[int(rng.integers(len(_WORDS)))], rng.integers([1, 1], [29, 13])
    rubber = _rubber(word, f"{day[0]:02d}.{day[1]:02d}.2024")
    page, cover = pixels.copy(), np.zeros(pixels.shape[:2], dtype=np.uint8)
    layers = []
    for mark in marks_on_print(layout, share, _WIDTH * _HEIGHT, text_height, rng):
        layer = _stamped(pixels, rubber, mark, density * tint, text_height)
        if layer is not None:
            layers.append(layer)
    soak(page, cover, paper_colour(pixels, text_height), layers)
    return Change(pixels=page, cover=cover)


def _rubber(word: str, day: str) -> Field:
    """Return what a stamp prints, 0..1: a double frame, a word and a date; edges take more ink."""
    columns, rows = round(_WIDTH * _DOTS), round(_HEIGHT * _DOTS)
    raised = np.zeros((rows, columns), dtype=np.uint8)
    for gap, thick in ((12, 11), (30, 4)):
        cv2.rectangle(raised, (gap, gap), (columns - 1 - gap, rows - 1 - gap), 255, thick)
    for text, top, bottom, thick in ((word, 0.20, 0.62, 9), (day, 0.70, 0.86, 4)):
        (wide, tall), _ = cv2.getTextSize(text, _FONT, 1, 1)
        scale = min((bottom - top) * rows / tall, 0.84 * columns / wide)
        (wide, tall), _ = cv2.getTextSize(text, _FONT, scale, thick)
        place = (columns - wide) // 2, round(((top + bottom) * rows + tall) / 2)
        cv2.putText(raised, text, place, _FONT, scale, 255, thick, cv2.LINE_AA)
    soft = cv2.GaussianBlur(raised, (0, 0), 5).astype(np.float32) / 255
    return np.asarray(raised.astype(np.float32) / 255 * (1.12 - 0.40 * soft), dtype=np.float32)


def _stamped(pixels: Pixels, rubber: Field, mark: Mark, tint: Field, text_height: float) -> Layer | None:
    """Return one impression, turned and pressed unevenly; one that is still to grow is pressed less."""
    turn, lean, deep = mark.rng.normal(0, 0.22), mark.rng.uniform(0, 2 * np.pi), mark.rng.uniform(0.75, 1.0)
    clouds, grains = smooth_noise((64, 160), (5, 11), mark.rng), mark.rng.uniform(-1, 1, (128, 320))
    reach = 0.5 * float(np.hypot(_WIDTH, _HEIGHT)) * text_height
    corners = (mark.x - reach, mark.y - reach), (mark.x + reach, mark.y + reach)
    patch = patch_around(pixels.shape, *corners, text_height / _GRID_PER_TEXT)
    if patch is None:
        return None
    right, down = (patch.x - mark.x) / text_height, (patch.y - mark.y) / text_height
    x = (right * np.cos(turn) + down * np.sin(turn)) / _WIDTH + 0.5
    y = (down * np.cos(turn) - right * np.sin(turn)) / _HEIGHT + 0.5
    ink = _sampled(rubber, x, y)
    pressed = _sampled(clouds, x, y) + 0.6 * ((x - 0.5) * np.cos(lean) + (y - 0.5) * np.sin(lean))
    patchy = smooth_step(pressed + 0.35 * _sampled(grains.astype(np.float32), x, y), -0.75, 0.15)
    wet = np.asarray(ink * deep * (0.25 + 0.75 * patchy) * mark.size**2, dtype=np.float32)
    return Layer(patch=patch, passed=passed_by(wet, tint), lost=np.zeros_like(wet))


def _sampled(picture: Field, x: Field, y: Field) -> Field:
    """Return a picture at places given as shares of its width and height; 0 outside of it."""
    across = np.asarray(x * picture.shape[1] - 0.5, dtype=np.float32)
    down = np.asarray(y * picture.shape[0] - 0.5, dtype=np.float32)
    return np.asarray(cv2.remap(picture, across, down, cv2.INTER_LINEAR), dtype=np.float32)
