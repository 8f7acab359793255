"""A private test set: a dataset corrupted and written out in the native format, truth and boxes with it."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2

from robustocr.aim import parse_target
from robustocr.conditions import choose_conditions
from robustocr.errors import ImageError, InputError, NoPlaceError, StoreError
from robustocr.images import IMAGE_SUFFIXES
from robustocr.loaders.base import Dataset
from robustocr.loaders.native import METADATA
from robustocr.loaders.registry import load
from robustocr.pictures import MadePicture, make_picture
from robustocr.recipes import Corruption
from robustocr.records import Case, Sample

_LONGEST_SLUG = 80


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

    ``dataset`` is a dataset or one image file. A sample whose picture cannot be read, or in which ``target``
    has no known place, is left out (with ``strict`` an error). An error leaves nothing in ``out``. Raises
    InputError for a wrong ``target``, RecipeError where it cannot be aimed, StoreError for a bad ``out``.
    """
    conditions = choose_conditions(
        suite=suite, corruptions=corruptions, severities=severities, clean_only=False
    )
    if target is not None:
        parse_target(target)
    loaded = _load(dataset, format=format, strict=strict)
    skipped = [str(entry) for entry in loaded.left_out]
    lines: list[str] = []
    with _new_folder(Path(out)) as folder:
        for sample in loaded.samples:
            try:
                for condition in conditions[1:]:
                    case = condition.case(sample.id, seed).model_copy(update={"target": target})
                    lines.append(_corrupted(folder, len(lines) + 1, sample, case, condition.corruption))
            except (ImageError, NoPlaceError) as error:
                if strict:
                    raise
                skipped.append(f"{sample.image}: {error}")
        if not lines:
            raise InputError(f"nothing could be corrupted: {'; '.join(skipped[:3]) or 'no samples'}")
        _write(folder / METADATA, "".join(lines).encode())
    return len(lines), tuple(skipped)


def _corrupted(folder: Path, number: int, sample: Sample, case: Case, corruption: Corruption | None) -> str:
    """Write the picture of one case and return its line of ``metadata.jsonl``."""
    made = make_picture(sample, case, corruption)
    name = _file_name(number, case)
    _write(folder / name, _png(made))
    return json.dumps(_entry(name, sample, case, made), ensure_ascii=False) + "\n"


def _load(dataset: str | Path, *, format: str | None, strict: bool) -> Dataset:
    path = Path(dataset)
    if path.is_file() and path.suffix.lower() in IMAGE_SUFFIXES:
        sample = Sample(id=path.stem.encode("utf-8", "replace").decode(), image=path)
        return Dataset(name=path.name, format="image", root=path.parent, samples=(sample,), left_out=())
    return load(dataset, format=format, strict=strict)


@contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """Yield a place to write; its files come to ``folder``, the labels last, only when nothing went wrong."""
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise StoreError(f"{folder} is not empty; choose a new folder for --out")
        work = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=folder))
    except OSError as error:
        raise StoreError(f"cannot write to {folder} ({error}); choose another --out") from error
    try:
        yield work
        for path in sorted(work.iterdir(), key=lambda path: path.name == METADATA):
            path.rename(folder / path.name)
    finally:
        shutil.rmtree(work, ignore_errors=True)
        if is_new and not any(folder.iterdir()):
            folder.rmdir()


def _file_name(number: int, case: Case) -> str:
    """Return a name that no other picture has and every file system takes, whatever the sample's id."""
    slug = re.sub(r"[^A-Za-z0-9.-]+", "_", case.key)[:_LONGEST_SLUG]
    return f"{number:06d}-{slug}.png"


def _png(made: MadePicture) -> bytes:
    encoded, data = cv2.imencode(".png", cv2.cvtColor(made.pixels, cv2.COLOR_RGB2BGR))
    if not encoded:
        raise ImageError(f"a picture of shape {made.pixels.shape} cannot be written as PNG")
    return bytes(data.tobytes())


def _write(path: Path, data: bytes) -> None:
    try:
        with path.open("xb") as file:
            file.write(data)
    except OSError as error:
        raise StoreError(f"cannot write to {path.parent.parent} ({error}); choose another --out") from error


def _entry(name: str, sample: Sample, case: Case, made: MadePicture) -> dict[str, Any]:
    entry: dict[str, Any] = {"file_name": name, "id": case.key}
    if sample.truth is not None:
        entry["receipt"] = sample.truth.to_json()
    return entry | {
        "boxes": made.facts()["boxes"],
        "group": sample.group,
        "condition": f"{case.corruption}-{case.severity}",
        "pair_id": sample.id,
        "provenance": f"{sample.provenance or sample.id}, corrupted by robustocr: {case.key}",
        "licence": sample.licence,
    }
