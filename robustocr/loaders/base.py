"""What a loader gives: samples, and what was left out with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError

from robustocr.errors import DatasetError, InputError, unknown_name
from robustocr.records import Adjustment, Item, Receipt, Sample, Tax, Word


class LabelError(DatasetError):
    """A label cannot be used; ``line`` is the line of the label file, where there is one."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something of a dataset that could not be used: the file, its line from 1, and why."""

    file: str
    reason: str
    line: int | None = None

    def __str__(self) -> str:
        """Return one line for a person: file, line and reason."""
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        return f"{place}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A sample with the file that labels it (the picture itself where there is no label) and the line."""

    sample: Sample
    file: str
    line: int | None = None


Entry = Found | LeftOut
"""One label as a loader gives it: a sample, or why there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """The samples of one folder in a stable order, and what was left out of it.

    ``part`` names the part of the folder that was taken (see robustocr.natural), None for all of it.
    """

    name: str
    format: str
    root: Path
    samples: tuple[Sample, ...]
    left_out: tuple[LeftOut, ...] = ()
    part: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One dataset format.

    ``recognises(root)`` looks at names and first lines only; ``read(root)`` yields an Entry for each label;
    ``layout`` says in one line what such a folder looks like.
    """

    name: str
    layout: str
    recognises: Callable[[Path], bool]
    read: Callable[[Path], Iterator[Entry]]


def attempt(build: Callable[[], Sample], *, file: str, line: int | None = None) -> Entry:
    """Return what ``build`` makes, or a LeftOut with the reason when the label or picture is bad."""
    try:
        return Found(sample=build(), file=file, line=line)
    except (InputError, ValueError, RecursionError) as error:
        line = getattr(error, "line", None) or line
        return LeftOut(file=file, line=line, reason=explain(error))


_MODELS: dict[str, type[BaseModel]] = {
    "receipt": Receipt,
    "items": Item,
    "taxes": Tax,
    "words": Word,
    **dict.fromkeys(("discounts", "charges", "payments"), Adjustment),
}


def explain(error: Exception) -> str:
    """Return an error as one line; of a validation the field paths, values and known keys."""
    if isinstance(error, RecursionError):
        return "the JSON is nested too deeply to be a receipt; write it flat"
    if not isinstance(error, ValidationError):
        return str(error)
    problems = []
    for problem in error.errors(include_url=False)[:3]:
        path = field_path(problem["loc"])
        if problem["type"] == "extra_forbidden":
            problems.append(_unknown_key(problem["loc"], error.title))
        else:
            message = problem["msg"].removeprefix("Value error, ")
            shown = "" if "error" in problem.get("ctx", {}) else f" (got {problem['input']!r:.60})"
            problems.append(f"{path}: {message}{shown}" if path else f"{message}{shown}")
    return "; ".join(problems)


def field_path(location: tuple[int | str, ...]) -> str:
    """Return a validation's location as a field path: ``items[2].amount``."""
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}"
    return path.removeprefix(".")


def _unknown_key(location: tuple[int | str, ...], title: str) -> str:
    parents = [part for part in location[:-1] if isinstance(part, str)]
    model = _MODELS.get(parents[-1] if parents else title.casefold())
    if model is None:
        return f"unknown key {field_path(location)!r}"
    where = f"{field_path(location[:-1])}: " if parents else ""
    return where + unknown_name("key", str(location[-1]), model.model_fields)
