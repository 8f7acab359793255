"""The journal -> ``cases.parquet`` and ``outcomes.parquet``, sorted as planned and written in batches."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from robustocr.fields import edited
from robustocr.natural import receipt_of
from robustocr.plan import Plan
from robustocr.records import Case, Extraction, Outcome, Sample, Verdict
from robustocr.review import review_list
from robustocr.scoring import score
from robustocr.store import entries_at, read_journal

_BATCH = 2000
_TEXT, _WHOLE, _REAL, _BOOL = pa.string(), pa.int64(), pa.float64(), pa.bool_()

CASES_SCHEMA = pa.schema(
    {
        "key": _TEXT,
        "sample_id": _TEXT,
        "receipt_id": _TEXT,
        "group": _TEXT,
        "corruption": _TEXT,
        "severity": _WHOLE,
        "seed": _WHOLE,
        "target": _TEXT,
        "adapter": _TEXT,
        "seconds": _REAL,
        "tokens_in": _WHOLE,
        "tokens_out": _WHOLE,
        "cost": _TEXT,
        "calls": _WHOLE,
        "steps": _WHOLE,
        "cached": _BOOL,
        "error": _TEXT,
        "error_message": _TEXT,
        "picture_sha256": _TEXT,
        "text_height": _REAL,
        "verdict": _TEXT,
        "verdict_json": _TEXT,
        "review": _TEXT,
        "boxes_json": _TEXT,
    }
)
OUTCOMES_SCHEMA = pa.schema(
    {
        "sample_id": _TEXT,
        "receipt_id": _TEXT,
        "group": _TEXT,
        "corruption": _TEXT,
        "severity": _WHOLE,
        "seed": _WHOLE,
        "target": _TEXT,
        "adapter": _TEXT,
        "field": _TEXT,
        "read_field": _TEXT,
        "truth": _TEXT,
        "value": _TEXT,
        "text": _TEXT,
        "marker": _TEXT,
        "score": _REAL,
        "outcome": _TEXT,
        "flagged_by_reader": _BOOL,
        "flagged_by_rules": _BOOL,
        "silent": _BOOL,
        "coverage": _REAL,
        "legibility": _REAL,
        "answerable": _BOOL,
        "verdict": _TEXT,
        "error": _TEXT,
    }
)


class JournalIndex:
    """What a journal holds: (adapter, key) -> byte offset, what was left out and why, effort by adapter.

    ``left_out``: samples. ``not_made``: keys of cases, each with its sample and reason.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.offsets: dict[tuple[str, str], int] = {}
        self.left_out: dict[str, str] = {}
        self.not_made: dict[str, tuple[str, str]] = {}
        self.effort: dict[str, Counter[str]] = {}
        for offset, entry in read_journal(path):
            if "effort" in entry:
                spent = self.effort.setdefault(entry["effort"], Counter())
                spent.update({name: entry[name] for name in ("pictures", "busy_seconds", "worker_seconds")})
            elif "left_out" in entry:
                self.left_out[entry["left_out"]] = entry["reason"]
            elif "not_made" in entry:
                self.not_made[entry["not_made"]] = (entry["sample"], entry["reason"])
            else:
                self.offsets.setdefault((entry["adapter"], entry["key"]), offset)

    def keys(self, adapter: str) -> set[str]:
        """Return the keys of the finished cases of one adapter."""
        return {key for name, key in self.offsets if name == adapter}


class _BatchWriter:
    """Appends rows to a parquet file in row groups of a fixed size."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._path, self._schema = path, schema
        self._part = path.with_name(path.name + ".part")
        self._writer = pq.ParquetWriter(self._part, schema)
        self._rows: list[dict[str, Any]] = []

    def add(self, rows: Sequence[dict[str, Any]]) -> None:
        self._rows.extend(rows)
        if len(self._rows) >= _BATCH:
            self._write()

    def _write(self) -> None:
        self._writer.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
        self._rows.clear()

    def close(self) -> None:
        if self._rows:
            self._write()
        self._writer.close()
        self._part.replace(self._path)


def write_tables(plan: Plan, index: JournalIndex, adapters: Sequence[str], folder: Path) -> None:
    """Write both tables: every journalled case of the plan once, adapter by adapter in plan order."""
    cases = _BatchWriter(folder / "cases.parquet", CASES_SCHEMA)
    outcomes = _BatchWriter(folder / "outcomes.parquet", OUTCOMES_SCHEMA)
    samples = {sample.id: sample for sample in plan.samples}
    for adapter in adapters:
        offsets = _planned_offsets(plan, index, adapter)
        for entry in entries_at(index.path, offsets):
            case = Case.model_validate(entry["case"])
            sample = samples[case.sample_id]
            row, scored = _rows(entry, case, sample, plan.fields)
            cases.add([row])
            receipt = {"receipt_id": row["receipt_id"]}
            outcomes.add([receipt | outcome.model_dump(mode="json") for outcome in scored])
    cases.close()
    outcomes.close()


def _planned_offsets(plan: Plan, index: JournalIndex, adapter: str) -> Iterator[int]:
    for sample, _, case in plan.cases():
        offset = index.offsets.get((adapter, case.key))
        if offset is not None and sample.id not in index.left_out and case.key not in index.not_made:
            yield offset


def _rows(
    entry: dict[str, Any], case: Case, sample: Sample, fields: Sequence[str] | None
) -> tuple[dict[str, Any], list[Outcome]]:
    extraction = Extraction.model_validate(entry["extraction"])
    verdict = Verdict.model_validate(entry["verdict"]) if entry["verdict"] else None
    row = _case_row(entry, case, sample, extraction, verdict)
    if sample.truth is None:
        return row, []
    scored = score(
        extraction,
        edited(sample.truth, entry.get("edits", {})),
        verdict,
        case=case,
        adapter=entry["adapter"],
        group=sample.group,
        fields=fields,
        coverage=_full_coverage(entry),
        legibility=entry.get("legibility"),
    )
    return row, scored


def _full_coverage(entry: dict[str, Any]) -> dict[str, list[float]]:
    """Return the coverage of every located path; places that nothing covers are not in the journal."""
    covered: dict[str, list[float]] = entry["coverage"]
    return {path: [0.0] * len(boxes) for path, boxes in entry["boxes"].items()} | covered


def _case_row(
    entry: dict[str, Any], case: Case, sample: Sample, extraction: Extraction, verdict: Verdict | None
) -> dict[str, Any]:
    usage, error = extraction.usage, extraction.error
    return {
        **case.model_dump(),
        "key": case.key,
        "receipt_id": receipt_of(sample),
        "group": sample.group,
        "adapter": entry["adapter"],
        "seconds": usage.seconds,
        "tokens_in": usage.tokens_in,
        "tokens_out": usage.tokens_out,
        "cost": None if usage.cost is None else str(usage.cost),
        "calls": usage.calls,
        "steps": len(extraction.trace),
        "cached": entry["cached"],
        "error": error.kind if error else None,
        "error_message": error.message if error else None,
        "picture_sha256": entry["picture_sha256"],
        "text_height": entry["text_height"],
        "verdict": verdict.status.value if verdict else None,
        "verdict_json": json.dumps(entry["verdict"]) if verdict else None,
        "review": json.dumps(review_list(extraction, verdict)),
        "boxes_json": json.dumps(entry["boxes"]),
    }
