"""An adding-up of one's own, in whole cents, that knows nothing of how receipts are drawn."""

from decimal import Decimal

from robustocr.records import Receipt


def cents(value: Decimal | None) -> int:
    """The value in cents; refuses parts of a cent."""
    if value is None:
        return 0
    scaled = value * 100
    assert scaled == int(scaled), f"{value} has parts of a cent"
    return int(scaled)


def nearest(numerator: Decimal, denominator: int = 1) -> int:
    """Half away from zero, on cents."""
    exact = numerator / denominator
    sign = -1 if exact < 0 else 1
    return sign * int(abs(exact) + Decimal("0.5"))


def items_sum(receipt: Receipt) -> int:
    return sum(cents(item.amount) + cents(item.discount) for item in receipt.items)


def expected_total(receipt: Receipt) -> int:
    signed = [*receipt.discounts, *receipt.charges]
    added = [tax for tax in receipt.taxes if tax.included is False]
    extras = cents(receipt.service) + cents(receipt.tip) + cents(receipt.rounding)
    return (
        items_sum(receipt)
        + sum(cents(entry.amount) for entry in signed)
        + sum(cents(tax.amount) for tax in added)
        + extras
    )
