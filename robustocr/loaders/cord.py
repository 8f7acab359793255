"""CORD v1 and v2 as folders: ``image/*.png`` with ``json/*.json``, at the root or in train, dev, test."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from robustocr.loaders.base import Entry, Format, LabelError, LeftOut, attempt
from robustocr.loaders.cord_labels import receipt_of_gt_parse
from robustocr.loaders.cord_lines import annotated_lines, boxes_of_lines, gt_parse_of_lines
from robustocr.loaders.files import (
    json_object,
    listing,
    picture_path,
    pictures_in,
    read_text,
    relative,
    subfolders,
)
from robustocr.records import Sample

_JSON = frozenset({".json"})


def labelled_parts(label: dict[str, Any]) -> dict[str, Any]:
    """Return ``truth``, ``boxes`` and ``words`` of one CORD label, as keys of a Sample.

    Annotated lines come before a ``gt_parse``, which is made from them. Raises LabelError or ValueError
    naming what cannot be read.
    """
    lines = annotated_lines(label)
    parse = gt_parse_of_lines(lines) if lines else label.get("gt_parse")
    if not isinstance(parse, dict):
        raise LabelError(
            "the label has neither valid_line nor an object gt_parse with menu, sub_total, total"
        )
    return {
        "truth": receipt_of_gt_parse(parse),
        "boxes": boxes_of_lines(lines),
        "words": tuple(word for line in lines for word in line.words),
    }


def _recognises(root: Path) -> bool:
    return any(_is_split(folder) for folder in subfolders(root))


def _is_split(folder: Path) -> bool:
    return (folder / "image").is_dir() and (folder / "json").is_dir()


def _read(root: Path) -> Iterator[Entry]:
    for folder in subfolders(root):
        if _is_split(folder):
            yield from _read_split(root, folder)


def _read_split(root: Path, folder: Path) -> Iterator[Entry]:
    labels = {path.stem: path for path in listing(folder / "json", _JSON)}
    for picture in pictures_in(folder / "image"):
        label = labels.pop(picture.stem, None)
        if label is None:
            yield LeftOut(file=relative(picture, root), reason=f"no label json/{picture.stem}.json; add one")
        else:
            yield attempt(partial(_sample, root, picture, label), file=relative(label, root))
    for label in labels.values():
        yield LeftOut(file=relative(label, root), reason=f"no picture image/{label.stem}.png for this label")


def _sample(root: Path, picture: Path, path: Path) -> Sample:
    return Sample(
        id=picture.stem,
        image=picture_path(picture.name, picture.parent, root),
        provenance="CORD",
        licence="CC-BY-4.0",
        **labelled_parts(json_object(read_text(path))),
    )


CORD = Format(
    name="cord",
    layout="image/*.png with json/*.json, here or in train/, dev/ and test/",
    recognises=_recognises,
    read=_read,
)
