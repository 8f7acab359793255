"""The head and the foot of a slip: shop, address, date and number; card slip, points, thanks, barcode."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from robustocr.synth.basket import to_cent
from robustocr.synth.graphics import barcode, logo, square_code
from robustocr.synth.page import Block, Gap, Graphic, Part, Row, Span, text
from robustocr.synth.till import Till, centred, fits, named_rows, pair, rule

_NAME_STYLES: tuple[dict[str, Any], ...] = (
    {"wide": 2, "tall": 2}, {"wide": 2}, {"tall": 2, "bold": True}, {"bold": True},
    {"tall": 2, "wide": 2, "bold": True},
)  # fmt: skip
_CLERKS = ("Dana", "M. Okoye", "Priya", "Lena", "Tom W", "Aishah", "J. Brandt", "0007", "Rosa", "Ken")
_VAT_LABELS = {"uk": ("VAT No.", "VAT Reg"), "de": ("USt-IdNr.", "UST-ID-NR:"), "my": ("GST ID:", "SST No:")}


def _merchant(till: Till) -> list[Block]:
    name = till.receipt.merchant
    if name is None:
        return []
    if till.cells(name) > till.columns:
        return [*named_rows(till, name, 0, till.columns, "merchant")]
    style = _NAME_STYLES[till.shop.choose("name style", len(_NAME_STYLES))]
    return [centred(till, name, "merchant", **style)]


def _address(till: Till) -> list[Block]:
    if till.receipt.address is None:
        return []
    lines = till.shop.address
    if ", ".join(line.rstrip(",") for line in lines) != till.receipt.address:
        lines = tuple(till.receipt.address.split(", "))
    return [centred(till, line, "address+" if index else "address") for index, line in enumerate(lines)]


def _vat(till: Till) -> list[Block]:
    if till.receipt.vat_id is None:
        return []
    labels = _VAT_LABELS.get(till.shop.convention, ("VAT",))
    label = labels[-1] if till.shop.tax_mode == "added" else labels[till.shop.choose("vat", len(labels)) % 2]
    if till.shop.convention == "my" and till.shop.tax_mode == "included":
        label = "GST ID:"
    parts = (Part(text=f"{label} "), Part(text=till.receipt.vat_id, paths=("vat_id",)))
    return [Row(spans=(Span(parts=parts, column=till.columns / 2, align="centre"),))]


def _logo(till: Till) -> list[Block]:
    if till.shop.choose("logo", 2) == 0:
        return []
    size = till.face.cell_height * 3
    return [Graphic(dots=logo(till.shop, size=size)), Gap(dots=till.face.cell_height // 3)]


def _others(till: Till) -> list[Part]:
    """The cashier and, at tables, the table."""
    clerk = _CLERKS[int(till.rng.integers(len(_CLERKS)))]
    return [Part(text=f"{till.shop.label('cashier')}: {clerk}")]


def _meta(till: Till) -> list[Block]:
    """Date, time, number and cashier, in one of three arrangements."""
    receipt, printing = till.receipt, till.printing
    day = [Part(text=printing.day(receipt.date), paths=("date",))] if receipt.date else []
    clock = [Part(text=printing.clock(receipt.time), paths=("time",))] if receipt.time else []
    number = [Part(text=receipt.receipt_number, paths=("receipt_number",))] if receipt.receipt_number else []
    label = [Part(text=f"{till.shop.label('number').rstrip(':')}: ")] if number else []
    day_word = {"de": "Datum: "}.get(till.shop.convention, "Date: ")
    kind = till.shop.choose("meta", 3)
    rows: list[tuple[list[Part], list[Part]]] = [
        ([Part(text=day_word), *day] if day else [], clock), ([*label, *number], _others(till)),
    ]  # fmt: skip
    if kind == 1:
        rows = [([*day, Part(text="  "), *clock], []), (_others(till), [*label, *number])]
    elif kind == 2:
        rows = [([*label, *number], []), (_others(till), []), ([*day, Part(text=" "), *clock], [])]
    return [block for left, right in rows for block in _sides(till, left, right)]


def _sides(till: Till, left: list[Part], right: list[Part]) -> list[Block]:
    spans = [Span(parts=tuple(left), column=0)] if "".join(part.text for part in left).strip() else []
    if right:
        spans.append(Span(parts=tuple(right), column=till.columns, align="right"))
    row = Row(spans=tuple(spans))
    if not spans or fits(row, till):
        return [row] if spans else []
    return [Row(spans=(span,)) for span in spans]


def _covers(till: Till) -> list[Block]:
    if "covers" not in till.bill.extras:
        return []
    table, guests = int(till.rng.integers(1, 32)), int(till.rng.integers(1, 6))
    guests_word = "Pax" if till.shop.convention == "my" else "Covers"
    return [
        Row(spans=(text(f"Table {table}  {guests_word} {guests}"),), tall=1 + till.shop.choose("covers", 2))
    ]


def head_blocks(till: Till) -> list[Block]:
    """Return the rows above the items."""
    vat_first = till.shop.choose("vat first", 2) == 0
    meta = _meta(till) if till.shop.choose("meta first", 4) else []
    parts: list[list[Block]] = [
        _logo(till), _merchant(till), [centred(till, line) for line in till.shop.header], _address(till),
        [centred(till, f"Tel {till.shop.phone}")], _vat(till) if vat_first else [],
        [Gap(dots=till.face.cell_height // 2)], meta, _covers(till), rule(till),
    ]  # fmt: skip
    return [block for part in parts for block in part]


def _saved(till: Till) -> list[Block]:
    receipt = till.receipt
    saved = -sum((item.discount or Decimal(0) for item in receipt.items), Decimal(0))
    saved -= sum((one.amount for one in receipt.discounts), Decimal(0))
    if "saved" not in till.bill.extras or saved <= 0:
        return []
    return [*pair(till, [Part(text=till.shop.label("saved"))], till.money(saved))]


def _points(till: Till) -> list[Block]:
    """Loyalty points: numbers that are no money, some of them larger than the total."""
    earned, balance = int(till.rng.integers(3, 90)), int(till.rng.integers(120, 9000))
    if "points" not in till.bill.extras:
        return []
    label = till.shop.label("points")
    rows = [Row(spans=(text(label), text(str(earned), till.columns, "right")))]
    if till.shop.choose("balance", 2):
        shown = till.printing.number(Decimal(balance))
        word = "Neuer Stand" if till.shop.convention == "de" else "New balance"
        rows.append(Row(spans=(text(word), text(shown, till.columns, "right"))))
    return [*rows]


def _suggested(till: Till) -> list[Block]:
    base, shares = till.receipt.subtotal, (15, 18, 20)
    if "suggested" not in till.bill.extras or base is None:
        return []
    tips = [(share, to_cent(base * share / 100)) for share in shares]
    rows = [Row(spans=(text(f"{share}% = {till.printing.amount(tip)}", 2),)) for share, tip in tips]
    return [Row(spans=(text("Suggested gratuity:"),)), *rows]


def _tip_blank(till: Till) -> list[Block]:
    if "tip_blank" not in till.bill.extras:
        return []
    rows: list[Block] = []
    for word in ("TIP", "TOTAL", "X"):
        rows += [
            Gap(dots=till.face.cell_height // 2),
            Row(spans=(text(f"{word:6}" + "_" * (till.columns - 14)),)),
        ]
    return rows


def _digits(till: Till, count: int) -> str:
    return "".join(str(digit) for digit in till.rng.integers(0, 10, count))


def _slip(till: Till) -> list[Block]:
    """The card terminal's part: the amount once more, among numbers that mean nothing to the buyer."""
    pan, terminal, code = _digits(till, 4), _digits(till, 8), _digits(till, 6)
    if "slip" not in till.bill.extras or not till.receipt.payments:
        return []
    index = len(till.receipt.payments) - 1
    amount = till.receipt.payments[index].amount
    paths = (f"payments[{index}].amount", *(("total",) if amount == till.receipt.total else ()))
    german = till.shop.convention == "de"
    currency = till.shop.custom.currency
    value = (
        Part(text=currency, paths=("currency",)),
        Part(text=" "),
        Part(text=till.printing.amount(amount), paths=paths),
    )
    words = ("-K-U-N-D-E-N-B-E-L-E-G-", "Terminal-ID", "Genehm.-Nr", "Betrag") if german else (
        "CARDHOLDER COPY", "Terminal", "Auth code", "Amount")  # fmt: skip
    rows = [
        centred(till, words[0]), Row(spans=(text(words[1]), text(terminal, till.columns, "right"))),
        Row(spans=(text("PAN"), text(f"############{pan}", till.columns, "right"))),
        Row(spans=(text(words[2]), text(code, till.columns, "right"))),
        Row(spans=(text(words[3]), Span(parts=value, column=till.columns, align="right"))),
        centred(till, "Zahlung erfolgt" if german else "APPROVED"),
    ]  # fmt: skip
    return [*rule(till, "slip rule"), *rows]


def _codes(till: Till) -> list[Block]:
    width, kind = till.columns * till.face.cell_width, till.shop.choose("foot", 4)
    module = max(1, width // 220)
    if kind == 0:
        return []
    gap = Gap(dots=till.face.cell_height // 2)
    if kind == 3:
        return [gap, Graphic(dots=square_code(till.rng, module=max(2, width // 90)))]
    bars = barcode(till.rng, modules=150, module=module, height=till.face.cell_height * 2)
    return [gap, Graphic(dots=bars), centred(till, _digits(till, 16))]


def foot_blocks(till: Till) -> list[Block]:
    """Return the rows below the totals."""
    vat_last = till.shop.choose("vat first", 2) == 1
    meta = [] if till.shop.choose("meta first", 4) else [*rule(till), *_meta(till)]
    thanks: list[Block] = [centred(till, line) for line in till.shop.footer]
    parts: list[list[Block]] = [
        _saved(till), _suggested(till), _slip(till), _tip_blank(till), _points(till), rule(till), meta,
        _vat(till) if vat_last else [], [Gap(dots=till.face.cell_height // 2)], thanks, _codes(till),
    ]  # fmt: skip
    return [block for part in parts for block in part]
