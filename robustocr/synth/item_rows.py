"""The rows that items are printed in, one function per layout family."""

from __future__ import annotations

from decimal import Decimal

from robustocr.records import Item
from robustocr.synth.page import Block, Part, Row, Span, text
from robustocr.synth.till import Till, fits, named_rows

_TIMES = (" x ", " X ", " @ ", "x ", " × ")


def _quantity(till: Till, item: Item, path: str) -> list[Part]:
    if item.quantity is None:
        return []
    minus = "-" if item.quantity < 0 else ""
    parts = [Part(text=minus + till.printing.number(item.quantity), paths=(f"{path}.quantity",))]
    if item.unit:
        parts += [Part(text=" "), Part(text=item.unit, paths=(f"{path}.unit",))]
    return parts


def _price(till: Till, value: Decimal, path: str) -> Part:
    return Part(text=till.printing.number(value), paths=(f"{path}.unit_price",))


def _times(till: Till, item: Item, path: str, *, spread: bool = False) -> list[Part]:
    """``2 x 4.50``, or the quantity alone where no unit price is printed."""
    parts = _quantity(till, item, path)
    if item.unit_price is None:
        return parts
    sign = _TIMES[till.shop.choose("times", len(_TIMES))]
    if not parts:
        return [Part(text=sign.lstrip()), _price(till, item.unit_price, path)]
    sign = f" {sign.strip()} " if item.unit else sign
    return [*parts, Part(text=sign + (" " if spread else "")), _price(till, item.unit_price, path)]


def _amount(till: Till, item: Item, index: int) -> list[Span]:
    """The amount at its edge and, where the shop prints them, the tax letter at the very right."""
    spans = []
    if item.amount is not None:
        parts = till.money(item.amount, f"items[{index}].amount")
        spans.append(Span(parts=parts, column=till.edge, align="right"))
    if till.bill.letters:
        spans.append(text(till.bill.letters[index], till.columns, "right"))
    return spans


def _discount(till: Till, item: Item, index: int) -> list[Block]:
    if item.discount is None:
        return []
    value = till.money(item.discount, f"items[{index}].discount")
    label = text(till.shop.label("item_discount"), 2)
    return [Row(spans=(label, Span(parts=value, column=till.edge, align="right")))]


def _name_with(till: Till, item: Item, index: int, column: float, spans: list[Span]) -> list[Block]:
    """The name at ``column`` with spans to its right; the name has rows of its own where it is too long."""
    path = f"items[{index}].name"
    if item.name is None:
        return [Row(spans=tuple(spans))] if spans else []
    row = Row(spans=(text(item.name, column, "left", path), *spans))
    if fits(row, till):
        return [row]
    return [*named_rows(till, item.name, column, till.columns - column, path), Row(spans=tuple(spans))]


def _plain(till: Till, item: Item, index: int, column: float = 0) -> list[Block]:
    times = _times(till, item, f"items[{index}]")
    amount = _amount(till, item, index)
    if not times:
        return _name_with(till, item, index, column, amount)
    if till.shop.quantity_row == "inline" and item.name:
        name = Part(text=item.name, paths=(f"items[{index}].name",))
        row = Row(spans=(Span(parts=(name, Part(text="  "), *times), column=column), *amount))
        if fits(row, till):
            return [row]
    counted = Row(spans=(Span(parts=tuple(times), column=column + 2 + till.shop.choose("indent", 4)),))
    rows = _name_with(till, item, index, column, amount)
    return [counted, *rows] if till.shop.quantity_row == "above" else [*rows, counted]


def _columns(till: Till, item: Item, index: int) -> list[Block]:
    path, quantity_first = f"items[{index}]", bool(till.shop.choose("columns", 2))
    quantity, numbers = _quantity(till, item, path), _amount(till, item, index)
    if item.unit_price is not None:
        numbers.insert(
            0, Span(parts=(_price(till, item.unit_price, path),), column=till.edge - 9, align="right")
        )
    if quantity:
        column, align = (0, "left") if quantity_first else (till.edge - 17, "right")
        numbers.insert(
            0, Span(parts=tuple(quantity), column=column, align="left" if align == "left" else "right")
        )
    name = text(item.name or "", 4 if quantity_first else 0, "left", f"{path}.name")
    row = Row(spans=(name, *numbers))
    if item.name and fits(row, till):
        return [row]
    long_name = named_rows(till, item.name, 0, till.columns, f"{path}.name") if item.name else []
    return [*long_name, Row(spans=tuple(numbers))]


def _code(till: Till, digits: int) -> str:
    return "".join(str(digit) for digit in till.rng.integers(0, 10, digits))


def _two_row(till: Till, item: Item, index: int) -> list[Block]:
    amount, code = _amount(till, item, index), _code(till, (7, 9, 13)[till.shop.choose("code", 3)])
    letter = amount.pop() if till.bill.letters else None
    times = _times(till, item, f"items[{index}]")
    first = _name_with(till, item, index, 0, [letter] if letter else [])
    middle = [Span(parts=tuple(times), column=till.edge - 9, align="right")] if times else []
    second = Row(spans=(text(code), *middle, *amount))
    if not fits(second, till):
        return [*first, Row(spans=(text(code),)), Row(spans=(*middle, *amount))]
    return [*first, second]


def _restaurant(till: Till, item: Item, index: int) -> list[Block]:
    path, amount = f"items[{index}]", _amount(till, item, index)
    if item.kind == "modifier" or item.quantity is None:
        return _name_with(till, item, index, 5 if item.kind == "modifier" else 3, amount)
    quantity = Span(parts=tuple(_quantity(till, item, path)), column=2, align="right")
    rows = _name_with(till, item, index, 3, amount)
    first = rows[0]
    if isinstance(first, Row):
        rows[0] = Row(spans=(quantity, *first.spans))
    if item.unit_price is not None and item.quantity != 1:
        each = (Part(text="@ "), _price(till, item.unit_price, path))
        rows.append(Row(spans=(Span(parts=each, column=5),)))
    elif item.unit_price is not None:
        rows.append(
            Row(spans=(Span(parts=(Part(text="at "), _price(till, item.unit_price, path)), column=5),))
        )
    return rows


def _code_left(till: Till, item: Item, index: int) -> list[Block]:
    width = 4 + till.shop.choose("code width", 3)
    rows = _plain(till, item, index, column=width + 1)
    code = text(_code(till, width))
    for position, row in enumerate(rows):
        if isinstance(row, Row) and any(
            part.paths and part.paths[0].endswith(".name") for part in row.spans[0].parts
        ):
            rows[position] = Row(spans=(code, *row.spans))
            break
    return rows


def _code_block(till: Till, item: Item, index: int) -> list[Block]:
    times = _times(till, item, f"items[{index}]", spread=True)
    rows: list[Block] = [Row(spans=(text(f"ART/EAN {_code(till, 13)}"),))]
    if times:
        rows.append(Row(spans=(Span(parts=tuple(times), column=5),)))
    return [*rows, *_name_with(till, item, index, 0, _amount(till, item, index))]


def _fuel(till: Till, item: Item, index: int) -> list[Block]:
    if item.unit not in ("gal", "L"):
        return _plain(till, item, index)
    pump = "PUMP" if till.shop.convention == "us" else "Säule"
    heading = Row(spans=(text(f"{pump} {int(till.rng.integers(1, 9))}"),))
    times = Span(parts=tuple(_times(till, item, f"items[{index}]")), column=1)
    return [heading, *_name_with(till, item, index, 0, _amount(till, item, index)), Row(spans=(times,))]


_LAYOUTS = {
    "plain": _plain, "columns": _columns, "two_row": _two_row, "restaurant": _restaurant,
    "code_left": _code_left, "code_block": _code_block, "fuel": _fuel,
}  # fmt: skip


def _headings(till: Till) -> list[Block]:
    words = {"us": ("Item", "Qty", "Price", "Amount"), "my": ("Description", "Qty", "U/Price", "Amount")}
    item, quantity, price, amount = words.get(till.shop.convention, ("Item", "Qty", "Price", "Total"))
    spans = [text(price, till.edge - 9, "right"), text(amount, till.edge, "right")]
    if till.shop.choose("columns", 2):
        spans += [text(quantity), text(item, 4)]
    else:
        spans += [text(item), text(quantity, till.edge - 17, "right")]
    return [Row(spans=tuple(spans), bold=True)]


def item_blocks(till: Till) -> list[Block]:
    """Return the rows of all items in this shop's layout, with the column headings it prints."""
    blocks: list[Block] = []
    if till.shop.rows == "columns":
        blocks += _headings(till)
    if till.shop.currency_heading and "currency" in till.bill.extras:
        blocks.append(Row(spans=(text(till.shop.custom.currency, till.edge, "right", "currency"),)))
    for index, item in enumerate(till.receipt.items):
        if item.kind == "return":
            blocks.append(Row(spans=(text(till.shop.label("return"), 1),)))
        blocks += _LAYOUTS[till.shop.rows](till, item, index)
        blocks += _discount(till, item, index)
    return blocks
