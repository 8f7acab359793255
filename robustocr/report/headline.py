"""The numbers a reader needs first, per field and adapter, each with a plain sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from robustocr.report.grid import n_conditions
from robustocr.report.wording import Rate, count, percent, rate, reading_order, subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """One field as one adapter read it. A rate is None where no receipt was counted for it.

    ``worst`` and ``silent`` are the worst conditions for being right and for silent errors; both are clean
    where nothing else was run. ``over_groups`` is ``worst`` counted over groups instead of receipts;
    ``average`` is the plain mean accuracy over conditions, which has no bound. ``items_right`` (mean share
    per receipt) and ``amounts_f1`` (pooled over the grid) are for ``items`` alone.
    """

    adapter: str
    field: str
    worst: Rate | None
    clean: Rate | None
    everywhere: Rate | None
    silent: Rate | None
    review: Rate | None
    over_groups: Rate | None
    average: float | None
    items_right: Rate | None
    amounts_f1: float | None
    sentences: tuple[str, ...]


def headlines(summary: Mapping[str, Any]) -> tuple[tuple[Headline, ...], ...]:
    """Return, field by field with the most important first, one headline per adapter that has the field."""
    adapters: Mapping[str, Any] = summary["adapters"]
    fields = reading_order(field for adapter in adapters.values() for field in adapter["fields"])
    return tuple(
        tuple(_headline(summary, name, field) for name in adapters if field in adapters[name]["fields"])
        for field in fields
    )


def confidence(alpha: float) -> str:
    """Return the confidence that goes with alpha, in percent: ``95`` for .05."""
    return f"{(1 - alpha) * 100:.6g}"


def _headline(summary: Mapping[str, Any], adapter: str, field: str) -> Headline:
    data = summary["adapters"][adapter]["fields"][field]
    grid = n_conditions(summary)
    worst, silent = rate(data["worst_condition"]), rate(data["silent_error"]["worst_condition"])
    sentences = (
        _accuracy_sentence(field, worst, grid, float(summary["alpha"])),
        _silent_sentence(silent, grid),
        _unanswerable_sentence(data["unanswerable"]),
    )
    return Headline(
        adapter=adapter,
        field=field,
        worst=worst,
        clean=rate(data["clean"]),
        everywhere=rate(data["all_conditions"]),
        silent=silent,
        review=rate(data["review_rate"]["mean"]),
        over_groups=rate((data.get("groups") or {}).get("worst_condition")),
        average=data["baselines"]["mean_accuracy"],
        items_right=rate((data.get("mean_share") or {}).get("mean")),
        amounts_f1=((data.get("item_amounts_f1") or {}).get("grid") or {}).get("estimate"),
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
    cases = int(data["cases"])
    if not cases:
        return ""
    show = "shows" if cases == 1 else "show"
    return (
        f"{count(cases, 'more picture')} no longer {show} it at all: "
        f"{data['honest']} answered honestly, {data['silent']} in silence."
    )
