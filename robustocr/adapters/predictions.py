"""Answers made elsewhere, looked up by the case's key: ``predictions:FILE``.

JSON Lines with ``key`` (or its parts ``sample_id corruption severity seed target``) and an Extraction,
of which only ``receipt`` is required; or CSV with those parts and columns named by field path.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from robustocr.adapters.answers import describe_validation, extraction_of
from robustocr.adapters.base import Picture, Request
from robustocr.errors import AdapterError, InputError
from robustocr.records import LIST_FIELDS, SINGLE_FIELDS, Case, Extraction

_PARTS = ("sample_id", "corruption", "severity", "seed", "target")


class PredictionsAdapter:
    """Looks answers up in a file. A case without an answer, or with a bad one, fails as ``malformed``."""

    where: Literal["process", "thread"] = "thread"
    max_in_flight = 1
    cacheable = False

    def __init__(self, file: str) -> None:
        if not file:
            raise InputError("predictions: names no file; write predictions:FILE")
        from robustocr.images import file_sha256

        path = Path(file)
        if not path.is_file():
            raise InputError(f"no predictions file {file}")
        self.name = f"predictions:{path.name}"
        self.fingerprint = f"predictions@{file_sha256(path)}"
        self._answers = read_predictions(path)

    @property
    def cases(self) -> tuple[Case, ...]:
        """The cases that have an answer, in file order."""
        return tuple(case for case, _ in self._answers.values())

    def extract(self, picture: Picture, request: Request) -> Extraction:
        """Return the stored answer of ``picture.key``."""
        if picture.key not in self._answers:
            raise AdapterError(f"no prediction for {picture.key}", kind="malformed")
        return extraction_of(self._answers[picture.key][1])


def read_predictions(path: Path) -> dict[str, tuple[Case, dict[str, Any]]]:
    """Return case key -> (case, answer dict). Raises InputError naming file and line."""
    rows = _csv_rows(path) if path.suffix.lower() == ".csv" else _json_rows(path)
    found: dict[str, tuple[Case, dict[str, Any]]] = {}
    for line, parts, answer in rows:
        case = _case_of(path, line, parts)
        if case.key in found:
            raise InputError(f"{path}:{line}: a second prediction for {case.key}; keep one")
        found[case.key] = (case, answer)
    if not found:
        raise InputError(f"{path} holds no predictions")
    return found


def _json_rows(path: Path) -> Iterator[tuple[int, dict[str, Any], dict[str, Any]]]:
    with path.open(encoding="utf-8-sig") as file:
        for number, text in enumerate(file, 1):
            if not text.strip():
                continue
            try:
                row = json.loads(text)
            except ValueError as error:
                raise InputError(f"{path}:{number}: not a JSON object ({error})") from error
            if not isinstance(row, dict) or "receipt" not in row:
                raise InputError(f'{path}:{number}: a prediction is an object with "key" and "receipt"')
            parts = {name: row.pop(name) for name in ("key", *_PARTS) if name in row}
            yield number, parts, row


def _csv_rows(path: Path) -> Iterator[tuple[int, dict[str, Any], dict[str, Any]]]:
    known = {*SINGLE_FIELDS, *LIST_FIELDS, "key", *_PARTS}
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        unknown = sorted(set(reader.fieldnames or ()) - known)
        if unknown:
            raise InputError(
                f"{path}:1: unknown columns {', '.join(unknown)}; known: {', '.join(sorted(known))}"
            )
        for row in reader:
            parts = {name: row[name] for name in ("key", *_PARTS) if row.get(name)}
            try:
                yield reader.line_num, parts, {"receipt": _csv_receipt(row)}
            except ValueError as error:
                raise InputError(f"{path}:{reader.line_num}: a list column is not JSON ({error})") from error


def _csv_receipt(row: dict[str, str]) -> dict[str, Any]:
    single: dict[str, Any] = {name: row[name] for name in SINGLE_FIELDS if row.get(name)}
    return single | {name: json.loads(row[name]) for name in LIST_FIELDS if row.get(name)}


def _case_of(path: Path, line: int, parts: dict[str, Any]) -> Case:
    try:
        if "key" in parts:
            return parse_key(str(parts["key"]))
        return Case.model_validate(
            {**parts, "severity": int(parts.get("severity", 0)), "seed": int(parts.get("seed", 0))}
        )
    except ValidationError as error:
        raise InputError(f"{path}:{line}: {describe_validation(error)}") from error
    except (ValueError, TypeError) as error:
        raise InputError(f"{path}:{line}: {error}") from error


def parse_key(key: str) -> Case:
    """Return the Case of ``sample_id/corruption/severity/seed[/target]``; a sample's id may hold slashes."""
    parts = key.split("/")
    for tail in (3, 4):
        head, rest = parts[: len(parts) - tail], parts[len(parts) - tail :]
        if head and all(head) and len(rest) == tail and rest[1].isdigit() and rest[2].lstrip("-").isdigit():
            return Case(
                sample_id="/".join(head),
                corruption=rest[0],
                severity=int(rest[1]),
                seed=int(rest[2]),
                target=rest[3] if tail == 4 else None,
            )
    raise ValueError(f"key {key!r} is not sample_id/corruption/severity/seed[/target]")
