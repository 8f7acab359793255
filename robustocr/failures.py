"""What failed, as a table of conditions x receipts x fields, from the outcomes of one reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from robustocr.tallies import Condition, Frame, Tally, tally_fields

if TYPE_CHECKING:
    import pandas as pd

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failures:
    """``failed`` is conditions x receipts x fields: 1 failed, 0 right, NaN where it was not tried."""

    conditions: tuple[Condition, ...]
    receipts: tuple[str, ...]
    fields: tuple[str, ...]
    failed: Floats

    @property
    def tried(self) -> Floats:
        """1 where something was tried, else 0."""
        return (~np.isnan(self.failed)).astype(np.float64)

    @property
    def share(self) -> float | None:
        """The share (0..1) of everything tried that failed, None where nothing was."""
        tried = float(self.tried.sum())
        return float(np.nansum(self.failed)) / tried if tried else None

    def under(self, name: str, *, kept: bool) -> Failures:
        """Return the conditions of this name (``kept``), or all others."""
        chosen = [(condition[0] == name) == kept for condition in self.conditions]
        return Failures(
            conditions=tuple(c for c, keep in zip(self.conditions, chosen, strict=True) if keep),
            receipts=self.receipts,
            fields=self.fields,
            failed=self.failed[np.array(chosen, dtype=np.bool_)],
        )

    def of(self, receipts: Sequence[str], fields: Sequence[str]) -> Failures:
        """Return these receipts and fields, in this order."""
        rows = [self.receipts.index(receipt) for receipt in receipts]
        columns = [self.fields.index(field) for field in fields]
        return Failures(
            conditions=self.conditions,
            receipts=tuple(receipts),
            fields=tuple(fields),
            failed=self.failed[:, rows][:, :, columns],
        )

    def excess(self) -> Floats:
        """Return for each receipt how much more often (-1 to 1) it fails than all do; NaN if never tried.

        The mean over what was tried of the failure less the rate of its condition and field, so that a
        receipt that lacks an easy condition does not look hard for that. Where nothing is lacking, this is
        its share of failures less the mean share.
        """
        tried = self.tried
        hit = np.nan_to_num(self.failed)
        rate = hit.sum(axis=1) / np.maximum(tried.sum(axis=1), 1)
        above = ((hit - rate[:, None, :]) * tried).sum(axis=(0, 2))
        cells = tried.sum(axis=(0, 2))
        return np.where(cells > 0, above / np.maximum(cells, 1), np.nan)


def failures_of(outcomes: pd.DataFrame) -> Failures:
    """Return what failed in the outcomes of one reader (columns of records.Outcome), ``document`` apart.

    A field of a receipt fails under a condition when it is not correct in any of its cases there, whether
    the picture still shows it or not.
    """
    frame = Frame.of(outcomes)
    tallies = tally_fields(frame)
    fields = tuple(name for name in tallies if name != "document")
    shape = len(frame.conditions), len(frame.receipts), len(fields)
    failed = np.full(shape, np.nan)
    for place, name in enumerate(fields):
        failed[:, :, place] = _failed(tallies[name]).T
    return Failures(conditions=frame.conditions, receipts=frame.receipts, fields=fields, failed=failed)


def _failed(tally: Tally) -> Floats:
    return np.where(tally.cases > 0, tally.right < tally.cases, np.nan)
