"""The native format: ``metadata.jsonl`` beside the pictures, one JSON object per line (ImageFolder)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Self

from pydantic import ConfigDict, Field, field_validator, model_validator

from robustocr.errors import unknown_name
from robustocr.loaders.base import Entry, Format, LabelError, LeftOut, attempt
from robustocr.loaders.files import decoded, json_object, label_files, picture_path, raw_lines, relative
from robustocr.records import Box, Receipt, Record, Sample, Word

METADATA = "metadata.jsonl"


class Line(Record):
    """One line of ``metadata.jsonl``.

    ``coverage`` and ``legibility`` say what a corruption left of each place of ``boxes``. ``edits`` says what
    it printed; the receipt holds it already, so a Sample goes without.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)

    file_name: str
    id: str | None = Field(default=None, min_length=1)
    receipt: Receipt | None = None
    boxes: dict[str, tuple[Box, ...]] = Field(default_factory=dict)
    words: tuple[Word, ...] = ()
    group: str | None = None
    condition: str | None = None
    pair_id: str | None = None
    provenance: str | None = None
    licence: str | None = None
    coverage: dict[str, tuple[float, ...]] = Field(default_factory=dict)
    legibility: dict[str, tuple[float | None, ...]] = Field(default_factory=dict)
    edits: dict[str, str] = Field(default_factory=dict)

    @field_validator("boxes")
    @classmethod
    def _paths_known(cls, boxes: dict[str, tuple[Box, ...]]) -> dict[str, tuple[Box, ...]]:
        for path in boxes:
            head = re.split(r"[.\[]", path, maxsplit=1)[0]
            if head not in Receipt.model_fields:
                raise ValueError(unknown_name("field path", path, Receipt.model_fields))
        return boxes

    @model_validator(mode="after")
    def _as_many_as_boxes(self) -> Self:
        for name, told in (("coverage", self.coverage), ("legibility", self.legibility)):
            for path, values in told.items():
                places = len(self.boxes.get(path, ()))
                if len(values) != places:
                    raise ValueError(f"{name} of {path!r} has {len(values)} values for {places} boxes")
        return self


def read_metadata(root: Path, build: Callable[[Path, Path, int, str], Sample]) -> Iterator[Entry]:
    """Yield what ``build(root, label file, line number, text)`` makes of each line of each metadata.jsonl."""
    for path in label_files(root, METADATA):
        name = relative(path, root)
        try:
            lines = raw_lines(path)
        except LabelError as error:
            yield LeftOut(file=name, reason=str(error))
            continue
        for number, raw in lines:
            yield attempt(partial(_decode, build, root, path, number, raw), file=name, line=number)


def first_line(root: Path) -> str | None:
    """Return the first line of the first metadata.jsonl, empty when unreadable, None when there is none."""
    paths = label_files(root, METADATA)
    if not paths:
        return None
    try:
        return decoded(raw_lines(paths[0])[0][1])
    except LabelError:
        return ""


def _decode(
    build: Callable[[Path, Path, int, str], Sample], root: Path, path: Path, number: int, raw: bytes
) -> Sample:
    return build(root, path, number, decoded(raw))


def _sample(root: Path, path: Path, number: int, text: str) -> Sample:
    data = json_object(text)
    if "file_name" not in data:
        raise LabelError(f"the key file_name is missing; known keys: {', '.join(Line.model_fields)}")
    unknown = [key for key in data if key not in Line.model_fields]
    if unknown:
        raise LabelError(unknown_name("key", unknown[0], Line.model_fields))
    image = picture_path(data["file_name"], path.parent, root)
    line = Line.model_validate(data)
    return Sample(
        id=image.stem if line.id is None else line.id,
        image=image,
        truth=line.receipt,
        source_line=number,
        **{key: getattr(line, key) for key in _COPIED},
    )


_COPIED = (
    "boxes", "coverage", "legibility", "words", "group", "condition", "pair_id", "provenance", "licence",
)  # fmt: skip


def _read(root: Path) -> Iterator[Entry]:
    return read_metadata(root, _sample)


def _recognises(root: Path) -> bool:
    line = first_line(root)
    return line is not None and '"ground_truth"' not in line


NATIVE = Format(
    name="native",
    layout="metadata.jsonl beside the pictures, each line with file_name and receipt",
    recognises=_recognises,
    read=_read,
)
