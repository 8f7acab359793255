"""What every part of a slip needs while it is laid out, and the rows they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

import numpy as np

from robustocr.records import Receipt
from robustocr.synth.bill import Bill
from robustocr.synth.faces import Face, find_face, text_dots, text_width
from robustocr.synth.page import Block, Gap, Graphic, Part, Row, Span, span_left, span_width, text
from robustocr.synth.printing import Printing
from robustocr.synth.shops import Shop

_RULES = ("-", "=", "*", "- ", "line", "_", ".")


@dataclass(frozen=True, slots=True, kw_only=True)
class Till:
    """A shop's till with its bill. ``columns`` is the width in cells, ``edge`` is where amounts end."""

    shop: Shop
    bill: Bill
    face: Face
    printing: Printing
    columns: int
    edge: int
    rng: np.random.Generator

    @classmethod
    def of(cls, shop: Shop, bill: Bill, rng: np.random.Generator) -> Till:
        """Set up a shop's till for one bill."""
        edge = shop.columns - (2 if bill.letters else 0)
        return cls(
            shop=shop, bill=bill, face=find_face(shop.face), printing=Printing.of(shop),
            columns=shop.columns, edge=edge, rng=rng,
        )  # fmt: skip

    @property
    def receipt(self) -> Receipt:
        """The truth that is printed."""
        return self.bill.receipt

    def cells(self, content: str, *, bold: bool = False) -> float:
        """Return the width of a text in cells."""
        return text_width(self.face, content, bold=bold) / self.face.cell_width

    def money(self, value: Decimal, *paths: str, symbol: bool = False) -> tuple[Part, ...]:
        """Return the parts of a printed amount; with the shop's symbol the currency is printed too."""
        shown = self.printing.amount(value, symbol=symbol)
        if not symbol or not self.printing.symbol or "currency" not in self.bill.extras:
            return (Part(text=self.printing.amount(value), paths=paths),)
        if " " in shown and value >= 0:
            mark, digits = shown.split(" ")
            return (Part(text=mark, paths=("currency",)), Part(text=" "), Part(text=digits, paths=paths))
        return (Part(text=shown.replace(" ", ""), paths=(*paths, "currency")),)


def fits(row: Row, till: Till) -> bool:
    """Whether the spans of a row stay on the slip and at least one cell apart."""
    ends = sorted((span_left(span, till.face, row), span_width(span, till.face, row)) for span in row.spans)
    if ends[0][0] < 0 or ends[-1][0] + ends[-1][1] > till.columns * till.face.cell_width:
        return False
    gap = round(0.6 * till.face.cell_width)
    return all(left + width + gap <= following for (left, width), (following, _) in pairwise(ends))


def wrap(till: Till, content: str, width: float) -> list[str]:
    """Break a text at blanks (or within words that are too long) into pieces of at most ``width`` cells."""
    pieces, current = [], ""
    for word in content.split(" "):
        while till.cells(word) > width:
            cut = max(1, int(len(word) * width / till.cells(word)))
            pieces += [current, word[:cut]] if current else [word[:cut]]
            current, word = "", word[cut:]
        longer = f"{current} {word}".strip()
        if current and till.cells(longer) > width:
            pieces.append(current)
            current = word
        else:
            current = longer
    return [*pieces, current]


def named_rows(till: Till, content: str, column: float, width: float, path: str) -> list[Row]:
    """Return rows that print a long text below each other as one place of ``path``."""
    pieces = wrap(till, content, width)
    return [
        Row(spans=(text(piece, column, "left", path if not i else f"{path}+"),))
        for i, piece in enumerate(pieces)
    ]


def centred(till: Till, content: str, *paths: str, **style: Any) -> Row:
    """Return a centred row, without bold and doubling where it would not fit so."""
    span = text(content, till.columns / 2, "centre", *paths)
    for choice in (style, {**style, "wide": 1}, {}):
        row = Row(spans=(span,), **choice)
        if fits(row, till):
            return row
    return row


def pair(
    till: Till, label: Sequence[Part], value: Sequence[Part], *, middle: Span | None = None, **style: Any
) -> list[Row]:
    """Return a label on the left and an amount at the amounts' edge, on two rows where one is too narrow."""
    left, right = (
        Span(parts=tuple(label), column=0),
        Span(parts=tuple(value), column=till.edge, align="right"),
    )
    spans = (left, middle, right) if middle else (left, right)
    for choice in (style, {**style, "wide": 1}, {}):
        row = Row(spans=spans, **choice)
        if fits(row, till):
            return [row]
    broken = [Row(spans=(text(piece),)) for piece in wrap(till, left.text, till.columns)]
    return [*broken, Row(spans=spans[1:], **{**style, "wide": 1})]


def rule(till: Till, topic: str = "rule") -> list[Block]:
    """Return this shop's separator: dashes, equals signs, stars, dots, or a line; empty for some places."""
    sign = _RULES[till.shop.choose(topic, len(_RULES))]
    width = till.columns * till.face.cell_width
    if sign == "line" or till.face.proportional:
        line = np.ones((2, width), dtype=bool)
        if till.shop.choose("line kind", 2):
            line[:, np.arange(width) % 8 >= 5] = False
        quarter = till.face.cell_height // 4
        return [Gap(dots=quarter), Graphic(dots=line), Gap(dots=quarter)]
    content = (sign * till.columns)[: till.columns]
    return [Graphic(dots=text_dots(till.face, content))]
