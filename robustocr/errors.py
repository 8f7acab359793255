"""Every error robustocr raises on purpose. Messages name the value, the known choices and the next step."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class RobustocrError(Exception):
    """Base of all errors raised on purpose; the command line prints it without a traceback, exit code 2."""


class InputError(RobustocrError):
    """Something the user gave is wrong: a file, a label, an option."""


class DatasetError(InputError):
    """A dataset or one of its label files cannot be read; names file and line."""


class ImageError(InputError):
    """A picture is missing or cannot be decoded; names the file."""


class RecipeError(InputError):
    """An unknown corruption, suite or effect, or a wrong parameter of one."""


class NoPlaceError(RecipeError):
    """The field that a corruption aims at has no known place in this picture."""


class MissingExtraError(RobustocrError):
    """An optional package or program is not installed; says what to install."""


class StoreError(InputError):
    """The output folder or the cache cannot be used, or belongs to a run with other settings."""


class AdapterError(RobustocrError):
    """A reading system did not give a usable answer. ``kind`` is one of :data:`ERROR_KINDS`."""

    def __init__(self, message: str, *, kind: str = "crashed") -> None:
        super().__init__(message)
        self.kind = kind


ERROR_KINDS = (
    "timeout", "crashed", "refused", "filtered", "truncated", "malformed", "rate_limited", "server",
)  # fmt: skip


def unknown_name(kind: str, name: str, known: Iterable[str]) -> str:
    """Return a message that names the unknown value, the closest known one, and all the choices."""
    choices = sorted(known)
    close = get_close_matches(name, choices, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    return f"unknown {kind} {name!r}.{hint} Known: {', '.join(choices) or 'none'}."
