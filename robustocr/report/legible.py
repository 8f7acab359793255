"""Could anybody read it? What the pictures still showed, beside what the readers made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from robustocr.legible_rates import band_of
from robustocr.report.wording import NOTHING, condition_name, count, percent, reading_order

_MEASURED = ("legible", "hard", "lost")
_LABELS = {
    "legible": "legible",
    "hard": "hard to read",
    "lost": "lost",
    "unknown": "not known",
}

Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """One condition: shares (percent) legible, hard and lost of its values, and what the readers made of it.

    ``right``: per adapter the share of the legible values that were read right, as text in percent without
    the sign. ``words`` says all of it.
    """

    severity: int
    shares: tuple[float, float, float]
    legible: str
    right: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stacks:
    """The severities of one corruption."""

    corruption: str
    rows: tuple[Stack, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BandRow:
    """The values of one band (or field), and what came of them; all are numbers of cases.

    ``flagged`` are wrong ones that a person is asked to check.
    """

    label: str
    cases: int
    correct: int
    flagged: int
    no_value: int
    silent: int

    @property
    def right(self) -> str:
        """The share read right as text in percent, without the sign."""
        return percent(self.correct / self.cases) if self.cases else NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRow:
    """One field: its legible values, and its silent errors where it was hard to read or lost."""

    field: str
    legible: BandRow
    silent_elsewhere: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderCounts:
    """One adapter: its silent errors by what the picture showed, all bands, and field by field."""

    adapter: str
    silent_legible: int
    silent_elsewhere: int
    note: str
    bands: tuple[BandRow, ...]
    fields: tuple[FieldRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LegibleView:
    """The whole section."""

    readers: tuple[ReaderCounts, ...]
    blocks: tuple[Stacks, ...]


def legible_view(summary: Mapping[str, Any]) -> LegibleView | None:
    """Return the section's content, None where no picture's legibility was measured."""
    parts = {name: data.get("legibility") for name, data in summary["adapters"].items()}
    known = {name: part for name, part in parts.items() if part and _is_measured(part)}
    if not known:
        return None
    return LegibleView(
        readers=tuple(_reader(name, part) for name, part in known.items()),
        blocks=_blocks(known),
    )


def band_label(legibility: float | None, *, answerable: bool) -> str:
    """Return in words how legible a field is: ``legible``, ``hard to read``, ``lost``, ``not known``."""
    return _LABELS[band_of(legibility, answerable=answerable)]


def legible_line(summary: Mapping[str, Any], adapter: str) -> str:
    """Return one sentence about an adapter for the terminal; empty where legibility was not measured."""
    part = summary["adapters"][adapter].get("legibility")
    if not part or not _is_measured(part):
        return ""
    legible, elsewhere = part["values"]["legible"], _silent_elsewhere(part["values"])
    measured = sum(part["values"][band]["cases"] for band in _MEASURED)
    return (
        f"legible values: {legible['cases']:,} of {measured:,}, {_share(legible)}% right; "
        f"silent errors: {legible['silent']:,}, and {elsewhere:,} on others"
    )


def _is_measured(part: Mapping[str, Any]) -> bool:
    return any(condition["n_measured"] for condition in part["conditions"])


def _share(band: Counts) -> str:
    return percent(band["correct"] / band["cases"]) if band["cases"] else NOTHING


def _silent_elsewhere(bands: Mapping[str, Counts]) -> int:
    return bands["hard"]["silent"] + bands["lost"]["silent"]


def _reader(adapter: str, part: Mapping[str, Any]) -> ReaderCounts:
    values = part["values"]
    shown = [band for band in (*_MEASURED, "unknown") if band != "unknown" or values[band]["cases"]]
    fields = part["fields"]
    return ReaderCounts(
        adapter=adapter,
        silent_legible=values["legible"]["silent"],
        silent_elsewhere=_silent_elsewhere(values),
        note=_note(values["unknown"]["silent"], int(part["silent_on_clean"])),
        bands=tuple(_row(_LABELS[band], values[band]) for band in shown),
        fields=tuple(
            FieldRow(
                field=name,
                legible=_row(name, fields[name]["legible"]),
                silent_elsewhere=_silent_elsewhere(fields[name]),
            )
            for name in reading_order(fields)
            if any(fields[name][band]["cases"] for band in _MEASURED)
        ),
    )


def _note(unknown: int, clean: int) -> str:
    """Where the silent errors are that stand in neither number."""
    places = [
        (unknown, "where nothing is printed or its legibility is not known"),
        (clean, "on clean pictures"),
    ]
    found = [f"{count(number, 'silent error')} {where}" for number, where in places if number]
    return f"In neither number: {', '.join(found)}." if found else ""


def _row(label: str, band: Counts) -> BandRow:
    return BandRow(
        label=label,
        cases=band["cases"],
        correct=band["correct"],
        flagged=band["flagged"],
        no_value=band["no_value"] + band["failed"],
        silent=band["silent"],
    )


def _blocks(parts: Mapping[str, Mapping[str, Any]]) -> tuple[Stacks, ...]:
    """All measured conditions, by corruption; what they leave legible is the same for every adapter."""
    rows = {
        name: {(row["corruption"], int(row["severity"])): row for row in part["conditions"]}
        for name, part in parts.items()
    }
    first = next(iter(rows.values()))
    measured = sorted(condition for condition, row in first.items() if row["n_measured"])
    return tuple(
        Stacks(
            corruption=condition_name(corruption, 0),
            rows=tuple(
                _stack(condition, {name: found[condition]["bands"] for name, found in rows.items()})
                for condition in conditions
            ),
        )
        for corruption, conditions in groupby(measured, key=lambda condition: condition[0])
    )


def _stack(condition: tuple[str, int], bands: Mapping[str, Mapping[str, Counts]]) -> Stack:
    first = next(iter(bands.values()))
    cases = [first[band]["cases"] for band in _MEASURED]
    whole = sum(cases)
    parts = [f"{number:,} {_LABELS[band]}" for band, number in zip(_MEASURED, cases, strict=True)]
    right = tuple(_share(found["legible"]) for found in bands.values())
    return Stack(
        severity=condition[1],
        shares=_shares(cases, whole),
        legible=percent(cases[0] / whole),
        right=right,
        words=f"{condition_name(*condition)}: of {count(whole, 'value')} {', '.join(parts)}; {_read(bands)}",
    )


def _shares(cases: Sequence[int], whole: int) -> tuple[float, float, float]:
    legible, hard, lost = (round(100 * number / whole, 2) for number in cases)
    return legible, hard, lost


def _read(bands: Mapping[str, Mapping[str, Counts]]) -> str:
    """How many of the legible values each adapter read right, in words."""
    legible = {name: found["legible"] for name, found in bands.items()}
    alone = len(legible) == 1
    return "; ".join(
        f"{'' if alone else name + ': '}{band['correct']:,} of the {band['cases']:,} legible read right"
        for name, band in legible.items()
    )
