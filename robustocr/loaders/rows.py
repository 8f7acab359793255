"""Words on a page as rows of text, and the place of any part of such a row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from robustocr.records import Box, Word

_SAME_ROW = 0.5
"""Centres closer than this share of the lower word's height stand in one row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Words side by side, left to right; ``text`` is all of them, one blank between two."""

    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        """The row as one text."""
        return " ".join(word.text for word in self.words)

    @property
    def top(self) -> float:
        """The y of the row's upper edge, in pixels."""
        return min(bounds(word.box)[1] for word in self.words)

    def box(self, start: int, end: int) -> Box:
        """Return the box of the characters ``start:end`` of ``text``, by their share of the words."""
        parts = []
        offset = 0
        for word in self.words:
            first, last = max(start - offset, 0), min(end - offset, len(word.text))
            if first < last:
                parts.append(part_of_box(word.box, first / len(word.text), last / len(word.text)))
            offset += len(word.text) + 1
        return parts[0] if len(parts) == 1 else union(parts)


def rows_of(words: Iterable[Word]) -> tuple[Row, ...]:
    """Return the words that have text as rows from top to bottom."""
    found: list[list[Word]] = []
    for word in sorted((word for word in words if word.text.strip()), key=lambda word: _middle(word)):
        if found and _beside(found[-1], word):
            found[-1].append(word)
        else:
            found.append([word])
    return tuple(Row(words=tuple(sorted(row, key=lambda word: bounds(word.box)[0]))) for row in found)


def bounds(box: Box) -> tuple[float, float, float, float]:
    """Return x0, y0, x1, y1 of the upright rectangle around a box, in pixels."""
    return min(box[::2]), min(box[1::2]), max(box[::2]), max(box[1::2])


def union(boxes: Iterable[Box]) -> Box:
    """Return the upright rectangle around boxes, as 4 numbers."""
    edges = [bounds(box) for box in boxes]
    x0, y0, x1, y1 = zip(*edges, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def part_of_box(box: Box, start: float, end: float) -> Box:
    """Return the part of a box between two shares (0..1) of its width, as many numbers as before."""
    if (start, end) == (0.0, 1.0):
        return box
    if len(box) == 4:
        x0, y0, x1, y1 = box
        return x0 + (x1 - x0) * start, y0, x0 + (x1 - x0) * end, y1
    left_top, right_top, right_bottom, left_bottom = (box[i : i + 2] for i in (0, 2, 4, 6))
    return (
        *_between(left_top, right_top, start),
        *_between(left_top, right_top, end),
        *_between(left_bottom, right_bottom, end),
        *_between(left_bottom, right_bottom, start),
    )


def _between(first: Box, second: Box, share: float) -> tuple[float, float]:
    return first[0] + (second[0] - first[0]) * share, first[1] + (second[1] - first[1]) * share


def _middle(word: Word) -> float:
    _, y0, _, y1 = bounds(word.box)
    return (y0 + y1) / 2


def _height(word: Word) -> float:
    _, y0, _, y1 = bounds(word.box)
    return y1 - y0


def _beside(row: list[Word], word: Word) -> bool:
    """Whether a word continues a row: as high as the row's middle, and not over one of its words."""
    gap = abs(_middle(word) - median(_middle(other) for other in row))
    if gap > _SAME_ROW * min(_height(word), *(_height(other) for other in row)):
        return False
    x0, _, x1, _ = bounds(word.box)
    return all(min(x1, bounds(o.box)[2]) - max(x0, bounds(o.box)[0]) < 0.5 * (x1 - x0) for o in row)
