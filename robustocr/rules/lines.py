"""Rules of single item lines: quantity times price, and the printed number of items."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from robustocr.records import Check, Item, Receipt
from robustocr.rules.ledger import Ledger, decimals


def price_unit(ledger: Ledger) -> Decimal:
    """Return the smallest unit in which this receipt prints prices, at most 0.01 where it has decimals."""
    return Decimal(1).scaleb(-(2 if ledger.places == 1 else ledger.places))


def line_check(item: Item, path: str, unit: Decimal) -> Check | None:
    """Check one line's amount against quantity times unit price; None where one of them is not printed.

    The slack is half a unit, and one unit of the price for each piece: prices printed with tax are
    rounded. A quantity with decimals (a weight) is itself rounded to its last digit. An own discount
    may be inside the amount or not.
    """
    if item.quantity is None or item.unit_price is None or item.amount is None:
        return None
    product = item.quantity * item.unit_price
    residual = _signed(item, product)
    holds = any(abs(gap) <= _slack(item, unit) for gap in residual)
    return Check(
        rule="amount_equals_quantity_times_price",
        status="holds" if holds else "fails",
        fields=(f"{path}.quantity", f"{path}.unit_price", f"{path}.amount"),
        equation=f"{item.quantity:f} x {item.unit_price:f} = {_short(product, unit)}"
        + (f", printed {item.amount:f}" if residual[0] else ""),
        residual=residual[0],
    )


def _signed(item: Item, product: Decimal) -> list[Decimal]:
    amount = item.amount or Decimal(0)
    if item.kind == "return" and (amount < 0) != (product < 0):
        product = -product
    gaps = [amount - product]
    if item.discount:
        gaps.append(amount - (product - abs(item.discount)))
        gaps.append(abs(item.discount) - product)
    return gaps


def _slack(item: Item, unit: Decimal) -> Decimal:
    quantity, price = abs(item.quantity or Decimal(0)), abs(item.unit_price or Decimal(0))
    slack = unit / 2 + unit * quantity if quantity != 1 else Decimal(0)
    if decimals(quantity.normalize()):
        slack += price * Decimal("0.5").scaleb(-decimals(quantity))
    return slack


def _short(product: Decimal, unit: Decimal) -> str:
    if abs(product) < Decimal(10) ** 20 and product == product.quantize(unit):
        product = product.quantize(unit)
    return f"{product:f}"


def line_proposals(item: Item, unit: Decimal) -> Iterator[tuple[str, Decimal]]:
    """Yield (field, value) that would make a failing line hold: its amount, its price, its quantity."""
    if item.quantity is None or item.unit_price is None or item.amount is None:
        return
    product = item.quantity * item.unit_price
    yield "amount", product.quantize(unit) if abs(product) < Decimal(10) ** 20 else product
    if item.quantity:
        price = (item.amount / item.quantity).quantize(unit)
        yield "unit_price", price
    if item.unit_price:
        quantity = item.amount / item.unit_price
        places = Decimal(1).scaleb(-max(decimals(item.quantity), 0))
        if quantity == quantity.quantize(places) and quantity > 0:
            yield "quantity", quantity.quantize(places)


def item_count_check(receipt: Receipt) -> Check | None:
    """Check the printed number of items against the rows, or the sum of whole quantities; else None.

    Receipts count rows or pieces, and some leave out bags or free items, so only too few rows fail.
    """
    count = receipt.item_count
    if count is None or not receipt.items:
        return None
    rows = sum(1 for item in receipt.items if item.kind == "item")
    pieces = sum((_pieces(item) for item in receipt.items), Decimal(0))
    missing = count - max(Decimal(rows), pieces)
    return Check(
        rule="item_count_equals_rows_or_pieces",
        status="holds" if count in (rows, pieces, len(receipt.items)) else _count_status(missing),
        fields=("item_count", "items"),
        equation=f"{rows} rows, {pieces:f} pieces, printed {count}",
        residual=Decimal(count - rows),
    )


def _count_status(missing: Decimal) -> str:
    return "fails" if missing > 0 else "cannot_tell"


def _pieces(item: Item) -> Decimal:
    quantity = item.quantity
    if quantity is None or quantity != quantity.to_integral_value() or item.unit:
        return Decimal(1)
    return quantity
