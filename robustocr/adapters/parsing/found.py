"""A value found in one or several cells, with how sure the choice is."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from robustocr.adapters.parsing.geometry import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A value read from one or several cells, with what was printed and how sure the choice is (0..1)."""

    value: str | dt.date | dt.time | None
    text: str
    cells: tuple[Cell, ...]
    sure: float
    others: tuple[str, ...] = ()
    reason: str | None = None
