"""Outcomes counted per receipt and condition: the tables every bound is computed from.

A condition is one corruption at one severity, or the one a picture was taken under. Where a receipt has
several cases under it (seeds, targets or pictures), it counts as right only if it is right in all of them,
and as in error if it is in any: the lower bound of accuracy and the upper bounds of errors stay on the safe
side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

Counts = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Condition = tuple[str, int]

CLEAN = "clean"


def receipt_column(rows: pd.DataFrame) -> str:
    """Return the column that names the receipt: ``receipt_id``, or ``sample_id`` in a table without it."""
    return "receipt_id" if "receipt_id" in rows else "sample_id"


@dataclass(frozen=True, kw_only=True)
class Frame:
    """One adapter's rows in receipts x conditions: ``cell`` is ``receipt * len(conditions) + condition``."""

    rows: pd.DataFrame
    receipts: tuple[str, ...]
    conditions: tuple[Condition, ...]
    cell: Counts

    @classmethod
    def of(cls, rows: pd.DataFrame) -> Frame:
        """Place rows with a receipt column, corruption and severity; conditions by name and severity."""
        receipt, receipts = pd.factorize(rows[receipt_column(rows)], sort=True)
        corruption, names = pd.factorize(rows["corruption"], sort=True)
        severity = rows["severity"].to_numpy(np.int64)
        codes, condition = np.unique(corruption * 1000 + severity, return_inverse=True)
        return cls(
            rows=rows,
            receipts=tuple(str(name) for name in receipts),
            conditions=tuple((str(names[code // 1000]), int(code % 1000)) for code in codes),
            cell=receipt.astype(np.int64) * len(codes) + condition,
        )

    def count(self, where: Flags) -> Counts:
        """Return how many of the chosen rows stand in each receipt x condition."""
        shape = len(self.receipts), len(self.conditions)
        counts = np.bincount(self.cell[where], minlength=shape[0] * shape[1])
        return counts.astype(np.int64).reshape(shape)


def clean_of(conditions: Sequence[Condition]) -> Flags:
    """Return which condition is clean (none or one)."""
    return np.array([name == CLEAN for name, _ in conditions], dtype=np.bool_)


def grid_of(conditions: Sequence[Condition]) -> Flags:
    """Return which conditions form the grid: all but clean, or clean where there is no other."""
    clean = clean_of(conditions)
    return clean if np.all(clean) else ~clean


@dataclass(frozen=True, kw_only=True)
class Tally:
    """One field of one adapter: numbers of cases, receipts (or groups) x conditions.

    ``cases`` counts all of them; ``right`` of all; the others of the answerable ones, but for
    ``closes_but_wrong`` and ``contradicts_though_right``, which count all.
    """

    conditions: tuple[Condition, ...]
    cases: Counts
    answerable: Counts
    right: Counts
    answerable_right: Counts
    silent: Counts
    flagged: Counts
    closes_but_wrong: Counts
    contradicts_though_right: Counts

    def summed(self, groups: Counts, n_groups: int) -> Tally:
        """Return the same over groups of receipts; ``groups`` is the group's number of each receipt."""
        sums: dict[str, Counts] = {}
        for name in _COUNTED:
            sums[name] = np.zeros((n_groups, len(self.conditions)), dtype=np.int64)
            np.add.at(sums[name], groups, getattr(self, name))
        return Tally(conditions=self.conditions, **sums)


_COUNTED = (
    "cases", "answerable", "right", "answerable_right", "silent", "flagged", "closes_but_wrong",
    "contradicts_though_right",
)  # fmt: skip


def tally_fields(frame: Frame) -> dict[str, Tally]:
    """Return a Tally for each field among an adapter's outcomes (``items`` and ``document`` included)."""
    rows = frame.rows
    field, names = pd.factorize(rows["field"], sort=True)
    correct = _is(rows, "outcome", "correct")
    answerable = rows["answerable"].to_numpy(np.bool_)
    flagged = rows["flagged_by_reader"].to_numpy(np.bool_) | rows["flagged_by_rules"].to_numpy(np.bool_)
    marks: Mapping[str, Flags] = {
        "cases": np.ones(len(rows), dtype=np.bool_),
        "answerable": answerable,
        "right": correct,
        "answerable_right": correct & answerable,
        "silent": rows["silent"].to_numpy(np.bool_) & answerable,
        "flagged": flagged & answerable,
        "closes_but_wrong": _is(rows, "verdict", "closes") & ~correct,
        "contradicts_though_right": _is(rows, "verdict", "contradicts") & correct,
    }
    return {
        str(name): Tally(
            conditions=frame.conditions,
            **{key: frame.count(mark & (field == code)) for key, mark in marks.items()},
        )
        for code, name in enumerate(names)
        if "[" not in str(name)
    }


def _is(rows: pd.DataFrame, column: str, value: str) -> Flags:
    return (rows[column] == value).fillna(False).to_numpy(np.bool_)
