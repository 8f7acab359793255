"""The terminal's table: one line per adapter and field, within 80 columns, plain ASCII, no colour needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from robustocr.report.headline import Headline, confidence, headlines, n_conditions
from robustocr.report.wording import Rate, Side, count, percent

_GATE_WORDS = {"pass": ("passed", "bold green"), "fail": ("FAILED", "bold red")}
_OPEN = ("not enough", "bold yellow")


def print_table(
    summary: Mapping[str, Any],
    gates: Sequence[Mapping[str, Any]],
    *,
    console: Console | None = None,
    report: Path | None = None,
) -> None:
    """Print the headline numbers in percent, then the requirements, then where the report is.

    ``gates`` are the objects of ``summary.json``. Bounds are rounded to the safe side. Prints to stdout
    unless a console is given.
    """
    console = console or Console(highlight=False)
    adapters: Mapping[str, Any] = summary["adapters"]
    by_field = headlines(summary)
    for name in adapters:
        lines = [line for lines in by_field for line in lines if line.adapter == name]
        console.print(_table(name, lines, summary))
        console.print()
    console.print(_explanation(summary))
    for gate in gates:
        console.print(_gate_line(gate, with_adapter=len(adapters) > 1))
    if report is not None:
        console.print(Text(f"Report: {report}"), soft_wrap=True)


def _table(name: str, lines: Sequence[Headline], summary: Mapping[str, Any]) -> Table:
    grid = n_conditions(summary)
    conditions = f"clean and {count(grid, 'condition')}" if grid else "clean only"
    title = Text(f"{name}: {summary['dataset']}, {count(summary['n_samples'], 'receipt')}, {conditions}")
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.padding = (0, 2, 0, 0)
    table.add_column("field", overflow="fold")
    table.add_column("clean", justify="right", no_wrap=True)
    table.add_column("worst condition", overflow="fold", min_width=12)
    for header in ("seen", "at\nleast", "all, at\nleast", "silent,\nat most", "review"):
        table.add_column(header, justify="right", no_wrap=True, style="bold" if header == "at\nleast" else "")
    for line in lines:
        table.add_row(*(Text(text) for text in _cells(line)))
    return table


def _cells(line: Headline) -> tuple[str, ...]:
    return (
        line.field,
        _number(line.clean, "estimate"),
        line.worst.short_condition if line.worst else "not answerable",
        _number(line.worst, "estimate"),
        _number(line.worst, "lower"),
        _number(line.everywhere, "lower"),
        _number(line.silent, "upper"),
        _number(line.review, "estimate"),
    )


def _number(rate: Rate | None, side: Side) -> str:
    if rate is None:
        return "-"
    value = {"estimate": rate.estimate, "lower": rate.lower_bound, "upper": rate.upper_bound}[side]
    return "-" if value is None else percent(value, side)


def _explanation(summary: Mapping[str, Any]) -> Text:
    sure = confidence(float(summary["alpha"]))
    return Text(
        f"Percent of receipts read right; bounds hold with {sure} % confidence.\n"
        "all: right under every condition at once. silent: wrong, and nobody was asked\n"
        "to look, in its worst condition. review: a person is asked to look.\n",
        style="dim",
    )


def _gate_line(gate: Mapping[str, Any], *, with_adapter: bool) -> Text:
    word, style = _GATE_WORDS.get(gate["status"], _OPEN)
    adapter = f" ({gate['adapter']})" if with_adapter and gate.get("adapter") else ""
    return Text.assemble((word, style), f"  {gate['requirement']}{adapter}  {gate['message']}")
