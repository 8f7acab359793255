"""What a tax line says of itself: its rate against its base, and whether it was added or included."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

from robustocr.records import Check, Tax
from robustocr.rules.ledger import Ledger, decimals

_PERCENT = re.compile(r"(\d{1,2}(?:[.,]\d{1,3})?)\s*%")
_LARGE = 10_000
COMMON_RATES = tuple(
    Decimal(rate) / 1000
    for rate in (30, 40, 50, 55, 60, 70, 75, 77, 80, 81, 82, 88, 90, 100, 110, 120, 130, 150, 160, 180, 190,
                 200, 210, 220, 230, 240, 250, 255)
)  # fmt: skip
"""Rates of sales and value-added tax, and of service, that are common somewhere."""

SERVICE_WITH_TAX = tuple(
    (1 + Decimal(service) / 1000) * (1 + Decimal(tax) / 100) - 1
    for service, tax in (
        (50, 10),
        (60, 10),
        (70, 10),
        (75, 10),
        (100, 10),
        (50, 11),
        (75, 11),
        (100, 11),
        (100, 6),
    )
)
"""What service and a tax on top of it come to together, where restaurants print both."""


def tax_rate(tax: Tax) -> Decimal | None:
    """Return the rate of a tax as a fraction: its ``rate``, else a percentage printed in its label."""
    rate = tax.rate if tax.rate is not None else printed_rate(tax.label)
    if rate is None or rate <= 0:
        return None
    return rate / 100 if rate >= 1 else rate


def printed_rate(label: str | None) -> Decimal | None:
    """Return the percentage printed in a label ("PB1 (10%)") as a fraction, None where there is none."""
    found = _PERCENT.search(label or "")
    return Decimal(found[1].replace(",", ".")) / 100 if found else None


def tax_is_included(ledger: Ledger, group: str, base: str) -> bool | None:
    """Tell whether the tax is inside ``base`` (items or subtotal), None where the receipt leaves it open.

    Its rate decides, printed or plain from its own base: 6 % of the amounts was added, 6/106 of them is
    included. Where the rate tells nothing its flag does, which speaks of the prices: a subtotal may
    still be net of an included tax.
    """
    tax = ledger.receipt.taxes[int(group[6:-1])]
    rate = tax_rate(tax) or _rate_of_base(tax)
    if rate is None or tax.amount is None:
        return tax.included
    amounts = base_amounts(ledger, base)
    added = any(_matches(tax.amount, amount * rate, ledger) for amount in amounts)
    inside = any(_matches(tax.amount, amount * rate / (1 + rate), ledger) for amount in amounts)
    return inside if added != inside else tax.included


def _rate_of_base(tax: Tax) -> Decimal | None:
    """Return the common rate that a row's base and amount show; None where the base may be a gross."""
    if not tax.base or not tax.amount:
        return None
    if any(is_common_rate(tax.amount, tax.base, [rate / (1 + rate)]) for rate in COMMON_RATES):
        return None
    return implied_rate(tax)


def implied_rate(tax: Tax) -> Decimal | None:
    """Return the common rate that leads from a row's base to its amount, None where none does."""
    if not tax.base or not tax.amount:
        return None
    return next((rate for rate in COMMON_RATES if is_common_rate(tax.amount, tax.base, [rate])), None)


def base_amounts(ledger: Ledger, base: str) -> list[Decimal]:
    """Return the amounts a tax may be computed on: items or subtotal, with discounts and service or not."""
    if base == "items":
        plain = sum(term.contribution for term in ledger.item_terms) + ledger.sums.get("item_discounts", 0)
    else:
        plain = ledger.sums.get(base, 0)
    discount = sum(amount for name, amount in ledger.sums.items() if name.startswith("discounts["))
    service = ledger.sums.get("service", 0)
    amounts = {plain, plain + service, plain + discount, plain + service + discount}
    return [ledger.money(amount) for amount in sorted(amounts)]


def _matches(tax: Decimal, expected: Decimal, ledger: Ledger) -> bool:
    return abs(tax - expected) <= Decimal("0.51").scaleb(-ledger.places)


def is_common_rate(gap: Decimal, base: Decimal, rates: Iterable[Decimal] = COMMON_RATES) -> bool:
    """Tell whether ``gap`` is a common rate of ``base``, to half a unit; of large bases to one.

    Tills round taxes line by line, but of a small base nearly every amount would be some rate.
    """
    unit = Decimal("0.01") if decimals(gap.normalize()) or decimals(base.normalize()) else Decimal(1)
    tolerance = unit * (Decimal("1.01") if base >= _LARGE * unit else Decimal("0.51"))
    return base > 0 and any(abs(base * rate - gap) <= tolerance for rate in rates)


def gross_amount(tax: Tax) -> Decimal | None:
    """Return what a tax row says its goods cost with tax, None where it does not say."""
    if tax.gross is not None:
        return tax.gross
    return None if tax.base is None or tax.amount is None else tax.base + tax.amount


def tax_row_checks(tax: Tax, path: str) -> Iterator[Check]:
    """Yield the checks of one row of a tax table: rate times base, and base plus tax."""
    yield from _rate_check(tax, path)
    if tax.gross is not None and tax.base is not None and tax.amount is not None:
        computed = tax.base + tax.amount
        residual = tax.gross - computed
        yield Check(
            rule="gross_equals_base_plus_tax",
            status="holds" if abs(residual) <= _unit(tax.gross) else "fails",
            fields=(f"{path}.gross", f"{path}.base", f"{path}.amount"),
            equation=f"{tax.base:f} + {tax.amount:f} = {computed:f}"
            + (f", printed {tax.gross:f}" if residual else ""),
            residual=residual,
        )


def _rate_check(tax: Tax, path: str) -> Iterator[Check]:
    rate = tax_rate(tax)
    base = tax.base if tax.base is not None else tax.gross
    if rate is None or base is None or tax.amount is None:
        return
    net = tax.base is not None
    printed = (f"{path}.rate",) if tax.rate is not None else ()
    exact = base * rate if net else base * rate / (1 + rate)
    unit = _unit(tax.amount)
    expected = exact.quantize(unit)
    residual = tax.amount - expected
    percent = (rate * 100).normalize()
    left = f"{base:f} x {percent:f} %" + ("" if net else f" / {(1 + rate).normalize():f}")
    yield Check(
        rule="tax_equals_rate_times_base",
        status="holds" if abs(tax.amount - exact) <= Decimal("1.51") * unit else "fails",
        fields=(f"{path}.amount", f"{path}.base" if net else f"{path}.gross", *printed),
        equation=f"{left} = {expected:f}" + (f", printed {tax.amount:f}" if residual else ""),
        residual=residual,
    )


def _unit(value: Decimal) -> Decimal:
    return Decimal(1).scaleb(-decimals(value))
