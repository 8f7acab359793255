"""The taxes of a receipt: added below the subtotal, or included in the prices and told apart by group."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from robustocr.records import Tax
from robustocr.synth.basket import Bought, chance, to_cent
from robustocr.synth.shops import Shop

_ZERO = Decimal(0)


def _rate(shop: Shop) -> Decimal:
    rates = shop.custom.rates
    return rates[shop.choose("rate", len(rates))]


def added_taxes(
    shop: Shop, basket: tuple[Bought, ...], discount: Decimal, service: Decimal, rng: np.random.Generator
) -> list[Tax]:
    """Return taxes that are added: on what is taxable, after the discount where all of it is.

    ``discount`` is the signed sum of the discounts below the items. One rate may be split in two taxes.
    """
    shows_base, split = chance(rng, 0.2), chance(rng, 0.2)
    taxable = sum((entry.net for entry in basket if not entry.low_tax), _ZERO)
    if not any(entry.low_tax for entry in basket):
        taxable += discount
    taxable = max(taxable, _ZERO)
    if shop.convention == "my":
        taxable += service
    rate, label = _rate(shop), shop.label("tax")
    if split and shop.convention == "us":
        parts = [("State tax", rate - Decimal("0.02")), ("City tax", Decimal("0.02"))]
    else:
        parts = [(label, rate)]
    return [
        Tax(
            label=name, rate=part, amount=to_cent(taxable * part), included=False,
            **({"base": taxable} if shows_base else {}),
        )
        for name, part in parts
    ]  # fmt: skip


def _groups(basket: tuple[Bought, ...], discount: Decimal) -> dict[bool, Decimal]:
    """Return the gross sum per group (True: low tax); the discount is shared out by size, to the cent."""
    gross = {
        low: sum((entry.net for entry in basket if entry.low_tax is low), _ZERO) for low in (False, True)
    }
    whole = gross[False] + gross[True]
    low_share = to_cent(discount * gross[True] / whole)
    gross[True] += low_share
    gross[False] += discount - low_share
    return gross


def included_taxes(
    shop: Shop, basket: tuple[Bought, ...], discount: Decimal, service: Decimal, rng: np.random.Generator
) -> list[Tax]:
    """Return taxes that are included in the prices: a table by group (net, tax, gross), or one line.

    A service charge of one's own free will is outside the tax (``service`` is not read here).
    """
    table = chance(rng, 1.0 if shop.convention == "de" else shop.odd("tax_table"))
    rates, letters = {False: _rate(shop), True: shop.custom.low_rate}, shop.custom.letters
    present = {entry.low_tax for entry in basket}
    taxes = []
    for low, gross in _groups(basket, discount).items():
        if low not in present or (rates[low] == 0 and not table):
            continue
        net = to_cent(gross / (1 + rates[low]))
        columns = {"base": net, "gross": gross} if shop.convention == "de" else {"base": net} if table else {}
        label = letters[low] if table else shop.label("tax")
        taxes.append(Tax(label=label, rate=rates[low], amount=gross - net, included=True, **columns))
    return taxes
