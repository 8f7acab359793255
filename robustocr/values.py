"""Exact values in records: amounts, dates, times, boxes, and the frozen base of all records."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, PlainSerializer

_CANONICAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)")


def canonical_decimal(value: object) -> object:
    """Return a Decimal from canonical JSON: a plain decimal string or a number by its shortest form.

    Raises ValueError for booleans, NaN, infinities and printed forms such as ``RM 3.90``.
    """
    if value is None or (isinstance(value, Decimal) and value.is_finite()):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        number = Decimal(repr(value))
        if number.is_finite():
            return number
    if isinstance(value, str) and _CANONICAL.fullmatch(value.strip()):
        return Decimal(value.strip())
    raise ValueError(
        f"{value!r} is not a plain decimal amount such as 12.50; "
        'for printed forms ("RM 3.90", "1.234,50") set "printed": true on the receipt'
    )


def _plain(value: Decimal) -> str:
    return format(value, "f")


def _iso_text(value: object) -> object:
    if value is None or isinstance(value, (str, dt.date, dt.time)):
        return value
    raise ValueError(f"{value!r} is not ISO text such as 2026-03-14 or 18:05")


Amount = Annotated[
    Decimal, BeforeValidator(canonical_decimal), PlainSerializer(_plain, return_type=str, when_used="json")
]
"""An exact amount of money, a quantity or a rate."""


Date = Annotated[dt.date, BeforeValidator(_iso_text)]
Time = Annotated[dt.time, BeforeValidator(_iso_text)]


def _check_box(box: tuple[float, ...]) -> tuple[float, ...]:
    if len(box) not in (4, 8):
        raise ValueError(f"a box has 4 numbers (x0,y0,x1,y1) or 8 (a quad), not {len(box)}")
    return box


Box = Annotated[tuple[float, ...], AfterValidator(_check_box)]
"""x0, y0, x1, y1 or an 8-number quad (clockwise from top left), in pixels after the EXIF turn."""


class Record(BaseModel):
    """Base of all JSON records: frozen, unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Word(Record):
    """A printed word or line and its place."""

    text: str
    box: Box
