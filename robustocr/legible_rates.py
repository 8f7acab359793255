"""What pictures still showed beside what was read of it: nobody could read it, or the reader failed.

All of it are counts of cases, for description: cases of one receipt depend on each other, so nothing here is
a bound. It looks at the grid (see tallies.grid_of), since legibility is measured against the clean picture.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from robustocr import rates
from robustocr.legibility import LEGIBLE
from robustocr.scoring import LEAST_LEGIBILITY
from robustocr.tallies import Counts, Flags, Frame, grid_of

BANDS = ("lost", "hard", "legible", "unknown")
"""By how legible a field is, lowest first; ``unknown`` where it was not measured or is not printed."""

_KINDS = ("correct", "flagged", "silent", "no_value", "failed")
_ONE_CASE = ["sample_id", "corruption", "severity", "seed", "target"]


def legibility_counts(frame: Frame) -> dict[str, Any]:
    """Return one adapter's counts of cases by band and by what came of them.

    ``conditions``: for each condition of the grid the number of printed values that were measured, their
    mean legibility (0..1) and the share that is legible (None without any), and their ``bands``. ``values``:
    the ``bands`` over the grid; a list of items that is silently wrong though none of its figures is counts
    as one more value. ``fields``: the same for every field, lists and the document as a whole.
    ``silent_on_clean``: silent errors outside the grid. In each band ``cases`` is the sum of ``correct``,
    ``flagged`` (wrong, and a person is asked), ``silent``, ``no_value`` and ``failed``.
    """
    rows, grid = frame.rows, grid_of(frame.conditions)
    condition = frame.cell % len(frame.conditions)
    in_grid = grid[condition]
    seen, band, kind = legibility_seen(rows), bands_of(rows), _kinds(rows)
    single = _single_values(rows)
    printed = single & rows["truth"].notna().to_numpy(np.bool_)
    values = single & _printed_or_read(rows) | _silent_lists(rows)
    field, names = pd.factorize(rows["field"], sort=True)

    def under(index: int) -> dict[str, Any]:
        where = printed & (condition == index)
        return rates.named(frame.conditions[index]) | _condition(seen[where], band[where], kind[where])

    def of_field(code: int) -> dict[str, dict[str, int]]:
        where = in_grid & (field == code)
        return _by_band(band[where], kind[where])

    return {
        "method": "counts of cases, no bounds",
        "conditions": [under(int(index)) for index in np.flatnonzero(grid)],
        "values": _by_band(band[values & in_grid], kind[values & in_grid]),
        "fields": {str(name): of_field(code) for code, name in enumerate(names) if "[" not in str(name)},
        "silent_on_clean": int(np.sum(values & ~in_grid & (kind == _KINDS.index("silent")))),
    }


def legibility_seen(rows: pd.DataFrame) -> pd.Series[float]:
    """Return the legibility 0..1 of each outcome, NaN where not known; 0 for what is covered."""
    measured = rows["legibility"].astype("float64")
    covered = ~rows["answerable"].astype(bool) & ~(measured < LEAST_LEGIBILITY)
    return measured.mask(covered, 0.0)


def bands_of(rows: pd.DataFrame) -> Counts:
    """Return the place in BANDS of each outcome; what is not answerable is lost."""
    seen = legibility_seen(rows).to_numpy(np.float64)
    band = np.digitize(seen, (LEAST_LEGIBILITY, LEGIBLE)).astype(np.int64)
    band[np.isnan(seen)] = BANDS.index("unknown")
    return band


def band_of(legibility: float | None, *, answerable: bool) -> str:
    """Return the band of one outcome, as :func:`bands_of` does."""
    return BANDS[bands_of(pd.DataFrame({"legibility": [legibility], "answerable": [answerable]}))[0]]


def _kinds(rows: pd.DataFrame) -> Counts:
    """The place in _KINDS of each outcome."""
    outcome, silent = rows["outcome"].astype("string"), rows["silent"].to_numpy(np.bool_)
    kind = np.full(len(rows), _KINDS.index("flagged"), dtype=np.int64)
    kind[silent] = _KINDS.index("silent")
    for name, outcomes in (("correct", "correct"), ("no_value", "abstained missed"), ("failed", "failed")):
        kind[outcome.isin(outcomes.split()).to_numpy(np.bool_)] = _KINDS.index(name)
    return kind


def _single_values(rows: pd.DataFrame) -> Flags:
    """Everything but the whole receipt and the whole list of items: their parts stand for them."""
    return (~rows["field"].isin(("document", "items"))).to_numpy(np.bool_)


def _printed_or_read(rows: pd.DataFrame) -> Flags:
    return (rows["truth"].notna() | rows["value"].notna()).to_numpy(np.bool_)


def _silent_lists(rows: pd.DataFrame) -> Flags:
    """The lists of items that are silently wrong though none of their figures is: a line too many."""
    lists = np.zeros(len(rows), dtype=np.bool_)
    places = np.flatnonzero(rows["silent"].to_numpy(np.bool_))
    silent = rows.iloc[places]
    case = silent.groupby(_ONE_CASE, dropna=False, sort=False).ngroup().to_numpy()
    with_parts = case[silent["field"].str.startswith("items[").to_numpy(np.bool_)]
    alone = (silent["field"] == "items").to_numpy(np.bool_) & ~np.isin(case, with_parts)
    lists[places[alone]] = True
    return lists


def _condition(seen: pd.Series[float], band: Counts, kind: Counts) -> dict[str, Any]:
    known = seen.dropna()
    return {
        "n_measured": len(known),
        "mean": round(float(known.mean()), 4) if len(known) else None,
        "share_legible": round(float((known >= LEGIBLE).mean()), 4) if len(known) else None,
        "bands": _by_band(band, kind),
    }


def _by_band(band: Counts, kind: Counts) -> dict[str, dict[str, int]]:
    counts = np.bincount(band * len(_KINDS) + kind, minlength=len(BANDS) * len(_KINDS))
    return {
        name: {"cases": int(row.sum()), **{key: int(n) for key, n in zip(_KINDS, row, strict=True)}}
        for name, row in zip(BANDS, counts.reshape(len(BANDS), len(_KINDS)), strict=True)
    }
