"""Accuracy against severity as small charts: geometry only, the template draws it as inline SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from robustocr.report.wording import Rate, condition_name, percent, rate, reading_order

WIDTH, HEIGHT = 176, 132
LEFT, RIGHT, TOP, BOTTOM = 28, 10, 8, 20
MAX_SEVERITY = 5
_BAR_WIDTH, _BARS_SHARE = 34, 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One condition in a chart (viewBox units); ``low`` and ``high`` are the ends of its bounds."""

    x: float
    y: float
    low: float
    high: float
    severity: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One adapter's line. ``style`` counts adapters from 0 and chooses colour, dash and marker."""

    adapter: str
    style: int
    points: tuple[Point, ...]

    @property
    def line(self) -> str:
        """The SVG points of the line of estimates."""
        return " ".join(f"{p.x:g},{p.y:g}" for p in self.points)

    @property
    def band(self) -> str:
        """The SVG points of the area between the lower and the upper bounds."""
        upper = [f"{p.x:g},{p.high:g}" for p in self.points]
        lower = [f"{p.x:g},{p.low:g}" for p in reversed(self.points)]
        return " ".join(upper + lower)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One corruption: a line per adapter, and the same in words.

    With one severity there is no line to follow: ``bar_width`` is then the width of a bar for each point
    (viewBox units), else None.
    """

    corruption: str
    series: tuple[Series, ...]
    severities: tuple[tuple[int, float], ...]
    words: str
    bar_width: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCharts:
    """All charts of one field."""

    field: str
    charts: tuple[Chart, ...]


def field_charts(summary: Mapping[str, Any]) -> tuple[FieldCharts, ...]:
    """Return the charts of every field that was read under some severity, most important field first.

    Conditions without a severity (pictures really taken badly) have no axis to stand on and are left out.
    """
    adapters: Mapping[str, Any] = summary["adapters"]
    fields = reading_order(field for data in adapters.values() for field in data["fields"])
    every = tuple(FieldCharts(field=field, charts=_charts(adapters, field)) for field in fields)
    return tuple(one for one in every if one.charts)


def x_of(severity: float) -> float:
    """Return the horizontal place of a severity (0 is clean)."""
    return round(LEFT + 4 + (WIDTH - LEFT - RIGHT - 8) * severity / MAX_SEVERITY, 1)


def y_of(share: float) -> float:
    """Return the vertical place of a share (0 to 1)."""
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - share), 1)


def _as_bars(series: Sequence[Series]) -> tuple[tuple[Series, ...], float]:
    """The points side by side, one group of bars for clean and one for the severity, and a bar's width."""
    severities = _severities(series)
    room = (WIDTH - LEFT - RIGHT) / len(severities)
    width = round(min(_BAR_WIDTH, _BARS_SHARE * room / len(series)), 1)
    placed = []
    for place, one in enumerate(series):
        beside = (place - (len(series) - 1) / 2) * width
        points = tuple(
            replace(point, x=round(_group_middle(severities.index(point.severity), room) + beside, 1))
            for point in one.points
        )
        placed.append(replace(one, points=points))
    return tuple(placed), width


def _group_middle(group: int, room: float) -> float:
    return LEFT + room * (group + 0.5)


def _severities(series: Sequence[Series]) -> list[int]:
    return sorted({point.severity for one in series for point in one.points})


def _charts(adapters: Mapping[str, Any], field: str) -> tuple[Chart, ...]:
    rows = {
        name: [row for row in data["conditions"] if row["field"] == field and row["severity"] > 0]
        for name, data in adapters.items()
    }
    kinds = dict.fromkeys(row["corruption"] for part in rows.values() for row in part)
    charts = []
    for kind in kinds:
        series = tuple(
            _series(name, style, adapters[name]["fields"].get(field) or {}, _of(rows[name], kind))
            for style, name in enumerate(adapters)
        )
        charts.append(_chart(condition_name(kind, 0), field, series))
    return tuple(charts)


def _of(rows: Sequence[Mapping[str, Any]], corruption: str) -> list[Mapping[str, Any]]:
    mine = [row for row in rows if row["corruption"] == corruption]
    return sorted(mine, key=lambda row: int(row["severity"]))


def _series(name: str, style: int, numbers: Mapping[str, Any], rows: list[Mapping[str, Any]]) -> Series:
    rates = [(0, rate(numbers.get("clean"))), *((int(row["severity"]), rate(row)) for row in rows)]
    points = tuple(_point(severity, value) for severity, value in rates if value is not None)
    return Series(adapter=name, style=style, points=points)


def _point(severity: int, value: Rate) -> Point:
    low = value.estimate if value.lower_bound is None else value.lower_bound
    high = value.estimate if value.upper_bound is None else value.upper_bound
    where = f"severity {severity}" if severity else "clean"
    bounds = f"{percent(low, 'lower')} to {percent(high, 'upper')} %"
    return Point(
        x=x_of(severity),
        y=y_of(value.estimate),
        low=y_of(low),
        high=y_of(high),
        severity=severity,
        label=f"{where}: {percent(value.estimate)} % ({bounds})",
    )


def _chart(corruption: str, field: str, series: tuple[Series, ...]) -> Chart:
    ticks = _severities(series)
    lines = [f"{one.adapter}: {'; '.join(p.label for p in one.points)}" for one in series if one.points]
    places, bar_width = {tick: x_of(tick) for tick in ticks}, None
    if 0 < len(ticks) <= 2:
        room = (WIDTH - LEFT - RIGHT) / len(ticks)
        places = {tick: round(_group_middle(group, room), 1) for group, tick in enumerate(ticks)}
        series, bar_width = _as_bars(series)
    return Chart(
        corruption=corruption,
        series=series,
        severities=tuple(places.items()),
        words=f"{field} under {corruption}. " + ". ".join(lines) + ".",
        bar_width=bar_width,
    )
