"""Where the fields of a receipt are printed, and what stands there: what effects and legibility look at."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from robustocr.adapters.base import Pixels
from robustocr.boxes import bounds_of, chain_box, move_box, overlap_share, shift_box
from robustocr.errors import InputError
from robustocr.moves import Move
from robustocr.records import LIST_FIELDS, SINGLE_FIELDS, Adjustment, Box, Item, Receipt, Record, Tax, Word

_VALUE = re.compile(r"(\w+)(?:\[(\d+)\]\.(\w+))?")
_ENTRY = re.compile(r"(\w+)(?:\[\d+\](?:\.(\w+))?)?")


SAME_PLACE = 0.9
"""Share of a box (0..1) that must lie in another for both to count as one place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedField:
    """One place where a field is printed: its box in pixels, and the text there, None where not known."""

    box: Box
    text: str | None = None


Fields = Mapping[str, tuple[PrintedField, ...]]
"""Field path -> every place where it is printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A page to look at for where print is: things that lie on it are placed by it.

    It is the page itself, but for the pages on which legibility is measured: there it is the clean one, so
    that a digit more or less moves nothing.
    """

    pixels: Pixels
    fields: Fields


def make_fields(
    boxes: Mapping[str, Sequence[Box]], texts: Mapping[str, Sequence[str | None]] | None = None
) -> dict[str, tuple[PrintedField, ...]]:
    """Return fields from boxes by path and, in the same order, the texts printed in them."""
    texts = texts or {}
    return {
        path: tuple(
            PrintedField(box=box, text=texts[path][index] if path in texts else None)
            for index, box in enumerate(places)
        )
        for path, places in boxes.items()
    }


def text_in(box: Box, words: Sequence[Word]) -> str | None:
    """Return what the words print inside a box, from left to right; None where nothing is.

    The characters of a word or line are taken to stand at an even pitch across its box.
    """
    left, top, right, bottom = bounds_of(box)
    found = []
    for word in words:
        x0, y0, x1, y1 = bounds_of(word.box)
        common = min(bottom, y1) - max(top, y0)
        if not word.text or common < 0.5 * min(bottom - top, y1 - y0):
            continue
        pitch = (x1 - x0) / len(word.text)
        inside = [char for i, char in enumerate(word.text) if left <= x0 + (i + 0.5) * pitch <= right]
        if inside:
            found.append((x0, "".join(inside)))
    return " ".join(text for _, text in sorted(found)) or None


def labelled_text(truth: Receipt | None, path: str) -> str | None:
    """Return the amount, number or code that a truth has at a path, as plain text; None for anything else."""
    found = _VALUE.fullmatch(path)
    if truth is None or found is None or found[1] not in Receipt.model_fields:
        return None
    value: object = getattr(truth, found[1])
    if found[2] is not None and isinstance(value, tuple):
        value = getattr(value[int(found[2])], found[3], None) if int(found[2]) < len(value) else None
    if isinstance(value, Decimal):
        return format(value, "f")
    return str(value) if isinstance(value, int) else None


def edited(truth: Receipt, edits: Mapping[str, str]) -> Receipt:
    """Return the truth of a page on which other values are printed: field path -> canonical value.

    What the truth leaves unlabelled stays so. Raises InputError for a path that names no value.
    """
    data = truth.to_json()
    for path, value in edits.items():
        found = _VALUE.fullmatch(path)
        if found is None or (found[1] in LIST_FIELDS) != (found[2] is not None):
            raise InputError(f"{path!r} names no single value of a receipt, so it cannot be edited")
        if found[1] in truth.labelled:
            entry = data if found[2] is None else data[found[1]][int(found[2])]
            entry[found[3] or found[1]] = value
    return Receipt.model_validate(data)


def move_fields(fields: Fields, move: Move) -> dict[str, tuple[PrintedField, ...]]:
    """Return the fields where they lie on the moved page."""
    return {
        path: tuple(replace(place, box=move_box(place.box, move)) for place in places)
        for path, places in fields.items()
    }


def move_fields_at(fields: Fields, box: Box, moves: Sequence[Move]) -> dict[str, tuple[PrintedField, ...]]:
    """Return the fields with those that lie in a box moved along with it."""
    return {
        path: tuple(
            replace(place, box=chain_box(place.box, moves))
            if overlap_share(place.box, box) >= SAME_PLACE
            else place
            for place in places
        )
        for path, places in fields.items()
    }


def shift_fields(fields: Fields, dx: float, dy: float) -> dict[str, tuple[PrintedField, ...]]:
    """Return the fields moved by ``dx``, ``dy`` pixels."""
    return {
        path: tuple(replace(place, box=shift_box(place.box, dx, dy)) for place in places)
        for path, places in fields.items()
    }


def boxes_of(fields: Fields) -> dict[str, tuple[Box, ...]]:
    """Return the boxes by field path."""
    return {path: tuple(place.box for place in places) for path, places in fields.items()}


def is_field_path(path: str) -> bool:
    """Return whether a path is a field of a receipt: ``total``, ``items`` or ``items[2].amount``."""
    found = _ENTRY.fullmatch(path)
    if found is None or found[1] not in LIST_FIELDS:
        return path in SINGLE_FIELDS
    entries: dict[str, type[Record]] = {"items": Item, "taxes": Tax}
    return found[2] is None or found[2] in entries.get(found[1], Adjustment).model_fields
