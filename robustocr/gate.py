"""Requirements and their verdict: pass, fail, or not enough documents."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from robustocr.errors import InputError, unknown_name
from robustocr.reading import SCORED_FIELDS

if TYPE_CHECKING:
    import pandas as pd

    from robustocr.rates import Tested
    from robustocr.tallies import Condition, Tally

ACCURACY, SILENT, REVIEW, CLOSES_BUT_WRONG = "accuracy", "silent", "review", "closes_but_wrong"
ERRORS = (SILENT, REVIEW, CLOSES_BUT_WRONG)

_FORM = re.compile(r"(?:(\w+)\s*\(\s*([^()]*?)\s*\)|([^\s<>=()]+))\s*([<>=!]+)\s*(\d*\.?\d+)\s*(%?)")
_FORMS = '"total>=0.95", "silent(total)<=0.02", "review(total)<=0.1" or "closes_but_wrong(total)<=0.05"'
_SEEN = {
    ACCURACY: "{field} is right",
    SILENT: "{field} is wrong in silence",
    REVIEW: "a person is asked about {field}",
    CLOSES_BUT_WRONG: "the sums close though {field} is not right",
}


class GateStatus(StrEnum):
    """What the documents say about a requirement."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    FAIL = "fail"
    NOT_ENOUGH = "not_enough"


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A share of receipts (0..1) to reach (``accuracy``) or not to exceed (``silent`` and the like).

    It must hold under every condition of the grid. ``text`` is as the user wrote it.
    """

    text: str
    measure: str
    field: str
    threshold: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """One requirement judged for one adapter.

    ``bound`` is the guaranteed share: the smallest lower bound, or the largest upper bound for errors, at
    ``condition``; None where no receipt counts. ``more_documents``: how many more would decide if the
    rates seen held, as ``would`` (pass or fail); None when decided or when no number would do.
    ``missed_by`` names the conditions that surely miss the requirement, all of them at once (Holm).
    """

    requirement: Requirement
    adapter: str
    status: GateStatus
    message: str
    bound: float | None = None
    condition: Condition | None = None
    more_documents: int | None = None
    would: GateStatus | None = None
    missed_by: tuple[Condition, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the result as it stands under ``gates`` in ``summary.json``."""
        return {
            "requirement": self.requirement.text,
            "adapter": self.adapter,
            "status": self.status.value,
            "message": self.message,
            "bound": self.bound,
            "condition": _named(self.condition) if self.condition else None,
            "more_documents": self.more_documents,
            "would": self.would.value if self.would else None,
            "missed_by": [_named(condition) for condition in self.missed_by],
        }


def parse_requirement(text: str) -> Requirement:
    """Read a requirement such as ``total>=0.95`` or ``silent(total)<=0.02``; shares may be percents.

    Raises InputError naming the known forms, measures and fields.
    """
    found = _FORM.fullmatch(text.strip())
    if not found:
        raise InputError(f"cannot read the requirement {text!r}; write {_FORMS}")
    measure, field = (found[1], found[2]) if found[1] else (ACCURACY, found[3])
    if measure != ACCURACY and measure not in ERRORS:
        raise InputError(f"{unknown_name('measure', measure, ERRORS)} In {text!r}; write {_FORMS}")
    if field not in SCORED_FIELDS:
        raise InputError(f"{unknown_name('field', field, SCORED_FIELDS)} In the requirement {text!r}.")
    sign = ">=" if measure == ACCURACY else "<="
    if found[4] != sign:
        raise InputError(f"{text!r} needs {sign} in place of {found[4]}; write {_FORMS}")
    threshold = float(found[5]) / (100 if found[6] else 1)
    if threshold > 1:
        raise InputError(f"{text!r} asks for a share of {found[5]}; a share lies between 0 and 1, or write %")
    return Requirement(text=text.strip(), measure=measure, field=field, threshold=threshold)


def judge(
    requirement: Requirement, outcomes: pd.DataFrame, *, alpha: float = 0.05, adapter: str | None = None
) -> GateResult:
    """Judge one requirement by the outcomes of one adapter (columns of records.Outcome).

    Pass: the smallest lower bound over the conditions, each at ``alpha``, reaches the threshold. Fail: an
    upper bound at ``alpha / m`` stays under it, m conditions. Else not enough documents. Errors mirror
    this. The grid is every condition but clean, or clean where there is no other. Raises InputError when
    no truth has the field, or when there are several adapters and none is named.
    """
    from robustocr.tallies import Frame, tally_fields

    rows = outcomes if adapter is None else outcomes[outcomes["adapter"] == adapter]
    names = [str(name) for name in rows["adapter"].unique()]
    if len(names) > 1:
        raise InputError(f"these outcomes are of several adapters, name one: {', '.join(names)}")
    rows = rows[~rows["field"].str.contains("[", regex=False)]
    labelled = sorted(str(field) for field in rows["field"].unique())
    if requirement.field not in labelled:
        raise InputError(
            f"the requirement {requirement.text!r} is about {requirement.field!r}, "
            f"which no truth of this run has; labelled: {', '.join(labelled) or 'none'}"
        )
    return _judged(requirement, names[0], tally_fields(Frame.of(rows))[requirement.field], alpha)


def judge_all(
    requirements: Iterable[Requirement], outcomes: pd.DataFrame, *, alpha: float = 0.05
) -> tuple[GateResult, ...]:
    """Judge every requirement for every adapter; requirements that must all pass need no correction."""
    adapters = [str(name) for name in outcomes["adapter"].unique()]
    asked = tuple(requirements)
    if asked and not adapters:
        raise InputError(
            f"the requirement {asked[0].text!r} cannot be judged: no receipt of this run has a truth"
        )
    return tuple(judge(each, outcomes, alpha=alpha, adapter=name) for name in adapters for each in asked)


def exit_code(results: Iterable[GateResult]) -> int:
    """Return 1 when any requirement fails, else 3 when any lacks documents, else 0."""
    statuses = {result.status for result in results}
    if GateStatus.FAIL in statuses:
        return 1
    return 3 if GateStatus.NOT_ENOUGH in statuses else 0


def _judged(requirement: Requirement, adapter: str, tally: Tally, alpha: float) -> GateResult:
    from robustocr.bounds import below_target, clopper_pearson_lower, clopper_pearson_upper

    grid = _tested(requirement, tally)
    if not grid.conditions:
        message = f"no picture of this run still shows {requirement.field}, so nothing can be said about it"
        return GateResult(
            requirement=requirement, adapter=adapter, status=GateStatus.NOT_ENOUGH, message=message
        )
    good, n, target = grid.k.tolist(), grid.n.tolist(), _target(requirement)
    lower, upper = clopper_pearson_lower(good, n, alpha), clopper_pearson_upper(good, n, alpha / len(n))
    result = GateResult(
        requirement=requirement,
        adapter=adapter,
        status=GateStatus.NOT_ENOUGH,
        message=_claim(requirement, grid, int(lower.argmin()), float(lower.min()), alpha),
        bound=float(lower.min()) if requirement.measure == ACCURACY else 1.0 - float(lower.min()),
        condition=grid.conditions[int(lower.argmin())],
    )
    if lower.min() >= target:
        return replace(result, status=GateStatus.PASS)
    if upper.min() < target:
        below = below_target(good, n, target, alpha)
        return replace(
            result,
            status=GateStatus.FAIL,
            message=_refutation(requirement, grid, int(upper.argmin()), float(upper.min()), alpha),
            missed_by=tuple(c for c, missed in zip(grid.conditions, below, strict=True) if missed),
        )
    more, would = _documents_to_come(good, n, target, alpha)
    return replace(result, message=result.message + _outlook(more, would), more_documents=more, would=would)


def _target(requirement: Requirement) -> float:
    """The share of receipts that must be as required: free of the error where it speaks of one."""
    return requirement.threshold if requirement.measure == ACCURACY else 1.0 - requirement.threshold


def _tested(requirement: Requirement, tally: Tally) -> Tested:
    """Which receipts are as required, under the conditions of the grid that have any receipt to count."""
    from robustocr import rates

    find = {
        ACCURACY: rates.right,
        SILENT: rates.silent,
        REVIEW: rates.flagged,
        CLOSES_BUT_WRONG: rates.closes_but_wrong,
    }
    grid = find[requirement.measure](tally).grid()
    grid = grid.under(grid.n > 0)
    return grid if requirement.measure == ACCURACY else replace(grid, has=~grid.has)


def _documents_to_come(
    good: list[int], n: list[int], target: float, alpha: float
) -> tuple[int | None, GateStatus | None]:
    """How many more documents per condition would decide if the rates seen held, and how."""
    from robustocr.bounds import documents_to_refute, required_documents

    seen = [(k / total, total) for k, total in zip(good, n, strict=True)]
    if all(rate > target for rate, _ in seen):
        passing = [(required_documents(target, rate=rate, alpha=alpha), total) for rate, total in set(seen)]
        more = [max(needed - total, 1) for needed, total in passing if needed is not None]
        return (max(more), GateStatus.PASS) if len(more) == len(passing) else (None, None)
    failing = [
        (documents_to_refute(target, rate=rate, alpha=alpha / len(n)), total)
        for rate, total in set(seen)
        if rate < target
    ]
    more = [max(needed - total, 1) for needed, total in failing if needed is not None]
    return (min(more), GateStatus.FAIL) if more else (None, None)


def _claim(requirement: Requirement, grid: Tested, index: int, lower: float, alpha: float) -> str:
    """What is shown of the worst condition: right on at least, or in error on at most, so many."""
    where = f"the worst of {len(grid.conditions)} conditions" if len(grid.conditions) > 1 else "one condition"
    share = lower if requirement.measure == ACCURACY else 1.0 - lower
    return _sentence(requirement, grid, index, share, alpha, at_least=requirement.measure == ACCURACY) + where


def _refutation(requirement: Requirement, grid: Tested, index: int, upper: float, alpha: float) -> str:
    """What is shown of the condition that misses most clearly."""
    share = upper if requirement.measure == ACCURACY else 1.0 - upper
    at_least = requirement.measure != ACCURACY
    return _sentence(requirement, grid, index, share, alpha, at_least=at_least) + "one condition"


def _sentence(
    requirement: Requirement, grid: Tested, index: int, share: float, alpha: float, *, at_least: bool
) -> str:
    of = int(grid.n[index])
    seen = int(grid.k[index]) if requirement.measure == ACCURACY else of - int(grid.k[index])
    return (
        f"{_condition(grid.conditions[index])}: {_SEEN[requirement.measure].format(field=requirement.field)} "
        f"on {seen} of {of} receipts; with {(1 - alpha) * 100:.6g} % confidence on "
        f"{'at least' if at_least else 'at most'} {_percent(share, up=not at_least)} % under "
    )


def _outlook(more: int | None, would: GateStatus | None) -> str:
    if more is None:
        return "; not enough to decide, and at the rates seen no affordable number of documents would do"
    documents = "document" if more == 1 else "documents"
    return f"; not enough to decide: at the rates seen, {more:,} more {documents} would make it {would}"


def _percent(share: float, *, up: bool) -> str:
    """A share in percent with one decimal, rounded up or down so that the sentence stays true."""
    tenths = math.ceil(share * 1000 - 1e-9) if up else math.floor(share * 1000 + 1e-9)
    return f"{tenths / 10:g}"


def _condition(condition: Condition) -> str:
    name = condition[0].replace("_", " ")
    return f"{name}, severity {condition[1]}" if condition[1] else name


def _named(condition: Condition) -> dict[str, Any]:
    return {"corruption": condition[0], "severity": condition[1]}
