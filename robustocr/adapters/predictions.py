"""Answers made elsewhere, looked up by the case's key: ``predictions:FILE``.

JSON Lines with ``key`` (or its parts ``sample_id corruption severity seed target``) and an Extraction,
of which only ``receipt`` is required; or CSV with those parts and columns named by field path. ``id`` is
another name of ``sample_id``. A picture taken under a condition of its own is named by its id alone, or with
that condition as ``corruption`` and severity 0.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from robustocr.adapters.answers import extraction_of
from robustocr.adapters.base import Picture, Request
from robustocr.errors import AdapterError, InputError, unknown_name
from robustocr.loaders.base import explain
from robustocr.records import LIST_FIELDS, SINGLE_FIELDS, Case, Extraction

_ID_KEYS = ("sample_id", "id")
_CASE_KEYS = ("key", *_ID_KEYS, "corruption", "severity", "seed", "target")
_NAMING = 'a prediction names its case by "key", or by "sample_id" (or "id") with "corruption" and "severity"'


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
        """Return the stored answer of ``picture.key``.

        A picture as it is may be named as clean whatever condition it was taken under: it is the same one.
        """
        answers = [self._answers[name][1] for name in _names(picture.key) if name in self._answers]
        if not answers:
            raise AdapterError(f"no prediction for {picture.key}", kind="malformed")
        return extraction_of(answers[0], what="the prediction holds")


def _names(key: str | None) -> tuple[str, ...]:
    """The keys under which the answer to a case may stand."""
    if key is None:
        return ()
    case = parse_key(key)
    return (key,) if case.severity else (key, Case(sample_id=case.sample_id, seed=case.seed).key)


def read_predictions(path: Path) -> dict[str, tuple[Case, dict[str, Any]]]:
    """Return case key -> (case, answer dict). Raises InputError naming file and line."""
    rows = _csv_rows(path) if path.suffix.lower() == ".csv" else _json_rows(path)
    found: dict[str, tuple[Case, dict[str, Any]]] = {}
    try:
        for line, parts, answer in rows:
            case = _case_of(path, line, parts)
            if case.key in found:
                raise InputError(f"{path}:{line}: a second prediction for {case.key}; keep one")
            found[case.key] = (case, answer)
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 ({error.reason}); save it as UTF-8") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    if not found:
        raise InputError(f"{path} holds no predictions")
    return found


_Row = tuple[int, dict[str, Any], dict[str, Any]]
"""Line number, the parts that name the case, and the answer."""


def _json_rows(path: Path) -> Iterator[_Row]:
    known = (*_CASE_KEYS, *Extraction.model_fields)
    with path.open(encoding="utf-8-sig") as file:
        for number, text in enumerate(file, 1):
            if not text.strip():
                continue
            try:
                row = json.loads(text)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path}:{number}: not a JSON object ({explain(error)})") from error
            if not isinstance(row, dict):
                raise InputError(f'{path}:{number}: not a JSON object such as {{"id": ..., "receipt": ...}}')
            unknown = [name for name in row if name not in known]
            if unknown:
                raise InputError(f"{path}:{number}: {unknown_name('key', unknown[0], known)}")
            if "receipt" not in row:
                raise InputError(f'{path}:{number}: no "receipt"; known keys: {", ".join(sorted(known))}')
            parts = {name: row.pop(name) for name in _CASE_KEYS if name in row}
            yield number, parts, row


def _csv_rows(path: Path) -> Iterator[_Row]:
    known = {*SINGLE_FIELDS, *LIST_FIELDS, *_CASE_KEYS}
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        try:
            unknown = sorted(set(reader.fieldnames or ()) - known)
            if unknown:
                raise InputError(f"{path}:1: {unknown_name('column', unknown[0], known)}")
            for row in reader:
                if None in row:
                    raise InputError(f"{path}:{reader.line_num}: more values than columns; quote the commas")
                parts = {name: row[name] for name in _CASE_KEYS if row.get(name)}
                yield reader.line_num, parts, {"receipt": _csv_receipt(path, reader.line_num, row)}
        except csv.Error as error:
            raise InputError(f"{path}: not CSV after line {reader.line_num} ({error})") from error


def _csv_receipt(path: Path, line: int, row: dict[str, str]) -> dict[str, Any]:
    receipt: dict[str, Any] = {name: row[name] for name in SINGLE_FIELDS if row.get(name)}
    for name in LIST_FIELDS:
        try:
            receipt |= {name: json.loads(row[name])} if row.get(name) else {}
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}:{line}: column {name} is not JSON ({explain(error)})") from error
    return receipt


def _case_of(path: Path, line: int, parts: dict[str, Any]) -> Case:
    try:
        if "key" in parts:
            return parse_key(str(parts["key"]))
        rest = {name: value for name, value in parts.items() if name not in _ID_KEYS}
        return Case.model_validate(rest | {"sample_id": _sample_id(parts)})
    except ValueError as error:
        raise InputError(f"{path}:{line}: {explain(error)}") from error


def _sample_id(parts: dict[str, Any]) -> object:
    given = [parts[name] for name in _ID_KEYS if parts.get(name) not in (None, "")]
    if not given:
        raise ValueError(_NAMING)
    if given[0] != given[-1]:
        raise ValueError(f"sample_id {given[0]!r} and id {given[-1]!r} differ; keep one")
    return str(given[0]) if isinstance(given[0], int) else given[0]


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
