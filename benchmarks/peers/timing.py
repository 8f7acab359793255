"""Libraries side by side: each in its own process, called in turn, one at a time."""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from environments import python_of

_WORKER = Path(__file__).with_name("worker.py")
_FEWEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A running child process and the names of its effects."""

    process: subprocess.Popen[str]
    effects: tuple[str, ...]

    def seconds(self, effect: str, picture: int) -> float:
        """Return how long one call took. Raises RuntimeError where the library died."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"effect": effect, "picture": picture}) + "\n")
        self.process.stdin.flush()
        return float(_answer(self.process)["seconds"])


@contextmanager
def running(names: Sequence[str], envs: Path, pictures: Path) -> Iterator[dict[str, Library]]:
    """Start a child for each library and end them all."""
    with ExitStack() as stack:
        libraries = {}
        for name in names:
            command = [str(python_of(name, envs)), str(_WORKER), name, str(pictures)]
            process = stack.enter_context(
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            )
            stack.callback(process.kill)
            libraries[name] = Library(process=process, effects=tuple(_answer(process)))
        yield libraries


def medians(
    libraries: Mapping[str, Library], effects: Sequence[str], *, runs: int, patience: float, pictures: int
) -> dict[str, dict[str, float]]:
    """Return effect -> library -> median seconds.

    In each run every library makes each of its effects once, so that a busy machine slows all alike. A
    library that has spent ``patience`` seconds on an effect is not asked again after its third run.
    """
    taken: dict[tuple[str, str], list[float]] = defaultdict(list)
    for run in range(runs):
        for effect in effects:
            for name, library in libraries.items():
                spent = taken[effect, name]
                if effect in library.effects and (len(spent) < _FEWEST or sum(spent) < patience):
                    spent.append(library.seconds(effect, run % pictures))
    table: dict[str, dict[str, float]] = defaultdict(dict)
    for (effect, name), spent in taken.items():
        if spent:
            table[effect][name] = median(spent)
    return dict(table)


def _answer(process: subprocess.Popen[str]) -> dict[str, float]:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"{' '.join(map(str, process.args))} ended; its message stands above")  # type: ignore[arg-type]
    answer: dict[str, float] = json.loads(line)
    return answer
