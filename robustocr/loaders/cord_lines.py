"""CORD's annotated lines (``valid_line``): words with quads, grouped into the parts of a receipt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from robustocr.loaders.base import LabelError
from robustocr.loaders.cord_labels import ITEM, LISTED, SINGLE
from robustocr.records import Box, Word

_CORNERS = ("x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4")
_ALIASES = {"subtotal": "sub_total", "voidmenu": "void_menu"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatedLine:
    """One annotated line: its category as section and key, its group, its words, and those of the value."""

    section: str
    key: str
    group: str
    sub_group: str
    words: tuple[Word, ...]
    values: tuple[Word, ...]

    @property
    def text(self) -> str:
        """The value as printed, without words such as TOTAL that only name it."""
        return " ".join(word.text for word in self.values)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The quads of the value's words."""
        return tuple(word.box for word in self.values)


def annotated_lines(label: dict[str, Any]) -> tuple[AnnotatedLine, ...]:
    """Return the lines of a CORD label, none where it has no ``valid_line``. Raises LabelError."""
    lines = label.get("valid_line")
    if lines is None:
        return ()
    if not isinstance(lines, list) or not all(isinstance(line, dict) for line in lines):
        raise LabelError("valid_line is not a list of objects with words and category")
    return tuple(_line(line) for line in lines)


def gt_parse_of_lines(lines: tuple[AnnotatedLine, ...]) -> dict[str, Any]:
    """Return annotated lines as a ``gt_parse`` object, items in the order of their first annotation."""
    parse: dict[str, Any] = {}
    for section in ("menu", "void_menu"):
        entries = [_entry(own, parts) for own, parts in _groups(lines, section)]
        if entries:
            parse[section] = entries
    for line in lines:
        if line.section not in ("menu", "void_menu") and line.text:
            parse.setdefault(line.section, {}).setdefault(line.key, []).append(line.text)
    return parse


def boxes_of_lines(lines: tuple[AnnotatedLine, ...]) -> dict[str, tuple[Box, ...]]:
    """Return the quads of the labelled values by field path, as numbered by ``gt_parse_of_lines``."""
    boxes: dict[str, list[Box]] = defaultdict(list)
    counts: dict[str, int] = defaultdict(int)
    for line in sorted(lines, key=_rank):
        category = f"{line.section}.{line.key}"
        if category in SINGLE:
            boxes[SINGLE[category]].extend(line.boxes)
        elif category in LISTED and line.text:
            name = LISTED[category][0]
            boxes[f"{name}[{counts[name]}].amount"].extend(line.boxes)
            counts[name] += 1
    for index, members in enumerate(_numbered_items(lines)):
        for line in members:
            boxes[f"items[{index}].{ITEM[line.key.removeprefix('sub_')]}"].extend(line.boxes)
    return {path: tuple(found) for path, found in boxes.items() if found}


def _rank(line: AnnotatedLine) -> int:
    """Lists are filled section by section, so ``total`` comes after ``sub_total``."""
    return int(line.section == "total")


def _numbered_items(lines: tuple[AnnotatedLine, ...]) -> Iterator[list[AnnotatedLine]]:
    for section in ("menu", "void_menu"):
        for own, parts in _groups(lines, section):
            yield from (members for members in (own, *parts) if members)


def _groups(
    lines: tuple[AnnotatedLine, ...], section: str
) -> list[tuple[list[AnnotatedLine], list[list[AnnotatedLine]]]]:
    """Menu lines by group: the item's own lines, and those of each of its parts."""
    own: dict[str, list[AnnotatedLine]] = {}
    parts: dict[str, dict[str, list[AnnotatedLine]]] = {}
    for line in lines:
        if line.section != section or not line.text or line.key.removeprefix("sub_") not in ITEM:
            continue
        members = own.setdefault(line.group, [])
        if line.key.startswith("sub_"):
            members = parts.setdefault(line.group, {}).setdefault(line.sub_group, [])
        members.append(line)
    return [(members, list(parts.get(group, {}).values())) for group, members in own.items()]


def _entry(own: list[AnnotatedLine], parts: list[list[AnnotatedLine]]) -> dict[str, Any]:
    entry: dict[str, Any] = _by_key(own)
    if parts:
        entry["sub"] = [_by_key(members) for members in parts]
    return entry


def _by_key(members: list[AnnotatedLine]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in members:
        found.setdefault(line.key.removeprefix("sub_"), []).append(line.text)
    return found


def _line(line: dict[str, Any]) -> AnnotatedLine:
    section, _, key = str(line.get("category")).partition(".")
    words = line.get("words")
    if not isinstance(words, list):
        raise LabelError(f"a line of category {line.get('category')!r} has no list of words")
    read = [(_word(word), bool(word.get("is_key"))) for word in words if isinstance(word, dict)]
    return AnnotatedLine(
        section=_ALIASES.get(section, section),
        key=key,
        group=str(line.get("group_id")),
        sub_group=str(line.get("sub_group_id")),
        words=tuple(word for word, _ in read),
        values=tuple(word for word, is_key in read if not is_key),
    )


def _word(word: dict[str, Any]) -> Word:
    quad = word.get("quad")
    if not isinstance(quad, dict):
        raise LabelError(f"word {word.get('text')!r} has no quad")
    try:
        box = tuple(float(quad[corner]) for corner in _CORNERS)
    except (KeyError, TypeError, ValueError) as error:
        raise LabelError(f"the quad of word {word.get('text')!r} needs numbers x1, y1 to x4, y4") from error
    return Word(text=str(word.get("text", "")), box=box)
