"""The shops whose receipts we render: what they sell, how they print, what their country asks for.

All of it is data in ``data/``: ``shops.yaml``, ``goods.yaml`` and ``conventions.yaml``.
"""

from __future__ import annotations

import zlib
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml
from pydantic import Field

from robustocr.errors import InputError, unknown_name
from robustocr.records import Record

Rows = Literal["plain", "columns", "two_row", "restaurant", "code_left", "code_block", "fuel"]


class Custom(Record):
    """What a country's receipts have in common. ``labels`` holds the wordings shops choose from."""

    currency: str
    symbol: str
    decimal: str
    thousands: str
    dates: tuple[str, ...]
    times: tuple[str, ...]
    tax: Literal["added", "included"]
    rates: tuple[Decimal, ...]
    low_rate: Decimal
    letters: tuple[str, str]
    cash_step: Decimal
    notes: tuple[int, ...]
    weight_unit: str
    labels: dict[str, tuple[str, ...]]


class Goods(Record):
    """One thing that is sold and its price range; by weight or litre, at the low tax, or as an add-on."""

    name: str
    low: Decimal
    high: Decimal
    unit: Literal["kg", "l"] | None = None
    low_tax: bool = False
    add_on: bool = False


class Shop(Record):
    """One shop and its till. ``odds`` are chances per receipt (``item_*``: per item) of what is printed."""

    id: str
    name: str
    goods: str
    convention: Literal["us", "uk", "de", "my"]
    tax: Literal["added", "included"] | None = None
    address: tuple[str, ...]
    phone: str
    vat_id: str | None = None
    header: tuple[str, ...] = ()
    footer: tuple[str, ...] = ()
    face: str
    columns: int
    rows: Rows
    quantity_row: Literal["above", "below", "inline"] = "below"
    items: tuple[int, int]
    capitals: bool
    letters: bool
    currency_heading: bool = False
    symbol_on_totals: bool = False
    labels: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    odds: dict[str, float]

    @property
    def custom(self) -> Custom:
        """The convention's common ground."""
        return customs()[self.convention]

    @property
    def tax_mode(self) -> Literal["added", "included"]:
        """Whether tax is added to the prices or included in them."""
        return self.tax or self.custom.tax

    def choose(self, topic: str, count: int) -> int:
        """Return this shop's fixed choice among ``count``, the same in every process."""
        return zlib.crc32(f"{self.id}/{topic}".encode()) % count

    def label(self, topic: str) -> str:
        """Return the wording that this shop prints, for example for ``total``."""
        wordings = (
            self.labels.get(topic) or self.custom.labels.get(topic) or (topic.replace("_", " ").title(),)
        )
        return wordings[self.choose(topic, len(wordings))]

    def odd(self, topic: str) -> float:
        """Return a chance, 0 where the shop does not speak of it."""
        return self.odds.get(topic, 0.0)


def _read_yaml(name: str) -> Any:
    text = files("robustocr.synth").joinpath("data", name).read_text(encoding="utf-8")
    return yaml.safe_load(text)


@cache
def customs() -> dict[str, Custom]:
    """Return the four conventions by name: us, uk, de, my."""
    return {name: Custom.model_validate(data) for name, data in _read_yaml("conventions.yaml").items()}


def _parse_goods(entry: str) -> Goods:
    name, prices, *rest = entry.split(", ")
    flags = rest[0].split() if rest else []
    low, high = prices.split("-")
    unit: Literal["kg", "l"] | None = "kg" if "kg" in flags else "l" if "l" in flags else None
    return Goods(
        name=name,
        low=Decimal(low),
        high=Decimal(high),
        unit=unit,
        low_tax="low" in flags,
        add_on="add" in flags,
    )


@cache
def catalogue(name: str) -> tuple[Goods, ...]:
    """Return the goods of one trade, for example ``grocery_en``."""
    return tuple(_parse_goods(entry) for entry in _read_yaml("goods.yaml")[name])


@cache
def all_shops() -> tuple[Shop, ...]:
    """Return all shops, in the order in which a dataset visits them."""
    return tuple(Shop.model_validate(data) for data in _read_yaml("shops.yaml"))


def find_shop(shop_id: str) -> Shop:
    """Return the shop of this id. Raises InputError naming the known ones."""
    for shop in all_shops():
        if shop.id == shop_id:
            return shop
    raise InputError(unknown_name("shop", shop_id, (shop.id for shop in all_shops())))
