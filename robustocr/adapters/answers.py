"""A dict that some reader returned -> Extraction; what is not one is refused as malformed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from robustocr.errors import AdapterError
from robustocr.records import Extraction, Receipt

_EXTRACTION_KEYS = frozenset(Extraction.model_fields)


def describe_validation(error: ValidationError) -> str:
    """Return the first few problems of a pydantic error as ``path: message`` on one line."""
    problems = [
        f"{'.'.join(str(part) for part in item['loc']) or 'answer'}: {item['msg']}"
        for item in error.errors()[:3]
    ]
    more = error.error_count() - len(problems)
    return "; ".join(problems) + (f"; and {more} more" if more > 0 else "")


def extraction_of(answer: object) -> Extraction:
    """Return the Extraction that a Receipt dict, an Extraction dict or one of the records stands for.

    A dict with the key ``receipt`` is an Extraction. Raises AdapterError (kind ``malformed``) otherwise.
    """
    if isinstance(answer, Extraction):
        return answer
    if isinstance(answer, Receipt):
        return Extraction(receipt=answer)
    if not isinstance(answer, Mapping):
        raise AdapterError(
            f"the reader returned {type(answer).__name__}, not a receipt dict such as "
            '{"total": "28.90"} or an extraction dict {"receipt": {...}, "marks": {...}}',
            kind="malformed",
        )
    data: dict[str, Any] = {str(key): value for key, value in answer.items()}
    try:
        if "receipt" in data and set(data) <= _EXTRACTION_KEYS:
            return Extraction.model_validate(data)
        return Extraction(receipt=Receipt.model_validate(data))
    except ValidationError as error:
        raise AdapterError(f"malformed answer: {describe_validation(error)}", kind="malformed") from error
