"""A CSV beside the pictures: a column ``file_name``, the others named by field path (``items[0].amount``)."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from robustocr.dates import infer_day_first, parse_date
from robustocr.errors import unknown_name
from robustocr.loaders.base import Entry, Format, LabelError, LeftOut, attempt
from robustocr.loaders.files import listing, picture_path, read_text, relative
from robustocr.printed import canonical_receipt
from robustocr.records import LIST_FIELDS, Adjustment, Item, Receipt, Record, Sample, Tax

SAMPLE_COLUMNS = ("id", "group", "condition", "pair_id", "provenance", "licence")
"""Columns that describe the sample instead of a field of its receipt."""

ABSENT = "null"
"""A cell that says that the field is known not to be printed; an empty cell leaves it unlabelled."""

_ENTRIES: dict[str, type[Record]] = {
    "items": Item,
    "taxes": Tax,
    **dict.fromkeys(("discounts", "charges", "payments"), Adjustment),
}
_COLUMN = re.compile(r"(?P<head>[a-z_]+)(?:\[(?P<index>\d{1,3})\])?(?:\.(?P<key>\w+))?")
_PLAIN = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)")
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_NOT_MONEY = ("name", "label", "unit", "kind", "included")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    path: Path
    columns: tuple[str, ...]
    rows: tuple[tuple[int, list[str]], ...]
    day_first: bool | None


def _recognises(root: Path) -> bool:
    return any(_has_file_names(path) for path in _tables(root))


def _tables(root: Path) -> list[Path]:
    return listing(root, frozenset({".csv", ".tsv"}))


def _has_file_names(path: Path) -> bool:
    try:
        return "file_name" in _split_header(read_text(path))[1]
    except LabelError:
        return False


def _read(root: Path) -> Iterator[Entry]:
    for path in _tables(root):
        name = relative(path, root)
        try:
            table = _table(path)
        except LabelError as error:
            yield LeftOut(file=name, line=error.line, reason=str(error))
            continue
        for line, cells in table.rows:
            yield attempt(partial(_sample, root, table, line, cells), file=name, line=line)


def _table(path: Path) -> _Table:
    text = read_text(path)
    delimiter, columns = _split_header(text)
    if "file_name" not in columns:
        raise LabelError(
            "no column file_name; the first line names the columns, for example file_name,total", 1
        )
    for column in columns:
        _check_column(column)
    if len(set(columns)) < len(columns):
        twice = next(column for column in columns if columns.count(column) > 1)
        raise LabelError(f"column {twice!r} stands twice; keep one", 1)
    reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter, strict=True)
    try:
        rows = tuple((reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells))
    except csv.Error as error:
        raise LabelError(
            f"broken CSV: {error}; quote cells that hold the delimiter", reader.line_num
        ) from error
    dates = columns.index("date") if "date" in columns else None
    texts = [cells[dates] for _, cells in rows[1:] if dates is not None and len(cells) > dates]
    return _Table(path=path, columns=tuple(columns), rows=rows[1:], day_first=infer_day_first(texts))


def _split_header(text: str) -> tuple[str, list[str]]:
    """The delimiter under which the first line names most columns, and the columns."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    options = [(delimiter, next(csv.reader([first], delimiter=delimiter))) for delimiter in (",", ";", "\t")]
    delimiter, cells = max(options, key=lambda option: len(option[1]))
    return delimiter, [cell.strip() for cell in cells]


def _check_column(column: str) -> None:
    if column == "file_name" or column in SAMPLE_COLUMNS:
        return
    match = _COLUMN.fullmatch(column)
    head = match["head"] if match else column
    if match is None or head not in Receipt.model_fields or head == "lines":
        known = ["file_name", *SAMPLE_COLUMNS, *Receipt.model_fields]
        raise LabelError(unknown_name("column", column, known), 1)
    entry = _ENTRIES.get(head)
    if entry is None:
        if match["index"] or (match["key"] and head != "extra"):
            raise LabelError(f"column {column!r}: {head} holds one value; name the column {head}", 1)
    elif bool(match["index"]) != bool(match["key"]):
        raise LabelError(f"column {column!r}: {head} is a list; name the column {head}[0].KEY", 1)
    elif match["key"] and match["key"] not in entry.model_fields:
        raise LabelError(f"column {column!r}: {unknown_name('key', match['key'], entry.model_fields)}", 1)


def _sample(root: Path, table: _Table, line: int, cells: list[str]) -> Sample:
    if len(cells) != len(table.columns):
        raise LabelError(
            f"{len(cells)} cells where the first line names {len(table.columns)} columns; "
            "quote cells that hold the delimiter"
        )
    row = {column: cell.strip() for column, cell in zip(table.columns, cells, strict=True) if cell.strip()}
    image = picture_path(row.pop("file_name", None), table.path.parent, root)
    about = {column: row.pop(column) for column in SAMPLE_COLUMNS if column in row}
    return Sample(
        id=about.pop("id", image.stem),
        image=image,
        truth=_receipt(row, table.day_first) if row else None,
        source_line=line,
        **about,
    )


def _receipt(row: dict[str, str], day_first: bool | None) -> Receipt:
    """A row's receipt: canonical when every number in it is a plain decimal, else in printed forms."""
    data = _nested(row)
    if all(_is_canonical(column, cell) for column, cell in row.items()):
        return Receipt.model_validate(data)
    date = row.get("date", ABSENT)
    if date != ABSENT and not parse_date(date, day_first=day_first).value:
        raise ValueError(f"date: {date!r} is no date or has two readings; write it as 2026-03-14")
    return Receipt.model_validate(canonical_receipt(data, day_first=day_first))


def _is_canonical(column: str, cell: str) -> bool:
    head, key = column.split("[")[0], column.rpartition(".")[2]
    if cell == ABSENT or (head in _ENTRIES and key in _NOT_MONEY):
        return True
    if head == "date":
        return bool(_ISO_DATE.fullmatch(cell))
    if head in _ENTRIES or head in ("subtotal", "service", "tip", "rounding", "total", "change"):
        return bool(_PLAIN.fullmatch(cell))
    return True


def _nested(row: dict[str, str]) -> dict[str, Any]:
    """Cells by field path as the nested object of a receipt."""
    data: dict[str, Any] = {}
    entries: dict[str, dict[int, dict[str, str | None]]] = {}
    for column, cell in row.items():
        match = _COLUMN.fullmatch(column)
        value = None if cell == ABSENT else cell
        if match and match["index"] and match["key"]:
            numbered = entries.setdefault(match["head"], {})
            numbered.setdefault(int(match["index"]), {})[match["key"]] = value
        elif match and match["head"] == "extra" and match["key"]:
            data.setdefault("extra", {})[match["key"]] = cell
        else:
            data[column] = [] if value is None and column in LIST_FIELDS else value
    for head, numbered in entries.items():
        missing = next((index for index in range(len(numbered)) if index not in numbered), None)
        if missing is not None:
            raise ValueError(f"{head}[{missing}] is empty but {head}[{max(numbered)}] is not; close the gap")
        data[head] = [numbered[index] for index in sorted(numbered)]
    return data


CSV = Format(
    name="csv",
    layout="a CSV beside the pictures with a column file_name and columns named by field path",
    recognises=_recognises,
    read=_read,
)
