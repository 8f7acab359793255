"""One reading, one verdict, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from robustocr.interactive import Reading
from robustocr.records import LIST_FIELDS, SINGLE_FIELDS, Marker, Receipt, Verdict

_STYLES = {
    Marker.CERTAIN: "",
    Marker.POSSIBLE: "yellow",
    Marker.SUSPECTED: "bold yellow",
    Marker.UNREADABLE: "bold red",
}
_VERDICT_STYLES = {"closes": "green", "contradicts": "bold red", "cannot_tell": "yellow"}


def print_reading(reading: Reading, console: Console | None = None) -> None:
    """Print the fields with their markers, the verdict and the review list to stdout."""
    console = console or Console()
    table = Table(title=Text(f"{reading.name}, read by {reading.adapter}"), title_justify="left")
    for column in ("field", "read", "marker", "score"):
        table.add_column(column, justify="right" if column == "score" else "left", overflow="fold")
    marks = reading.extraction.marks
    for path, value in _values(reading.extraction.receipt):
        mark = marks.get(path)
        marker = mark.marker if mark else Marker.CERTAIN
        score = "" if mark is None or mark.score is None else f"{mark.score:.2f}"
        table.add_row(path, Text(value), Text(marker.value, style=_STYLES[marker]), score)
    console.print(table)
    print_verdict(reading.verdict, console)
    review = ", ".join(reading.review) or "nothing"
    console.print(Text(f"check by hand: {review}", style="bold"))


def _values(receipt: Receipt) -> Iterator[tuple[str, str]]:
    for path in SINGLE_FIELDS:
        value = getattr(receipt, path)
        if value is not None:
            yield path, str(value)
    for path in LIST_FIELDS:
        for number, entry in enumerate(getattr(receipt, path)):
            parts = entry.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
            yield f"{path}[{number}]", ", ".join(str(part) for part in parts.values())


def print_verdict(verdict: Verdict, console: Console | None = None) -> None:
    """Print the verdict with its closings, the checks that fail, and the suspects."""
    console = console or Console()
    status = verdict.status.value
    console.print(Text(f"verdict: {status.replace('_', ' ')}", style=_VERDICT_STYLES[status]))
    for closing in verdict.closings:
        console.print(Text(f"  closes by {closing.name}: {closing.equation}"))
    for check in verdict.checks:
        if check.status == "fails":
            console.print(Text(f"  fails: {check.rule.replace('_', ' ')}: {check.equation}"))
    for suspect in verdict.suspects:
        slip = f" ({suspect.slip})" if suspect.slip else ""
        proposal = f", probably {suspect.proposed}" if suspect.proposed else ""
        console.print(Text(f"  suspect: {suspect.field} read {suspect.read}{proposal}{slip}"))
