"""The main job: corrupt receipts, have them read, check, score, and report lower bounds."""

from __future__ import annotations

import datetime as dt
import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustocr.adapters.base import Adapter
from robustocr.adapters.registry import DEFAULT_ADAPTER, make_adapter
from robustocr.cache import Cache
from robustocr.corruptions import Corruption
from robustocr.errors import DatasetError, InputError, StoreError
from robustocr.gate import GateResult, exit_code, judge, parse_requirement
from robustocr.loaders import Dataset, load
from robustocr.plan import Plan, make_plan
from robustocr.runner import CaseRunner, Progress, RunCounts
from robustocr.store import (
    CASES_FILE,
    JOURNAL_FILE,
    OUTCOMES_FILE,
    REPORT_FILE,
    SUMMARY_FILE,
    RunFolder,
    to_json,
    write_text_atomically,
)
from robustocr.summary import summarise
from robustocr.tables import JournalIndex, write_tables

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_TIMEOUT = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """A finished run. ``exit_code``: 0 done or passed, 1 a requirement failed, 3 not enough documents."""

    folder: Path
    summary: dict[str, Any]
    gates: tuple[GateResult, ...]
    exit_code: int

    @property
    def report(self) -> Path:
        """The HTML report."""
        return self.folder / REPORT_FILE

    def outcomes(self) -> pd.DataFrame:
        """Return one row per case and field (see records.Outcome for the columns)."""
        import pandas as pd

        return pd.read_parquet(self.folder / OUTCOMES_FILE)

    def cases(self) -> pd.DataFrame:
        """Return one row per case."""
        import pandas as pd

        return pd.read_parquet(self.folder / CASES_FILE)


def _no_progress(adapter: str, finished: int, total: int) -> None:
    pass


def run_benchmark(
    dataset: str | Path | Dataset,
    *,
    out: str | Path,
    adapters: Sequence[str] = (DEFAULT_ADAPTER,),
    suite: str | None = None,
    corruptions: Sequence[str | Path | Corruption] = (),
    severities: Sequence[int] | None = None,
    clean_only: bool = False,
    fields: Sequence[str] | None = None,
    limit: int | None = None,
    seed: int = 0,
    alpha: float = 0.05,
    require: Sequence[str] = (),
    workers: int | None = None,
    timeout: float | None = DEFAULT_TIMEOUT,
    cache: str | Path | None = None,
    strict: bool = False,
    format: str | None = None,
    progress: Progress = _no_progress,
) -> RunResult:
    """Run readers over a dataset, clean and under every condition, and write the run folder ``out``.

    The same call on the same folder resumes; with other settings it raises StoreError. The default
    suite is ``phone`` at severities 1, 3, 5. ``timeout`` is seconds per case. Raises InputError for
    anything that cannot be run; one bad receipt or answer is recorded, never raised, unless ``strict``.
    """
    if workers is not None and workers < 1:
        raise InputError(f"--workers {workers}: at least 1 is needed")
    if timeout is not None and timeout <= 0:
        raise InputError(f"--timeout {timeout:g}: seconds must be above 0")
    loaded = dataset if isinstance(dataset, Dataset) else load(dataset, format=format, strict=strict)
    made = {spec: make_adapter(spec) for spec in adapters}
    plan = make_plan(
        loaded,
        list(made.values()),
        suite=suite,
        corruptions=corruptions,
        severities=severities,
        clean_only=clean_only,
        fields=fields,
        limit=limit,
        seed=seed,
        alpha=alpha,
        require=require,
        timeout=timeout,
    )
    folder = Path(out)
    with RunFolder(folder, plan.settings, _about()) as run, Cache(Path(cache) if cache else None) as shared:
        counts = {}
        for spec, adapter in made.items():
            runner = CaseRunner(
                plan,
                adapter,
                spec=spec,
                journal=run.journal,
                cache=shared,
                workers=workers or os.cpu_count() or 1,
                timeout=timeout,
                strict=strict,
            )
            index = JournalIndex(folder / JOURNAL_FILE)
            counts[adapter.name] = runner.run(index.keys(adapter.name), set(index.left_out), progress)
        return finish_run(plan, list(made.values()), folder, counts)


def _about() -> dict[str, Any]:
    return {
        "tool": "robustocr",
        "started": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    }


def finish_run(
    plan: Plan, adapters: Sequence[Adapter], folder: Path, counts: Mapping[str, RunCounts]
) -> RunResult:
    """Build tables, summary and report from the journal of a run folder."""
    import pandas as pd

    from robustocr.report.html import write_report

    index = JournalIndex(folder / JOURNAL_FILE)
    names = [adapter.name for adapter in adapters]
    write_tables(plan, index, names, folder)
    outcomes, cases = pd.read_parquet(folder / OUTCOMES_FILE), pd.read_parquet(folder / CASES_FILE)
    if cases.empty:
        raise DatasetError(_nothing_left(index))
    alpha = plan.settings["alpha"]
    summary = summarise(
        outcomes,
        cases,
        alpha=alpha,
        dataset=plan.dataset.name,
        n_samples=len(plan.samples) - len(index.left_out),
        n_left_out=len(plan.dataset.left_out) + len(index.left_out),
    )
    for name in names:
        _add_run_facts(summary["adapters"][name], counts.get(name))
    summary["left_out"] = _left_out(plan, index)
    gates = _judge_all(plan, outcomes, names)
    summary["gates"] = [gate.to_json() for gate in gates]
    write_text_atomically(folder / SUMMARY_FILE, to_json(summary))
    write_report(folder, make_pictures=None)
    return RunResult(folder=folder, summary=summary, gates=gates, exit_code=exit_code(gates))


def _nothing_left(index: JournalIndex) -> str:
    reasons = "; ".join(f"{sample}: {reason}" for sample, reason in list(index.left_out.items())[:5])
    return f"no receipt could be used; {len(index.left_out)} were left out ({reasons})"


def _left_out(plan: Plan, index: JournalIndex) -> list[dict[str, Any]]:
    at_load = [
        {"file": str(entry.file), "line": entry.line, "reason": entry.reason}
        for entry in plan.dataset.left_out
    ]
    images = {sample.id: sample.image for sample in plan.samples}
    later = [
        {"file": str(images.get(sample, sample)), "line": None, "reason": reason}
        for sample, reason in index.left_out.items()
    ]
    return at_load + later


def _add_run_facts(adapter: dict[str, Any], counts: RunCounts | None) -> None:
    """Add what only this process knows: cases from the cache, pictures made, time inside the adapter."""
    if counts is None:
        return
    adapter["usage"] |= {
        "pictures_made": counts.pictures,
        "adapter_share": None if counts.adapter_share is None else round(counts.adapter_share, 4),
    }


def _judge_all(plan: Plan, outcomes: pd.DataFrame, names: Sequence[str]) -> tuple[GateResult, ...]:
    raise NotImplementedError
