"""What is on a slip, row by row, and how it is set into dots with the places of every field and word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from robustocr.errors import InputError
from robustocr.synth.faces import Face, text_dots, text_width
from robustocr.synth.glyphs import Dots, Zero

Align = Literal["left", "right", "centre"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A piece of text that prints the values of these field paths.

    A path that ends in ``+`` continues the place printed last (a name or an address over several rows).
    """

    text: str
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Text set at a column (in cells of the face): its left edge, its right edge, or its middle."""

    parts: tuple[Part, ...]
    column: float
    align: Align = "left"

    @property
    def text(self) -> str:
        """The whole text of the span."""
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One printed row of spans; ``wide`` and ``tall`` double the dots."""

    spans: tuple[Span, ...]
    bold: bool = False
    wide: int = 1
    tall: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Graphic:
    """A bitmap (logo, rule, barcode) in dots, centred; it prints no field and no word."""

    dots: Dots


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """White space, in dots."""

    dots: int


Block = Row | Graphic | Gap
DotBox = tuple[int, int, int, int]
"""x0, y0, x1, y1 in dots; x1 and y1 are the first dots outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A slip set in dots, with every printed place of each field path, and all words."""

    dots: Dots
    boxes: dict[str, tuple[DotBox, ...]]
    words: tuple[tuple[str, DotBox], ...]


@dataclass(slots=True)
class _Places:
    boxes: dict[str, list[DotBox]] = field(default_factory=dict)
    words: list[tuple[str, DotBox]] = field(default_factory=list)


def text(content: str, column: float = 0, align: Align = "left", *paths: str) -> Span:
    """Return a span of one part."""
    return Span(parts=(Part(text=content, paths=paths),), column=column, align=align)


def _ink_box(dots: Dots, left: int, top: int) -> DotBox | None:
    rows, columns = np.flatnonzero(dots.any(axis=1)), np.flatnonzero(dots.any(axis=0))
    if not rows.size:
        return None
    return left + int(columns[0]), top + int(rows[0]), left + int(columns[-1]) + 1, top + int(rows[-1]) + 1


def span_width(span: Span, face: Face, row: Row) -> int:
    """Return a span's width in dots in this row."""
    return text_width(face, span.text, bold=row.bold) * row.wide


def span_left(span: Span, face: Face, row: Row) -> int:
    """Return the first dot column of a span."""
    anchor = round(span.column * face.cell_width)
    width = span_width(span, face, row)
    shift: dict[Align, int] = {"left": 0, "right": width, "centre": width // 2}
    return anchor - shift[span.align]


def _pieces(span: Span) -> list[tuple[str, int, int, tuple[str, ...], bool]]:
    """Every stretch of the span that has a place: (text, start, end, paths, is it a word)."""
    pieces: list[tuple[str, int, int, tuple[str, ...], bool]] = []
    start = 0
    for part in span.parts:
        if part.paths:
            pieces.append((part.text, start, start + len(part.text), part.paths, False))
        start += len(part.text)
    position = 0
    for word in span.text.split(" "):
        if word:
            pieces.append((word, position, position + len(word), (), True))
        position += len(word) + 1
    return pieces


def _set_span(span: Span, row: Row, face: Face, zero: Zero, canvas: Dots, top: int, places: _Places) -> None:
    dots = text_dots(face, span.text, bold=row.bold, zero=zero)
    dots = dots.repeat(row.tall, axis=0).repeat(row.wide, axis=1)
    left = span_left(span, face, row)
    if left < 0 or left + dots.shape[1] > canvas.shape[1]:
        raise InputError(
            f"{span.text!r} does not fit on the slip: it would take dots {left} to {left + dots.shape[1]} of "
            f"{canvas.shape[1]}; shorten it or choose a shop with more columns"
        )
    canvas[top : top + dots.shape[0], left : left + dots.shape[1]] |= dots
    for content, start, end, paths, is_word in _pieces(span):
        x0 = text_width(face, span.text[:start], bold=row.bold) * row.wide
        x1 = text_width(face, span.text[:end], bold=row.bold) * row.wide
        box = _ink_box(dots[:, x0:x1], left + x0, top)
        if box is None:
            continue
        if is_word:
            places.words.append((content, box))
        for path in paths:
            _note(path, box, places)


def _note(path: str, box: DotBox, places: _Places) -> None:
    found = places.boxes.setdefault(path.removesuffix("+"), [])
    if path.endswith("+") and found:
        x0, y0, x1, y1 = found.pop()
        box = (min(x0, box[0]), min(y0, box[1]), max(x1, box[2]), max(y1, box[3]))
    found.append(box)


def _set_graphic(graphic: Graphic, canvas: Dots, top: int) -> None:
    height, width = graphic.dots.shape
    left = (canvas.shape[1] - width) // 2
    canvas[top : top + height, left : left + width] |= graphic.dots


def block_height(block: Block, face: Face, leading: int) -> int:
    """Return the dots that a block takes from top to bottom, with the white row below it."""
    if isinstance(block, Gap):
        return block.dots
    if isinstance(block, Graphic):
        return int(block.dots.shape[0]) + leading
    return face.cell_height * block.tall + leading


def set_sheet(
    blocks: Sequence[Block], face: Face, *, columns: int, leading: int, zero: Zero = "plain"
) -> Sheet:
    """Set the blocks below each other, ``columns`` cells wide, with ``leading`` dots between rows.

    Raises InputError for a span that does not fit, and for a character without a glyph.
    """
    height = sum(block_height(block, face, leading) for block in blocks)
    canvas = np.zeros((height, columns * face.cell_width), dtype=bool)
    places, top = _Places(), 0
    for block in blocks:
        if isinstance(block, Row):
            for span in block.spans:
                _set_span(span, block, face, zero, canvas, top, places)
        elif isinstance(block, Graphic):
            _set_graphic(block, canvas, top)
        top += block_height(block, face, leading)
    boxes = {path: tuple(found) for path, found in places.boxes.items()}
    return Sheet(dots=canvas, boxes=boxes, words=tuple(places.words))
