"""The rows below the items: from the subtotal to the change, and the tax table."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from robustocr.records import Adjustment, Tax
from robustocr.synth.page import Block, Gap, Part, Row, Span, text
from robustocr.synth.till import Till, fits, pair, rule

_TOTAL_STYLES: tuple[dict[str, Any], ...] = (
    {"bold": True}, {"tall": 2}, {"wide": 2, "tall": 2}, {"wide": 2}, {"bold": True, "tall": 2}, {},
)  # fmt: skip


def _label(till: Till, topic: str) -> Part:
    colon = ":" if till.shop.choose("colon", 3) == 0 else ""
    return Part(text=till.shop.label(topic) + colon)


def _line(till: Till, label: Part, value: Decimal | None, *paths: str, **style: Any) -> list[Block]:
    if value is None:
        return []
    return [*pair(till, [label], till.money(value, *paths, symbol=True), **style)]


def _adjustments(till: Till, name: str, entries: Sequence[Adjustment]) -> list[Block]:
    rows: list[Block] = []
    for index, entry in enumerate(entries):
        path = f"{name}[{index}]"
        label = Part(text=entry.label, paths=(f"{path}.label",)) if entry.label else _label(till, name)
        rows += pair(till, [label], till.money(entry.amount, f"{path}.amount", symbol=True))
    return rows


def _tax_label(till: Till, tax: Tax, path: str) -> list[Part]:
    label = tax.label or till.shop.label("tax")
    parts = [Part(text=label, paths=(f"{path}.label",) if tax.label else ())]
    if tax.rate is not None:
        at = " @" if till.shop.choose("tax at", 3) == 0 else " "
        parts += [Part(text=at), Part(text=till.printing.rate(tax.rate), paths=(f"{path}.rate",))]
    if tax.base is not None:
        base = till.printing.amount(tax.base)
        parts += [Part(text=" on "), Part(text=base, paths=(f"{path}.base",))]
    return parts


def _taxes(till: Till, *, included: bool) -> list[Block]:
    rows: list[Block] = []
    for index, tax in enumerate(till.receipt.taxes):
        if bool(tax.included) is included and tax.amount is not None:
            path = f"taxes[{index}]"
            value = till.money(tax.amount, f"{path}.amount", symbol=True)
            rows += pair(till, _tax_label(till, tax, path), value)
    return rows


def _table_columns(till: Till) -> list[tuple[str, str]]:
    """The value columns of the tax table in this shop's order: (field, heading)."""
    headings = {
        "de": {"base": "Netto", "amount": till.shop.label("tax"), "gross": "Brutto"},
        "uk": {"base": "Net", "amount": "VAT", "gross": "Gross"},
        "my": {"base": "Amt(RM)", "amount": "Tax(RM)", "gross": "Total"},
    }
    words = headings.get(till.shop.convention, {"base": "Base", "amount": "Tax", "gross": "Total"})
    order = ("amount", "base", "gross") if till.shop.choose("table", 2) else ("base", "amount", "gross")
    shown = [name for name in order if any(getattr(tax, name) is not None for tax in till.receipt.taxes)]
    return [(name, words[name]) for name in shown]


def _table_row(till: Till, tax: Tax, index: int, columns: list[tuple[str, str]], width: float) -> Row:
    path = f"taxes[{index}]"
    first = [Part(text=tax.label, paths=(f"{path}.label",)), Part(text=" ")] if tax.label else []
    if tax.rate is not None:
        first.append(Part(text=till.printing.rate(tax.rate), paths=(f"{path}.rate",)))
    spans = [Span(parts=tuple(first), column=0)] if first else []
    for place, (name, _) in enumerate(columns):
        value = getattr(tax, name)
        if value is not None:
            right = till.columns - width * (len(columns) - 1 - place)
            spans.append(text(till.printing.amount(value), right, "right", f"{path}.{name}"))
    return Row(spans=tuple(spans))


def _tax_table(till: Till) -> list[Block]:
    """A table with a row per tax group, now and then with a sum row (its gross sum is the total again)."""
    columns = _table_columns(till)
    width = min(10.0, (till.columns - 8) / len(columns))
    names = {"de": "MwSt%", "uk": "Code Rate", "my": f"{till.shop.label('tax')} Summary"}
    heading = [text(names.get(till.shop.convention, "Tax"))]
    for place, (_, word) in enumerate(columns):
        heading.append(text(word, till.columns - width * (len(columns) - 1 - place), "right"))
    first = Row(spans=tuple(heading))
    if not fits(first, till):
        first = Row(spans=tuple(heading[1:]))
    rows: list[Block] = [first]
    rows += [_table_row(till, tax, index, columns, width) for index, tax in enumerate(till.receipt.taxes)]
    return [*rows, *_table_sums(till, columns, width)] if till.shop.choose("table sum", 2) else rows


def _table_sums(till: Till, columns: list[tuple[str, str]], width: float) -> list[Block]:
    spans = [text("Summe" if till.shop.convention == "de" else "Total")]
    for place, (name, _) in enumerate(columns):
        values = [getattr(tax, name) for tax in till.receipt.taxes]
        value = sum((one for one in values if one is not None), Decimal(0))
        paths = ("total",) if name == "gross" and value == till.receipt.total else ()
        right = till.columns - width * (len(columns) - 1 - place)
        spans.append(text(till.printing.amount(value), right, "right", *paths))
    return [Row(spans=tuple(spans))]


def _total_label(till: Till) -> list[Part]:
    """The label of the total; where it names the currency, that is a place of the currency."""
    label, currency = _label(till, "total").text, till.shop.custom.currency
    if "currency" not in till.bill.extras or currency not in label:
        return [Part(text=label)]
    before, after = label.split(currency)
    return [Part(text=before), Part(text=currency, paths=("currency",)), Part(text=after)]


def _total(till: Till) -> list[Block]:
    total = till.receipt.total
    if total is None:
        return []
    style = _TOTAL_STYLES[till.shop.choose("total style", len(_TOTAL_STYLES))]
    middle, label = None, _total_label(till)
    if "currency" in till.bill.extras and not till.printing.symbol and len(label) == 1:
        column = till.edge - 9 * style.get("wide", 1)
        middle = text(till.shop.custom.currency, column - 3, "left", "currency")
    gap = [Gap(dots=till.face.cell_height // 3)] if till.shop.choose("total gap", 2) else []
    return [
        *gap,
        *pair(till, label, till.money(total, "total", symbol=True), middle=middle, **style),
        *gap,
    ]


def _before_rounding(till: Till) -> list[Block]:
    receipt = till.receipt
    if "before_rounding" not in till.bill.extras or receipt.total is None or not receipt.rounding:
        return []
    return _line(till, _label(till, "before_rounding"), receipt.total - receipt.rounding)


def _count(till: Till) -> list[Block]:
    count = till.receipt.item_count
    if count is None:
        return []
    number = Part(text=str(count), paths=("item_count",))
    label = f"{till.shop.label('item_count').rstrip(':')}: "
    return [Row(spans=(Span(parts=(Part(text=label), number), column=0),))]


def _sums(till: Till) -> list[Block]:
    receipt = till.receipt
    return [
        *_line(till, _label(till, "subtotal"), receipt.subtotal, "subtotal"),
        *_adjustments(till, "discounts", receipt.discounts),
        *_adjustments(till, "charges", receipt.charges),
        *_line(till, _label(till, "service"), receipt.service, "service"),
        *_taxes(till, included=False),
        *_line(till, _label(till, "tip"), receipt.tip, "tip"),
        *_before_rounding(till),
        *_line(till, _label(till, "rounding"), receipt.rounding, "rounding"),
    ]


def _tender(till: Till) -> list[Block]:
    rows = _adjustments(till, "payments", till.receipt.payments)
    return [*rows, *_line(till, _label(till, "change"), till.receipt.change, "change")]


def total_blocks(till: Till) -> list[Block]:
    """Return the rows from the subtotal to the included taxes."""
    count, early = _count(till), till.shop.choose("count first", 2)
    included = [tax for tax in till.receipt.taxes if tax.included]
    table = any(tax.base is not None for tax in included)
    after = _tax_table(till) if included and table else _taxes(till, included=True)
    ruled = rule(till) if till.shop.choose("total rule", 2) else []
    parts: list[list[Block]] = [count if early else [], _sums(till), ruled, _total(till), _tender(till)]
    parts += [[] if early else count]
    if after:
        parts += [rule(till) if table else [], after]
    return [block for part in parts for block in part]
