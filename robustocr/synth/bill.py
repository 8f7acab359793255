"""Draw one receipt's truth: basket, discounts, tax, service, tip, rounding, tender. All sums close."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np

from robustocr.records import Adjustment, Receipt
from robustocr.synth.basket import Bought, chance, draw_basket, to_cent
from robustocr.synth.printing import Printing
from robustocr.synth.shops import Shop
from robustocr.synth.taxes import added_taxes, included_taxes

_EXTRAS = ("saved", "points", "slip", "suggested", "tip_blank", "covers", "before_rounding")
_ZERO = Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """A receipt's truth, and what is printed beside it.

    ``letters``: one tax letter per item, or none at all. ``extras``: names of printed things that are no
    field (savings, points, card slip, suggested tips, blank tip line, covers, the total before rounding) and
    ``currency`` where the till prints it.
    """

    receipt: Receipt
    letters: tuple[str, ...] = ()
    extras: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Sums:
    """What has been drawn so far: the sum of the items, and the signed lines below them."""

    items: Decimal
    discounts: list[Adjustment]
    charges: list[Adjustment]
    service: Decimal | None = None

    @property
    def discounted(self) -> Decimal:
        return self.items + sum((one.amount for one in self.discounts), _ZERO)


def _draw_discounts(shop: Shop, items: Decimal, rng: np.random.Generator) -> list[Adjustment]:
    wanted, cents = chance(rng, shop.odd("discount")), int(rng.integers(10, 60))
    label = shop.label("discount")
    if not wanted or items < 8:
        return []
    percent = re.search(r"(\d+)%", label)
    fixed = re.search(r"(\d+) off", label)
    if percent:
        amount = to_cent(items * Decimal(percent.group(1)) / 100)
    elif fixed:
        amount = Decimal(fixed.group(1)).quantize(Decimal("0.01"))
    else:
        amount = Decimal(cents) * shop.custom.cash_step.max(Decimal("0.05"))
    return [Adjustment(label=label, amount=-amount)]


def _draw_charges(shop: Shop, total: Decimal, rng: np.random.Generator) -> list[Adjustment]:
    charges = []
    deposit, pieces, donation = (
        chance(rng, shop.odd("deposit")),
        int(rng.integers(1, 7)),
        shop.odd("donation"),
    )
    if deposit:
        charges.append(Adjustment(label=shop.label("deposit"), amount=to_cent(Decimal(pieces * 5) / 100)))
    if chance(rng, donation):
        up = total.quantize(Decimal(1), ROUND_HALF_UP) + 1 - total
        charges.append(Adjustment(label=shop.label("donation"), amount=to_cent(up)))
    return charges


def _draw_service(shop: Shop, base: Decimal, rng: np.random.Generator) -> Decimal | None:
    wanted = chance(rng, shop.odd("service"))
    percent = re.search(r"([\d.]+)%", shop.label("service"))
    share = Decimal(percent.group(1)) / 100 if percent else Decimal("0.125")
    return to_cent(base * share) if wanted else None


def _draw_tip(shop: Shop, base: Decimal, rng: np.random.Generator) -> Decimal | None:
    wanted, percent = chance(rng, shop.odd("tip")), int(rng.integers(10, 23))
    return to_cent((base * percent / 100).quantize(Decimal("0.1"))) if wanted else None


def _round_to_step(total: Decimal, step: Decimal) -> Decimal:
    return (total / step).quantize(Decimal(1), ROUND_HALF_UP) * step - total


def _cash_given(total: Decimal, shop: Shop, exact: bool, rng: np.random.Generator) -> Decimal:
    """Return what a customer hands over: the exact sum, the next note, or a round sum of notes."""
    notes, choice = shop.custom.notes, rng.random()
    if exact:
        return total
    ladder = [Decimal(note) for note in notes if note >= total]
    small = Decimal(notes[1])
    rounded = (total / small).to_integral_value(rounding="ROUND_CEILING") * small
    given = ladder[0] if ladder and choice < 0.5 else rounded
    return given.quantize(Decimal("0.01"))


def _draw_payments(shop: Shop, total: Decimal, by_card: bool, rng: np.random.Generator) -> dict[str, Any]:
    """Return ``payments`` and ``change``. Several tenders: a gift card first, then cash or card."""
    gift_wanted, exact = chance(rng, shop.odd("gift")), chance(rng, shop.odds.get("cash_exact", 0.08))
    change_printed, gift = chance(rng, 0.5), Decimal(int(rng.integers(1, 4)) * 5).quantize(Decimal("0.01"))
    payments = []
    if gift_wanted and gift < total - 1:
        payments.append(Adjustment(label=shop.label("gift"), amount=gift))
        total -= gift
    given = _cash_given(total, shop, exact, rng)
    if by_card:
        payments.append(Adjustment(label=shop.label("card"), amount=total))
        return {"payments": payments, "change": None}
    payments.append(Adjustment(label=shop.label("cash"), amount=given))
    change = given - total
    return {"payments": payments, "change": change if change or change_printed else None}


def _draw_meta(shop: Shop, rng: np.random.Generator) -> dict[str, Any]:
    day = dt.date(2023, 1, 2) + dt.timedelta(days=int(rng.integers(0, 1150)))
    seconds = int(rng.integers(7 * 3600, 21 * 3600))
    shown = seconds if Printing.of(shop).shows_seconds else seconds // 60 * 60
    clock = dt.time(shown // 3600, shown // 60 % 60, shown % 60)
    number = f"{int(rng.integers(1, 10**6)):0{5 + shop.choose('number', 3)}d}"
    prefix = ("", "", "A", "CS", "T1-")[shop.choose("prefix", 5)]
    address = ", ".join(line.rstrip(",") for line in shop.address)
    return {
        "merchant": shop.name, "address": address, "date": day, "time": clock,
        "receipt_number": prefix + number, "vat_id": shop.vat_id, "iban": None,
    }  # fmt: skip


def _item_count(shop: Shop, basket: tuple[Bought, ...], rng: np.random.Generator) -> int | None:
    counted = [entry.item for entry in basket if entry.item.kind == "item"]
    pieces = sum(1 if item.unit or item.quantity is None else int(item.quantity) for item in counted)
    return pieces if chance(rng, shop.odd("item_count")) else None


def _letters(shop: Shop, basket: tuple[Bought, ...]) -> tuple[str, ...]:
    standard, low = shop.custom.letters
    return tuple(low if entry.low_tax else standard for entry in basket) if shop.letters else ()


def _draw_extras(shop: Shop, rng: np.random.Generator) -> set[str]:
    return {name for name in _EXTRAS if chance(rng, shop.odd(name))}


def _settle(shop: Shop, basket: tuple[Bought, ...], rng: np.random.Generator) -> dict[str, Any]:
    """Return every field below the items, drawn in the order in which a till adds them up."""
    items = sum((entry.net for entry in basket), _ZERO)
    sums = _Sums(items=items, discounts=_draw_discounts(shop, items, rng), charges=[])
    sums.service = _draw_service(shop, sums.discounted, rng)
    taxes = (added_taxes if shop.tax_mode == "added" else included_taxes)(
        shop, basket, sums.discounted - items, sums.service or _ZERO, rng
    )
    added = sum((tax.amount or _ZERO for tax in taxes if not tax.included), _ZERO)
    total = sums.discounted + (sums.service or _ZERO) + added
    sums.charges = _draw_charges(shop, total, rng)
    by_card = chance(rng, shop.odd("card"))
    tip = _draw_tip(shop, sums.discounted, rng) if by_card else None
    total += sum((one.amount for one in sums.charges), _ZERO) + (tip or _ZERO)
    rounded = chance(rng, shop.odd("rounding")) or (not by_card and shop.custom.cash_step > Decimal("0.01"))
    rounding = _round_to_step(total, shop.custom.cash_step) if rounded else None
    total += rounding or _ZERO
    return {
        "subtotal": items, "discounts": sums.discounts, "charges": sums.charges, "taxes": taxes,
        "service": sums.service, "tip": tip, "rounding": rounding, "total": total,
        **_draw_payments(shop, total, by_card, rng),
    }  # fmt: skip


def _drop_unprinted(fields: dict[str, Any], extras: set[str], *, subtotal: bool, currency: bool) -> None:
    """Set null what is not printed; leave unlabelled what could be read from something else on the slip."""
    if not currency:
        del fields["currency"]
    if subtotal:
        return
    if "before_rounding" in extras:
        del fields["subtotal"]
    else:
        fields["subtotal"] = None


def draw_bill(shop: Shop, rng: np.random.Generator) -> Bill:
    """Return one receipt of this shop, drawn from ``rng``; the arithmetic closes exactly."""
    meta, basket = _draw_meta(shop, rng), draw_basket(shop, rng)
    fields = {**meta, "items": [entry.item for entry in basket], **_settle(shop, basket, rng)}
    fields["currency"] = shop.custom.currency
    fields["item_count"] = _item_count(shop, basket, rng)
    extras = _draw_extras(shop, rng)
    if not fields["rounding"]:
        extras.discard("before_rounding")
    paid_by_card = fields["payments"][-1].label == shop.label("card")
    if not paid_by_card:
        extras -= {"slip", "tip_blank"}
    if fields["tip"] is not None:
        extras -= {"tip_blank"}
    shows_currency = shop.symbol_on_totals or shop.currency_heading or chance(rng, shop.odd("currency"))
    if shows_currency:
        extras.add("currency")
    _drop_unprinted(
        fields,
        extras,
        subtotal=chance(rng, shop.odd("subtotal")),
        currency=shows_currency or "slip" in extras,
    )
    return Bill(receipt=Receipt(**fields), letters=_letters(shop, basket), extras=frozenset(extras))
