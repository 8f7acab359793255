"""A user's own function as a reading system: ``python:module:function``.

The function takes a PIL image (RGB, after the EXIF turn) and returns a Receipt dict or an Extraction
dict. It runs in a worker process, so one that hangs or dies is replaced.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from PIL import Image

from robustocr.adapters.answers import extraction_of
from robustocr.adapters.base import Picture, Request
from robustocr.errors import InputError
from robustocr.records import Extraction
from robustocr.worker_main import describe_exception

_FORM = "write python:module:function, for example python:my_reader:read"


class PythonAdapter:
    """Calls ``function(PIL.Image.Image)``. The module is imported on first use, in the worker.

    ``fingerprint`` is the hash of the module's source, or the module's own top-level
    ``FINGERPRINT = "..."``, which lets a module say what else changes its answers.
    """

    where: Literal["process", "thread"] = "process"
    max_in_flight = 1

    def __init__(self, argument: str) -> None:
        module, _, function = argument.partition(":")
        if not module or not function:
            raise InputError(f"python:{argument} names no function; {_FORM}")
        if os.getcwd() not in sys.path:  # noqa: PTH109 - sys.path holds text
            sys.path.insert(0, os.getcwd())  # noqa: PTH109
        self.name = f"python:{argument}"
        self._module, self._function = module, function
        self.fingerprint = f"{self.name}@{_source_fingerprint(module, function)}"
        self._loaded: Callable[[Any], object] | None = None

    def load(self) -> None:
        """Import the function, so that a slow import is not on the clock of the first case.

        Raises InputError when the module cannot be imported or has no such function.
        """
        try:
            found = getattr(importlib.import_module(self._module), self._function, None)
        except Exception as error:
            raise InputError(
                f"module {self._module!r} cannot be imported: {describe_exception(error)}"
            ) from error
        if not callable(found):
            raise InputError(f"module {self._module!r} has no function {self._function!r}; {_FORM}")
        self._loaded = found

    def extract(self, picture: Picture, request: Request) -> Extraction:
        """Call the function; what it raises is the case's failure, nonsense is ``malformed``."""
        if self._loaded is None:
            self.load()
        if self._loaded is None:
            raise InputError(f"{self.name} could not be loaded")
        return extraction_of(self._loaded(Image.fromarray(picture.pixels)))


def _source_fingerprint(module: str, function: str) -> str:
    try:
        spec = importlib.util.find_spec(module)
    except Exception as error:  # finding a module of a package runs the package's own code
        raise InputError(f"cannot find module {module!r}: {describe_exception(error)}; {_FORM}") from error
    if spec is None:
        raise InputError(f"no module {module!r} on the path (the current folder is on it); {_FORM}")
    if not spec.origin or not spec.origin.endswith(".py"):
        return spec.origin or module
    source = Path(spec.origin).read_bytes()
    try:
        names = list(_top_level(ast.parse(source)))
    except SyntaxError as error:
        raise InputError(f"{spec.origin}:{error.lineno}: {error.msg}") from error
    declared = [value for name, value in names if name == "FINGERPRINT" and value]
    return declared[-1] if declared else hashlib.sha256(source).hexdigest()[:16]


def _top_level(tree: ast.Module) -> list[tuple[str, str | None]]:
    found: list[tuple[str, str | None]] = []
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            found += [(t.id, str(node.value.value)) for t in node.targets if isinstance(t, ast.Name)]
    return found
