"""A bare folder of pictures, without truth: for rules and label-free numbers only."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from robustocr.loaders.base import Entry, Format, attempt
from robustocr.loaders.files import picture_path, pictures_in, relative, subfolders
from robustocr.records import Sample


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
