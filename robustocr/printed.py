"""A receipt in printed forms (``RM 3.90``, ``1.234,50``, ``2.50-``) -> the canonical strings of a Receipt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from typing import Any

from robustocr.convention import infer_convention
from robustocr.currency import CODES, currency_of, find_currency
from robustocr.dates import infer_day_first, parse_date, parse_time
from robustocr.money import parse_amount, parse_quantity
from robustocr.numeral import Convention

_MONEY = ("subtotal", "service", "tip", "rounding", "total", "change")
_LISTS = {
    "items": ("unit_price", "amount", "discount"),
    "discounts": ("amount",),
    "charges": ("amount",),
    "taxes": ("base", "gross", "amount"),
    "payments": ("amount",),
}
_NEGATIVE = (("discounts", "amount"), ("items", "discount"))
"""A discount is negative in a Receipt, whether or not a minus is printed."""


def canonical_receipt(
    data: dict[str, Any], *, convention: Convention | None = None, day_first: bool | None = None
) -> dict[str, Any]:
    """Return a copy of a receipt with every printed form replaced by its canonical string.

    The decimal mark is decided over all amounts of the receipt, unless a ``convention`` is given. Values
    that are no strings are kept; empty strings are dropped (unlabelled), and so are a date whose day-month
    order nothing decides and a currency sign that several currencies share. Raises ValueError naming the
    field path and the value that cannot be read.
    """
    receipt = {key: value for key, value in data.items() if value != ""}
    convention = convention or infer_convention(list(_money_texts(receipt)))
    if day_first is None:
        day_first = infer_day_first(list(_texts(receipt)))
    for name in _MONEY:
        _replace(receipt, name, name, partial(_amount, convention=convention))
    for name, money in _LISTS.items():
        if isinstance(receipt.get(name), (list, tuple)):
            receipt[name] = [
                _entry(name, index, row, money, convention) for index, row in enumerate(receipt[name])
            ]
    _replace(receipt, "date", "date", partial(_date, day_first=day_first))
    _replace(receipt, "time", "time", _time)
    _replace(receipt, "item_count", "item_count", _count)
    _replace(receipt, "currency", "currency", partial(_currency, data=data))
    return receipt


def _entry(name: str, index: int, row: object, money: tuple[str, ...], convention: Convention) -> object:
    if not isinstance(row, dict):
        return row
    entry = {key: value for key, value in row.items() if value != ""}
    path = f"{name}[{index}]"
    for key in money:
        read = partial(_amount, convention=convention, negative=(name, key) in _NEGATIVE)
        _replace(entry, key, f"{path}.{key}", read)
    _replace(entry, "quantity", f"{path}.quantity", lambda text: _quantity(text, convention))
    _replace(entry, "rate", f"{path}.rate", _rate)
    return entry


def _replace(record: dict[str, Any], key: str, path: str, read: Callable[[str], str | None]) -> None:
    """Read one printed value in place; None from ``read`` drops the key."""
    value = record.get(key)
    if not isinstance(value, str):
        return
    try:
        canonical = read(value)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    if canonical is None:
        del record[key]
    else:
        record[key] = canonical


def _amount(text: str, convention: Convention, negative: bool = False) -> str:
    value = parse_amount(text, convention)
    if value is None:
        raise ValueError(f"{text!r} is not a printed amount such as RM 3.90 or 1.234,50")
    return format(-abs(value) if negative and value else value, "f")


def _quantity(text: str, convention: Convention) -> str:
    value = parse_quantity(text, convention)
    if value is None:
        raise ValueError(f"{text!r} is not a printed quantity such as 2, 2 x or 0.586 kg")
    return format(value, "f")


def _rate(text: str) -> str:
    value = parse_amount(text.replace("%", "").strip(), Convention(decimal="," if "," in text else "."))
    if value is None:
        raise ValueError(f"{text!r} is not a rate such as 6% or 0.06")
    share = value / Decimal(100) if "%" in text or value >= 1 else value
    return format(share, "f")


def _count(text: str) -> str:
    value = parse_quantity(text)
    if value is None or value != value.to_integral_value():
        raise ValueError(f"{text!r} is not a number of items")
    return str(int(value))


def _date(text: str, day_first: bool | None) -> str | None:
    reading = parse_date(text, day_first=day_first)
    if not reading.possible:
        raise ValueError(f"{text!r} is not a date such as 25/12/2018 or 25 DEC 2018")
    return reading.value.isoformat() if reading.value else None


def _time(text: str) -> str:
    time = parse_time(text)
    if time is None:
        raise ValueError(f"{text!r} is not a time such as 18:05 or 6:05 PM")
    return time.isoformat()


def _currency(text: str, data: dict[str, Any]) -> str | None:
    if text.upper() in CODES or (len(text) == 3 and text.isascii() and text.isalpha()):
        return currency_of(text) or text.upper()
    return currency_of(text.strip(" .")) or find_currency(_texts(data))


def _money_texts(receipt: dict[str, Any]) -> Iterator[str]:
    for name in _MONEY:
        if isinstance(receipt.get(name), str):
            yield receipt[name]
    for name, money in _LISTS.items():
        rows = receipt.get(name)
        for row in rows if isinstance(rows, (list, tuple)) else ():
            if isinstance(row, dict):
                yield from (row[key] for key in money if isinstance(row.get(key), str))
    if isinstance(receipt.get("currency"), str):
        yield receipt["currency"]


def _texts(receipt: dict[str, Any]) -> Iterator[str]:
    for value in receipt.values():
        if isinstance(value, str):
            yield value
    yield from _money_texts(receipt)
    lines = receipt.get("lines")
    yield from (line for line in lines if isinstance(line, str)) if isinstance(lines, (list, tuple)) else ()
