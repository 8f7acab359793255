"""What the rules said, what went wrong, and what it cost, adapter by adapter."""

from __future__ import annotations

from collections.abc import Mapping
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
    parts = [adapter.get("rules") or {} for adapter in summary["adapters"].values()]
    rows = [
        RuleRow(label=label, side="estimate", rates=tuple(rate(part.get(name)) for part in parts))
        for name, label in _ANSWERS
    ]
    wrong = [part.get("closes_but_wrong") or {} for part in parts]
    for field in dict.fromkeys(field for part in wrong for field in part):
        what = "something on the receipt" if field == "document" else field
        rates = tuple(rate(part.get(field)) for part in wrong)
        rows.append(RuleRow(label=f"The sums close, but {what} is wrong", side="upper", rates=rates))
    return tuple(row for row in rows if any(row.rates))


def error_rows(summary: Mapping[str, Any]) -> tuple[CountRow, ...]:
    """Return the kinds of error that happened, with their number of cases per adapter."""
    parts = [adapter.get("errors") or {} for adapter in summary["adapters"].values()]
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
    parts = [summary["adapters"][name].get("usage") or {} for name in names]
    seconds = [cases.loc[cases["adapter"] == name, "seconds"].dropna() for name in names]
    read = tuple(f"{(cases['adapter'] == name).sum():,}" for name in names)
    spent = tuple(duration(part.get("seconds") or 0) for part in parts)
    rows = [
        CountRow(label="Pictures read", texts=read),
        CountRow(label="Calls", texts=_numbers(parts, "calls")),
        CountRow(label="Answers taken from the cache", texts=_numbers(parts, "cached")),
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
    return tuple(rows)


def _numbers(parts: list[Mapping[str, Any]], name: str) -> tuple[str, ...]:
    return tuple(NOTHING if part.get(name) is None else _number(part[name]) for part in parts)


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _share(value: float | None) -> str:
    return NOTHING if value is None else f"{percent(value)} %"


def _quantiles(columns: list[pd.Series[float]], share: float) -> tuple[str, ...]:
    return tuple(duration(float(column.quantile(share))) if len(column) else NOTHING for column in columns)
