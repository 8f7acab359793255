"""How numbers and names are put into words: rounded to the safe side, the same on every screen."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Side = Literal["estimate", "lower", "upper"]

_ROUND: dict[Side, Callable[[float], float]] = {
    "estimate": round,
    "lower": lambda value: math.floor(value + 1e-9),
    "upper": lambda value: math.ceil(value - 1e-9),
}
_READING_ORDER = (
    "total", "subtotal", "items", "document", "date", "merchant", "taxes", "discounts", "service", "charges",
    "rounding", "payments", "change", "item_count", "time", "currency", "receipt_number", "address", "vat_id",
)  # fmt: skip
_SELDOM_PRINTED = ("tip", "iban")
_UNSHOWN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_SUBJECTS = {
    "document": "every field of the receipt is",
    "items": "the whole list of items is",
    "taxes": "every tax is",
    "discounts": "every discount is",
    "charges": "every charge is",
    "payments": "every payment is",
}
NOTHING = "–"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """One rate of ``summary.json``, a share (0 to 1) of ``n`` receipts, with its condition if it has one."""

    estimate: float
    n: int
    lower_bound: float | None = None
    upper_bound: float | None = None
    method: str | None = None
    corruption: str | None = None
    severity: int = 0

    @property
    def condition(self) -> str:
        """The condition in words, for example ``tilt, severity 5``."""
        return condition_name(self.corruption or "clean", self.severity)

    @property
    def short_condition(self) -> str:
        """The condition in two words, for example ``tilt 5``."""
        return condition_name(self.corruption or "clean", self.severity, short=True)


def rate(data: Mapping[str, Any] | None) -> Rate | None:
    """Return the rate in a part of ``summary.json``, or None where it has no estimate."""
    if not data or data.get("estimate") is None:
        return None
    return Rate(
        estimate=float(data["estimate"]),
        n=int(data.get("n") or 0),
        lower_bound=data.get("lower_bound"),
        upper_bound=data.get("upper_bound"),
        method=data.get("method"),
        corruption=data.get("corruption"),
        severity=int(data.get("severity") or 0),
    )


def percent(value: float | None, side: Side = "estimate") -> str:
    """Return a share (0 to 1) as text in percent, without the sign.

    Lower bounds are rounded down and upper bounds up, so that the text never claims more than the number.
    Whole percents, but one decimal near 0 and near 100 where the whole percent would claim never or always.
    """
    if value is None:
        return NOTHING
    scaled = value * 100
    fine = (99 < scaled < 100 and side != "upper") or (0 < scaled < 1 and side != "lower")
    if not fine:
        return f"{_ROUND[side](scaled):.0f}"
    tenths = _ROUND[side](scaled * 10)
    return f"{min(max(tenths, 1), 999) / 10:.1f}" if side == "estimate" else f"{tenths / 10:.1f}"


def condition_name(corruption: str, severity: int, target: str | None = None, *, short: bool = False) -> str:
    """Return a condition in words: ``motion blur, severity 3``, or ``motion blur 3`` when short."""
    name = corruption.replace("_", " ")
    if target:
        name = f"{name} on {target}"
    if severity == 0:
        return name
    return f"{name} {severity}" if short else f"{name}, severity {severity}"


def reading_order(fields: Iterable[str]) -> tuple[str, ...]:
    """Return field names, those that matter most first, then others in the order given.

    Those that few receipts print come last of all.
    """
    order = {name: place for place, name in enumerate(_READING_ORDER)}
    other = len(order)
    order |= {name: place for place, name in enumerate(_SELDOM_PRINTED, other + 1)}
    return tuple(sorted(dict.fromkeys(fields), key=lambda name: order.get(name, other)))


def showable(text: str) -> str:
    """Return a text with what no page may hold (control characters, lone surrogates) as U+FFFD."""
    return _UNSHOWN.sub("\ufffd", text)


def subject(field: str) -> str:
    """Return the start of a sentence about a field: ``total is``, ``every tax is``."""
    return _SUBJECTS.get(field, f"{field} is")


def count(number: int, noun: str) -> str:
    """Return ``1 receipt``, ``24 receipts``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def duration(seconds: float) -> str:
    """Return a time span as people say it: ``0.42 s``, ``12 s``, ``3 min 20 s``, ``2 h 05 min``."""
    if seconds < 10:
        return f"{seconds:.2f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
