"""One picture of a private test set: made, measured, written as PNG, with its line of ``metadata.jsonl``."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from robustocr.errors import ImageError, InputError, RobustocrError, StoreError
from robustocr.fields import edited
from robustocr.images import file_sha256
from robustocr.natural import CLEAN, receipt_of
from robustocr.pictures import MadePicture, make_picture
from robustocr.recipes import Corruption
from robustocr.records import Case, Sample
from robustocr.worker_main import describe_exception

_LONGEST_SLUG = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseTask:
    """Cases of one sample to write, each with its number in the test set."""

    sample: Sample
    cases: tuple[tuple[int, Case], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFile:
    """A case that was written: its picture's name, sha256 (hex) and size in bytes, and its metadata line."""

    number: int
    case: Case
    name: str
    sha256: str
    size: int
    line: str
    source_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseLost:
    """A case that could not be written, and why."""

    number: int
    case: Case
    error: RobustocrError


class CaseWriter:
    """The handler of a writing worker: CaseTask -> what came of each of its cases."""

    def __init__(self, folder: Path, corruptions: Mapping[str, Corruption]) -> None:
        self._folder = folder
        self._corruptions = corruptions

    def __call__(self, task: CaseTask) -> tuple[CaseFile | CaseLost, ...]:
        """Write every case that can be made; one that fails does not stop the others."""
        return tuple(self._write(task.sample, number, case) for number, case in task.cases)

    def _write(self, sample: Sample, number: int, case: Case) -> CaseFile | CaseLost:
        corruption = None if case.severity == 0 else self._corruptions[case.corruption]
        try:
            made = make_picture(sample, case, corruption, with_legibility=True)
            name, data = _file_name(number, case), _png(made)
            _store(self._folder / name, data)
            return CaseFile(
                number=number,
                case=case,
                name=name,
                sha256=hashlib.sha256(data).hexdigest(),
                size=len(data),
                line=json.dumps(_entry(name, sample, case, made), ensure_ascii=False) + "\n",
                source_sha256=file_sha256(sample.image),
            )
        except RobustocrError as error:
            return CaseLost(number=number, case=case, error=error)
        except Exception as error:
            return CaseLost(number=number, case=case, error=InputError(describe_exception(error)))


def case_writer(folder: Path, corruptions: Mapping[str, Corruption]) -> CaseWriter:
    """Return the handler of a worker process."""
    cv2.setNumThreads(1)
    return CaseWriter(folder, corruptions)


def condition_of(case: Case) -> str:
    """Return what a test set calls the condition of a case: ``clean``, ``defocus-3``."""
    return CLEAN if case.severity == 0 else f"{case.corruption}-{case.severity}"


def _file_name(number: int, case: Case) -> str:
    """Return a name that no other picture has and every file system takes, whatever the sample's id."""
    slug = re.sub(r"[^A-Za-z0-9.-]+", "_", case.key)[:_LONGEST_SLUG]
    return f"{number:06d}-{slug}.png"


def _png(made: MadePicture) -> bytes:
    encoded, data = cv2.imencode(".png", cv2.cvtColor(made.pixels, cv2.COLOR_RGB2BGR))
    if not encoded:
        raise ImageError(f"a picture of shape {made.pixels.shape} cannot be written as PNG")
    return bytes(data.tobytes())


def _store(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise StoreError(f"cannot write to {path.parent.parent} ({error}); choose another --out") from error


def _entry(name: str, sample: Sample, case: Case, made: MadePicture) -> dict[str, Any]:
    """Return a line of ``metadata.jsonl``; the receipt is what is printed in this picture."""
    facts = made.facts()
    entry: dict[str, Any] = {"file_name": name, "id": case.key}
    if sample.truth is not None:
        entry["receipt"] = edited(sample.truth, made.edits).to_json()
    told = f"corrupted by robustocr: {case.key}" if case.severity else "as it was"
    return entry | {
        "boxes": facts["boxes"],
        "coverage": facts["coverage"],
        "legibility": facts["legibility"],
        "edits": facts["edits"],
        "group": sample.group,
        "condition": condition_of(case),
        "pair_id": receipt_of(sample),
        "provenance": f"{sample.provenance or sample.id}, {told}",
        "licence": sample.licence,
    }
