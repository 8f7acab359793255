"""Corruptions by name, and ``corrupt()``: a picture and its boxes under one corruption, severity and seed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.aim import (
    aimed_boxes,
    check_aimable,
    clear,
    lay_over,
    local_moves,
    parse_target,
    window_around,
)
from robustocr.boxes import (
    Mask,
    chain_box,
    covered_share,
    overlap_share,
    share_outside,
    shift_box,
)
from robustocr.effects import foreign
from robustocr.effects.registry import Change, find_effect
from robustocr.errors import RecipeError, unknown_name
from robustocr.fields import (
    SAME_PLACE,
    Fields,
    Layout,
    boxes_of,
    make_fields,
    move_fields,
    move_fields_at,
    shift_fields,
)
from robustocr.images import check_pixels
from robustocr.moves import Move
from robustocr.recipe_files import bundled_names, is_path, read_corruption, read_suite, recipe_path
from robustocr.recipes import Corruption, Step, Suite, check_severity
from robustocr.records import Box
from robustocr.text_height import estimate_text_height

Layouts = Mapping[tuple[int, int], Layout]
"""Pages by which things were placed: (number of the aimed place, number of the step) -> page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrupted:
    """A corrupted picture. ``boxes`` are the given ones where they now lie, in the same order.

    ``coverage`` is, for each of them, the share 0..1 hidden under opaque things; ``text_height`` is that
    of the picture that came in (pixels); ``moves`` lead from its frame to the new one; ``aimed_moves`` says
    how the surroundings of single boxes moved within it; ``edits`` maps field paths to what is printed
    there now instead, in canonical form. ``layouts`` are the pages by which things were placed.
    """

    pixels: Pixels
    boxes: dict[str, tuple[Box, ...]]
    coverage: dict[str, tuple[float, ...]]
    text_height: float
    moves: tuple[Move, ...] = ()
    aimed_moves: tuple[tuple[Box, tuple[Move, ...]], ...] = ()
    edits: dict[str, str] = field(default_factory=dict)
    layouts: Layouts = field(default_factory=dict, repr=False)

    def moves_at(self, box: Box) -> tuple[Move, ...]:
        """Return the moves that lead a box of the clean page to where it is now."""
        local = (chain for aimed, chain in self.aimed_moves if overlap_share(box, aimed) >= SAME_PLACE)
        return next(local, self.moves)


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    pixels: Pixels
    fields: Fields
    cover: Mask | None = None
    moves: tuple[Move, ...] = ()
    aimed_moves: tuple[tuple[Box, tuple[Move, ...]], ...] = ()
    edits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draw:
    """What fixes a corruption's every pixel, besides those that come in."""

    corruption: Corruption
    severity: int
    seed: int
    sample_id: str
    text_height: float
    layouts: dict[tuple[int, int], Layout]
    with_print: bool


def list_corruptions() -> tuple[str, ...]:
    """Return the names of the bundled corruptions, in alphabetical order."""
    return bundled_names("corruption")


def list_suites() -> tuple[str, ...]:
    """Return the names of the bundled suites, in alphabetical order."""
    return bundled_names("suite")


def load_corruption(name_or_path: str | Path) -> Corruption:
    """Return a bundled corruption by name, or one from a user's YAML file by path.

    Raises RecipeError for an unknown name (with the known ones) or a wrong recipe (with file, key and
    choices).
    """
    return read_corruption(recipe_path("corruption", name_or_path))


def load_suite(name_or_path: str | Path) -> Suite:
    """Return a bundled suite by name, or one from a user's YAML file by path.

    Paths of recipes in a suite start from the suite's own folder. Raises RecipeError for an unknown name, a
    wrong file, or a corruption in it that is not known.
    """
    path = recipe_path("suite", name_or_path)
    suite = read_suite(path)
    for name in suite.corruptions:
        if not is_path(name) and name not in list_corruptions():
            raise RecipeError(f"{path}: corruptions: {unknown_name('corruption', name, list_corruptions())}")
    here = tuple(str(path.parent / name) if is_path(name) else name for name in suite.corruptions)
    return replace(suite, corruptions=here)


def corrupt(
    pixels: Pixels,
    corruption: Corruption | None,
    severity: int,
    *,
    seed: int,
    sample_id: str,
    boxes: Mapping[str, Sequence[Box]] | None = None,
    texts: Mapping[str, Sequence[str | None]] | None = None,
    target: str | None = None,
    text_height: float | None = None,
    layouts: Layouts | None = None,
    with_print: bool = True,
) -> Corrupted:
    """Return a picture under a corruption: same arguments, same bytes, in any process and any order.

    ``pixels`` are RGB (or grey, height x width) of 8 bits and are not touched. ``boxes`` maps field paths to
    all places where each is printed, ``texts`` to what is printed there. ``target`` confines the corruption
    to a field (``total``), one of its digits (``total:digit``, ``total:digit[0]``) or its row
    (``total:row``), with a soft edge of a third of a text height; what would move the page then moves
    that part of it. ``text_height`` (pixels) is estimated unless known. ``layouts`` of an earlier result
    place things as they were there, wherever print is now; without ``with_print``, steps that add or change
    print are left out. Severity 0 or no corruption is the identity.
    Raises ImageError for other pixels, NoPlaceError where a target or an effect needs the place of a field
    that is not known, RecipeError for an unknown severity or target.
    """
    check_severity(severity)
    check_pixels(pixels)
    fields = make_fields(boxes or {}, texts)
    height = text_height if text_height is not None else estimate_text_height(pixels)
    rgb = pixels if pixels.ndim == 3 else cv2.cvtColor(pixels, cv2.COLOR_GRAY2RGB)
    state = _State(pixels=rgb, fields=fields)
    aim = None if target is None else parse_target(target)
    draw = None
    if corruption is not None and severity > 0:
        draw = _Draw(
            corruption=corruption,
            severity=severity,
            seed=seed,
            sample_id=sample_id,
            text_height=height,
            layouts=dict(layouts or {}),
            with_print=with_print,
        )
        if aim is None:
            state = _run(state, draw)
        else:
            check_aimable(corruption, target or "")
            places = aimed_boxes(aim, fields, rgb, random_stream(seed, sample_id, "aim", 0))
            state = _run_aimed(state, draw, places)
    moved = boxes_of(state.fields)
    return Corrupted(
        pixels=state.pixels if pixels.ndim == 3 else cv2.cvtColor(state.pixels, cv2.COLOR_RGB2GRAY),
        boxes=moved if state.moves or state.aimed_moves else boxes_of(fields),
        coverage={path: tuple(_covered(box, state) for box in places) for path, places in moved.items()},
        text_height=height,
        moves=state.moves,
        aimed_moves=state.aimed_moves,
        edits=dict(state.edits),
        layouts=draw.layouts if draw is not None else {},
    )


def random_stream(seed: int, sample_id: str, corruption: str, step: int) -> np.random.Generator:
    """Return the generator of one step: PCG64, seeded by the sha256 of the arguments."""
    key = json.dumps([seed, sample_id, corruption, step]).encode()
    words = np.frombuffer(hashlib.sha256(key).digest(), dtype="<u4")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([int(word) for word in words])))


def _run(state: _State, draw: _Draw, place: int = 0) -> _State:
    for index, step in enumerate(draw.corruption.steps):
        if step.prints and not draw.with_print:
            continue
        rng = random_stream(draw.seed, draw.sample_id, draw.corruption.name, index)
        state = _after(state, _change(step, state, draw, rng, (place, index)))
    return state


def _change(
    step: Step, state: _State, draw: _Draw, rng: np.random.Generator, where: tuple[int, int]
) -> Change:
    values = step.at(draw.severity)
    if step.is_foreign:
        return foreign.apply(step.name, values, state.pixels, rng)
    chosen = find_effect(step.name)
    layout = None
    if "layout" in chosen.given:
        here = Layout(pixels=state.pixels, fields=state.fields)
        layout = draw.layouts.setdefault(where, here)
    return chosen.apply(
        state.pixels, values, text_height=draw.text_height, rng=rng, fields=state.fields, layout=layout
    )


def _after(state: _State, change: Change) -> _State:
    """Return the state after a step: an earlier cover and the fields move along, a new cover is added."""
    cover, moves, fields = state.cover, state.moves, state.fields
    if change.move is not None:
        moves = (*moves, change.move)
        fields = move_fields(fields, change.move)
        cover = None if cover is None else _moved_cover(cover, change.move)
    if change.cover is not None:
        cover = change.cover if cover is None else np.maximum(cover, change.cover)
    return _State(
        pixels=change.pixels, fields=fields, cover=cover, moves=moves, edits={**state.edits, **change.edits}
    )


def _moved_cover(cover: Mask, move: Move) -> Mask:
    """Return a cover in the new frame. Nothing of the old page is seen outside of it: that is covered too."""
    page = np.full_like(cover, 255)
    return np.asarray(np.maximum(move.move_image(cover), 255 - move.move_image(page)), dtype=np.uint8)


def _run_aimed(state: _State, draw: _Draw, places: Sequence[Box]) -> _State:
    """Corrupt the surroundings of each place as if they were the page, and blend them in where it is."""
    state = replace(state, pixels=state.pixels.copy(), cover=np.zeros(state.pixels.shape[:2], dtype=np.uint8))
    clean = state.pixels.copy()
    for number, box in enumerate(places):
        window = window_around(box, clean.shape, draw.text_height)
        if window is None:
            continue
        left, top = window[1].start, window[0].start
        part = _State(
            pixels=np.ascontiguousarray(clean[window]), fields=shift_fields(state.fields, -left, -top)
        )
        done = _run(part, draw, number)
        chain, corner = local_moves(box, done.moves, (left, top))
        if done.moves:
            clear(state.pixels[window], shift_box(box, -left, -top), draw.text_height)
        there = chain_box(box, chain)
        lay_over(state.pixels, state.cover, done.pixels, done.cover, there, corner, draw.text_height)
        edits = {**state.edits, **done.edits}
        if done.moves:
            aimed = (*state.aimed_moves, (box, chain))
            state = replace(state, aimed_moves=aimed, fields=move_fields_at(state.fields, box, chain))
        state = replace(state, edits=edits)
    return state


def _covered(box: Box, state: _State) -> float:
    if state.cover is not None:
        return covered_share(box, state.cover)
    return share_outside(box, state.pixels.shape)
