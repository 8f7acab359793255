"""A private test set: a dataset corrupted and written out in the native format, truth and boxes with it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2

from robustocr.errors import ImageError, InputError, RecipeError, StoreError
from robustocr.loaders.base import Dataset
from robustocr.loaders.registry import load
from robustocr.pictures import MadePicture, make_picture
from robustocr.plan import choose_conditions
from robustocr.records import Case, Sample

_IMAGE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp")


def write_corrupted(
    dataset: str | Path,
    *,
    out: str | Path,
    suite: str | None = None,
    corruptions: Sequence[str | Path] = (),
    severities: Sequence[int] | None = None,
    seed: int = 0,
    target: str | None = None,
    strict: bool = False,
    format: str | None = None,
) -> tuple[int, tuple[str, ...]]:
    """Write every corrupted picture as PNG with ``metadata.jsonl``; return how many, and what was left out.

    ``dataset`` is a dataset or one image file. Each line keeps the truth, the moved boxes, the case's
    key and the coverage. A sample where ``target`` has no known place is left out and counted.
    """
    folder = _empty_folder(Path(out))
    conditions = choose_conditions(
        suite=suite, corruptions=corruptions, severities=severities, clean_only=False
    )
    loaded = _load(dataset, format=format, strict=strict)
    skipped = [f"{entry.file}: {entry.reason}" for entry in loaded.left_out]
    written = 0
    with (folder / "metadata.jsonl").open("w", encoding="utf-8") as metadata:
        for sample in loaded.samples:
            try:
                for condition in conditions[1:]:
                    case = condition.case(sample.id, seed).model_copy(update={"target": target})
                    made = make_picture(sample, case, condition.corruption)
                    metadata.write(json.dumps(_write(folder, sample, case, made), ensure_ascii=False) + "\n")
                    written += 1
            except (ImageError, RecipeError) as error:
                if strict or not _belongs_to_sample(error):
                    raise
                skipped.append(f"{sample.image}: {error}")
    if not written:
        raise InputError(f"nothing could be corrupted: {'; '.join(skipped[:3]) or 'no samples'}")
    return written, tuple(skipped)


def _belongs_to_sample(error: Exception) -> bool:
    return isinstance(error, ImageError) or "no known place" in str(error)


def _load(dataset: str | Path, *, format: str | None, strict: bool) -> Dataset:
    path = Path(dataset)
    if path.is_file() and path.suffix.lower() in _IMAGE_SUFFIXES:
        sample = Sample(id=path.stem, image=path)
        return Dataset(name=path.name, format="image", root=path.parent, samples=(sample,), left_out=())
    return load(dataset, format=format, strict=strict)


def _empty_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise StoreError(f"{folder} is not empty; choose a new folder for --out")
    except OSError as error:
        raise StoreError(f"cannot write to {folder} ({error}); choose another --out") from error
    return folder


def _write(folder: Path, sample: Sample, case: Case, made: MadePicture) -> dict[str, Any]:
    name = re.sub(r"[^\w.-]+", "_", case.key) + ".png"
    if not cv2.imwrite(str(folder / name), cv2.cvtColor(made.pixels, cv2.COLOR_RGB2BGR)):
        raise StoreError(f"cannot write {folder / name}")
    facts = made.facts()
    entry: dict[str, Any] = {"file_name": name, "id": case.key}
    if sample.truth is not None:
        entry["receipt"] = sample.truth.to_json()
    return entry | {
        "boxes": facts["boxes"],
        "group": sample.group,
        "condition": f"{case.corruption}-{case.severity}",
        "pair_id": sample.id,
        "provenance": f"{sample.provenance or sample.id}, corrupted by robustocr: {case.key}",
        "licence": sample.licence,
    }
