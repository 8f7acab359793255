"""Targets of a corruption: a field, one of its digits, or its row, at every place where it is printed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask, bounds_of, quad_mask, quad_of, shift_box
from robustocr.effects.noise import smooth_step
from robustocr.effects.paper import paper_colour
from robustocr.errors import NoPlaceError, RecipeError, unknown_name
from robustocr.fields import Fields, PrintedField, is_field_path
from robustocr.glyph_cells import find_glyphs
from robustocr.moves import Move, Shift
from robustocr.recipes import Corruption
from robustocr.records import LIST_FIELDS, SINGLE_FIELDS, Box

_TARGET = re.compile(r"(?P<field>[^:]+)(?::(?P<part>digit|row)(?:\[(?P<index>\d+)\])?)?")
_FEATHER = 1 / 3
_SURROUNDING = 3.0
_ROW_MARGIN = 0.15


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What a corruption is confined to. ``index`` counts digits from 0, from the left; None draws one."""

    field: str
    part: Literal["field", "digit", "row"] = "field"
    index: int | None = None


def parse_target(target: str) -> Aim:
    """Return the aim that a target names: ``total``, ``total:digit``, ``total:digit[0]`` or ``total:row``.

    Raises RecipeError for anything else.
    """
    found = _TARGET.fullmatch(target)
    if found is None or (found["index"] is not None and found["part"] != "digit"):
        raise RecipeError(
            f"target {target!r} is not a field path, or one followed by :digit, :digit[N] or :row "
            "(for example total, items[0].amount:row, total:digit[0])"
        )
    if not is_field_path(found["field"]):
        raise RecipeError(f"target: {unknown_name('field', found['field'], (*SINGLE_FIELDS, *LIST_FIELDS))}")
    index = None if found["index"] is None else int(found["index"])
    if found["part"] == "digit":
        return Aim(field=found["field"], part="digit", index=index)
    return Aim(field=found["field"], part="row" if found["part"] else "field")


def check_aimable(corruption: Corruption, target: str) -> None:
    """Raise RecipeError for a corruption that prints something: it chooses its own place on the page."""
    if corruption.prints:
        raise RecipeError(
            f"corruption {corruption.name!r} prints where it finds room and cannot be aimed at {target!r}; "
            "leave out the target, or choose another corruption"
        )


def aimed_boxes(aim: Aim, fields: Fields, pixels: Pixels, rng: np.random.Generator) -> tuple[Box, ...]:
    """Return the boxes an aim covers, one for each place where its field is printed.

    Raises NoPlaceError where the field has no known place, or no digit of that number is found there.
    """
    places = fields.get(aim.field, ())
    if not places:
        placed = sorted({path.partition("[")[0] for path, known in fields.items() if known})
        known = f"known are {', '.join(placed)}" if placed else "give boxes or words in its labels"
        raise NoPlaceError(f"{aim.field!r} has no known place in this picture; {known}")
    if aim.part == "row":
        return tuple(_row(place.box, pixels.shape) for place in places)
    if aim.part == "digit":
        return _digits(aim, places, pixels, rng)
    return tuple(place.box for place in places)


def _row(box: Box, shape: tuple[int, ...]) -> Box:
    """Return the box stretched along its own slope from side to side of the page, and a little higher."""
    top_left, top_right, _, bottom_left = quad_of(box)
    along, down = top_right - top_left, bottom_left - top_left
    if abs(along[0]) <= abs(along[1]):
        left, _, right, _ = bounds_of(box)
        margin = _ROW_MARGIN * (right - left)
        return left - margin, 0.0, right + margin, float(shape[0])
    to_left = (0 - top_left[0]) / along[0]
    to_right = (shape[1] - top_left[0]) / along[0]
    low, high = sorted((to_left, to_right))
    corners = [
        top_left + low * along - _ROW_MARGIN * down,
        top_left + high * along - _ROW_MARGIN * down,
        top_left + high * along + (1 + _ROW_MARGIN) * down,
        top_left + low * along + (1 + _ROW_MARGIN) * down,
    ]
    return tuple(round(float(value), 3) for corner in corners for value in corner)


def _digits(
    aim: Aim, places: Sequence[PrintedField], pixels: Pixels, rng: np.random.Generator
) -> tuple[Box, ...]:
    drawn = float(rng.random())
    boxes = []
    for place in places:
        printed = find_glyphs(pixels, place)
        cells = (
            [cell for cell in printed.cells if cell.char is None or cell.char.isdigit()] if printed else []
        )
        index = int(drawn * len(cells)) if aim.index is None else aim.index
        if index >= len(cells):
            raise NoPlaceError(f"{aim.field!r}: {len(cells)} digits are found where it is printed")
        boxes.append(tuple(float(value) for value in cells[index].bounds))
    return tuple(boxes)


def window_around(box: Box, shape: tuple[int, ...], text_height: float) -> tuple[slice, slice] | None:
    """Return rows and columns around a box, three text heights wider on each side; None off the page."""
    around = _SURROUNDING * text_height
    x0, y0, x1, y1 = bounds_of(box)
    left, top = max(int(x0 - around), 0), max(int(y0 - around), 0)
    right, bottom = min(int(np.ceil(x1 + around)), shape[1]), min(int(np.ceil(y1 + around)), shape[0])
    return None if right <= left or bottom <= top else (slice(top, bottom), slice(left, right))


def feathered(box: Box, shape: tuple[int, ...], text_height: float) -> npt.NDArray[np.float32]:
    """Return 1 inside the box, falling to 0 a third of a text height outside of it."""
    outside = 255 - quad_mask(box, shape[0], shape[1])
    distance = np.asarray(cv2.distanceTransform(outside, cv2.DIST_L2, 5), dtype=np.float32)
    return 1 - smooth_step(distance, 0, max(_FEATHER * text_height, 1))


def local_moves(
    box: Box, moves: tuple[Move, ...], corner: tuple[int, int]
) -> tuple[tuple[Move, ...], tuple[int, int]]:
    """Return the moves of a window as moves of the page, and where the window then lies (left, top).

    ``corner`` is the window's left and top before. The middle of the box stays in place.
    """
    chain: tuple[Move, ...] = (Shift(dx=-corner[0], dy=-corner[1]), *moves)
    if moves:
        middle = quad_of(box).mean(axis=0, keepdims=True)
        there = middle
        for move in chain:
            there = move.move_points(there)
        left, top = np.round(middle - there)[0]
        corner = int(left), int(top)
    return (*chain, Shift(dx=corner[0], dy=corner[1])), corner


def clear(window: Pixels, box: Box, text_height: float) -> None:
    """Leave bare paper where a piece of the page was that moves away, in place."""
    share = feathered(box, window.shape, text_height)[..., None]
    bare = paper_colour(window, text_height)
    window[:] = np.round(bare * share + window * (1 - share)).astype(np.uint8)


def lay_over(
    page: Pixels,
    hidden: Mask | None,
    window: Pixels,
    cover: Mask | None,
    box: Box,
    corner: tuple[int, int],
    text_height: float,
) -> None:
    """Lay a corrupted window over the page, in place, where the box is, and its cover over what is hidden.

    ``corner`` is the window's left and top on the page, in pixels.
    """
    left, top = corner
    height, width = page.shape[:2]
    rows = slice(max(top, 0), min(top + window.shape[0], height))
    columns = slice(max(left, 0), min(left + window.shape[1], width))
    inner = slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left)
    share = feathered(shift_box(box, -left, -top), window.shape, text_height)[inner]
    mixed = window[inner] * share[..., None] + page[rows, columns] * (1 - share[..., None])
    page[rows, columns] = np.round(mixed).astype(np.uint8)
    if cover is not None and hidden is not None:
        under = hidden[rows, columns]
        np.maximum(under, (cover[inner] * share).astype(np.uint8), out=under)
