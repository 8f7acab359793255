"""A dict that some reader returned -> Extraction; what is not one is refused as malformed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from robustocr.errors import AdapterError, unknown_name
from robustocr.loaders.base import explain
from robustocr.records import Extraction, Receipt

LONGEST_TEXT = 20_000
"""Characters of one string that are kept; the rest of a longer one is cut off and an ellipsis put there."""

_DEEPEST = 50


def extraction_of(answer: object, *, what: str = "the reader returned") -> Extraction:
    """Return the Extraction that a Receipt dict, an Extraction dict or one of the records stands for.

    A dict with the key ``receipt`` is an Extraction. In a dict, half characters (lone surrogates) become
    ``?`` and texts are cut after ``LONGEST_TEXT`` characters. ``what`` opens the messages of the AdapterError
    (kind ``malformed``) that is raised otherwise.
    """
    if isinstance(answer, Extraction):
        return answer
    if isinstance(answer, Receipt):
        return Extraction(receipt=answer)
    if not isinstance(answer, Mapping):
        raise AdapterError(
            f"{what} {type(answer).__name__}, not a receipt dict such as "
            '{"total": "28.90"} or an extraction dict {"receipt": {...}, "marks": {...}}',
            kind="malformed",
        )
    try:
        data: dict[str, Any] = _clean({str(key): value for key, value in answer.items()})
        unknown = sorted(set(data) - set(Extraction.model_fields)) if "receipt" in data else ()
        if unknown:
            problem = unknown_name("key", unknown[0], Extraction.model_fields)
            raise AdapterError(f"{what} a malformed receipt: {problem}", kind="malformed")
        if "receipt" in data:
            return Extraction.model_validate(data)
        return Extraction(receipt=Receipt.model_validate(data))
    except (ValidationError, RecursionError) as error:
        # pydantic speaks of tuples where JSON and Python's own readers have lists.
        problem = explain(error).replace("a valid tuple", "a valid list")
        raise AdapterError(f"{what} a malformed receipt: {problem}", kind="malformed") from error


def _clean(value: Any, depth: int = 0) -> Any:
    """Return plain data whose texts can be stored. Raises RecursionError when it is nested too deeply."""
    if depth > _DEEPEST:
        raise RecursionError
    if isinstance(value, str):
        text = value if len(value) <= LONGEST_TEXT else value[:LONGEST_TEXT] + "…"
        return text.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {_clean(key, depth + 1): _clean(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean(entry, depth + 1) for entry in value]
    return value
