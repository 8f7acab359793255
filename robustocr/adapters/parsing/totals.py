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
_REPEATED = 0.3
"""For each further row that prints the same amount, two at most."""
_BOTH = 1.0
"""For a value that the items and, apart from them, the subtotal with its taxes reach."""
_PARTS_FOLLOW = 1.2
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
    entries = [entry for entry in summary.entries if entry.role == Role.TOTAL or entry.role in _BASE]
    scene = _survey(page, summary, entries)
    best: dict[Decimal, Candidate] = {}
    for entry in entries:
        candidate = _candidate(entry, scene)
        known = best.get(entry.value)
        if known is None or candidate.score > known.score:
            best[entry.value] = candidate
    return tuple(sorted(best.values(), key=lambda candidate: -candidate.score))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """What the candidates are judged against.

    ``sums``: what adds up to each value; ``rows``: the rows each stands in; ``last``: the last row of a named
    total; ``closing``: the last entry of each such row; ``highest``: the largest total or subtotal;
    ``with_parts``: the largest value that a subtotal and its taxes reach; ``dearest``: the largest item.
    """

    page: Page
    facts: Facts
    sums: Mapping[Decimal, frozenset[str]]
    rows: Mapping[Decimal, frozenset[int]]
    last: int
    closing: Mapping[int, Entry]
    highest: Decimal
    with_parts: Decimal
    dearest: Decimal


def _survey(page: Page, summary: Summary, entries: Sequence[Entry]) -> _Scene:
    facts = gather(summary)
    sums: dict[Decimal, frozenset[str]] = {}
    rows: dict[Decimal, frozenset[int]] = {}
    totals = [entry for entry in entries if entry.role == Role.TOTAL]
    named = [entry for entry in totals if not entry.in_tax_table]
    for entry in entries:
        sums[entry.value] = sums.get(entry.value, frozenset()) | _sums(entry, named, facts)
        rows[entry.value] = rows.get(entry.value, frozenset()) | {entry.line}
    subtotals = [entry.value for entry in entries if entry.role == Role.SUBTOTAL]
    items = [line.amounts[-1].value for line in page.lines[page.start : page.end] if line.amounts]
    return _Scene(
        page=page,
        facts=facts,
        sums=sums,
        rows=rows,
        last=max((entry.line for entry in named), default=-1),
        closing={entry.line: entry for entry in named},
        highest=max([entry.value for entry in totals] + subtotals, default=Decimal(0)),
        with_parts=max((value for value, names in sums.items() if "parts" in names), default=Decimal(0)),
        dearest=max(items, default=Decimal(0)),
    )


def _sums(entry: Entry, named: Sequence[Entry], facts: Facts) -> frozenset[str]:
    """What adds up to an amount; what reaches a total also reaches it printed again after rounding."""
    sums = closings(entry.value, facts)
    if entry in named:
        for other in named:
            if other.line < entry.line and _rounds(other.value, entry.value):
                sums |= closings(other.value, facts)
    return sums - {"payment"} if entry.role == Role.PAYMENT else sums


def _rounds(exact: Decimal, rounded: Decimal) -> bool:
    """Whether an amount is another one, rounded to a multiple of 0.05."""
    return 0 < abs(exact - rounded) <= _ROUNDING and rounded % _ROUNDING == 0


def _candidate(entry: Entry, scene: _Scene) -> Candidate:
    reached = scene.sums[entry.value]
    against = frozenset() if reached else misses(scene.facts)
    repeats = min(len(scene.rows[entry.value]) - 1, 2)
    plain = _words(entry) + _place(entry, scene) + _print(entry, scene.page) + _REPEATED * repeats
    score = plain - sum(_MISS_WEIGHTS[name] for name in against)
    if entry.value > 0:
        score += sum(_SUM_WEIGHTS[name] for name in reached) + _BOTH * ({"items", "parts"} <= reached)
    return Candidate(value=entry.value, entry=entry, plain=plain, score=score, sums=reached, against=against)


def _words(entry: Entry) -> float:
    said = entry.weight if entry.role == Role.TOTAL else _BASE[entry.role]
    return said - (1.8 if entry.in_tax_table else 0.0) - (0.0 if entry.beside else 0.7)


def _place(entry: Entry, scene: _Scene) -> float:
    """Totals are large, end in the amounts' column, and the last of them before the payment counts."""
    score = 0.3 * in_column(entry.token, scene.page.column, scene.page.text_height)
    if entry.role == Role.TOTAL:
        score += 0.4 * (entry.line >= scene.last) + 0.3 * (scene.closing.get(entry.line) is entry)
    if entry.role == Role.SUBTOTAL and scene.with_parts > entry.value:
        score -= _PARTS_FOLLOW
    score -= 0.4 * (entry.value < scene.highest)
    score -= 1.2 * (entry.value < scene.dearest)
    return score - 2.0 * (entry.value <= 0)


def _print(entry: Entry, page: Page) -> float:
    """Large print speaks for a total; a weak reading or a repaired mark against it."""
    height = page.lines[entry.line].row.h / page.text_height - 1 if page.text_height else 0.0
    score = min(max(height, 0.0), 0.8) - 2.0 * max(0.0, 0.95 - entry.token.score)
    return score - (0.8 if entry.token.repaired else 0.0) + (0.2 if entry.token.strong else 0.0)
