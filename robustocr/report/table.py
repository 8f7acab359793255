"""The terminal's table: one line per adapter and field, within 80 columns, plain ASCII, no colour needed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.box import Box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from robustocr.report.grid import grid_notes, grid_words, n_conditions, receipts_words
from robustocr.report.headline import Headline, confidence, headlines
from robustocr.report.legible import legible_line
from robustocr.report.wording import Rate, Side, count, percent

_GATE_WORDS = {"pass": ("passed", "bold green"), "fail": ("FAILED", "bold red")}
_OPEN = ("not enough", "bold yellow")
_RULED = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)
_FIELD_WIDTH, _TEXT_WIDTH = 16, 29  # of the field, and of field and condition: what 80 columns leave
_LEFT_OUT_SHOWN = 3
_LONGEST, _LONGEST_NOTE = 240, 720
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_GRID_WORDS = (
    "worst: the condition under which the field is right least often.\n"
    "all: right under every condition at once.\n"
    "silent: wrong, and nobody was asked to look, in the condition worst for that.\n"
)
_CLEAN_WORDS = "silent: wrong, and nobody was asked to look.\n"


def print_table(
    summary: Mapping[str, Any],
    gates: Sequence[Mapping[str, Any]],
    *,
    console: Console | None = None,
    report: Path | None = None,
    first_failures: Mapping[str, str] | None = None,
) -> None:
    """Print the headline numbers in percent, what failed or was left out, the requirements, and the report.

    ``gates`` are the objects of ``summary.json``. ``first_failures`` is what the first failed case of an
    adapter said, by adapter; without it only the kinds of failure are counted. Bounds are rounded to the
    safe side. Prints to stdout unless a console is given.
    """
    console = console or Console(highlight=False)
    adapters: Mapping[str, Any] = summary["adapters"]
    by_field = headlines(summary)
    for name in adapters:
        lines = [line for lines in by_field for line in lines if line.adapter == name]
        console.print(_title(name, summary))
        if lines:
            console.print(_table(lines, clean_only=not n_conditions(summary)))
            console.print(_legible(name, summary), end="")
        console.print(_failures(name, summary, (first_failures or {}).get(name)), end="")
        console.print()
    console.print(_explanation(summary, by_field))
    for note in grid_notes(summary):
        console.print(Text(_one_line(note, _LONGEST_NOTE), style="yellow"))
    console.print(_left_out(summary), end="")
    for gate in gates:
        console.print(_gate_line(gate, with_adapter=len(adapters) > 1))
    if report is not None:
        console.print(Text(f"Report: {report}"), soft_wrap=True)


def _title(name: str, summary: Mapping[str, Any]) -> Text:
    what = f"{receipts_words(summary)}, {grid_words(summary)}"
    return Text(f"{name}: {summary['dataset']}, {what}", style="bold")


def _table(lines: Sequence[Headline], *, clean_only: bool) -> Table:
    """One row per field. On clean pictures alone, clean is the worst condition and the only one."""
    table = Table(box=_RULED, show_edge=False, padding=0, header_style="bold")
    width = min(max(len(line.field) for line in lines), _FIELD_WIDTH)
    table.add_column("\nfield", overflow="fold", width=max(width, len("field")))
    if clean_only:
        headers = ["clean:\nseen", "clean:\nat least"]
    else:
        _add_number(table, "\nclean")
        table.add_column(_indented("worst:\ncondition"), max_width=_TEXT_WIDTH - width)
        headers = ["worst:\nseen", "worst:\nat least", "all:\nat least"]
    for header in (*headers, "silent:\nat most", "\nreview"):
        _add_number(table, header)
    for line in lines:
        table.add_row(*_cells(line, clean_only=clean_only))
    return table


def _add_number(table: Table, header: str) -> None:
    """A column one wider than its header, so that neighbours stand apart; some stand apart as they are."""
    width = max(len(part) for part in header.split("\n")) + (header not in ("\nclean", "worst:\nseen"))
    promised = header in ("worst:\nat least", "clean:\nat least")
    table.add_column(header, justify="right", no_wrap=True, width=width, style="bold" if promised else "")


def _indented(text: str) -> Padding:
    return Padding(Text(text, overflow="fold"), (0, 0, 0, 1))


def _cells(line: Headline, *, clean_only: bool) -> tuple[RenderableType, ...]:
    field = Text(line.field)
    worst = (_number(line.worst, "estimate"), _number(line.worst, "lower"))
    last = (_number(line.silent, "upper"), _number(line.review, "estimate"))
    if clean_only:
        return (field, *worst, *last)
    condition = _indented(line.worst.short_condition if line.worst else "not answerable")
    clean, everywhere = _number(line.clean, "estimate"), _number(line.everywhere, "lower")
    return (field, clean, condition, *worst, everywhere, *last)


def _number(rate: Rate | None, side: Side) -> str:
    if rate is None:
        return "-"
    value = {"estimate": rate.estimate, "lower": rate.lower_bound, "upper": rate.upper_bound}[side]
    return "-" if value is None else percent(value, side)


def _failures(name: str, summary: Mapping[str, Any], first: str | None) -> Text:
    """How many cases of an adapter got no answer, by kind; every adapter reads the same cases."""
    kinds = {kind: number for kind, number in summary["adapters"][name]["errors"].items() if number}
    if not kinds:
        return Text()
    cases = count(summary["n_cases"] // len(summary["adapters"]), "case")
    by_kind = ", ".join(f"{number:,} {kind.replace('_', ' ')}" for kind, number in kinds.items())
    said = f"; the first: {_one_line(first)}" if first else ""
    return Text(f"{sum(kinds.values()):,} of {cases} failed: {by_kind}{said}\n", style="bold red")


def _legible(name: str, summary: Mapping[str, Any]) -> Text:
    line = legible_line(summary, name)
    return Text(f"\n{line}\n" if line else "")


def _explanation(summary: Mapping[str, Any], by_field: Sequence[object]) -> Text:
    if not by_field:
        return Text("No receipt has a truth to compare with; the report shows what the rules say.\n")
    sure = confidence(float(summary["alpha"]))
    return Text(
        "Percent of receipts read right: seen in this run, and bounds that hold for\n"
        f"receipts like these with {sure} % confidence.\n"
        f"{_GRID_WORDS if n_conditions(summary) else _CLEAN_WORDS}"
        "review: a person is asked to look.\n",
        style="dim",
    )


def _left_out(summary: Mapping[str, Any]) -> Text:
    """What of the dataset is not in the numbers, the first three with their reasons."""
    number = int(summary.get("n_left_out") or 0)
    if not number:
        return Text()
    entries = summary.get("left_out") or ()
    shown = "; ".join(_entry(entry) for entry in entries[:_LEFT_OUT_SHOWN])
    more = "; ... (all of them in summary.json)" if number > _LEFT_OUT_SHOWN else ""
    return Text.assemble((f"{number:,} left out", "bold yellow"), f": {shown}{more}\n\n")


def _entry(entry: Mapping[str, Any]) -> str:
    line = "" if entry.get("line") is None else f", line {entry['line']}"
    return _one_line(f"{entry['file']}{line}: {entry['reason']}")


def _one_line(text: str, longest: int = _LONGEST) -> str:
    """The text without line breaks and terminal control codes, cut where it is very long."""
    line = " ".join(_CONTROL.sub(" ", text).split())
    return line if len(line) <= longest else f"{line[: longest - 3]}..."


def _gate_line(gate: Mapping[str, Any], *, with_adapter: bool) -> Text:
    word, style = _GATE_WORDS.get(gate["status"], _OPEN)
    adapter = f" ({gate['adapter']})" if with_adapter and gate.get("adapter") else ""
    return Text.assemble((word, style), f"  {gate['requirement']}{adapter}  {gate['message']}")
