"""SROIE 2019: ``img``, ``box`` and ``entities`` (or ``key/*.json``), at the root or in train and test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from robustocr.convention import infer_convention
from robustocr.errors import unknown_name
from robustocr.loaders.base import Entry, Format, LabelError, LeftOut, attempt
from robustocr.loaders.files import (
    decoded,
    json_object,
    listing,
    picture_path,
    pictures_in,
    raw_lines,
    read_text,
    relative,
    subfolders,
)
from robustocr.printed import canonical_receipt
from robustocr.records import Receipt, Sample, Word

FIELDS = {"company": "merchant", "date": "date", "address": "address", "total": "total"}
"""SROIE's entity -> field path."""

_LABEL_FOLDERS = ("entities", "key")
_PICTURE_FOLDERS = ("img", "image", "images")
_TEXT = frozenset({".txt", ".json", ".csv"})


def read_boxes(path: Path) -> tuple[Word, ...]:
    """Return the words of one box file, lines of ``x1,y1,x2,y2,x3,y3,x4,y4,text``.

    Raises LabelError naming the line that is none.
    """
    return tuple(_word(decoded(raw, number), number) for number, raw in raw_lines(path))


def receipt_of_entities(entities: dict[str, Any], texts: Iterable[str] = ()) -> Receipt:
    """Return the truth that SROIE's four entities hold; dates are day first.

    Empty and null entities are unlabelled. ``texts`` are the printed lines, for the decimal mark. Raises
    ValueError for unknown entities and for values that cannot be read.
    """
    unknown = [key for key in entities if key not in FIELDS]
    if unknown:
        raise LabelError(unknown_name("entity", unknown[0], FIELDS))
    known = {key: value for key, value in entities.items() if value is not None}
    for key, value in known.items():
        if not isinstance(value, str):
            raise LabelError(f"entity {key!r} is {value!r}, not text; write it in quotes as printed")
    printed = {FIELDS[key]: value.strip() for key, value in known.items()}
    convention = infer_convention([*texts, printed.get("total", "")])
    return Receipt.model_validate(canonical_receipt(printed, convention=convention, day_first=True))


def _word(line: str, number: int) -> Word:
    parts = line.split(",", 8)
    try:
        corners = tuple(float(part) for part in parts[:8])
    except ValueError as error:
        raise LabelError(f"box {line[:60]!r} is not x1,y1,...,x4,y4,text: {error}", number) from error
    if len(parts) < 9:
        raise LabelError(f"box {line[:60]!r} has {len(parts)} parts, not 9 (x1,y1,...,x4,y4,text)", number)
    return Word(text=parts[8].strip(), box=corners)


def _recognises(root: Path) -> bool:
    return any(_is_split(folder) for folder in subfolders(root))


def _is_split(folder: Path) -> bool:
    return _pictures(folder) is not None and any(
        (folder / name).is_dir() for name in (*_LABEL_FOLDERS, "box")
    )


def _pictures(folder: Path) -> Path | None:
    return next((folder / name for name in _PICTURE_FOLDERS if (folder / name).is_dir()), None)


def _read(root: Path) -> Iterator[Entry]:
    for folder in subfolders(root):
        if _is_split(folder):
            yield from _read_split(root, folder)


def _read_split(root: Path, folder: Path) -> Iterator[Entry]:
    pictures = pictures_in(_pictures(folder) or folder)
    labels = _labels(folder)
    for picture in pictures:
        label = labels.pop(picture.stem, None) if labels else None
        name = relative(label or picture, root)
        if label is None and _has_labels(folder):
            yield LeftOut(file=name, reason=f"no label {picture.stem}.txt or .json for this picture; add one")
            continue
        yield attempt(partial(_sample, root, folder, picture, label), file=name)
    for label in labels.values():
        yield LeftOut(
            file=relative(label, root), reason=f"no picture {label.stem}.jpg or .png for this label"
        )


def _has_labels(folder: Path) -> bool:
    return any((folder / name).is_dir() for name in _LABEL_FOLDERS)


def _labels(folder: Path) -> dict[str, Path]:
    """The label file of each picture's stem, in order; entities before key."""
    found = [path for name in _LABEL_FOLDERS for path in listing(folder / name, _TEXT)]
    return {path.stem: path for path in reversed(found)}


def _sample(root: Path, folder: Path, picture: Path, label: Path | None) -> Sample:
    picture_path(picture.name, picture.parent, root)
    words = _words(root, folder, picture.stem)
    truth = (
        receipt_of_entities(json_object(read_text(label)), [word.text for word in words]) if label else None
    )
    return Sample(
        id=picture.stem,
        image=picture,
        truth=truth,
        words=words,
        group=truth.merchant.casefold() if truth and truth.merchant else None,
        provenance="SROIE 2019",
        licence="CC-BY-4.0",
    )


def _words(root: Path, folder: Path, stem: str) -> tuple[Word, ...]:
    """The words of the box file of this stem, none where it is absent."""
    for suffix in (".txt", ".csv"):
        path = folder / "box" / f"{stem}{suffix}"
        if path.is_file():
            try:
                return read_boxes(path)
            except LabelError as error:
                raise LabelError(f"box file {relative(path, root)}: {error}", error.line) from error
    return ()


SROIE = Format(
    name="sroie",
    layout="img/ with box/ and entities/ (or key/*.json), here or in train/ and test/",
    recognises=_recognises,
    read=_read,
)
