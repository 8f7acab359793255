"""Find line items among printed rows: the name first, then the numbers beside and below it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from rapidfuzz import fuzz

from robustocr.loaders.place_text import bare
from robustocr.loaders.print_lines import PrintedAmount, PrintedPage
from robustocr.loaders.rows import Row
from robustocr.money import parse_quantity
from robustocr.records import Box, Item

_SAME_NAME = 78.0
"""Least similarity, 0 to 100, of an item's name to its best place in a row."""

_BELOW = (0, 1, 2, 3, -1)
_ABOVE = (0, -1, 1, 2)
"""Rows in which an item's numbers stand, counted from its name, the likeliest first, in two layouts."""

_QUANTITY = re.compile(r"(?<![\w.,@])\d+(?:[.,]\d{1,3})?(?=\s?[xX*@]|\s?(?i:pcs?|kg|l|ltr)\b|\s|$)")


def locate_items(page: PrintedPage, items: Sequence[Item]) -> dict[str, tuple[Box, ...]]:
    """Return the boxes of items' names and numbers by field path, one box each; items are in printed order.

    Every printed amount serves one field. An item whose name is not found is placed by its amount alone,
    below the item before it. Receipts print the numbers below or above the name: the layout that finds more
    is taken.
    """
    found = [_locate(page, items, layout) for layout in (_BELOW, _ABOVE)]
    return max(found, key=len)


def _locate(page: PrintedPage, items: Sequence[Item], layout: Sequence[int]) -> dict[str, tuple[Box, ...]]:
    found: dict[str, tuple[Box, ...]] = {}
    used: set[int] = set()
    last = -1
    for index, item in enumerate(items):
        row = _row_of_name(page, item.name, last)
        rows = None if row is None else [row + step for step in layout if row + step > last or step >= 0]
        amount = _amount(page, item.amount, rows, last, used)
        if row is None and amount is not None:
            row = page.amounts[amount].row
        if row is None:
            continue
        price = _amount(page, item.unit_price, rows or [row], last, used, leftmost=True)
        boxes = {
            "name": _box_of_name(page.rows[row], item.name),
            "amount": None if amount is None else page.amounts[amount].box,
            "unit_price": None if price is None else page.amounts[price].box,
            "quantity": _box_of_quantity(page, item.quantity, rows or [row]),
        }
        found |= {f"items[{index}].{key}": (box,) for key, box in boxes.items() if box}
        last = row
    return found


def _row_of_name(page: PrintedPage, name: str | None, last: int) -> int | None:
    """The most similar row from the last item's on, the first of equals; a repeated name moves down."""
    wanted = bare(name or "")
    if len(wanted) < 2:
        return None
    best, chosen = _SAME_NAME, None
    for index in range(last + 1, len(page.rows)):
        score = _similarity(wanted, page.rows[index])
        if score > best:
            best, chosen = score, index
    return chosen


def _similarity(wanted: str, row: Row) -> float:
    text = bare(row.text)
    # A row shorter than the name holds its beginning; much shorter ones match by accident.
    return fuzz.partial_ratio(wanted, text) if len(text) >= 0.6 * len(wanted) else 0.0


def _amount(
    page: PrintedPage,
    value: Decimal | None,
    rows: list[int] | None,
    last: int,
    used: set[int],
    *,
    leftmost: bool = False,
) -> int | None:
    """The number of an unused amount of this value in these rows, or, without rows, next below the last."""
    if value is None:
        return None
    equal = [
        index for index, amount in enumerate(page.amounts) if amount.value == value and index not in used
    ]
    if rows is None:
        near = [index for index in equal if _may_be_item(page, page.amounts[index], last)]
    else:
        near = sorted(
            (index for index in equal if page.amounts[index].row in rows),
            key=lambda index: (rows.index(page.amounts[index].row), index if leftmost else -index),
        )
    if near:
        used.add(near[0])
        return near[0]
    return None


def _may_be_item(page: PrintedPage, amount: PrintedAmount, last: int) -> bool:
    return amount.row > last and page.roles[amount.row] is None


def _box_of_name(row: Row, name: str | None) -> Box | None:
    if not name:
        return None
    best = fuzz.partial_ratio_alignment(name.casefold(), row.text.casefold(), score_cutoff=_SAME_NAME)
    return row.box(best.dest_start, best.dest_end) if best and best.dest_end > best.dest_start else None


def _box_of_quantity(page: PrintedPage, quantity: Decimal | None, rows: list[int]) -> Box | None:
    for index in rows if quantity is not None else ():
        if 0 <= index < len(page.rows):
            row = page.rows[index]
            for match in _QUANTITY.finditer(row.text):
                if parse_quantity(match.group(), page.convention) == quantity:
                    return row.box(match.start(), match.end())
    return None
