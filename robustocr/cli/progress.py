"""Progress of a run on stderr: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

_LINE_SECONDS = 15.0


@contextmanager
def show_progress() -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function (adapter, finished, total) that shows how far a run is, its rate and the time left."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        yield _Bar(bar)


class _Rate:
    """Cases per second since the first one that this process finished."""

    def __init__(self) -> None:
        self._start: tuple[float, int] | None = None

    def per_second(self, finished: int) -> float | None:
        if self._start is None:
            self._start = (time.monotonic(), finished)
        elapsed = time.monotonic() - self._start[0]
        gained = finished - self._start[1]
        return gained / elapsed if elapsed > 0 and gained else None


class _Bar:
    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._tasks: dict[str, TaskID] = {}
        self._rates: dict[str, _Rate] = {}

    def __call__(self, adapter: str, finished: int, total: int) -> None:
        if adapter not in self._tasks:
            self._tasks[adapter] = self._bar.add_task(adapter, total=total, completed=finished, rate="")
            self._rates[adapter] = _Rate()
        rate = self._rates[adapter].per_second(finished)
        self._bar.update(
            self._tasks[adapter], completed=finished, rate="" if rate is None else f"{rate:.1f} cases/s"
        )


class _Lines:
    def __init__(self) -> None:
        self._shown = time.monotonic()
        self._rates: dict[str, _Rate] = {}

    def __call__(self, adapter: str, finished: int, total: int) -> None:
        if adapter not in self._rates:
            print(f"{adapter}: {total} cases, {finished} of them done", file=sys.stderr)
        rate = self._rates.setdefault(adapter, _Rate()).per_second(finished)
        now = time.monotonic()
        if now - self._shown < _LINE_SECONDS and finished < total:
            return
        self._shown = now
        left = f", {rate:.1f} cases/s, {(total - finished) / rate:.0f} s left" if rate else ""
        print(f"{adapter}: {finished} of {total} cases{left}", file=sys.stderr)
