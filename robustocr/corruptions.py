"""Corruptions by name, and ``corrupt()``: a picture and its boxes under one corruption, severity and seed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.assets import asset
from robustocr.boxes import Mask, bounds_of, covered_share, move_box, quad_mask, shift_box
from robustocr.effects import foreign
from robustocr.effects.noise import smooth_step
from robustocr.effects.registry import Change, find_effect
from robustocr.errors import ImageError, NoPlaceError, RecipeError, unknown_name
from robustocr.moves import Move
from robustocr.recipes import Corruption, Step, Suite, check_severity, read_corruption, read_suite
from robustocr.records import LIST_FIELDS, SINGLE_FIELDS, Adjustment, Box, Item, Record, Tax
from robustocr.text_height import estimate_text_height

_FEATHER = 1 / 3
_SURROUNDING = 3.0
_ENTRY = re.compile(r"(\w+)(?:\[\d+\](?:\.(\w+))?)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrupted:
    """A corrupted picture. ``boxes`` are the given ones where they now lie, in the same order.

    ``coverage`` is, for each of them, the share 0..1 hidden under opaque things; ``text_height`` is that
    of the picture that came in (pixels); ``moves`` lead from its frame to the new one.
    """

    pixels: Pixels
    boxes: dict[str, tuple[Box, ...]]
    coverage: dict[str, tuple[float, ...]]
    text_height: float
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    pixels: Pixels
    cover: Mask | None = None
    moves: tuple[Move, ...] = ()


def list_corruptions() -> tuple[str, ...]:
    """Return the names of the bundled corruptions, in alphabetical order."""
    return tuple(sorted(path.stem for path in asset("corruptions").glob("*.yaml")))


def list_suites() -> tuple[str, ...]:
    """Return the names of the bundled suites, in alphabetical order."""
    return tuple(sorted(path.stem for path in (asset("corruptions") / "suites").glob("*.yaml")))


def load_corruption(name_or_path: str | Path) -> Corruption:
    """Return a bundled corruption by name, or one from a user's YAML file by path.

    Raises RecipeError for an unknown name (with the known ones) or a wrong recipe (with file, key and
    choices).
    """
    return read_corruption(_recipe_path("corruption", name_or_path, asset("corruptions")))


def load_suite(name_or_path: str | Path) -> Suite:
    """Return a bundled suite by name, or one from a user's YAML file by path.

    Paths of recipes in a suite start from the suite's own folder. Raises RecipeError for an unknown name, a
    wrong file, or a corruption in it that is not known.
    """
    path = _recipe_path("suite", name_or_path, asset("corruptions") / "suites")
    suite = read_suite(path)
    for name in suite.corruptions:
        if not _is_path(name) and name not in list_corruptions():
            raise RecipeError(f"{path}: corruptions: {unknown_name('corruption', name, list_corruptions())}")
    here = tuple(str(path.parent / name) if _is_path(name) else name for name in suite.corruptions)
    return replace(suite, corruptions=here)


def corrupt(
    pixels: Pixels,
    corruption: Corruption | None,
    severity: int,
    *,
    seed: int,
    sample_id: str,
    boxes: Mapping[str, Sequence[Box]] | None = None,
    target: str | None = None,
    text_height: float | None = None,
) -> Corrupted:
    """Return a picture under a corruption: same arguments, same bytes, in any process and any order.

    ``pixels`` are RGB (or grey, height x width) of 8 bits and are not touched. ``boxes`` maps field paths to
    all places where each is printed. ``target`` confines the corruption to those of one field, with a soft
    edge of a third of a text height. ``text_height`` (pixels) is estimated unless known. Severity 0 or no
    corruption is the identity. Raises ImageError for other pixels, NoPlaceError for a field without a place,
    RecipeError for an unknown severity or target, or when a corruption that moves the page is aimed.
    """
    check_severity(severity)
    _check_pixels(pixels)
    boxes = boxes or {}
    height = text_height if text_height is not None else estimate_text_height(pixels)
    state = _State(pixels=pixels if pixels.ndim == 3 else cv2.cvtColor(pixels, cv2.COLOR_GRAY2RGB))
    if target is not None:
        _check_target(target, boxes, corruption if severity > 0 else None)
    if corruption is not None and severity > 0:
        if target is None:
            state = _run(state, corruption, severity, seed, sample_id, height)
        else:
            state = _run_aimed(state, corruption, severity, seed, sample_id, height, boxes[target])
    moved = {path: tuple(_moved(box, state.moves) for box in places) for path, places in boxes.items()}
    return Corrupted(
        pixels=state.pixels if pixels.ndim == 3 else cv2.cvtColor(state.pixels, cv2.COLOR_RGB2GRAY),
        boxes=moved,
        coverage={
            path: tuple(_covered(box, state.cover) for box in places) for path, places in moved.items()
        },
        text_height=height,
        moves=state.moves,
    )


def random_stream(seed: int, sample_id: str, corruption: str, step: int) -> np.random.Generator:
    """Return the generator of one step: PCG64, seeded by the sha256 of the arguments."""
    key = json.dumps([seed, sample_id, corruption, step]).encode()
    words = np.frombuffer(hashlib.sha256(key).digest(), dtype="<u4")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([int(word) for word in words])))


def _run(
    state: _State, corruption: Corruption, severity: int, seed: int, sample_id: str, text_height: float
) -> _State:
    for index, step in enumerate(corruption.steps):
        rng = random_stream(seed, sample_id, corruption.name, index)
        state = _after(state, _change(step, state.pixels, severity, text_height, rng))
    return state


def _change(
    step: Step, pixels: Pixels, severity: int, text_height: float, rng: np.random.Generator
) -> Change:
    if step.is_foreign:
        return foreign.apply(step.name, step.at(severity), pixels, rng)
    return find_effect(step.name).apply(pixels, step.at(severity), text_height=text_height, rng=rng)


def _after(state: _State, change: Change) -> _State:
    """Return the state after a step: an earlier cover moves along, a new one is added."""
    cover, moves = state.cover, state.moves
    if change.move is not None:
        moves = (*moves, change.move)
        cover = None if cover is None else change.move.move_image(cover)
    if change.cover is not None:
        cover = change.cover if cover is None else np.maximum(cover, change.cover)
    return _State(pixels=change.pixels, cover=cover, moves=moves)


def _run_aimed(
    state: _State,
    corruption: Corruption,
    severity: int,
    seed: int,
    sample_id: str,
    text_height: float,
    places: Sequence[Box],
) -> _State:
    """Corrupt the surroundings of each place as if they were the page, and blend them in where the box is."""
    pixels = state.pixels.copy()
    cover = np.zeros(pixels.shape[:2], dtype=np.uint8)
    for box in places:
        window = _window(box, pixels.shape, text_height)
        if window is None:
            continue
        rows, columns = window
        part = _State(pixels=np.ascontiguousarray(state.pixels[rows, columns]))
        done = _run(part, corruption, severity, seed, sample_id, text_height)
        share = _feathered(shift_box(box, -columns.start, -rows.start), done.pixels.shape, text_height)
        mixed = done.pixels * share[..., None] + pixels[rows, columns] * (1 - share[..., None])
        pixels[rows, columns] = np.round(mixed).astype(np.uint8)
        if done.cover is not None:
            cover[rows, columns] = np.maximum(cover[rows, columns], (done.cover * share).astype(np.uint8))
    return replace(state, pixels=pixels, cover=cover)


def _window(box: Box, shape: tuple[int, ...], text_height: float) -> tuple[slice, slice] | None:
    """Return rows and columns around a box, three text heights wider on each side; None off the page."""
    around = _SURROUNDING * text_height
    x0, y0, x1, y1 = bounds_of(box)
    left, top = max(int(x0 - around), 0), max(int(y0 - around), 0)
    right, bottom = min(int(np.ceil(x1 + around)), shape[1]), min(int(np.ceil(y1 + around)), shape[0])
    return None if right <= left or bottom <= top else (slice(top, bottom), slice(left, right))


def _feathered(box: Box, shape: tuple[int, ...], text_height: float) -> npt.NDArray[np.float32]:
    """Return 1 inside the box, falling to 0 a third of a text height outside of it."""
    outside = 255 - quad_mask(box, shape[0], shape[1])
    distance = np.asarray(cv2.distanceTransform(outside, cv2.DIST_L2, 5), dtype=np.float32)
    return 1 - smooth_step(distance, 0, max(_FEATHER * text_height, 1))


def _moved(box: Box, moves: tuple[Move, ...]) -> Box:
    for move in moves:
        box = move_box(box, move)
    return box


def _covered(box: Box, cover: Mask | None) -> float:
    return 0.0 if cover is None else covered_share(box, cover)


def _check_pixels(pixels: Pixels) -> None:
    if pixels.dtype != np.uint8 or pixels.ndim not in (2, 3) or (pixels.ndim == 3 and pixels.shape[2] != 3):
        raise ImageError(
            f"pixels must be 8-bit RGB (height x width x 3) or grey (height x width), not {pixels.dtype} of "
            f"shape {pixels.shape}; load pictures with robustocr.images.load_image"
        )
    if 0 in pixels.shape:
        raise ImageError(f"a picture of shape {pixels.shape} has no pixels")


def is_field_path(path: str) -> bool:
    """Return whether a path is a field of a receipt: ``total``, ``items`` or ``items[2].amount``."""
    found = _ENTRY.fullmatch(path)
    if found is None or found[1] not in LIST_FIELDS:
        return path in SINGLE_FIELDS
    entries: dict[str, type[Record]] = {"items": Item, "taxes": Tax}
    return found[2] is None or found[2] in entries.get(found[1], Adjustment).model_fields


def check_aimable(target: str, corruption: Corruption) -> None:
    """Raise RecipeError when a corruption moves the whole page, so that no field can be its target."""
    if corruption.changes_frame:
        raise RecipeError(
            f"corruption {corruption.name!r} moves the whole page and cannot be aimed at {target!r}; "
            "leave out the target, or choose a corruption with changes_frame: false"
        )


def _check_target(target: str, boxes: Mapping[str, Sequence[Box]], corruption: Corruption | None) -> None:
    if corruption is not None:
        check_aimable(target, corruption)
    if boxes.get(target):
        return
    placed = sorted(path for path, places in boxes.items() if places)
    if not is_field_path(target):
        raise RecipeError(unknown_name("target", target, placed))
    raise NoPlaceError(
        f"{target!r} has no known place in this picture; with a place: {', '.join(placed) or 'none'}"
    )


def _is_path(name_or_path: str | Path) -> bool:
    return isinstance(name_or_path, Path) or Path(name_or_path).suffix in {".yaml", ".yml"}


def _recipe_path(kind: str, name_or_path: str | Path, folder: Path) -> Path:
    if _is_path(name_or_path):
        return Path(name_or_path)
    path = folder / f"{name_or_path}.yaml"
    if not path.is_file():
        raise RecipeError(
            unknown_name(kind, str(name_or_path), (known.stem for known in folder.glob("*.yaml")))
        )
    return path
