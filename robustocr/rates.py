"""Rates of one field with their bounds, from a Tally: what stands in ``summary.json`` and in the gate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from robustocr.bounds import Bound, Floats, all_conditions, mean, share, worst_condition
from robustocr.tallies import Condition, Counts, Flags, Tally, clean_of, grid_of


@dataclass(frozen=True, kw_only=True)
class Tested:
    """Receipts that count under each condition and those of them with the property asked for: ``k`` of ``n``.

    ``counts`` and ``has`` are receipts x conditions.
    """

    conditions: tuple[Condition, ...]
    counts: Flags
    has: Flags

    @property
    def n(self) -> Counts:
        """Receipts that count, per condition."""
        return _per_condition(self.counts)

    @property
    def k(self) -> Counts:
        """Receipts with the property, per condition."""
        return _per_condition(self.has & self.counts)

    def under(self, chosen: Flags) -> Tested:
        """Return the same for the chosen conditions only."""
        return Tested(
            conditions=tuple(c for c, keep in zip(self.conditions, chosen, strict=True) if keep),
            counts=self.counts[:, chosen],
            has=self.has[:, chosen],
        )

    def grid(self) -> Tested:
        """Return the same for the corrupted conditions, or for clean where there is no other."""
        return self.under(grid_of(self.conditions))

    def clean(self) -> Tested:
        """Return the same for clean alone."""
        return self.under(clean_of(self.conditions))


def _per_condition(flags: Flags) -> Counts:
    counts: Counts = flags.sum(axis=0, dtype=np.int64)
    return counts


def right(tally: Tally) -> Tested:
    """Which receipts are right in all their answerable cases of a condition, among those that have one."""
    return Tested(
        conditions=tally.conditions,
        counts=tally.answerable > 0,
        has=tally.answerable_right == tally.answerable,
    )


def right_of_all(tally: Tally) -> Tested:
    """Which receipts are right in all their cases of a condition, unanswerable ones included."""
    return Tested(conditions=tally.conditions, counts=tally.cases > 0, has=tally.right == tally.cases)


def silent(tally: Tally) -> Tested:
    """Which receipts have a silent error in any answerable case of a condition."""
    return Tested(conditions=tally.conditions, counts=tally.answerable > 0, has=tally.silent > 0)


def flagged(tally: Tally) -> Tested:
    """Which receipts a person is asked to look at in any answerable case of a condition."""
    return Tested(conditions=tally.conditions, counts=tally.answerable > 0, has=tally.flagged > 0)


def closes_but_wrong(tally: Tally) -> Tested:
    """Which receipts close though the field is not correct, in any case of a condition."""
    return Tested(conditions=tally.conditions, counts=tally.cases > 0, has=tally.closes_but_wrong > 0)


def clean_rate(tested: Tested, alpha: float) -> dict[str, Any]:
    """Return the rate under clean alone."""
    clean = tested.clean()
    return share(int(clean.k.sum()), int(clean.n.sum()), alpha).to_json()


def named(condition: Condition) -> dict[str, Any]:
    """Return ``{corruption, severity}``."""
    return {"corruption": condition[0], "severity": condition[1]}


def lowest(tested: Tested, alpha: float) -> dict[str, Any]:
    """Return the grid's condition with the smallest lower bound: its name and its rate."""
    return _extreme(tested.grid(), alpha, error=False)


def highest(tested: Tested, alpha: float) -> dict[str, Any]:
    """Return the grid's condition with the largest upper bound: its name and its rate."""
    return _extreme(tested.grid(), alpha, error=True)


def _extreme(grid: Tested, alpha: float, *, error: bool) -> dict[str, Any]:
    good = grid.n - grid.k if error else grid.k
    index = worst_condition(good.tolist(), grid.n.tolist(), alpha)
    if index is None:
        return {"corruption": None, "severity": None, **share(0, 0, alpha).to_json()}
    return {**named(grid.conditions[index]), **share(int(grid.k[index]), int(grid.n[index]), alpha).to_json()}


def under_all(tested: Tested, cases: Counts, alpha: float) -> dict[str, Any]:
    """Return the share of receipts right under every condition of the grid that still shows the field.

    Receipts that some condition was not run on are left out and counted as ``n_incomplete``; conditions
    that nobody can answer do not enter.
    """
    grid = tested.grid()
    run = cases[:, grid_of(tested.conditions)] > 0
    asked = grid.n > 0
    complete = np.all(run[:, asked], axis=1) & np.any(grid.counts, axis=1)
    bound = all_conditions((grid.has | ~grid.counts)[complete][:, asked], alpha)
    return {**bound.to_json(), "n_incomplete": int(np.sum(np.any(run[:, asked], axis=1) & ~complete))}


def average(part: Counts, whole: Counts, conditions: tuple[Condition, ...], alpha: float) -> Bound:
    """Return the mean over receipts of the share ``part / whole``, averaged over the grid's conditions."""
    chosen = grid_of(conditions)
    return mean(receipt_shares(part[:, chosen], whole[:, chosen]), alpha)


def receipt_shares(part: Counts, whole: Counts) -> Floats:
    """Return 0..1 for each receipt that has a case: its share per condition, averaged over conditions."""
    counted = whole > 0
    shares = np.where(counted, part / np.maximum(whole, 1), 0.0)
    present = np.any(counted, axis=1)
    averages: Floats = shares[present].sum(axis=1) / counted[present].sum(axis=1)
    return averages
