"""Adapters by name: ``rapidocr``, ``tesseract``, ``python:module:function``, ``predictions:FILE``, plugins.

Third parties register a factory ``(argument: str | None, threads: int) -> Adapter`` under the entry
point group ``robustocr.adapters``.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

from robustocr.adapters.base import Adapter
from robustocr.errors import InputError, unknown_name

GROUP = "robustocr.adapters"
DEFAULT_ADAPTER = "rapidocr"


def _rapidocr(argument: str | None, threads: int) -> Adapter:
    from robustocr.adapters.rapidocr import RapidOcrAdapter

    _no_argument("rapidocr", argument)
    return RapidOcrAdapter(threads=threads)


def _tesseract(argument: str | None, threads: int) -> Adapter:
    from robustocr.adapters.tesseract import TesseractAdapter

    return (
        TesseractAdapter(languages=argument, threads=threads)
        if argument
        else TesseractAdapter(threads=threads)
    )


def _python(argument: str | None, threads: int) -> Adapter:
    from robustocr.adapters.python import PythonAdapter

    return PythonAdapter(argument or "")


def _predictions(argument: str | None, threads: int) -> Adapter:
    from robustocr.adapters.predictions import PredictionsAdapter

    return PredictionsAdapter(argument or "")


BUILT_IN: dict[str, tuple[Callable[[str | None, int], Adapter], str]] = {
    "rapidocr": (_rapidocr, "RapidOCR with the models in its wheel; local, nothing is downloaded (default)"),
    "tesseract": (
        _tesseract,
        "the Tesseract program; tesseract:eng+deu chooses languages; extra `tesseract`",
    ),
    "python": (_python, "python:module:function, your own function from a PIL image to a receipt dict"),
    "predictions": (_predictions, "predictions:FILE, answers made elsewhere, looked up by the case's key"),
}


def _no_argument(name: str, argument: str | None) -> None:
    if argument:
        raise InputError(f"adapter {name!r} takes nothing after the colon, not {argument!r}")


def _plugins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def list_adapters() -> dict[str, str]:
    """Return the known adapter names with a line about each, plugins included."""
    known = {name: about for name, (_, about) in BUILT_IN.items()}
    return known | {name: f"plugin {point.value}" for name, point in _plugins().items() if name not in known}


def make_adapter(name: str, *, threads: int = 1) -> Adapter:
    """Return the adapter of that name. Engines load on first use, so this is cheap.

    Raises InputError for an unknown name, MissingExtraError where a package or program is missing.
    """
    head, _, argument = name.partition(":")
    if head in BUILT_IN:
        return BUILT_IN[head][0](argument or None, threads)
    plugin = _plugins().get(head)
    if plugin is None:
        raise InputError(unknown_name("adapter", head, list_adapters()))
    factory: Callable[[str | None, int], Adapter] = plugin.load()
    return factory(argument or None, threads)
