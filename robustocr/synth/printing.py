"""How a shop prints amounts, quantities, rates, dates and times."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from robustocr.synth.shops import Shop

Sign = Literal["leading", "trailing", "brackets"]
_SIGNS: dict[str, tuple[Sign, ...]] = {
    "us": ("leading", "trailing", "brackets"),
    "uk": ("leading", "leading", "trailing"),
    "de": ("leading", "trailing"),
    "my": ("leading", "brackets"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Printing:
    """The marks one shop prints with. ``symbol`` goes before amounts of the totals, empty where it is not."""

    decimal: str
    thousands: str
    sign: Sign
    symbol: str
    date: str
    time: str

    @classmethod
    def of(cls, shop: Shop) -> Printing:
        """Return the marks of a shop, the same in every process."""
        custom = shop.custom
        signs = _SIGNS[shop.convention]
        symbol = custom.symbol if shop.symbol_on_totals else ""
        if shop.convention == "my" and symbol:
            symbol += " " * shop.choose("symbol gap", 2)
        return cls(
            decimal=custom.decimal,
            thousands=custom.thousands,
            sign=signs[shop.choose("sign", len(signs))],
            symbol=symbol,
            date=custom.dates[shop.choose("date", len(custom.dates))],
            time=custom.times[shop.choose("time", len(custom.times))],
        )

    def number(self, value: Decimal) -> str:
        """Return a number with its own count of decimals, unsigned marks of the shop: ``1.234,50``."""
        whole, _, fraction = format(abs(value), "f").partition(".")
        grouped = f"{int(whole):,}".replace(",", self.thousands)
        return f"{grouped}{self.decimal}{fraction}" if fraction else grouped

    def amount(self, value: Decimal, *, symbol: bool = False) -> str:
        """Return a printed amount, with the shop's minus where it is negative: ``1.00-``, ``(1.00)``."""
        text = (self.symbol if symbol else "") + self.number(value)
        if value >= 0:
            return text
        return {"leading": f"-{text}", "trailing": f"{text}-", "brackets": f"({text})"}[self.sign]

    def rate(self, value: Decimal) -> str:
        """Return a fraction as a percentage: ``8.25%``."""
        percent = (value * 100).normalize()
        return self.number(Decimal(format(percent, "f"))) + "%"

    def day(self, value: dt.date) -> str:
        """Return the printed date. Month names are English in any locale."""
        months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
        return value.strftime(self.date.replace("%b", months[value.month - 1]))

    def clock(self, value: dt.time) -> str:
        """Return the printed time; ``PM`` is not left to the locale."""
        half = "AM" if value.hour < 12 else "PM"
        return value.strftime(self.time.replace("%p", half))

    @property
    def shows_seconds(self) -> bool:
        """Whether the time is printed with seconds."""
        return "%S" in self.time
