"""``summary.json``: every rate with its bounds, from the tables of outcomes and cases.

Every rate is ``{estimate, n, lower_bound, upper_bound, method}`` and ``n`` counts receipts (under
``groups``, groups), never cases. A rate that nothing was counted for has the estimate None, n 0 and the
bounds 0 and 1.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from robustocr import rates
from robustocr.bounds import mean, share
from robustocr.errors import ERROR_KINDS
from robustocr.item_rates import item_rates
from robustocr.legible_rates import legibility_counts
from robustocr.reading import SCORED_FIELDS, TEXT_SIMILARITY
from robustocr.records import TEXT_FIELDS
from robustocr.tallies import Counts, Frame, Tally, clean_of, grid_of, receipt_column, tally_fields

SCHEMA = 1
_STATUSES = ("closes", "contradicts", "cannot_tell")
_TIED_TO_RULES = ("total", "document")


def summarise(
    outcomes: pd.DataFrame,
    cases: pd.DataFrame,
    *,
    alpha: float = 0.05,
    dataset: str,
    n_samples: int,
    n_left_out: int = 0,
) -> dict[str, Any]:
    """Return the content of ``summary.json``, ready for JSON (no NaN).

    ``outcomes`` has the columns of records.Outcome; ``cases`` has key, sample_id, corruption, severity,
    seed, target, adapter, seconds, tokens_in, tokens_out, cost, calls, cached, error (a kind) and verdict.
    Both may have receipt_id, where several samples show one receipt; ``n_samples`` counts pictures used.
    All bounds are one-sided at ``alpha``. Where a receipt has several cases under a condition, it is right
    if it is in all of them and in error if it is in any; means take its share of them. The grid is all
    conditions but clean, or clean alone where there is no other.
    """
    conditions = sorted(
        {(str(c), int(s)) for c, s in zip(cases["corruption"], cases["severity"], strict=True)}
    )
    grid = grid_of(conditions)
    return {
        "schema": SCHEMA,
        "dataset": dataset,
        "n_samples": n_samples,
        "n_receipts": int(cases[receipt_column(cases)].nunique()),
        "n_left_out": n_left_out,
        "n_cases": len(cases),
        "alpha": alpha,
        "clean_only": bool(np.all(clean_of(conditions))),
        "has_clean": bool(np.any(clean_of(conditions))),
        "grid": [rates.named(c) for c, in_grid in zip(conditions, grid, strict=True) if in_grid],
        "adapters": {
            str(name): _adapter(outcomes[outcomes["adapter"] == name], cases[cases["adapter"] == name], alpha)
            for name in dict.fromkeys(cases["adapter"])
        },
    }


def _adapter(outcomes: pd.DataFrame, cases: pd.DataFrame, alpha: float) -> dict[str, Any]:
    frame = Frame.of(outcomes)
    tallies = tally_fields(frame)
    names = sorted(tallies, key=_place)
    hidden = outcomes[~outcomes["answerable"].astype(bool)]
    groups = _groups(frame)
    items = item_rates(frame, alpha) if "items" in tallies else {}
    return {
        "fields": {
            name: _field(tallies[name], groups, alpha)
            | _unanswerable(hidden, tallies[name], name)
            | (items if name == "items" else {})
            | ({"text_similarity": TEXT_SIMILARITY} if name in TEXT_FIELDS else {})
            for name in names
        },
        "conditions": [row for name in names for row in _conditions(name, tallies[name], alpha)],
        "legibility": legibility_counts(frame),
        "rules": _rules(Frame.of(cases), tallies, alpha),
        "errors": _errors(cases),
        "usage": _usage(cases),
    }


def _place(name: str) -> int:
    return SCORED_FIELDS.index(name) if name in SCORED_FIELDS else len(SCORED_FIELDS)


def _groups(frame: Frame) -> tuple[Counts, int] | None:
    """The number of each receipt's group, and how many groups there are; None where no receipt has one."""
    if "group" not in frame.rows or frame.rows["group"].isna().all():
        return None
    receipt = receipt_column(frame.rows)
    pairs = frame.rows[[receipt, "group"]].drop_duplicates(receipt).sort_values(receipt)
    alone = "receipt " + pairs[receipt].astype(str)
    labels = ("group " + pairs["group"].astype("string")).fillna(alone.astype("string"))
    codes, known = pd.factorize(labels, sort=True)
    return codes.astype(np.int64), len(known)


def _accuracy(tested: rates.Tested, cases: Counts, alpha: float) -> dict[str, Any]:
    return {
        "clean": rates.clean_rate(tested, alpha),
        "worst_condition": rates.lowest(tested, alpha),
        "all_conditions": rates.under_all(tested, cases, alpha),
    }


def _field(tally: Tally, groups: tuple[Counts, int] | None, alpha: float) -> dict[str, Any]:
    silent, conditions = rates.silent(tally), tally.conditions
    field = _accuracy(rates.right(tally), tally.cases, alpha) | {
        "silent_error": {
            "clean": rates.clean_rate(silent, alpha),
            "worst_condition": rates.highest(silent, alpha),
            "mean": rates.average(tally.silent, tally.answerable, conditions, alpha).to_json(),
        },
        "review_rate": {
            "clean": rates.clean_rate(rates.flagged(tally), alpha),
            "mean": rates.average(tally.flagged, tally.answerable, conditions, alpha).to_json(),
        },
        "raw": _accuracy(rates.right_of_all(tally), tally.cases, alpha),
        "baselines": _baselines(tally),
    }
    if groups:
        whole = tally.summed(*groups)
        field["groups"] = _accuracy(rates.right(whole), whole.cases, alpha)
    return field


def _baselines(tally: Tally) -> dict[str, Any]:
    """Plain averages without bounds: accuracy per condition, and what is left of the clean accuracy."""
    tested = rates.right(tally)
    clean, grid = tested.clean(), tested.grid()
    asked = np.flatnonzero(grid.n)
    accuracy = grid.k[asked] / grid.n[asked]
    at_best = clean.k.sum() / clean.n.sum() if clean.n.sum() else 0.0
    retention = None
    if len(asked) and at_best:
        worst = int(np.argmin(accuracy))
        retention = {
            **rates.named(grid.conditions[asked[worst]]),
            "estimate": float(accuracy[worst] / at_best),
        }
    return {
        "mean_accuracy": float(np.mean(accuracy)) if len(asked) else None,
        "minimum_retention": retention,
    }


def _unanswerable(hidden: pd.DataFrame, tally: Tally, name: str) -> dict[str, Any]:
    """Cases that no longer show the field: honest when no value or a flagged one was given."""
    rows = hidden[hidden["field"] == name]
    asked = rows["flagged_by_reader"].astype(bool) | rows["flagged_by_rules"].astype(bool)
    honest = int((rows["value"].isna() | asked).sum())
    nobody = (tally.cases.sum(axis=0) > 0) & (tally.answerable.sum(axis=0) == 0)
    return {
        "unanswerable": {
            "cases": len(rows),
            "honest": honest,
            "silent": len(rows) - honest,
            "conditions": [rates.named(tally.conditions[i]) for i in np.flatnonzero(nobody)],
        }
    }


def _conditions(name: str, tally: Tally, alpha: float) -> list[dict[str, Any]]:
    right, silent = rates.right(tally).grid(), rates.silent(tally).grid()
    run = (tally.cases > 0).sum(axis=0)[grid_of(tally.conditions)]
    return [
        {
            "field": name,
            **rates.named(condition),
            **share(int(right.k[i]), int(right.n[i]), alpha).to_json(),
            "n_unanswerable": int(run[i] - right.n[i]),
            "silent_error": share(int(silent.k[i]), int(silent.n[i]), alpha).to_json(),
        }
        for i, condition in enumerate(right.conditions)
    ]


def _rules(frame: Frame, tallies: dict[str, Tally], alpha: float) -> dict[str, Any]:
    """Shares of the grid's cases per receipt; a failed case neither closes nor contradicts."""
    answered = frame.rows["error"].isna().to_numpy(np.bool_)
    verdict = frame.rows["verdict"].astype("string").fillna("").to_numpy()
    whole = frame.count(np.ones(len(frame.rows), dtype=np.bool_))
    parts = {status: frame.count(answered & (verdict == status)) for status in _STATUSES}
    clean = clean_of(frame.conditions)
    return {
        **{s: rates.average(part, whole, frame.conditions, alpha).to_json() for s, part in parts.items()},
        "clean": {
            s: mean(rates.receipt_shares(part[:, clean], whole[:, clean]), alpha).to_json()
            for s, part in parts.items()
        },
        "closes_but_wrong": {
            name: _escapes(tallies[name], alpha) for name in _TIED_TO_RULES if name in tallies
        },
        "contradicts_though_right": _false_alarms(tallies.get("document"), alpha),
    }


def _escapes(tally: Tally, alpha: float) -> dict[str, Any]:
    """How often the sums close though the field is not correct, unanswerable cases included."""
    average = rates.average(tally.closes_but_wrong, tally.cases, tally.conditions, alpha)
    return {
        **average.to_json(),
        "worst_condition": rates.highest(rates.closes_but_wrong(tally), alpha),
    }


def _false_alarms(document: Tally | None, alpha: float) -> dict[str, Any]:
    if document is None:
        return share(0, 0, alpha).to_json()
    alarms, right = document.contradicts_though_right, document.right
    return rates.average(alarms, right, document.conditions, alpha).to_json()


def _errors(cases: pd.DataFrame) -> dict[str, int]:
    counts = cases["error"].dropna().value_counts()
    return dict.fromkeys(ERROR_KINDS, 0) | {str(kind): int(n) for kind, n in counts.items()}


def _usage(cases: pd.DataFrame) -> dict[str, Any]:
    costs = [Decimal(str(cost)) for cost in cases["cost"].dropna()]
    return {
        "calls": int(cases["calls"].sum()),
        "cached": int(cases["cached"].sum()),
        "seconds": round(float(cases["seconds"].sum()), 3),
        "tokens_in": int(cases["tokens_in"].sum()),
        "tokens_out": int(cases["tokens_out"].sum()),
        "cost": format(sum(costs, Decimal(0)), "f") if costs else None,
    }
