"""The heat map: fields across, conditions down, the share read right in each cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from robustocr.report.grid import has_clean
from robustocr.report.wording import NOTHING, Rate, condition_name, count, percent, rate, reading_order

Condition = tuple[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell: ``step`` 0 (never right) to 10 (always right), None where no receipt shows the field."""

    text: str
    bound: str
    step: int | None
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One condition. ``first`` says that it opens its corruption's block."""

    corruption: str
    severity: int
    first: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """All conditions of one adapter, blocks of one corruption with severities in order."""

    adapter: str
    fields: tuple[str, ...]
    blocks: tuple[tuple[Row, ...], ...]
    has_unanswerable: bool


def heat_map(summary: Mapping[str, Any], adapter: str) -> HeatMap:
    """Return the heat map of one adapter: clean first, then the corruptions in the summary's order."""
    data = summary["adapters"][adapter]
    fields = reading_order(data["fields"])
    found: dict[tuple[str, Condition], Mapping[str, Any]] = {
        (field, ("clean", 0)): data["fields"][field].get("clean") or {}
        for field in fields
        if has_clean(summary)
    }
    for row in data["conditions"]:
        found[row["field"], (row["corruption"], int(row["severity"]))] = row
    conditions = _in_order(list(dict.fromkeys(condition for _, condition in found)))
    blocks = tuple(
        tuple(_row(fields, condition, found, first=place == 0) for place, condition in enumerate(block))
        for _, block in groupby(conditions, key=lambda condition: condition[0])
    )
    cells = [cell for block in blocks for row in block for cell in row.cells]
    return HeatMap(
        adapter=adapter,
        fields=fields,
        blocks=blocks,
        has_unanswerable=any(cell.step is None for cell in cells),
    )


def _in_order(conditions: list[Condition]) -> list[Condition]:
    blocks = list(dict.fromkeys(corruption for corruption, _ in conditions))
    return sorted(conditions, key=lambda one: (blocks.index(one[0]), one[1]))


def _row(
    fields: tuple[str, ...],
    condition: Condition,
    found: Mapping[tuple[str, Condition], Mapping[str, Any]],
    *,
    first: bool,
) -> Row:
    corruption, severity = condition
    cells = tuple(_cell(field, condition, found.get((field, condition)) or {}) for field in fields)
    return Row(corruption=condition_name(corruption, 0), severity=severity, first=first, cells=cells)


def _cell(field: str, condition: Condition, data: Mapping[str, Any]) -> Cell:
    value, silent = rate(data), rate(data.get("silent_error"))
    where = f"{field}, {condition_name(*condition)}"
    if value is None:
        return Cell(text=NOTHING, bound="", step=None, title=f"{where}: no receipt shows the field")
    right = f"{percent(value.estimate)} % of {count(value.n, 'receipt')}"
    bound = percent(value.lower_bound, "lower")
    return Cell(
        text=percent(value.estimate),
        bound=bound,
        step=min(int(value.estimate * 10 + 1e-9), 10),
        title=f"{where}: {right}, at least {bound} %{_also(silent)}",
    )


def _also(silent: Rate | None) -> str:
    if silent is None:
        return ""
    return f"; silent errors {percent(silent.estimate)} %, at most {percent(silent.upper_bound, 'upper')} %"
