"""What the rules said, what went wrong, and what it cost, adapter by adapter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from robustocr.report.wording import NOTHING, Rate, duration, percent, rate

_ANSWERS = (
    ("closes", "The sums close"),
    ("contradicts", "The sums contradict each other"),
    ("cannot_tell", "The rules cannot tell"),
)
_SHOWN_FAILURES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRow:
    """One share of receipts, per adapter; ``side`` says which bound matters."""

    label: str
    side: str
    rates: tuple[Rate | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountRow:
    """One line of a table of texts, per adapter."""

    label: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedCase:
    """One case without an answer, and why."""

    key: str
    adapter: str
    kind: str
    message: str


def rule_rows(summary: Mapping[str, Any]) -> tuple[RuleRow, ...]:
    """Return the rules as evidence; rows that no adapter has a number for are left out."""
    parts = [adapter["rules"] for adapter in summary["adapters"].values()]
    rows = [_rule_row(label, "estimate", [part[name] for part in parts]) for name, label in _ANSWERS]
    for field in dict.fromkeys(field for part in parts for field in part["closes_but_wrong"]):
        what = "something on the receipt" if field == "document" else field
        escapes = [part["closes_but_wrong"].get(field) or {} for part in parts]
        rows.append(_rule_row(f"The sums close, but {what} is not right", "upper", escapes))
        worst = [escape.get("worst_condition") for escape in escapes]
        rows.append(_rule_row("the same in its worst condition", "upper", worst))
    alarms = [part["contradicts_though_right"] for part in parts]
    rows.append(_rule_row("False alarm: all is right, but the sums contradict", "upper", alarms))
    return tuple(row for row in rows if any(row.rates))


def _rule_row(label: str, side: str, data: Sequence[Mapping[str, Any] | None]) -> RuleRow:
    return RuleRow(label=label, side=side, rates=tuple(rate(one) for one in data))


def error_rows(summary: Mapping[str, Any]) -> tuple[CountRow, ...]:
    """Return the kinds of error that happened, with their number of cases per adapter."""
    parts = [adapter["errors"] for adapter in summary["adapters"].values()]
    kinds = dict.fromkeys(kind for part in parts for kind, number in part.items() if number)
    return tuple(
        CountRow(label=kind.replace("_", " "), texts=tuple(f"{part.get(kind, 0):,}" for part in parts))
        for kind in kinds
    )


def failed_cases(cases: pd.DataFrame) -> tuple[tuple[FailedCase, ...], int]:
    """Return the first ten cases without an answer by key and adapter, and how many there are in all."""
    failed = cases[cases["error"].notna()].sort_values(["key", "adapter"])
    shown = tuple(
        FailedCase(
            key=row["key"], adapter=row["adapter"], kind=row["error"], message=row["error_message"] or ""
        )
        for row in failed.head(_SHOWN_FAILURES).to_dict("records")
    )
    return shown, len(failed)


def usage_rows(summary: Mapping[str, Any], cases: pd.DataFrame) -> tuple[CountRow, ...]:
    """Return calls, time, tokens and cost per adapter; what nobody used is left out."""
    names = list(summary["adapters"])
    parts = [summary["adapters"][name]["usage"] for name in names]
    seconds = [cases.loc[cases["adapter"] == name, "seconds"].dropna() for name in names]
    read = tuple(f"{(cases['adapter'] == name).sum():,}" for name in names)
    spent = tuple(duration(part["seconds"]) for part in parts)
    rows = [
        CountRow(label="Pictures read", texts=read),
        CountRow(label="Calls", texts=_numbers(parts, "calls")),
        CountRow(label="Answers taken from the cache", texts=_numbers(parts, "cached")),
        CountRow(label="Pictures made", texts=_numbers(parts, "pictures_made")),
        CountRow(label="Time in the reader", texts=spent),
        CountRow(label="Time for a picture, median", texts=_quantiles(seconds, 0.5)),
        CountRow(label="Time for a picture, 95 % are faster", texts=_quantiles(seconds, 0.95)),
    ]
    if any(part.get("adapter_share") is not None for part in parts):
        shares = tuple(_share(part.get("adapter_share")) for part in parts)
        rows.append(CountRow(label="Share of the run spent in the reader", texts=shares))
    for name, label in (("tokens_in", "Tokens in"), ("tokens_out", "Tokens out"), ("cost", "Cost")):
        if any(part.get(name) for part in parts):
            rows.append(CountRow(label=label, texts=_numbers(parts, name)))
    return tuple(row for row in rows if set(row.texts) != {NOTHING})


def _numbers(parts: list[Mapping[str, Any]], name: str) -> tuple[str, ...]:
    return tuple(NOTHING if part.get(name) is None else _number(part[name]) for part in parts)


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _share(value: float | None) -> str:
    return NOTHING if value is None else f"{percent(value)} %"


def _quantiles(columns: list[pd.Series[float]], share: float) -> tuple[str, ...]:
    return tuple(duration(float(column.quantile(share))) if len(column) else NOTHING for column in columns)
