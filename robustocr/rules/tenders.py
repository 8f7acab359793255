"""What was paid against the total: cash minus change, several tenders, a coupon among them."""

from __future__ import annotations

from collections.abc import Iterator

from robustocr.rules.closings import Shape
from robustocr.rules.ledger import Ledger


def tender_shapes(ledger: Ledger) -> tuple[Shape, ...]:
    """Return the ways in which the payments may make the total, plainest first; empty without either."""
    payments = [name for name in ledger.groups if name.startswith("payments[")]
    if not payments or not ledger.has("total"):
        return ()
    shapes = [
        Shape(equation="payments_total", name=name, coefficients=factors, target="total", cost=cost)
        for name, factors, cost in _ways(ledger, payments)
    ]
    return tuple(sorted(shapes, key=lambda shape: shape.cost))


def _ways(ledger: Ledger, payments: list[str]) -> Iterator[tuple[str, dict[str, int], int]]:
    change = {"change": -1} if "change" in ledger.sums else {}
    words = "payments - change" if change else "payments"
    everything = {**dict.fromkeys(payments, 1), **change}
    yield f"{words} = total", everything, 0
    if len(payments) > 1:
        for payment in payments:
            yield f"one payment{' - change' if change else ''} = total", {payment: 1, **change}, 1
    coupons = [name for name in ledger.groups if name.startswith("discounts[")]
    if coupons:
        yield f"coupon + {words} = total", {**everything, **dict.fromkeys(coupons, -1)}, 2
    for extra in ("rounding", "tip"):
        if ledger.sums.get(extra):
            yield f"{words} - {extra} = total", {**everything, extra: -1}, 1
