"""Score what was read against the truth: Extraction x truth -> Outcomes.

One outcome for each labelled field, for the amount (and quantity) of each true item, for ``items`` as
a whole and for the ``document``. What the truth leaves unlabelled is never scored.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from robustocr.errors import InputError, unknown_name
from robustocr.matching import amounts_of, match_items, read_value, same_amounts, same_value
from robustocr.reading import SCORED_FIELDS, Flags, Reading, largest, smallest
from robustocr.records import (
    LIST_FIELDS,
    SINGLE_FIELDS,
    Case,
    Extraction,
    Item,
    Mark,
    Marker,
    Outcome,
    OutcomeKind,
    Receipt,
    Verdict,
)

HIDDEN_COVERAGE = 0.9
"""Share of a printed place (0..1) from which on it counts as hidden."""

LEAST_LEGIBILITY = 0.1
"""Legibility (0..1) of a field's plainest place below which nobody could read it."""

_SILENT_KINDS = (OutcomeKind.WRONG, OutcomeKind.INVENTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One scored field before the case's own columns are added; ``covered`` is None where unknown."""

    field: str
    read_field: str | None
    truth: str | None
    value: str | None
    kind: OutcomeKind
    flags: Flags
    covered: float | None
    legible: float | None
    mark: Mark | None = None
    text: str | None = None


def score(
    extraction: Extraction,
    truth: Receipt,
    verdict: Verdict | None,
    *,
    case: Case,
    adapter: str,
    group: str | None = None,
    fields: Sequence[str] | None = None,
    coverage: Mapping[str, Sequence[float]] | None = None,
    legibility: Mapping[str, Sequence[float | None]] | None = None,
) -> list[Outcome]:
    """Return the outcomes of one case: single fields, lists, the items' parts, ``document``.

    ``fields`` restricts them; ``document`` then speaks of these fields only, unless it is named itself.
    ``coverage`` maps field paths to the share (0..1) hidden of each of their printed places, ``legibility``
    to the legibility (0..1) of each, None where not known. A field is unanswerable when all its places are
    hidden or none can be read; a list and the ``document`` when any of their parts is.
    Raises InputError for an unknown field.
    """
    wanted = _wanted(fields)
    parts = _scored_parts(Reading.of(extraction, truth, verdict, coverage, legibility), wanted)
    if fields is not None and "document" in fields:
        parts = [part for part in parts if part.field.partition("[")[0] in fields]
    columns = {
        **case.model_dump(),
        "adapter": adapter,
        "group": group,
        "verdict": verdict.status if verdict and not extraction.error else None,
        "error": extraction.error.kind if extraction.error else None,
    }
    return [_outcome(part, columns) for part in parts]


def _wanted(fields: Sequence[str] | None) -> frozenset[str]:
    for name in fields or ():
        if name not in SCORED_FIELDS:
            raise InputError(unknown_name("field", name, SCORED_FIELDS))
    return frozenset(SCORED_FIELDS if fields is None or "document" in fields else fields)


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, dt.time):
        return value.isoformat(timespec="minutes")
    if isinstance(value, tuple):
        return ", ".join(_text(entry) or "" for entry in value) or None
    return str(value)


def _outcome(part: _Part, columns: Mapping[str, object]) -> Outcome:
    marker, score_ = (part.mark.marker, part.mark.score) if part.mark else (None, None)
    return Outcome(
        **columns,
        field=part.field,
        read_field=part.read_field,
        truth=part.truth,
        value=part.value,
        text=part.text,
        marker=Marker.CERTAIN if marker is None and part.value is not None else marker,
        score=score_,
        outcome=part.kind,
        flagged_by_reader=part.flags.by_reader,
        flagged_by_rules=part.flags.by_rules,
        silent=part.kind in _SILENT_KINDS and not part.flags,
        coverage=part.covered,
        legibility=part.legible,
        answerable=(part.covered is None or part.covered < HIDDEN_COVERAGE)
        and (part.legible is None or part.legible >= LEAST_LEGIBILITY),
    )


def _scored_parts(reading: Reading, wanted: frozenset[str]) -> list[_Part]:
    names = wanted & reading.truth.labelled
    parts = [_single(reading, name) for name in SINGLE_FIELDS if name in names]
    details: list[_Part] = []
    for name in LIST_FIELDS:
        entries = getattr(reading.truth, name)
        if name not in names or (entries and not _has_figures(entries)):
            continue
        if name == "items":
            matches = match_items(reading.truth.items, reading.receipt.items)
            details = _item_parts(reading, matches)
            parts.append(_items(reading, details, matches))
        else:
            parts.append(_amounts(reading, name))
    return [*parts, *details, _document(reading, parts)] if parts else []


def _has_figures(entries: Sequence[object]) -> bool:
    return any(getattr(entry, name, None) is not None for entry in entries for name in ("amount", "quantity"))


def _kind(
    reading: Reading, truth: object, value: object, *, equal: bool, flags: Flags, mark: Mark | None
) -> OutcomeKind:
    """The outcome of one place; None stands for not printed and for not read."""
    if reading.failed:
        return OutcomeKind.FAILED
    if value is None:
        if truth is None:
            return OutcomeKind.CORRECT
        return OutcomeKind.ABSTAINED if flags else OutcomeKind.MISSED
    if mark is not None and mark.marker == Marker.UNREADABLE:
        return OutcomeKind.ABSTAINED
    if truth is None:
        return OutcomeKind.INVENTED
    return OutcomeKind.CORRECT if equal else OutcomeKind.WRONG


def _single(reading: Reading, name: str) -> _Part:
    truth, value = read_value(reading.truth, name), read_value(reading.receipt, name)
    flags, mark = reading.flags(name), reading.mark(name)
    equal = truth is not None and value is not None and same_value(name, truth, value)
    return _Part(
        field=name,
        read_field=name,
        truth=_text(truth),
        value=_text(value),
        kind=_kind(reading, truth, value, equal=equal, flags=flags, mark=mark),
        flags=flags,
        covered=reading.covered(name),
        legible=reading.legible(name),
        mark=mark,
        text=mark.text if mark else None,
    )


def _amounts(reading: Reading, name: str) -> _Part:
    truth, value = amounts_of(getattr(reading.truth, name)), amounts_of(getattr(reading.receipt, name))
    flags, mark = reading.flags(name), reading.worst_mark(name)
    equal = same_amounts(truth, value)
    return _Part(
        field=name,
        read_field=name,
        truth=_text(truth),
        value=_text(value),
        kind=_kind(reading, truth or None, value or None, equal=equal, flags=flags, mark=mark),
        flags=flags,
        covered=reading.most_covered(name),
        legible=reading.least_legible(name),
        mark=mark,
    )


def _item_parts(reading: Reading, matches: Sequence[int | None]) -> list[_Part]:
    """The amount (where labelled) and the quantity (where there is one) of each true item."""
    parts = []
    for i, (item, j) in enumerate(zip(reading.truth.items, matches, strict=True)):
        if "amount" in item.model_fields_set:
            parts.append(_item_part(reading, "amount", i, item, j))
        if item.quantity is not None:
            parts.append(_item_part(reading, "quantity", i, item, j))
    return parts


def _item_part(reading: Reading, name: str, i: int, item: Item, j: int | None) -> _Part:
    """One figure of a true item. Where no item was read for it, only a doubt about the whole list counts."""
    truth = getattr(item, name)
    path = None if j is None else f"items[{j}].{name}"
    value = None if j is None else getattr(reading.receipt.items[j], name)
    flags = reading.own_flags("items") if path is None else reading.flags(path)
    mark = reading.mark(path or "items")
    own = reading.marks.get(path or "")
    return _Part(
        field=f"items[{i}].{name}",
        read_field=path,
        truth=_text(truth),
        value=_text(value),
        kind=_kind(reading, truth, value, equal=truth == value, flags=flags, mark=mark),
        flags=flags,
        covered=reading.covered(f"items[{i}].{name}"),
        legible=reading.legible(f"items[{i}].{name}"),
        mark=mark,
        text=own.text if own else None,
    )


def _items(reading: Reading, details: Sequence[_Part], matches: Sequence[int | None]) -> _Part:
    """The whole list. Its ``truth`` and ``value`` are the amounts; items without figures do not show."""
    truth, read = reading.truth.items, reading.receipt.items
    flags, mark = reading.flags("items"), reading.worst_mark("items")
    spare = [read[j] for j in set(range(len(read))) - set(matches)]
    uneven = any(part.read_field is None and part.truth for part in details) or _has_figures(spare)
    whole = reading.marks.get("items")
    if truth and read and (whole is None or whole.marker != Marker.UNREADABLE):
        kind = OutcomeKind.WRONG if uneven else _whole_kind([part.kind for part in details])
    else:
        kind = _kind(reading, truth or None, read or None, equal=False, flags=flags, mark=mark)
    return _Part(
        field="items",
        read_field="items",
        truth=_text(amounts_of(truth)),
        value=_text(amounts_of(read)) or (f"{len(read)} without amounts" if read else None),
        kind=kind,
        flags=flags,
        covered=largest((reading.covered("items"), *(part.covered for part in details))),
        legible=smallest((reading.legible("items"), *(part.legible for part in details))),
        mark=mark,
    )


def _whole_kind(kinds: Sequence[OutcomeKind]) -> OutcomeKind:
    """What its parts make of a whole: a wrong part weighs more than a blank, a blank more than a doubt."""
    if any(kind in _SILENT_KINDS for kind in kinds):
        return OutcomeKind.WRONG
    for kind in (OutcomeKind.FAILED, OutcomeKind.MISSED, OutcomeKind.ABSTAINED):
        if kind in kinds:
            return kind
    return OutcomeKind.CORRECT


def _document(reading: Reading, parts: Sequence[_Part]) -> _Part:
    """All labelled fields together; ``truth`` and ``value`` name those printed and those read."""
    flags = Flags(
        by_reader=any(part.flags.by_reader for part in parts),
        by_rules=any(part.flags.by_rules for part in parts),
    )
    return _Part(
        field="document",
        read_field=None,
        truth=", ".join(part.field for part in parts if part.truth is not None) or None,
        value=", ".join(part.field for part in parts if part.value is not None) or None,
        kind=_whole_kind([part.kind for part in parts]),
        flags=flags,
        covered=largest(part.covered for part in parts),
        legible=smallest(part.legible for part in parts),
    )
