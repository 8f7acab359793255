"""Paper that lies on the page: price stickers, notes, another receipt, a strip over a word."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.effects.noise import smooth_noise, smooth_step
from robustocr.effects.print_dots import (
    CELL_HEIGHT,
    CELL_WIDTH,
    LINE_PITCH,
    TEXT_DOTS,
    ink_share,
    line_dots,
    page_dots,
    put_dots,
)
from robustocr.effects.sprite import Place, Shadow, Sprite, cast_shadow, lay_sprite, sprite_of
from robustocr.strips import Field

LABEL_SIZE, NOTE_SIZE = (12.0, 8.0), (21.0, 16.0)
"""Width and height of a price sticker and of a small note, in text heights."""

_LABELS = ((250, 248, 242), (255, 226, 62), (255, 150, 60), (178, 232, 92), (248, 248, 250))
_NOTES = ((252, 236, 128), (250, 176, 196), (176, 226, 250), (190, 236, 150))
_GOODS = (
    "MILK 1L", "BREAD", "COFFEE 250G", "BANANAS", "BUTTER", "RICE 1KG", "WATER 6X", "SOAP", "TEA BAGS",
    "NOODLES", "APPLES", "CHEESE", "ONIONS", "FOIL 10M", "YOGURT", "EGGS 10", "BATTERY AA", "TOWELS",
)  # fmt: skip
_THERMAL_INK = np.array([52, 50, 58], dtype=np.float32)


def draw_sticker(
    page: Pixels, cover: Mask, centre: Place, turn: float, size: tuple[float, float], unit: float, look: int
) -> None:
    """Stick a price sticker or a note onto the page, in place, with its lower edge a little off the paper.

    ``size`` is width and height in ``unit`` pixels each; what is larger than a price sticker is a note with
    handwriting. ``look`` seeds colour and writing.
    """
    rng = np.random.Generator(np.random.PCG64(look))
    dot = unit / TEXT_DOTS
    columns, rows = round(size[0] * TEXT_DOTS), round(size[1] * TEXT_DOTS)
    is_note = size[0] > 1.3 * LABEL_SIZE[0]
    tones = _NOTES if is_note else _LABELS
    tone = np.array(tones[rng.integers(len(tones))], dtype=np.float32)
    ink = _handwriting(rows, columns, rng) if is_note else _price(rows, columns, rng)
    lift = rng.uniform(0.4, 1.0) * (2.0 if is_note else 0.8)
    opacity = _sheet(rows, columns, 6.0 if is_note else 22.0, 0.02 * lift)
    down = np.linspace(0, 1, rows, dtype=np.float32)[:, None]
    curl = 0.05 * lift * smooth_step(down, 0.5, 0.9) - 0.16 * lift * smooth_step(down, 0.82, 1.05)
    grain = 0.012 * smooth_noise((rows, columns), (rows // 3, columns // 3), rng)
    shade = (0.97 + curl + grain)[..., None]
    pen = np.array((40, 52, 120) if is_note else (30, 28, 34), dtype=np.float32)
    colour = (tone + (pen - tone) * ink[..., None]) * shade
    sprite = sprite_of(colour.astype(np.float32), opacity, dot)
    raised = replace(sprite, opacity=cv2.convertScaleAbs(opacity * smooth_step(down, 0.1, 1.0), alpha=255))
    far = Shadow(shift=(0.22 * lift * unit, 0.55 * lift * unit), softness=0.35 * lift * unit, share=0.5)
    cast_shadow(page, raised, centre, turn, far)
    close = Shadow(shift=(0.05 * unit, 0.07 * unit), softness=0.10 * unit, share=0.4)
    lay_sprite(page, cover, sprite, centre, turn, (close,))


def _sheet(rows: int, columns: int, corner: float, bulge: float) -> Field:
    """Return the opacity of a sheet with round corners whose lower edge bends outwards."""
    x = np.abs(np.arange(columns) - (columns - 1) / 2).astype(np.float32)[None, :]
    y = np.arange(rows, dtype=np.float32)[:, None]
    low = (rows - 2) * (1 - bulge * (x / max(columns / 2, 1)) ** 2)
    side_x = np.maximum(x - (columns / 2 - 1 - corner), 0)
    side_y = np.maximum(np.maximum(corner - y, y - (low - corner)), 0)
    return np.asarray(np.clip(corner + 0.5 - np.hypot(side_x, side_y), 0, 1), dtype=np.float32)


def _price(rows: int, columns: int, rng: np.random.Generator) -> Field:
    """Return the print of a price sticker: a name, a large price, the bars of a code."""
    dots = np.zeros((rows, columns), dtype=np.uint8)
    name = _GOODS[rng.integers(len(_GOODS))]
    price = f"{rng.integers(0, 20)}.{rng.integers(10, 99)}"
    put_dots(dots, line_dots(name), (columns - len(name) * CELL_WIDTH) // 2, 8)
    put_dots(dots, line_dots(price, size=3), (columns - 3 * len(price) * CELL_WIDTH) // 2, 8 + CELL_HEIGHT)
    bars = np.repeat(rng.random(max(columns // 3 - 20, 1)) < 0.5, 3)
    dots[rows - 40 : rows - 14, 30 : 30 + bars.size] = bars * np.uint8(255)
    return ink_share(dots)


def _handwriting(rows: int, columns: int, rng: np.random.Generator) -> Field:
    """Return lines of writing with a ball pen, nothing that can be read."""
    dots = np.zeros((rows, columns), dtype=np.uint8)
    for line in range(max((rows - 60) // 64, 1)):
        letters = round(columns * rng.uniform(0.4, 0.7) / 16)
        stroke = np.arange(letters * 12) / 12
        tall = rng.choice((10.0, 13.0, 26.0), letters, p=(0.45, 0.3, 0.25))[stroke.astype(int)]
        wide = rng.uniform(3.0, 7.0, letters)[stroke.astype(int)]
        ends = rng.random(letters) < 0.2
        x = 28 + 15 * stroke + wide * np.sin(2 * np.pi * stroke) + 14 * np.cumsum(ends)[stroke.astype(int)]
        y = 62 + 64 * line - tall * (1 - np.cos(2 * np.pi * stroke)) / 2 - 0.05 * x
        for word in np.split(np.column_stack([x, y]), 12 * np.flatnonzero(ends)):
            cv2.polylines(dots, [np.round(word * 8).astype(np.int32)], False, 255, 2, cv2.LINE_AA, 3)
    return ink_share(dots, 0.8)


def draw_slip(
    page: Pixels,
    cover: Mask,
    anchor: Place,
    turn: float,
    size: tuple[float, float],
    unit: float,
    look: int,
) -> None:
    """Lay another receipt onto the page, in place; ``anchor`` is where its middle comes to lie.

    ``size`` is width and height in ``unit`` pixels each (its text height); ``look`` seeds paper and print.
    """
    rng = np.random.Generator(np.random.PCG64(look))
    tone = np.array((247, 246, 243), dtype=np.float32) * (1 - np.array([0, 0.2, 1.0]) * rng.uniform(0, 0.05))
    columns, rows = round(size[0] * TEXT_DOTS), round(size[1] * TEXT_DOTS)
    lines = _receipt_lines(max(rows // LINE_PITCH - 2, 1), max(columns // CELL_WIDTH - 4, 12), rng)
    ink = ink_share(page_dots(lines, rows, columns, 2 * CELL_WIDTH)) * np.float32(rng.uniform(0.75, 1.0))
    waves = rng.uniform(0, 2 * np.pi, 2)
    down = np.arange(rows, dtype=np.float32)[:, None] / np.float32(TEXT_DOTS)
    across = np.arange(columns, dtype=np.float32)[None, :] / np.float32(TEXT_DOTS)
    shade = 0.955 + 0.025 * np.sin(down / 9 + waves[0]) + 0.015 * np.sin(across / 6 + waves[1])
    channels = [
        cv2.convertScaleAbs((level - (level - dark) * ink) * shade)
        for level, dark in zip(tone.astype(np.float32), _THERMAL_INK, strict=True)
    ]
    sprite = Sprite(
        colour=np.asarray(cv2.merge(channels), dtype=np.uint8),
        opacity=np.asarray(cv2.convertScaleAbs(_cut_sheet(rows, columns, rng), alpha=255), dtype=np.uint8),
        step=unit / TEXT_DOTS,
        anchor=((columns - 1) / 2, (rows - 1) / 2),
    )
    shadows = (
        Shadow(shift=(0.08 * unit, 0.10 * unit), softness=0.14 * unit, share=0.36),
        Shadow(shift=(0.40 * unit, 0.52 * unit), softness=0.60 * unit, share=0.30),
    )
    lay_sprite(page, cover, sprite, anchor, turn, shadows)


def _cut_sheet(rows: int, columns: int, rng: np.random.Generator) -> Field:
    """Return the opacity of a slip torn off at a toothed blade, above and below."""
    teeth = 3.0 * np.abs((np.arange(columns) / 9.0 + rng.uniform()) % 2 - 1) + rng.uniform(0, 1.2, columns)
    y = np.arange(rows, dtype=np.float32)[:, None]
    opacity = np.clip(np.minimum(y - teeth, rows - 1 - teeth[::-1] - y), 0, 1).astype(np.float32)
    opacity[:, [0, -1]] = 0
    return opacity


def _receipt_lines(count: int, width: int, rng: np.random.Generator) -> list[str]:
    """Return ``count`` lines of a receipt of ``width`` characters that adds up to nothing in particular."""
    lines = []
    for index in range(count):
        kind = index % 14
        amount = f"{rng.integers(0, 60)}.{rng.integers(0, 100):02d}"
        name = _GOODS[rng.integers(len(_GOODS))]
        if kind in (0, 13):
            lines.append(("STORE " + str(rng.integers(100, 999))).center(width) if kind == 0 else "")
        elif kind in (1, 10):
            lines.append("-" * width)
        else:
            label = "TOTAL" if kind == 11 else "CASH" if kind == 12 else name
            lines.append(label + amount.rjust(max(width - len(label), 0)))
    return lines


def draw_strip(
    page: Pixels,
    cover: Mask,
    box: npt.NDArray[np.float64],
    span: tuple[float, float],
    unit: float,
    look: int,
) -> None:
    """Put a strip over a part of a word, in place: correction tape, or a piece of torn paper.

    ``box`` holds the word's corners (4 x 2, clockwise from top left, pixels), ``span`` the covered part along
    it (0 is its left end, 1 its right one). ``look`` seeds the strip's kind and its edges.
    """
    rng = np.random.Generator(np.random.PCG64(look))
    torn = rng.random() < 0.6
    right = (box[1] - box[0] + box[2] - box[3]) / 2
    down = (box[3] - box[0] + box[2] - box[1]) / 2
    width, height = float(np.hypot(*right)), float(np.hypot(*down))
    turn = float(np.arctan2(right[1], right[0]))
    length, over = (span[1] - span[0]) * width, 0.07 * height + 1.5
    grid = max(unit / TEXT_DOTS, 1.0)
    ragged = (0.10 if torn else 0.02) * unit / grid
    pad = int(np.ceil(2 * ragged)) + 2
    columns, rows = round(length / grid) + 2 * pad, round((height + 2 * over) / grid) + 2 * pad
    opacity, rim = _ragged_sheet(rows, columns, pad, ragged, rng)
    fibre = smooth_noise((rows, columns), (rows // 2, columns // 2), rng)
    tone = np.array((243, 241, 236) if torn else (250, 250, 248), dtype=np.float32)
    shade = 0.96 + 0.015 * fibre + (0.05 * rim if torn else 0.0)
    middle = box.mean(axis=0) + right * ((span[0] + span[1]) / 2 - 0.5)
    thick = (0.16 if torn else 0.08) * unit
    shadow = Shadow(shift=(0.7 * thick, thick), softness=0.7 * thick, share=0.4)
    sprite = sprite_of((tone * shade[..., None]).astype(np.float32), opacity, grid)
    lay_sprite(page, cover, sprite, (float(middle[0]), float(middle[1])), turn, (shadow,))


def _ragged_sheet(
    rows: int, columns: int, pad: int, ragged: float, rng: np.random.Generator
) -> tuple[Field, Field]:
    """Return the opacity of a sheet whose edges waver around ``pad`` by ``ragged``, and its torn rim."""
    x, y = np.arange(columns, dtype=np.float32)[None, :], np.arange(rows, dtype=np.float32)[:, None]
    edges = [_wavering(rows, ragged, rng) for _ in range(2)]
    edges += [_wavering(columns, min(ragged, 0.6), rng) for _ in range(2)]
    left, right = x - (pad + edges[0][:, None]), (columns - 1 - pad + edges[1][:, None]) - x
    above, below = y - (pad + edges[2][None, :]), (rows - 1 - pad + edges[3][None, :]) - y
    within = np.minimum(np.minimum(left, right), np.minimum(above, below))
    opacity = np.clip(within + 1.0, 0, 1)
    rim = 1 - smooth_step(np.asarray(within, np.float32), 0.2, max(1.5 * ragged, 0.3))
    return np.asarray(opacity, dtype=np.float32), rim


def _wavering(size: int, ragged: float, rng: np.random.Generator) -> Field:
    """Return an uneven edge, mean 0, about -1..1 times ``ragged``."""
    coarse = np.interp(np.arange(size), np.linspace(0, size, 8), rng.uniform(-1, 1, 8))
    edge = 0.7 * coarse + 0.5 * rng.uniform(-1, 1, size)
    return np.asarray(ragged * (edge - edge.mean()), dtype=np.float32)
