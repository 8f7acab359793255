"""Find where the fields of a receipt are printed: in the labels' boxes, else among words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Literal

from robustocr.adapters.base import OcrPage
from robustocr.adapters.parsing.keywords import Role
from robustocr.loaders.place_items import locate_items
from robustocr.loaders.place_text import (
    places_of_code,
    places_of_count,
    places_of_currency,
    places_of_date,
    places_of_text,
    places_of_time,
)
from robustocr.loaders.print_lines import PrintedPage, printed_page
from robustocr.records import CODE_FIELDS, MONEY_FIELDS, SINGLE_FIELDS, Box, Receipt, Sample, Word

Source = Literal["label", "matched", "read"]
"""How a place is known: the label says so, the value was found among labelled words, or among words read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One place where a field is printed: its box in pixels after the EXIF turn, and how it is known."""

    box: Box
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """``places`` maps field paths to every place of the field; ``missing`` lists the fields with none."""

    places: dict[str, tuple[Place, ...]]
    missing: tuple[str, ...] = ()


_ROLES = {
    "subtotal": (Role.SUBTOTAL,),
    "service": (Role.SERVICE,),
    "tip": (Role.TIP,),
    "rounding": (Role.ROUNDING,),
    "total": (Role.TOTAL,),
    "change": (Role.CHANGE,),
    "discounts": (Role.DISCOUNT,),
    "charges": (Role.CHARGE,),
    "taxes": (Role.TAX, Role.TAX_TABLE),
    "payments": (Role.PAYMENT,),
}
_ENTRY_KEYS = {
    "items": ("name", "quantity", "unit_price", "amount", "discount"),
    **dict.fromkeys(("discounts", "charges", "taxes", "payments"), ("amount",)),
}
_UNSIGNED = ("discounts", "rounding", "change")
"""Fields whose sign is often left to the words beside them."""


def locate(sample: Sample, *, page: OcrPage | None = None) -> Located:
    """Return every place where each labelled field of a sample is printed.

    Boxes given by the label come first (source ``label``); then the value among the labelled words
    (``matched``); then among the lines of ``page``, one fixed OCR of the clean picture (``read``). Amounts
    and dates are compared as values. For ``total`` the rows that say so count, without any the lowest amount
    of that value. Fields that are printed nowhere are in ``missing``.
    """
    places = {
        path: tuple(Place(box=box, source="label") for box in boxes)
        for path, boxes in sample.boxes.items()
        if boxes
    }
    wanted = list(field_values(sample.truth)) if sample.truth else []
    read = tuple(Word(text=line.text, box=line.box) for line in page.lines) if page else ()
    sources: tuple[tuple[Source, tuple[Word, ...]], ...] = (("matched", sample.words), ("read", read))
    for source, words in sources:
        left = [path for path in wanted if path not in places]
        if words and left and sample.truth:
            for path, boxes in _search(printed_page(words), sample.truth, left):
                places[path] = tuple(Place(box=box, source=source) for box in boxes)
    return Located(places=places, missing=tuple(path for path in wanted if path not in places))


def field_values(receipt: Receipt) -> Iterator[str]:
    """Yield the path of every single value that a receipt holds, lists entry by entry."""
    for name in SINGLE_FIELDS:
        if getattr(receipt, name) is not None:
            yield name
    for name, keys in _ENTRY_KEYS.items():
        for index, entry in enumerate(getattr(receipt, name)):
            held = (key for key in keys if getattr(entry, key) is not None)
            yield from (f"{name}[{index}].{key}" for key in held)


def _search(page: PrintedPage, receipt: Receipt, wanted: list[str]) -> Iterator[tuple[str, tuple[Box, ...]]]:
    found = locate_items(page, receipt.items) if any(path.startswith("items[") for path in wanted) else {}
    finders = {**_text_finders(receipt), **_money_finders(receipt)}
    for path in wanted:
        boxes = finders[path](page) if path in finders else found.get(path, ())
        if boxes:
            yield path, boxes


def _text_finders(receipt: Receipt) -> dict[str, Callable[[PrintedPage], tuple[Box, ...]]]:
    finders: dict[str, Callable[[PrintedPage], tuple[Box, ...]]] = {
        "merchant": partial(places_of_text, text=receipt.merchant or "", most_rows=3),
        "address": partial(places_of_text, text=receipt.address or "", most_rows=9),
        "currency": partial(places_of_currency, code=receipt.currency or ""),
        "item_count": partial(places_of_count, count=receipt.item_count),
    }
    for name in CODE_FIELDS[1:]:
        finders[name] = partial(places_of_code, code=getattr(receipt, name) or "")
    if receipt.date:
        finders["date"] = partial(places_of_date, date=receipt.date)
    if receipt.time:
        finders["time"] = partial(places_of_time, time=receipt.time)
    return finders


def _money_finders(receipt: Receipt) -> dict[str, Callable[[PrintedPage], tuple[Box, ...]]]:
    values = {name: getattr(receipt, name) for name in MONEY_FIELDS}
    for name in ("discounts", "charges", "taxes", "payments"):
        for index, entry in enumerate(getattr(receipt, name)):
            values[f"{name}[{index}].amount"] = entry.amount
    return {
        path: partial(_places_of_amount, field=path.partition("[")[0], value=value)
        for path, value in values.items()
        if value is not None
    }


def _places_of_amount(page: PrintedPage, field: str, value: Decimal) -> tuple[Box, ...]:
    """The amounts of this value in rows that say what they are, else the only one, or the lowest total."""
    unsigned = field in _UNSIGNED
    equal = [
        amount
        for amount in page.amounts
        if amount.value == value or (unsigned and abs(amount.value) == abs(value))
    ]
    rows = page.rows_about(_ROLES[field])
    named = tuple(amount.box for amount in equal if amount.row in rows)
    if named or not equal:
        return named
    if field == "total":
        return (max(equal, key=lambda amount: amount.row).box,)
    return (equal[0].box,) if len(equal) == 1 else ()
