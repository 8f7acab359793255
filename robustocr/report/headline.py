"""The numbers a reader needs first, per field and adapter, each with a plain sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from robustocr.report.wording import Rate, count, percent, rate, reading_order, subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """One field as one adapter read it. A rate is None where the run has no such number.

    ``first`` is the rate whose lower bound leads: the worst condition, or clean where nothing else was run.
    ``silent`` is the worst condition for silent errors, or clean likewise.
    """

    adapter: str
    field: str
    worst: Rate | None
    clean: Rate | None
    everywhere: Rate | None
    silent: Rate | None
    silent_mean: Rate | None
    review: Rate | None
    sentences: tuple[str, ...]

    @property
    def first(self) -> Rate | None:
        """The rate whose lower bound is shown biggest."""
        return self.worst or self.clean


def headlines(summary: Mapping[str, Any]) -> tuple[tuple[Headline, ...], ...]:
    """Return, field by field with the most important first, one headline per adapter that has the field."""
    adapters: Mapping[str, Any] = summary["adapters"]
    fields = reading_order(field for adapter in adapters.values() for field in adapter["fields"])
    return tuple(
        tuple(_headline(summary, name, field) for name in adapters if field in adapters[name]["fields"])
        for field in fields
    )


def n_conditions(adapter: Mapping[str, Any]) -> int:
    """Return how many corrupted conditions one adapter's part of a summary speaks of."""
    grid = {
        (row["corruption"], row["severity"], row.get("target"))
        for row in adapter["conditions"]
        if row["corruption"] != "clean"
    }
    return len(grid)


def confidence(alpha: float) -> str:
    """Return the confidence that goes with alpha, in percent: ``95`` for .05."""
    return f"{(1 - alpha) * 100:.6g}"


def _headline(summary: Mapping[str, Any], adapter: str, field: str) -> Headline:
    data = summary["adapters"][adapter]["fields"][field]
    errors = data.get("silent_error") or {}
    grid = n_conditions(summary["adapters"][adapter])
    worst, clean = rate(data.get("worst_condition")), rate(data.get("clean"))
    silent = rate(errors.get("worst_condition")) or rate(errors.get("clean"))
    sentences = (
        _accuracy_sentence(field, worst or clean, grid if worst else 0, float(summary["alpha"])),
        _silent_sentence(silent, grid if worst else 0),
        _unanswerable_sentence(data.get("unanswerable") or {}),
    )
    return Headline(
        adapter=adapter,
        field=field,
        worst=worst,
        clean=clean,
        everywhere=rate(data.get("all_conditions")),
        silent=silent,
        silent_mean=rate(errors.get("mean")),
        review=rate((data.get("review_rate") or {}).get("mean")),
        sentences=tuple(sentence for sentence in sentences if sentence),
    )


def _under(first: Rate, grid: int) -> str:
    if grid == 0:
        return "on clean pictures"
    if grid == 1:
        return f"under the one condition tried ({first.condition})"
    return f"even under the worst of {grid} conditions ({first.condition})"


def _accuracy_sentence(field: str, first: Rate | None, grid: int, alpha: float) -> str:
    if first is None:
        return f"No picture of this run still shows {field}, so nothing can be said about it."
    promised = percent(first.lower_bound, "lower")
    if promised == "0":
        right = round(first.estimate * first.n)
        where = _under(first, grid).removeprefix("even ")
        much = "Next to nothing" if first.lower_bound else "Nothing"
        seen = f"{subject(field)} read right on {right} of {count(first.n, 'receipt')}"
        return f"{much} can be promised: {where}, {seen}."
    return (
        f"With {confidence(alpha)} % confidence, {subject(field)} read right on at least {promised} % "
        f"of receipts like these, {_under(first, grid)}."
    )


def _silent_sentence(silent: Rate | None, grid: int) -> str:
    if silent is None:
        return ""
    where = f" under the worst condition for that ({silent.condition})" if grid > 1 else ""
    where = f" under {silent.condition}" if grid == 1 else where
    found = round(silent.estimate * silent.n)
    return (
        f"At most {percent(silent.upper_bound, 'upper')} % are wrong with nothing to show it{where}; "
        f"seen: {found} of {silent.n}."
    )


def _unanswerable_sentence(data: Mapping[str, Any]) -> str:
    cases = int(data.get("cases") or 0)
    if not cases:
        return ""
    return (
        f"{count(cases, 'more picture')} no longer {'shows' if cases == 1 else 'show'} the field at all: "
        f"{int(data.get('honest') or 0)} answered honestly, {int(data.get('silent') or 0)} wrong in silence."
    )
