"""Rates of line items beyond "all of them are right": the share of items right, and the amounts' F1."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from robustocr.bounds import mean
from robustocr.rates import average, receipt_shares
from robustocr.tallies import Counts, Flags, Frame, clean_of, grid_of, receipt_column

_AMOUNT = re.compile(r"-?\d+(\.\d+)?")


def item_rates(frame: Frame, alpha: float) -> dict[str, Any]:
    """Return ``mean_share`` and ``item_amounts_f1``, each for clean and for the grid.

    ``mean_share``: per receipt the share of its true items that are right (amount, and quantity where the
    truth has one), among the answerable ones, with betting bounds. ``item_amounts_f1``: F1 over the
    multisets of amounts, pooled over all cases, with precision, recall and the number of receipts.
    """
    clean = clean_of(frame.conditions)
    parts, whole = _right_items(frame)
    return {
        "mean_share": {
            "clean": mean(receipt_shares(parts[:, clean], whole[:, clean]), alpha).to_json(),
            "mean": average(parts, whole, frame.conditions, alpha).to_json(),
        },
        "item_amounts_f1": {
            "clean": _pooled_f1(frame, clean),
            "grid": _pooled_f1(frame, grid_of(frame.conditions)),
        },
    }


def _right_items(
    frame: Frame,
) -> tuple[Counts, Counts]:
    """Count right and answerable items, receipts x conditions; an item has one row per figure."""
    rows = frame.rows
    field, names = pd.factorize(rows["field"])
    index_of = np.array([_item_index(str(name)) for name in names], dtype=np.int64)
    index = index_of[field]
    chosen = index >= 0
    seed, _ = pd.factorize(rows["seed"])
    target, targets = pd.factorize(rows["target"].astype("string").fillna(""))
    picture, pictures = pd.factorize(rows["sample_id"])
    case = (frame.cell * (seed.max(initial=0) + 1) + seed) * max(len(targets), 1) + target
    case = case * max(len(pictures), 1) + picture
    item = case * (index.max(initial=0) + 1) + index
    _, first, inverse = np.unique(item[chosen], return_index=True, return_inverse=True)
    cells = frame.cell[chosen][first]
    right = _all_of((rows["outcome"] == "correct").to_numpy(np.bool_)[chosen], inverse, len(first))
    shown = _all_of(rows["answerable"].to_numpy(np.bool_)[chosen], inverse, len(first))
    return _placed(frame, cells[right & shown]), _placed(frame, cells[shown])


def _item_index(name: str) -> int:
    found = re.match(r"items\[(\d+)\]", name)
    return int(found[1]) if found else -1


def _all_of(holds: Flags, owner: Counts, n: int) -> Flags:
    all_hold: Flags = np.bincount(owner[~holds], minlength=n) == 0
    return all_hold


def _placed(frame: Frame, cells: Counts) -> Counts:
    shape = len(frame.receipts), len(frame.conditions)
    return np.bincount(cells, minlength=shape[0] * shape[1]).astype(np.int64).reshape(shape)


def _pooled_f1(frame: Frame, conditions: Flags) -> dict[str, Any]:
    chosen = (frame.rows["field"] == "items").to_numpy(np.bool_) & conditions[frame.cell % len(conditions)]
    rows = frame.rows[chosen]
    both, true, read = 0, 0, 0
    for truth, value in zip(rows["truth"], rows["value"], strict=True):
        wanted, found = _amounts(_given(truth)), _amounts(_given(value))
        both += (wanted & found).total()
        true += wanted.total()
        read += found.total()
    return {
        "estimate": 2 * both / (true + read) if true + read else None,
        "precision": both / read if read else None,
        "recall": both / true if true else None,
        "n": int(rows[receipt_column(rows)].nunique()),
    }


def _given(text: object) -> str:
    return text if isinstance(text, str) else ""


@lru_cache(maxsize=65536)
def _amounts(text: str) -> Counter[Decimal]:
    return Counter(Decimal(part) for part in text.split(", ") if _AMOUNT.fullmatch(part))
