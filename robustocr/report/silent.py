"""Choose the silent errors that would cost most, to be shown as pictures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, cast

import pandas as pd

from robustocr.records import Box, Case, Marker, Verdict, VerdictStatus

_MONEY_FIRST = ("total", "subtotal", "change", "service", "tip", "rounding")
_MARKERS = tuple(Marker)


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureWanted:
    """One picture to be made again: its case, and where the field is printed in it (pixels), if known."""

    case: Case
    field: str
    boxes: tuple[Box, ...] = ()
    picture_sha256: str | None = None

    @property
    def key(self) -> str:
        """The case's key, under which the picture is handed back."""
        return self.case.key


@dataclass(frozen=True, slots=True, kw_only=True)
class SilentError:
    """A wrong value that nobody was asked to check, with what the rules said of its receipt.

    ``relative_error`` is abs(read - true) / abs(true) for amounts, None for everything else; ``legibility``
    is 0 to 1, None where it was not measured.
    """

    adapter: str
    wanted: PictureWanted
    value: str | None
    text: str | None
    truth: str | None
    marker: Marker
    score: float | None
    outcome: str
    answerable: bool
    status: VerdictStatus | None
    verdict: Verdict | None
    relative_error: float | None
    legibility: float | None


def worst_silent_errors(outcomes: pd.DataFrame, cases: pd.DataFrame, limit: int) -> tuple[SilentError, ...]:
    """Return at most ``limit`` silent errors, worst first.

    Worst are those whose receipt closes all the same, then those marked most certain, then amounts before
    text and the largest relative error. To show as many kinds as possible, a second error of the same
    adapter, field and sample comes after all first ones. ``document``, and ``items`` where one of its parts
    is a silent error too, are left out: their parts stand for them.
    """
    rows = sorted(_silent_rows(outcomes), key=_damage)
    seen: Counter[tuple[str, ...]] = Counter()
    ranked: list[tuple[int, int, dict[str, Any]]] = []
    for place, row in enumerate(rows):
        kind = (row["adapter"], row["field"], row["sample_id"])
        ranked.append((seen[kind], place, row))
        seen[kind] += 1
    ranked.sort(key=lambda entry: entry[:2])
    chosen = [row for *_, row in ranked[:limit]]
    found = _cases_of(chosen, cases)
    return tuple(_silent_error(row, found.get((_case(row).key, row["adapter"]), {})) for row in chosen)


def count_silent_errors(outcomes: pd.DataFrame) -> int:
    """Return how many silent errors there are to choose from, wholes left out as in worst_silent_errors."""
    return len(_silent_rows(outcomes))


def relative_error(value: str | None, truth: str | None) -> float | None:
    """Return abs(value - truth) / abs(truth) of two plain decimals, None where either is not an amount.

    A truth of zero counts as one cent, so that the result stays finite.
    """
    try:
        read, true = Decimal(value or ""), Decimal(truth or "")
    except InvalidOperation:
        return None
    if not (read.is_finite() and true.is_finite()):
        return None
    return float(abs(read - true) / max(abs(true), Decimal("0.01")))


def _silent_rows(outcomes: pd.DataFrame) -> list[dict[str, Any]]:
    silent = outcomes[outcomes["silent"].astype(bool) & (outcomes["field"] != "document")]
    rows = [_plain(row) for row in silent.to_dict("records")]
    with_parts = {(row["adapter"], _case(row)) for row in rows if row["field"].startswith("items[")}
    return [row for row in rows if row["field"] != "items" or (row["adapter"], _case(row)) not in with_parts]


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name): None if _is_missing(value) else value for name, value in row.items()}


def _is_missing(value: object) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and value != value)


def _damage(row: Mapping[str, Any]) -> tuple[Any, ...]:
    field = row["field"]
    money = _MONEY_FIRST.index(field) if field in _MONEY_FIRST else len(_MONEY_FIRST)
    error = relative_error(row["value"], row["truth"])
    return (
        row["verdict"] != VerdictStatus.CLOSES,
        not row["answerable"],
        _MARKERS.index(_marker(row)),
        error is None,
        money,
        -(error or 0.0),
        -(row["score"] or 0.0),
        _case(row).key,
        row["adapter"],
        field,
    )


def _marker(row: Mapping[str, Any]) -> Marker:
    return Marker(row["marker"]) if row["marker"] else Marker.CERTAIN


def _case(row: Mapping[str, Any]) -> Case:
    return Case(
        sample_id=row["sample_id"],
        corruption=row["corruption"],
        severity=int(row["severity"]),
        seed=int(row["seed"]),
        target=row.get("target"),
    )


def _cases_of(rows: list[dict[str, Any]], cases: pd.DataFrame) -> dict[tuple[str, str], dict[str, Any]]:
    keys = {_case(row).key for row in rows}
    wanted = cases[cases["key"].isin(keys)]
    return {(row["key"], row["adapter"]): _plain(row) for row in wanted.to_dict("records")}


def _silent_error(row: Mapping[str, Any], case: Mapping[str, Any]) -> SilentError:
    verdict_json = case.get("verdict_json")
    return SilentError(
        adapter=row["adapter"],
        wanted=PictureWanted(
            case=_case(row),
            field=row["field"],
            boxes=_boxes(case.get("boxes_json"), row["field"]),
            picture_sha256=case.get("picture_sha256"),
        ),
        value=row["value"],
        text=row["text"],
        truth=row["truth"],
        marker=_marker(row),
        score=row["score"],
        outcome=row["outcome"],
        answerable=bool(row["answerable"]),
        status=VerdictStatus(row["verdict"]) if row["verdict"] else None,
        verdict=Verdict.model_validate_json(verdict_json) if verdict_json else None,
        relative_error=relative_error(row["value"], row["truth"]),
        legibility=row.get("legibility"),
    )


def _boxes(boxes_json: str | None, field: str) -> tuple[Box, ...]:
    if not boxes_json:
        return ()
    boxes = cast("dict[str, list[list[float]]]", json.loads(boxes_json))
    inside = [path for path in boxes if path == field or path.startswith((f"{field}[", f"{field}."))]
    return tuple(tuple(float(v) for v in box) for path in inside for box in boxes[path])
