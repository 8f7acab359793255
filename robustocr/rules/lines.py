"""Rules of single item lines: quantity times price, and the printed number of items."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from robustocr.records import Check, Item, Receipt
from robustocr.rules.ledger import Ledger, decimals

_MANY_PIECES = 10**6
_HIGH_PRICE = 10**15


def price_unit(ledger: Ledger) -> Decimal:
    """Return the smallest unit in which this receipt prints prices, at most 0.01 where it has decimals."""
    return Decimal(1).scaleb(-(2 if ledger.places == 1 else ledger.places))


def line_holds(item: Item, unit: Decimal, amount: Decimal | None = None) -> bool:
    """Tell whether amount (else the item's own) is quantity times unit price; True where one is not printed.

    The slack is half a unit, and one unit of the price for each piece: prices printed with tax are
    rounded. A quantity with decimals (a weight) is itself rounded to its last digit. An own discount
    may be inside the amount or not.
    """
    amount = item.amount if amount is None else amount
    if item.quantity is None or item.unit_price is None or amount is None:
        return True
    gaps = _gaps(item, item.quantity * item.unit_price, amount)
    return any(not gap for gap in gaps) or min(map(abs, gaps)) <= _slack(item, unit)


def line_check(item: Item, path: str, unit: Decimal) -> Check | None:
    """Check one line as ``line_holds`` does; None where quantity, price or amount is not printed."""
    if item.quantity is None or item.unit_price is None or item.amount is None:
        return None
    product = item.quantity * item.unit_price
    residual = _gaps(item, product, item.amount)[0]
    return Check(
        rule="amount_equals_quantity_times_price",
        status="holds" if line_holds(item, unit) else "fails",
        fields=(f"{path}.quantity", f"{path}.unit_price", f"{path}.amount"),
        equation=f"{item.quantity:f} x {item.unit_price:f} = {_short(product, unit)}"
        + (f", printed {item.amount:f}" if residual else ""),
        residual=residual,
    )


def _gaps(item: Item, product: Decimal, amount: Decimal) -> list[Decimal]:
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
    if abs(product) < _HIGH_PRICE and product == product.quantize(unit):
        product = product.quantize(unit)
    return f"{product:f}"


def line_proposals(item: Item, unit: Decimal) -> Iterator[tuple[str, Decimal]]:
    """Yield (field, value) of the quantity and the unit price that would explain a line's amount."""
    if item.quantity is None or item.unit_price is None or item.amount is None:
        return
    if item.unit_price:
        quantity = item.amount / item.unit_price
        places = Decimal(1).scaleb(-decimals(item.quantity))
        if 0 < quantity < _MANY_PIECES and quantity == quantity.quantize(places):
            yield "quantity", quantity.quantize(places)
    if item.quantity:
        price = item.amount / item.quantity
        if abs(price) < _HIGH_PRICE:
            yield "unit_price", price.quantize(unit)


def item_count_check(receipt: Receipt) -> Check | None:
    """Check the printed number of items against the rows, or the sum of whole quantities; else None.

    Receipts count rows or pieces, returns taken off or left out, and some leave out bags or free
    items, so only too few rows fail.
    """
    count = receipt.item_count
    if count is None or not receipt.items:
        return None
    sold = [item for item in receipt.items if item.kind == "item"]
    rows = len(sold)
    pieces = sum(map(_pieces, sold), Decimal(0))
    with_returns = sum(map(_pieces, receipt.items), Decimal(0))
    missing = count - max(Decimal(rows), pieces)
    return Check(
        rule="item_count_equals_rows_or_pieces",
        status="holds"
        if count in (rows, pieces, with_returns, len(receipt.items))
        else _count_status(missing),
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
