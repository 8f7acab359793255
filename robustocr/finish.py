"""The end of a run: tables, summary, requirements and report, all from the journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustocr.adapters.base import Pixels
from robustocr.errors import DatasetError
from robustocr.gate import GateResult, exit_code, judge_all, parse_requirement
from robustocr.natural import CLEAN, own_condition
from robustocr.pictures import make_picture
from robustocr.plan import Plan
from robustocr.store import (
    CASES_FILE,
    JOURNAL_FILE,
    OUTCOMES_FILE,
    REPORT_FILE,
    SUMMARY_FILE,
    to_json,
    write_text_atomically,
)
from robustocr.summary import summarise
from robustocr.tables import JournalIndex, write_tables

if TYPE_CHECKING:
    import pandas as pd

    from robustocr.report.silent import PictureWanted


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

    def first_failures(self) -> dict[str, str]:
        """Return the message of each adapter's first failed case."""
        failed = self.cases().dropna(subset=["error"]).drop_duplicates("adapter")
        return {str(row.adapter): str(row.error_message) for row in failed.itertuples()}

    def outcomes(self) -> pd.DataFrame:
        """Return one row per case and field (see records.Outcome for the columns)."""
        import pandas as pd

        return pd.read_parquet(self.folder / OUTCOMES_FILE)

    def cases(self) -> pd.DataFrame:
        """Return one row per case."""
        import pandas as pd

        return pd.read_parquet(self.folder / CASES_FILE)


def finish_run(plan: Plan, names: Sequence[str], folder: Path) -> RunResult:
    """Build tables, summary and report from the journal of a run folder; ``names`` are the adapters."""
    import pandas as pd

    from robustocr.report.html import write_report

    index = JournalIndex(folder / JOURNAL_FILE)
    write_tables(plan, index, names, folder)
    outcomes, cases = pd.read_parquet(folder / OUTCOMES_FILE), pd.read_parquet(folder / CASES_FILE)
    missing = _missing_conditions(plan, cases)
    if cases.empty or len(missing) == sum(c.name != CLEAN for c in plan.conditions) > 0:
        raise DatasetError(_nothing_left(index, bool(cases.empty)))
    summary = summarise(
        outcomes,
        cases,
        alpha=plan.settings["alpha"],
        dataset=plan.dataset.name,
        n_samples=len(plan.samples) - len(index.left_out),
        n_left_out=len(plan.dataset.left_out) + len(index.left_out),
    )
    for name in names:
        summary["adapters"][name]["usage"] |= _effort(index.effort.get(name))
    summary["left_out"] = _left_out(plan, index)
    summary |= _grid_facts(plan, index, missing)
    required = [parse_requirement(text) for text in plan.settings["require"]]
    gates = judge_all(required, outcomes, alpha=plan.settings["alpha"])
    summary["gates"] = [gate.to_json() for gate in gates]
    write_text_atomically(folder / SUMMARY_FILE, to_json(summary))
    write_report(folder, make_pictures=ReportPictures(plan))
    return RunResult(folder=folder, summary=summary, gates=gates, exit_code=exit_code(gates))


class ReportPictures:
    """Makes the pictures the report shows again; one that does not come out as it was read is left out."""

    def __init__(self, plan: Plan) -> None:
        self._samples = {sample.id: sample for sample in plan.samples}
        self._corruptions = plan.corruptions

    def __call__(self, wanted: Sequence[PictureWanted]) -> dict[str, Pixels]:
        """Return RGB pictures by case key."""
        made: dict[str, Pixels] = {}
        for want in sorted(wanted, key=lambda want: want.case.sample_id):
            corruption = self._corruptions[want.case.corruption] if want.case.severity else None
            picture = make_picture(self._samples[want.case.sample_id], want.case, corruption)
            if picture.sha256 == want.picture_sha256:
                made[want.key] = picture.pixels
        return made


def _nothing_left(index: JournalIndex, no_case: bool) -> str:
    """Why a run has no number to show: no case at all, or none but the clean ones."""
    reasons = dict(index.left_out) | dict(index.not_made.values())
    first = "; ".join(f"{sample}: {reason}" for sample, reason in list(reasons.items())[:5])
    what = "no receipt could be used" if no_case else "no receipt could be used under any condition but clean"
    return f"{what}; {len(reasons)} were left out ({first})"


def _missing_conditions(plan: Plan, cases: pd.DataFrame) -> list[dict[str, Any]]:
    """The planned conditions but clean that no case was finished under."""
    found = {(str(c), int(s)) for c, s in zip(cases["corruption"], cases["severity"], strict=True)}
    return [
        {"corruption": condition.name, "severity": condition.severity}
        for condition in plan.conditions
        if condition.name != CLEAN and (condition.name, condition.severity) not in found
    ]


def _grid_facts(plan: Plan, index: JournalIndex, missing: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what the conditions are, and the cases that could not be made, by sample and reason."""
    images = {sample.id: str(sample.image) for sample in plan.samples}
    counted = Counter(index.not_made.values())
    already = 0
    if not plan.settings["natural"]:
        already = sum(own_condition(sample) != CLEAN for sample in plan.samples)
    return {
        "natural": plan.settings["natural"],
        "target": plan.settings["target"],
        "n_already_bad": already,
        "n_cases_left_out": len(index.not_made),
        "cases_left_out": [
            {"file": images[sample], "cases": number, "reason": reason}
            for (sample, reason), number in sorted(counted.items())
        ],
        "conditions_left_out": missing,
    }


def _left_out(plan: Plan, index: JournalIndex) -> list[dict[str, Any]]:
    at_load = [
        {"file": entry.file, "line": entry.line, "reason": entry.reason} for entry in plan.dataset.left_out
    ]
    images = {sample.id: sample.image for sample in plan.samples}
    later = [
        {"file": str(images.get(sample, sample)), "line": None, "reason": reason}
        for sample, reason in index.left_out.items()
    ]
    return at_load + later


def _effort(spent: Mapping[str, float] | None) -> dict[str, Any]:
    """Return pictures made, and the share of the workers' time spent inside the adapter."""
    if not spent:
        return {"pictures_made": 0, "adapter_share": None}
    share = spent["busy_seconds"] / spent["worker_seconds"] if spent["worker_seconds"] else None
    return {
        "pictures_made": int(spent["pictures"]),
        "adapter_share": None if share is None else round(min(share, 1.0), 4),
    }
