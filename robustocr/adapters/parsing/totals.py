"""The total: every printed amount that may be it, what speaks for each, and how far ahead the best is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from robustocr.adapters.parsing.keywords import Role
from robustocr.adapters.parsing.lines import Page, in_column
from robustocr.adapters.parsing.summary import Entry, Summary
from robustocr.adapters.parsing.sums import Facts, closings, gather, misses

_BASE = {Role.COUNT: 0.9, Role.SUBTOTAL: 0.4, Role.PAYMENT: 0.6, Role.CHARGE: -1.0, None: -0.6}
"""What a row that is no total speaks for its amount being the total; other roles are no candidates."""

_SUM_WEIGHTS = {"tender": 1.6, "parts": 1.4, "payment": 0.6, "items": 0.7, "subtotal": 0.2}
"""What each way of adding up is worth, against the weight of a keyword (1.2 to 3)."""
_BOTH = 1.0
"""For a value that the items and, apart from them, the subtotal with its taxes reach."""
_PARTS_FOLLOW = 0.8
"""Against a subtotal where an amount below it is the subtotal with the taxes."""
_ROUNDING = Decimal("0.05")
_MISS_WEIGHTS = {"tender": 0.6, "items": 0.4, "subtotal": 0.3}
"""What each printed sum costs a value that nothing reaches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One value the total may have: ``plain`` is the evidence without sums, ``score`` with them.

    ``sums`` name what adds up to it; ``against`` what is printed and does not, where nothing does.
    """

    value: Decimal
    entry: Entry
    plain: float
    score: float
    sums: frozenset[str]
    against: frozenset[str]


def rank_totals(page: Page, summary: Summary) -> tuple[Candidate, ...]:
    """Return the candidates for the total with different values, best first."""
    facts = gather(summary)
    entries = [entry for entry in summary.entries if entry.role == Role.TOTAL or entry.role in _BASE]
    sums: dict[Decimal, frozenset[str]] = {}
    for entry in entries:
        sums[entry.value] = sums.get(entry.value, frozenset()) | _sums(entry, entries, facts)
    best: dict[Decimal, Candidate] = {}
    for entry in entries:
        candidate = _candidate(entry, entries, page, facts, sums)
        known = best.get(entry.value)
        if known is None or candidate.score > known.score:
            best[entry.value] = candidate
    return tuple(sorted(best.values(), key=lambda candidate: -candidate.score))


def _sums(entry: Entry, entries: Sequence[Entry], facts: Facts) -> frozenset[str]:
    """What adds up to an amount; what reaches a total also reaches it printed again after rounding."""
    sums = closings(entry.value, facts)
    if entry.role == Role.TOTAL and not entry.in_tax_table:
        for other in entries:
            if other.role == Role.TOTAL and other.line < entry.line and _rounds(other.value, entry.value):
                sums |= closings(other.value, facts)
    return sums - {"payment"} if entry.role == Role.PAYMENT else sums


def _rounds(exact: Decimal, rounded: Decimal) -> bool:
    """Whether an amount is another one, rounded to a multiple of 0.05."""
    return 0 < abs(exact - rounded) <= _ROUNDING and rounded % _ROUNDING == 0


def _candidate(
    entry: Entry, entries: Sequence[Entry], page: Page, facts: Facts, sums: Mapping[Decimal, frozenset[str]]
) -> Candidate:
    reached = sums[entry.value]
    against = frozenset() if reached else misses(facts)
    repeats = len({other.line for other in entries if other.value == entry.value}) - 1
    plain = _words(entry) + _place(entry, entries, page) + _print(entry, page) + 0.3 * min(repeats, 2)
    if entry.role == Role.SUBTOTAL and any(
        "parts" in names for value, names in sums.items() if value > entry.value
    ):
        plain -= _PARTS_FOLLOW
    score = plain - sum(_MISS_WEIGHTS[name] for name in against)
    if entry.value > 0:
        score += sum(_SUM_WEIGHTS[name] for name in reached) + _BOTH * ({"items", "parts"} <= reached)
    return Candidate(value=entry.value, entry=entry, plain=plain, score=score, sums=reached, against=against)


def _words(entry: Entry) -> float:
    said = entry.weight if entry.role == Role.TOTAL else _BASE[entry.role]
    return said - (1.8 if entry.in_tax_table else 0.0) - (0.0 if entry.beside else 0.7)


def _place(entry: Entry, entries: Sequence[Entry], page: Page) -> float:
    """Totals are large, end in the amounts' column, and the last of them before the payment counts."""
    score = 0.0
    named = [other for other in entries if other.role == Role.TOTAL and not other.in_tax_table]
    if named and entry.role == Role.TOTAL:
        score += 0.4 * (entry.line >= max(other.line for other in named))
        same = [other for other in named if other.line == entry.line]
        score += 0.3 * (entry is same[-1]) if same else 0.0
    others = [other.value for other in entries if other.role in (Role.TOTAL, Role.SUBTOTAL)]
    if others and entry.value < max(others):
        score -= 0.4
    if entry.value < _dearest(page, entry):
        score -= 1.2
    if entry.value <= 0:
        score -= 2.0
    return score + 0.3 * in_column(entry.token, page.column, page.text_height)


def _dearest(page: Page, entry: Entry) -> Decimal:
    """The largest amount of the items' rows that stand above an entry."""
    rows = page.lines[page.start : min(page.end, entry.line)]
    return max((token.value for line in rows for token in line.amounts[-1:]), default=Decimal(0))


def _print(entry: Entry, page: Page) -> float:
    """Large print speaks for a total; a weak reading or a repaired mark against it."""
    height = page.lines[entry.line].row.h / page.text_height - 1 if page.text_height else 0.0
    score = min(max(height, 0.0), 0.8) - 2.0 * max(0.0, 0.95 - entry.token.score)
    return score - (0.8 if entry.token.repaired else 0.0) + (0.2 if entry.token.strong else 0.0)
