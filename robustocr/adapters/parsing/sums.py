"""Which printed amounts add up to a value: evidence for a choice of candidates, never a source of values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from robustocr.adapters.parsing.keywords import Role
from robustocr.adapters.parsing.summary import Summary

_ADDED = (Role.TAX, Role.SERVICE, Role.ROUNDING, Role.DISCOUNT, Role.CHARGE, Role.TIP)
_MOST_ADDED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a total can be checked against: sums it may start from, parts added to them, and tenders."""

    starts: tuple[tuple[str, Decimal], ...]
    parts: tuple[Decimal, ...]
    payments: tuple[Decimal, ...]
    changes: tuple[Decimal, ...]
    several: bool = False


def gather(summary: Summary) -> Facts:
    """Return what the page prints beside its total."""
    starts = [("subtotal", entry.value) for entry in summary.of(Role.SUBTOTAL)]
    items = summary.items
    if items.items:
        starts.append(("items", items.amounts))
        starts.append(("items", items.amounts + items.reductions))
    parts = [
        -abs(entry.value) if entry.role == Role.DISCOUNT else entry.value
        for entry in summary.of(*_ADDED)
        if entry.value != 0
    ]
    return Facts(
        starts=tuple(dict.fromkeys(starts)),
        several=len(items.items) > 1,
        parts=tuple(parts[:_MOST_ADDED]),
        payments=tuple(entry.value for entry in summary.of(Role.PAYMENT)),
        changes=tuple(abs(entry.value) for entry in summary.of(Role.CHANGE)),
    )


def closings(value: Decimal, facts: Facts) -> frozenset[str]:
    """Return the ways in which printed amounts reach ``value``: items, subtotal, parts, tender, payment."""
    found = set(_from_tenders(value, facts))
    for name, start in facts.starts:
        if start == value:
            found.add(name)
        if any(start + part == value for part in _sums(facts.parts)):
            found.add("parts")
    return frozenset(found)


def items_reach(value: Decimal, facts: Facts) -> bool:
    """Whether the items, with or without their discounts and what is added below them, reach a value."""
    items = [start for name, start in facts.starts if name == "items"]
    return any(start + part == value for start in items for part in (Decimal(0), *_sums(facts.parts)))


def misses(facts: Facts) -> frozenset[str]:
    """Return the printed sums that ought to reach a total: items (two or more), subtotal, tender.

    They count against a value that ``closings`` does not find to be reached in any way.
    """
    found = {name for name, _ in facts.starts if name == "subtotal" or facts.several}
    if facts.payments and any(facts.changes):
        found.add("tender")
    return frozenset(found)


def _from_tenders(value: Decimal, facts: Facts) -> Iterator[str]:
    tenders = set(_sums(facts.payments[:4]))
    for change in facts.changes:
        if change and any(tender - change == value for tender in tenders):
            yield "tender"
    if value in facts.payments:
        yield "payment"


def _sums(values: Iterable[Decimal]) -> Iterator[Decimal]:
    values = tuple(values)
    for size in range(1, len(values) + 1):
        for chosen in combinations(values, size):
            yield sum(chosen, Decimal(0))
