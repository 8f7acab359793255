"""Made-up run folders of any size: a reader whose accuracy falls with severity."""

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from robustocr.gate import judge_all, parse_requirement
from robustocr.records import MONEY_FIELDS, Outcome
from robustocr.summary import summarise


def outcome_row(
    rng: np.random.Generator, adapter: str, i: int, condition: tuple[str, int], field: str, p: float
) -> dict:
    """One outcome that is right with probability ``p``; most wrong ones and few right ones are flagged."""
    right = rng.random() < p
    money = field in MONEY_FIELDS
    flagged = bool(rng.random() < (0.05 if right else 0.7))
    truth = f"{20 + i}.90" if money else f"{field} {i}"
    value = truth if right else f"{25 + i}.90" if money else f"misread {i}"
    row = Outcome(
        sample_id=f"receipt-{i:03d}",
        corruption=condition[0],
        severity=condition[1],
        seed=0,
        adapter=adapter,
        field=field,
        read_field=field,
        truth=truth,
        value=value,
        text=value.replace(".", ","),
        marker="suspected" if flagged else "certain",
        score=round(float(rng.random()), 3),
        outcome="correct" if right else "wrong",
        flagged_by_reader=flagged,
        silent=not right and not flagged,
        verdict=("closes", "contradicts", "cannot_tell")[i % 3],
    )
    return row.model_dump(mode="json")


def make_outcomes(
    adapters: Sequence[str],
    grid: Sequence[tuple[str, int]],
    fields: Sequence[str],
    n: int,
    accuracy: float | None,
) -> pd.DataFrame:
    rng = np.random.default_rng(7)
    rows = []
    for a, adapter in enumerate(adapters):
        for i in range(n):
            for condition in grid:
                for f, field in enumerate(fields):
                    falling = 0.98 - 0.02 * f - 0.12 * condition[1] - 0.05 * a
                    p = falling if accuracy is None else accuracy
                    rows.append(outcome_row(rng, adapter, i, condition, field, p))
    return pd.DataFrame(rows)


def make_cases(outcomes: pd.DataFrame) -> pd.DataFrame:
    cases = outcomes.drop_duplicates(["adapter", "sample_id", "corruption", "severity"])[
        ["sample_id", "group", "corruption", "severity", "seed", "target", "adapter", "verdict"]
    ].reset_index(drop=True)
    cases["key"] = [f"{c.sample_id}/{c.corruption}/{c.severity}/0" for c in cases.itertuples()]
    cases["seconds"] = [0.5 + 0.01 * (place % 40) for place in range(len(cases))]
    cases[["tokens_in", "tokens_out"]] = 0
    cases["calls"], cases["cached"], cases["cost"] = 1, False, None
    cases["error"] = None
    cases["error_message"] = None
    cases["picture_sha256"] = "0" * 64
    cases["text_height"] = 20.0
    closing = {"name": "items = total", "equation": "20.00 + 5.90 = 25.90", "fields": ["items", "total"]}
    check = {
        "rule": "total_equals_sum_of_items",
        "status": "fails",
        "equation": "9.00 + 19.90 = 28.90, printed 25.90",
    }
    suspect = {"field": "items[0].amount", "read": "9.00", "proposed": "6.00"}
    verdicts = {
        "closes": {"status": "closes", "closings": [closing]},
        "contradicts": {"status": "contradicts", "checks": [check], "suspects": [suspect]},
        "cannot_tell": {"status": "cannot_tell"},
    }
    cases["verdict_json"] = [json.dumps(verdicts[verdict]) for verdict in cases["verdict"]]
    cases["boxes_json"] = json.dumps({"total": [[220, 500, 300, 525]], "date": [[40, 60, 160, 80]]})
    return cases


def make_summary(outcomes: pd.DataFrame, cases: pd.DataFrame, dataset: str) -> dict:
    """The numbers as a run computes them, with requirements of every result."""
    summary = summarise(
        outcomes, cases, dataset=dataset, n_samples=outcomes["sample_id"].nunique(), n_left_out=1
    )
    summary["left_out"] = [{"file": "metadata.jsonl", "line": 7, "reason": "no picture"}]
    field = outcomes["field"].iloc[0]
    asked = (f"{field}>=0.9", f"silent({field})<=0.3", f"{field}>=0.001")
    requirements = [parse_requirement(text) for text in asked]
    summary["gates"] = [gate.to_json() for gate in judge_all(requirements, outcomes)]
    return summary


def write_run(folder: Path, outcomes: pd.DataFrame, cases: pd.DataFrame, summary: dict) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    run = {
        "tool": "robustocr",
        "started": "2026-03-14T12:00:00+00:00",
        "python": "3.11.9",
        "settings": {
            "dataset": "/somewhere/sample", "suite": "phone", "fields": None, "seed": 0, "limit": None,
            "versions": {"robustocr": "0.1.0", "numpy": "2.4.0"},
        },
    }  # fmt: skip
    (folder / "run.json").write_text(json.dumps(run))
    (folder / "summary.json").write_text(json.dumps(summary))
    outcomes.to_parquet(folder / "outcomes.parquet")
    cases.to_parquet(folder / "cases.parquet")
    return folder


@lru_cache(maxsize=64)
def made_up(
    adapters: tuple[str, ...],
    grid: tuple[tuple[str, int], ...],
    fields: tuple[str, ...],
    n: int,
    accuracy: float | None,
    dataset: str,
) -> tuple[pd.DataFrame, pd.DataFrame, dict]:
    outcomes = make_outcomes(adapters, grid, fields, n, accuracy)
    cases = make_cases(outcomes)
    return outcomes, cases, make_summary(outcomes, cases, dataset)


@pytest.fixture
def make_run(tmp_path: Path) -> Callable[..., Path]:
    """Write a made-up run folder; ``accuracy`` None lets it fall with severity."""

    def make(
        *,
        adapters: Sequence[str] = ("rapidocr",),
        corruptions: Sequence[str] = ("defocus", "motion_blur", "tilt"),
        severities: Sequence[int] = (1, 3, 5),
        fields: Sequence[str] = ("total", "date", "merchant", "document"),
        n: int = 12,
        accuracy: float | None = None,
        dataset: str = "sample",
        folder: Path = tmp_path / "run",
    ) -> Path:
        grid = (("clean", 0), *((c, s) for c in corruptions for s in severities))
        made = made_up(tuple(adapters), grid, tuple(fields), n, accuracy, dataset)
        return write_run(folder, *made)

    return make
