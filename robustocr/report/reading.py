"""One reading, one verdict, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from robustocr.interactive import Reading
from robustocr.records import LIST_FIELDS, SINGLE_FIELDS, Marker, Receipt, Verdict
from robustocr.story import StoryStep

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


def print_story(steps: Sequence[StoryStep], console: Console | None = None) -> None:
    """Print what both readers made of the blurred subtotal, severity by severity."""
    console = console or Console()
    console.print(Text("Printed subtotal 28.90; the items above it are 9.00 + 19.90 = 28.90."))
    table = Table(
        title=Text(f"Blurred at the subtotal only, read by {steps[0].reading.adapter}"), title_justify="left"
    )
    for column in ("severity", "subtotal read", "marker", "the sums", "probably", "check by hand"):
        table.add_column(column, overflow="fold")
    for step in steps:
        table.add_row(str(step.severity), *_story_cells(step.reading))
    table.add_section()
    table.add_row("any", *_story_cells(steps[-1].overconfident))
    console.print(table)
    console.print(Text("The last row is a reader that says 23.90 with certainty: the sums name the field."))
    print_verdict(steps[-1].overconfident.verdict, console)


def _story_cells(reading: Reading) -> tuple[str, ...]:
    mark = reading.extraction.marks.get("subtotal")
    value = reading.extraction.receipt.subtotal
    proposals = [suspect.proposed for suspect in reading.verdict.suspects if suspect.field == "subtotal"]
    return (
        "not read" if value is None else str(value),
        mark.marker.value if mark else "certain" if value is not None else "",
        reading.verdict.status.value.replace("_", " "),
        ", ".join(text for text in proposals if text),
        ", ".join(reading.review),
    )
