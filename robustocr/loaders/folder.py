"""A bare folder of pictures, without truth: for rules and label-free numbers only."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from robustocr.loaders.base import Entry, Format, LabelError, LeftOut, attempt
from robustocr.loaders.files import listing, picture_path, pictures_in, read_text, relative, subfolders
from robustocr.records import Sample

_TABLES = frozenset({".csv", ".tsv"})
_JSON = frozenset({".json", ".jsonl"})
_TEXT = frozenset({".txt"})
_NO_LABELS = frozenset({"readme", "license", "licence"})
_KNOWN_JSON = (
    "JSON labels are read from metadata.jsonl beside the pictures, from json/ beside image/ (CORD), "
    "and from entities/ or key/ beside img/ (SROIE)"
)
_KNOWN_TEXT = "text labels are read from entities/, key/ and box/ beside img/ (SROIE) only"


def unread_labels(root: Path) -> Iterator[LeftOut]:
    """Yield each file that looks like labels (csv, tsv, json, jsonl, txt) and why it was not read.

    For a folder that no format with labels recognises. Looks where pictures may lie: here and one level
    below. A README or licence is no label.
    """
    for folder in subfolders(root):
        for path in listing(folder, _TABLES | _JSON | _TEXT):
            if path.stem.lower() not in _NO_LABELS:
                reason = f"not recognised as labels: {_reason(path, root)}"
                yield LeftOut(file=relative(path, root), reason=reason)


def _reason(path: Path, root: Path) -> str:
    suffix = path.suffix.lower()
    if suffix in _TABLES:
        return _table_reason(path, root)
    return _KNOWN_JSON if suffix in _JSON else _KNOWN_TEXT


def _table_reason(path: Path, root: Path) -> str:
    try:
        first = next(line.strip() for line in read_text(path).splitlines() if line.strip())
    except LabelError as error:
        return str(error)
    if path.parent != root:
        return f"a CSV must lie in the dataset's own folder; move it there, or give {path.parent}"
    return f"a CSV needs a column file_name; its first line is {first[:80]!r}"


def _recognises(root: Path) -> bool:
    return bool(_pictures(root))


def _pictures(root: Path) -> list[Path]:
    return pictures_in(root) or [path for folder in subfolders(root) for path in pictures_in(folder)]


def _read(root: Path) -> Iterator[Entry]:
    for path in _pictures(root):
        yield attempt(partial(_sample, root, path), file=relative(path, root))


def _sample(root: Path, path: Path) -> Sample:
    return Sample(id=path.stem, image=picture_path(path.name, path.parent, root))


FOLDER = Format(
    name="folder",
    layout="pictures alone (no truth), here or in folders one level below",
    recognises=_recognises,
    read=_read,
)
