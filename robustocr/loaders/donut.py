"""Donut's format: ``metadata.jsonl`` whose lines hold ``ground_truth``, a JSON string with ``gt_parse``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from robustocr.errors import unknown_name
from robustocr.loaders.base import Entry, Format, LabelError
from robustocr.loaders.cord import labelled_parts
from robustocr.loaders.cord_labels import SECTIONS
from robustocr.loaders.files import json_object, picture_path
from robustocr.loaders.native import first_line, read_metadata
from robustocr.loaders.sroie import FIELDS, receipt_of_entities
from robustocr.printed import canonical_receipt
from robustocr.records import Receipt, Sample

_KEYS = ("file_name", "ground_truth", "id")


def _sample(root: Path, path: Path, number: int, text: str) -> Sample:
    data = json_object(text)
    for key in ("file_name", "ground_truth"):
        if key not in data:
            raise LabelError(f"the key {key} is missing; a line has file_name and ground_truth")
    unknown = [key for key in data if key not in _KEYS]
    if unknown:
        raise LabelError(unknown_name("key", unknown[0], _KEYS))
    truth = data["ground_truth"]
    if not isinstance(truth, str):
        raise LabelError(f"ground_truth is {truth!r:.60}, not a JSON string")
    image = picture_path(data["file_name"], path.parent, root)
    return Sample(
        id=str(data.get("id", image.stem)), image=image, source_line=number, **_parts(json_object(truth))
    )


def _parts(label: dict[str, Any]) -> dict[str, Any]:
    """What a label with CORD's sections, SROIE's entities, or the fields of a Receipt as printed says."""
    parse = label.get("gt_parse")
    if "valid_line" in label or not isinstance(parse, dict) or parse.keys() <= set(SECTIONS):
        return labelled_parts(label)
    if parse.keys() <= FIELDS.keys():
        return {"truth": receipt_of_entities(parse)}
    unknown = [key for key in parse if key not in Receipt.model_fields]
    if unknown:
        known = [*SECTIONS, *FIELDS, *Receipt.model_fields]
        raise LabelError(unknown_name("key of gt_parse", unknown[0], known))
    return {"truth": Receipt.model_validate(canonical_receipt(parse))}


def _read(root: Path) -> Iterator[Entry]:
    return read_metadata(root, _sample)


def _recognises(root: Path) -> bool:
    line = first_line(root)
    return line is not None and '"ground_truth"' in line


DONUT = Format(
    name="donut",
    layout="metadata.jsonl beside the pictures, each line with file_name and ground_truth",
    recognises=_recognises,
    read=_read,
)
