"""What was found -> Receipt and Marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from robustocr.adapters.parsing import header, header_codes
from robustocr.adapters.parsing.found import Found
from robustocr.adapters.parsing.items import AdjustmentRow, ItemRow
from robustocr.adapters.parsing.keywords import Role
from robustocr.adapters.parsing.lines import Page
from robustocr.adapters.parsing.marks import amount_mark, found_mark, total_mark
from robustocr.adapters.parsing.summary import Entry, Summary, adjustments
from robustocr.adapters.parsing.sums import gather, items_reach
from robustocr.adapters.parsing.taxes import TaxRow, read_taxes
from robustocr.adapters.parsing.totals import Candidate
from robustocr.records import Adjustment, Extraction, Item, Mark, Marker, Receipt, Tax

SURE, ELSEWHERE, CONTRADICTED = 0.9, 0.7, 0.7
"""How sure a row's meaning is: its name beside it, its name on another row, and sums against it."""
FEW_LINES = 3
"""With fewer lines a page is no receipt of which a total could be expected."""
_NO_TOTAL = Mark(
    marker=Marker.UNREADABLE,
    score=0.0,
    score_source="parser",
    reason="no printed amount can be taken for the total",
)
_NO_SUBTOTAL = _NO_TOTAL.model_copy(update={"reason": "its name is printed, its amount cannot be read"})
LEAST_TOTAL = 0.0
"""Evidence below which no printed amount is taken for the total."""


class _Draft:
    """Fields and marks collected so far, limited to the fields wanted."""

    def __init__(self, wanted: Sequence[str] | None) -> None:
        self._wanted = wanted
        self.fields: dict[str, Any] = {}
        self.marks: dict[str, Mark] = {}

    def put(self, name: str, value: Any, marks: dict[str, Mark]) -> None:
        """Add one field with the marks of its paths."""
        if self._wanted is None or name in self._wanted:
            self.fields[name] = value
            self.marks.update(marks)


def assemble(
    page: Page, summary: Summary, totals: Sequence[Candidate], fields: Sequence[str] | None = None
) -> Extraction:
    """Return the Extraction; ``fields`` limits it to some fields of the Receipt."""
    draft = _Draft(fields)
    total = totals[0] if totals and totals[0].score >= LEAST_TOTAL else None
    _put_header(draft, page)
    _put_items(draft, page, summary, total)
    _put_single_amounts(draft, summary, total)
    if "subtotal" not in draft.fields and _names_subtotal(page):
        draft.put("subtotal", None, {"subtotal": _NO_SUBTOTAL})
    _put_adjustments(draft, summary, total)
    _put_taxes(draft, read_taxes(page, summary), summary, total)
    _put_count(draft, page)
    if total is not None:
        draft.put("total", total.value, {"total": total_mark(totals, page, len(summary.items.items))})
    elif len(page.lines) >= FEW_LINES:
        draft.put("total", None, {"total": _NO_TOTAL})
    draft.put("lines", tuple(line.text for line in page.lines), {})
    return Extraction(receipt=Receipt(**draft.fields), marks=draft.marks)


def _put_header(draft: _Draft, page: Page) -> None:
    merchant = header.find_merchant(page)
    date = header.find_date(page)
    found = {
        "merchant": merchant,
        "address": header.find_address(page, merchant),
        "date": date,
        "time": header.find_time(page, date),
        "receipt_number": header_codes.find_receipt_number(page),
        "vat_id": header_codes.find_vat_id(page),
        "iban": header_codes.find_iban(page),
        "currency": header_codes.find_currency_sign(page),
    }
    for name, what in found.items():
        if what is not None:
            draft.put(name, what.value, {name: found_mark(what)})


def _put_items(draft: _Draft, page: Page, summary: Summary, total: Candidate | None) -> None:
    rows = summary.items.items
    if not rows:
        return
    closes = _items_close(summary, total)
    checked = total is not None or bool(summary.of(Role.SUBTOTAL))
    sure = SURE if closes or not checked else CONTRADICTED
    marks: dict[str, Mark] = {}
    for index, row in enumerate(rows):
        path = f"items[{index}]"
        marks[f"{path}.amount"] = amount_mark(row.amount, sure, closes=closes)
        for name, token in (("quantity", row.quantity), ("unit_price", row.price)):
            if token is not None:
                marks[f"{path}.{name}"] = amount_mark(token, SURE)
        if row.name:
            cells = tuple(cell for line in row.lines for cell in page.lines[line].row.cells)
            marks[f"{path}.name"] = found_mark(Found(value=row.name, text=row.name, cells=cells, sure=SURE))
    draft.put("items", tuple(_item(row) for row in rows), marks)


def _item(row: ItemRow) -> Item:
    return Item(
        name=row.name or None,
        quantity=row.quantity.value if row.quantity else None,
        unit=row.quantity.unit if row.quantity else None,
        unit_price=row.price.value if row.price else None,
        amount=row.amount.value,
        discount=row.discount.value if row.discount else None,
        kind=row.kind,
    )


def _items_close(summary: Summary, total: Candidate | None) -> bool:
    """Whether the items add up to the subtotal or to the total."""
    facts = gather(summary)
    reached = {entry.value for entry in summary.of(Role.SUBTOTAL, Role.COUNT)}
    if {start for name, start in facts.starts if name == "items"} & reached:
        return True
    return total is not None and items_reach(total.value, facts)


def _put_single_amounts(draft: _Draft, summary: Summary, total: Candidate | None) -> None:
    subtotals = summary.of(Role.SUBTOTAL)
    if subtotals:
        best = next((e for e in subtotals if e.value == summary.items.amounts), subtotals[0])
        closes = best.value == summary.items.amounts + summary.items.reductions
        holds = closes or (total is not None and ("parts" in total.sums or best.value == total.value))
        sure = SURE if holds and len({entry.value for entry in subtotals}) == 1 else CONTRADICTED
        draft.put("subtotal", best.value, {"subtotal": amount_mark(best.token, sure, closes=closes)})
    for role in (Role.SERVICE, Role.TIP, Role.ROUNDING, Role.CHANGE):
        entry = _last(summary.of(role))
        if entry is None:
            continue
        name = role.value
        value = abs(entry.value) if role == Role.CHANGE else entry.value
        closes = role == Role.CHANGE and total is not None and "tender" in total.sums and value != 0
        draft.put(
            name, value, {name: amount_mark(entry.token, SURE if entry.beside else ELSEWHERE, closes=closes)}
        )


def _names_subtotal(page: Page) -> bool:
    """Whether a row below the items says subtotal and nothing else."""
    return any(line.role == Role.SUBTOTAL and not line.tokens for line in page.lines[page.end :])


def _last(entries: Sequence[Entry]) -> Entry | None:
    return entries[-1] if entries else None


def _put_adjustments(draft: _Draft, summary: Summary, total: Candidate | None) -> None:
    discounts = (*summary.items.discounts, *adjustments(summary.of(Role.DISCOUNT), negative=True))
    lists = {
        "discounts": discounts,
        "charges": adjustments(summary.of(Role.CHARGE)),
        "payments": _payments(summary, total),
    }
    for name, rows in lists.items():
        if rows:
            marks = {f"{name}[{i}].amount": amount_mark(row.token, SURE) for i, row in enumerate(rows)}
            draft.put(
                name, tuple(Adjustment(label=row.label or None, amount=row.value) for row in rows), marks
            )


def _payments(summary: Summary, total: Candidate | None) -> tuple[AdjustmentRow, ...]:
    """The tenders; a sum of tenders or a repeated amount is not a second payment."""
    rows = adjustments(summary.of(Role.PAYMENT))
    if total is None or len(rows) < 2:
        return rows
    change = _last(summary.of(Role.CHANGE))
    due = total.value + (abs(change.value) if change else Decimal(0))
    exact = [row for row in rows if row.value == due]
    if exact:
        return (exact[0],)
    return tuple({row.value: row for row in rows}.values()) if sum(row.value for row in rows) != due else rows


def _put_taxes(draft: _Draft, rows: Sequence[TaxRow], summary: Summary, total: Candidate | None) -> None:
    if not rows:
        return
    included = _included(rows, summary, total)
    taxes = tuple(
        Tax(
            label=row.label or None,
            rate=row.rate,
            base=row.base.value if row.base else None,
            gross=row.gross.value if row.gross else None,
            amount=row.amount.value,
            included=included,
        )
        for row in rows
    )
    marks = {
        f"taxes[{i}].amount": amount_mark(
            row.amount, 0.88, closes=row.base is not None and row.rate is not None
        )
        for i, row in enumerate(rows)
    }
    draft.put("taxes", taxes, marks)


def _included(rows: Sequence[TaxRow], summary: Summary, total: Candidate | None) -> bool | None:
    """Whether prices hold the tax: True when the items alone reach the total, False when the tax is added."""
    if total is None or not summary.items.items:
        return None
    above = total.value - summary.items.amounts - summary.items.reductions
    tax = sum((row.amount.value for row in rows), Decimal(0))
    added = [entry.value for entry in summary.of(Role.SERVICE, Role.TIP, Role.ROUNDING, Role.CHARGE)]
    added += [-abs(entry.value) for entry in summary.of(Role.DISCOUNT)]
    others = {Decimal(0), sum(added, Decimal(0))}
    if above in others:
        return True
    return False if above - tax in others else None


def _put_count(draft: _Draft, page: Page) -> None:
    """The number of items, where it is printed as such."""
    for line in page.lines:
        if line.role != Role.COUNT:
            continue
        for token in line.tokens:
            whole = token.value == token.value.to_integral_value() and 0 < token.value < 1000
            if (
                whole
                and not token.money
                and not token.percent
                and re.search(r"item|artikel|posten|qty|pcs|quantity", line.words)
            ):
                draft.put("item_count", int(token.value), {"item_count": amount_mark(token, SURE)})
                return
