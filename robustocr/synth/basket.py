"""Draw what was bought: the items of a receipt, with the tax group each falls into."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np

from robustocr.records import Item
from robustocr.synth.shops import Goods, Shop, catalogue

CENT = Decimal("0.01")
_ALWAYS_COUNTED = ("columns", "two_row", "restaurant", "code_block")


def to_cent(value: Decimal) -> Decimal:
    """Return the value rounded half up to two decimals, as tills do."""
    return value.quantize(CENT, ROUND_HALF_UP)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bought:
    """One item and whether it falls into the low tax group."""

    item: Item
    low_tax: bool

    @property
    def net(self) -> Decimal:
        """The line total with the item's own discount."""
        return (self.item.amount or Decimal(0)) + (self.item.discount or Decimal(0))


def chance(rng: np.random.Generator, odds: float) -> bool:
    """Return True with this probability; always one draw."""
    return bool(rng.random() < odds)


def pick_price(goods: Goods, step: Decimal, rng: np.random.Generator) -> Decimal:
    """Return a price in the goods' range, most often with an ending shops like."""
    spread, ending = Decimal(repr(round(float(rng.random()), 6))), rng.random()
    price = goods.low + (goods.high - goods.low) * spread
    if goods.unit == "l":
        return price.quantize(Decimal("0.1")) - Decimal("0.001")
    if step > CENT:
        return max((price / step).quantize(Decimal(1)) * step, step)
    if ending < 0.6 and price > 1:
        return price.quantize(Decimal("0.1"), ROUND_HALF_UP) - CENT
    if ending < 0.8:
        return (price * 20).quantize(Decimal(1)) / 20 + Decimal("0.00")
    return to_cent(price)


def _quantity(goods: Goods, shop: Shop, rng: np.random.Generator) -> Decimal:
    spread, count = rng.random(), int(rng.integers(2, 7))
    if goods.unit == "kg":
        return Decimal(round(150 + 1700 * float(spread) ** 2)) / 1000
    if goods.unit == "l":
        tank = 4300 if shop.convention == "de" else 1450
        return Decimal(round(420 + tank * float(spread))) / 100
    many = 0.35 if shop.rows == "restaurant" else 0.2
    return Decimal(count if spread < many * 0.5 else 2 if spread < many else 1)


def _unit(goods: Goods, shop: Shop) -> str | None:
    if goods.unit == "kg":
        return shop.custom.weight_unit
    if goods.unit == "l":
        return "gal" if shop.convention == "us" else "L"
    return None


def _name(goods: Goods, shop: Shop) -> str:
    return goods.name.upper() if shop.capitals else goods.name


def _buy(goods: Goods, shop: Shop, rng: np.random.Generator) -> Bought:
    price = pick_price(goods, shop.custom.cash_step, rng)
    quantity = _quantity(goods, shop, rng)
    returned = chance(rng, shop.odd("item_return")) and goods.unit is None
    discounted = chance(rng, shop.odd("item_discount")) and not returned
    share = Decimal(int(rng.choice([10, 15, 20, 25, 30]))) / 100
    if returned:
        quantity = Decimal(-1)
    data: dict[str, Any] = {"name": _name(goods, shop), "amount": to_cent(price * quantity)}
    if goods.unit or abs(quantity) > 1 or shop.rows in _ALWAYS_COUNTED:
        data["quantity"] = quantity
    if goods.unit or abs(quantity) > 1 or shop.rows in ("columns", "two_row", "code_block"):
        data["unit_price"] = price
    if goods.unit:
        data["unit"] = _unit(goods, shop)
    if returned:
        data["kind"] = "return"
    if discounted and data["amount"] >= 1:
        data["discount"] = -to_cent(data["amount"] * share)
    return Bought(item=Item(**data), low_tax=goods.low_tax)


def _add_on(shop: Shop, rng: np.random.Generator) -> Bought:
    choices = [goods for goods in catalogue(shop.goods) if goods.add_on]
    goods = choices[int(rng.integers(len(choices)))]
    price = pick_price(goods, shop.custom.cash_step, rng)
    return Bought(item=Item(name=_name(goods, shop), amount=price, kind="modifier"), low_tax=goods.low_tax)


def _deposit(shop: Shop, rng: np.random.Generator) -> Bought:
    name = "PFAND" if shop.capitals else "Pfand"
    amount = Decimal(str(rng.choice(["0.08", "0.15", "0.25"])))
    return Bought(item=Item(name=name, amount=amount), low_tax=False)


def _count(shop: Shop, rng: np.random.Generator) -> int:
    """Few items are common and many are rare; now and then a shop's limits are reached."""
    low, high = shop.items
    share: float = min(1.0, float(rng.random()) ** 1.7 * 1.06)
    return low + round((high - low) * share)


def draw_basket(shop: Shop, rng: np.random.Generator) -> tuple[Bought, ...]:
    """Return the items of one receipt of this shop, within the shop's limits; they add up to more than 1."""
    count = _count(shop, rng)
    plain = [goods for goods in catalogue(shop.goods) if not goods.add_on]
    order = rng.permutation(len(plain))
    bought: list[Bought] = []
    index = 0
    while len(bought) < count:
        goods = (
            plain[int(order[index % len(plain)])]
            if shop.rows != "fuel"
            else _fuel_choice(plain, index, order)
        )
        bought.append(_buy(goods, shop, rng))
        index += 1
        add_on, deposit = chance(rng, shop.odd("item_addon")), chance(rng, shop.odd("item_deposit"))
        if add_on and len(bought) < count:
            bought.append(_add_on(shop, rng))
        if deposit and len(bought) < count:
            bought.append(_deposit(shop, rng))
    if sum(entry.net for entry in bought) <= 1:
        return draw_basket(shop, rng)
    return tuple(bought)


def _fuel_choice(goods: list[Goods], index: int, order: np.ndarray[Any, Any]) -> Goods:
    """A filling station's receipt starts with one fuel; the rest is from the shop."""
    fuels, others = [one for one in goods if one.unit == "l"], [one for one in goods if one.unit != "l"]
    return fuels[int(order[0]) % len(fuels)] if index == 0 else others[int(order[index]) % len(others)]
