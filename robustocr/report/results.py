"""Read a finished run back: its configuration, its numbers and its two tables."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from robustocr.errors import StoreError
from robustocr.store import CASES_FILE, OUTCOMES_FILE, SUMMARY_FILE, read_run


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResults:
    """What a finished run left on disk: ``run.json``, ``summary.json``, outcomes and cases."""

    run: dict[str, Any]
    summary: dict[str, Any]
    outcomes: pd.DataFrame
    cases: pd.DataFrame


def read_results(run_dir: Path) -> RunResults:
    """Return the contents of a run folder.

    Raises StoreError naming the file that is missing or cannot be read.
    """
    return RunResults(
        run=read_run(run_dir),
        summary=_read_summary(_present(run_dir / SUMMARY_FILE)),
        outcomes=_read_table(_present(run_dir / OUTCOMES_FILE)),
        cases=_read_table(_present(run_dir / CASES_FILE)),
    )


def _read_summary(path: Path) -> dict[str, Any]:
    try:
        summary: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        summary["adapters"]
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(
            f"{path} cannot be read ({error}); run the same command again to rebuild it"
        ) from error
    return summary


def _read_table(path: Path) -> pd.DataFrame:
    try:
        return pd.read_parquet(path)
    except (ValueError, OSError) as error:
        raise StoreError(
            f"{path} cannot be read ({error}); run the same command again to rebuild it"
        ) from error


def _present(path: Path) -> Path:
    if not path.is_file():
        raise StoreError(
            f"{path} is missing, so {path.parent} is not the folder of a finished run; "
            "run the same `robustocr run` again to finish it, or give another folder"
        )
    return path
