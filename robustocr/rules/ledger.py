"""A receipt as a ledger: every printed amount as a signed integer of the smallest unit printed.

Rules add and compare integers, so nothing is ever rounded by accident. Amounts that no receipt can
hold (a quadrillion, or more than six decimals) are kept out of the sums and named in ``implausible``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal

from robustocr.records import Item, Receipt

_EXACT = Context(prec=60)
_LARGEST = Decimal(10) ** 15
_FINEST = 6
_REVERSAL = re.compile(
    r"\b(void|coupon|voucher|refund|returned|discount|disc|diskon|rabatt|storno|leergut|gutschein|remise"
    r"|descuento|potongan)\b",
    re.IGNORECASE,
)
SINGLES = ("subtotal", "service", "tip", "rounding", "total", "change")


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One printed amount. ``sign`` turns its ``units`` into what it adds to a sum.

    ``group`` names the terms that closings treat alike: ``items``, ``taxes[0]``, ``total``, ...
    ``derived`` marks an item amount that is not printed but follows from quantity times price.
    """

    path: str
    group: str
    units: int
    sign: int = 1
    derived: bool = False

    @property
    def contribution(self) -> int:
        """What this term adds to a sum, in units."""
        return self.sign * self.units


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """All terms of one receipt by group, with the group sums in units of ``10 ** -places``.

    ``item_terms`` are the item amounts in printed order, ``implausible`` the paths left out of the
    sums, and ``incomplete`` says that some item has no amount.
    """

    receipt: Receipt
    places: int
    groups: Mapping[str, tuple[Term, ...]]
    sums: Mapping[str, int]
    item_terms: tuple[Term, ...]
    implausible: tuple[str, ...]
    incomplete: bool

    def has(self, group: str) -> bool:
        """Tell whether any term of this group is printed; ``items`` stands for all item groups."""
        if group == "items":
            return any(name in self.sums for name in ITEM_GROUPS)
        return group in self.sums

    def money(self, units: int) -> Decimal:
        """Return units as an exact Decimal with the receipt's decimals."""
        return _EXACT.scaleb(Decimal(units), -self.places)

    def units(self, value: Decimal) -> int | None:
        """Return an amount in units, or None when it is finer than the receipt's decimals."""
        scaled = _EXACT.scaleb(value, self.places)
        return int(scaled) if scaled == scaled.to_integral_value() else None


ITEM_GROUPS = ("items", "discounted", "modifiers", "reversals")
"""Item amounts: plain, with a discount of their own, priced add-ons, and those named like a reversal."""


def build_ledger(receipt: Receipt) -> Ledger:
    """Return the ledger of a receipt. An item without amount is derived, or makes it ``incomplete``."""
    printed = list(_printed_amounts(receipt))
    implausible = tuple(path for path, _, _, value, _ in printed if not _plausible(value))
    kept = [row for row in printed if _plausible(row[3])]
    places = max((decimals(value) for _, _, _, value, _ in kept), default=0)
    groups: defaultdict[str, list[Term]] = defaultdict(list)
    items = []
    for path, group, sign, value, derived in kept:
        amount = int(_EXACT.scaleb(value, places))
        term = Term(path=path, group=group, units=amount, sign=sign, derived=derived)
        groups[group].append(term)
        if group in ITEM_GROUPS:
            items.append(term)
    return Ledger(
        receipt=receipt,
        places=places,
        groups={name: tuple(terms) for name, terms in groups.items()},
        sums={name: sum(term.contribution for term in terms) for name, terms in groups.items()},
        item_terms=tuple(items),
        implausible=implausible,
        incomplete=any(_amount(item)[0] is None for item in receipt.items)
        or any(path.startswith("items") for path in implausible),
    )


def decimals(value: Decimal) -> int:
    """Return how many decimals a value has, trailing zeros included (``3.90`` has 2)."""
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _plausible(value: Decimal) -> bool:
    return abs(value) < _LARGEST and decimals(value) <= _FINEST


_Row = tuple[str, str, int, Decimal, bool]


def _printed_amounts(receipt: Receipt) -> Iterator[_Row]:
    for index, item in enumerate(receipt.items):
        yield from _item_rows(f"items[{index}]", item)
    yield from _adjustment_rows(receipt)
    for name in SINGLES:
        value = getattr(receipt, name)
        if value is not None:
            yield name, name, 1, value, False


def _adjustment_rows(receipt: Receipt) -> Iterator[_Row]:
    for index, discount in enumerate(receipt.discounts):
        path = f"discounts[{index}]"
        yield f"{path}.amount", path, -1 if discount.amount > 0 else 1, discount.amount, False
    for index, charge in enumerate(receipt.charges):
        yield f"charges[{index}].amount", "charges", 1, charge.amount, False
    for index, payment in enumerate(receipt.payments):
        path = f"payments[{index}]"
        yield f"{path}.amount", path, 1, payment.amount, False
    for index, tax in enumerate(receipt.taxes):
        if tax.amount is not None:
            yield f"taxes[{index}].amount", f"taxes[{index}]", 1, tax.amount, False


def _item_rows(path: str, item: Item) -> Iterator[_Row]:
    amount, derived = _amount(item)
    if amount is not None:
        sign = -1 if item.kind == "return" and amount > 0 else 1
        yield f"{path}.amount", _item_group(item, amount), sign, amount, derived
    if item.discount:
        yield f"{path}.discount", "item_discounts", -1 if item.discount > 0 else 1, item.discount, False


def _item_group(item: Item, amount: Decimal) -> str:
    if item.discount:
        return "discounted"
    if item.kind == "modifier" and amount != 0:
        return "modifiers"
    if item.kind == "item" and amount > 0 and _REVERSAL.search(item.name or ""):
        return "reversals"
    return "items"


def _amount(item: Item) -> tuple[Decimal | None, bool]:
    if item.amount is not None or item.quantity is None or item.unit_price is None:
        return item.amount, False
    product = _EXACT.multiply(item.quantity, item.unit_price)
    cents = Decimal(1).scaleb(-decimals(item.unit_price))
    return (product.quantize(cents, context=_EXACT), True) if _plausible(product) else (product, True)
