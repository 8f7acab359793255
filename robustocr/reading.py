"""An answer beside its truth, asked by field path: its Mark, who asks for a review, how much is hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from robustocr.records import LIST_FIELDS, SINGLE_FIELDS, Extraction, Mark, Marker, Receipt, Verdict

SCORED_FIELDS = (*SINGLE_FIELDS, *LIST_FIELDS, "document")
"""Every field a bound or a requirement can speak of."""

TEXT_SIMILARITY = 0.85
"""Smallest Levenshtein similarity (0..1) at which two merchants or addresses count as the same."""

_WORST_FIRST = tuple(reversed(Marker))


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """Whether the reader and the rules ask a person to look; true when either does."""

    by_reader: bool
    by_rules: bool

    def __bool__(self) -> bool:
        return self.by_reader or self.by_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One extraction with its truth. After an error its receipt, Marks and list are empty."""

    receipt: Receipt
    truth: Receipt
    failed: bool
    marks: Mapping[str, Mark]
    by_reader: frozenset[str]
    by_rules: frozenset[str]
    coverage: Mapping[str, Sequence[float]]
    legibility: Mapping[str, Sequence[float | None]]

    @classmethod
    def of(
        cls,
        extraction: Extraction,
        truth: Receipt,
        verdict: Verdict | None,
        coverage: Mapping[str, Sequence[float]] | None,
        legibility: Mapping[str, Sequence[float | None]] | None = None,
    ) -> Reading:
        """Put an extraction beside its truth.

        ``coverage``: path -> share hidden (0..1) of each place; ``legibility``: path -> that of each place.
        """
        failed = extraction.error is not None
        suspects = verdict.suspects if verdict and not failed else ()
        return cls(
            receipt=Receipt() if failed else extraction.receipt,
            truth=truth,
            failed=failed,
            marks={} if failed else extraction.marks,
            by_reader=frozenset() if failed else _asked_by_reader(extraction),
            by_rules=frozenset(suspect.field for suspect in suspects),
            coverage=coverage or {},
            legibility=legibility or {},
        )

    def flags(self, path: str) -> Flags:
        """Whether the path, one of its parts or what it is part of is on a review list."""
        return Flags(by_reader=_touches(path, self.by_reader), by_rules=_touches(path, self.by_rules))

    def own_flags(self, path: str) -> Flags:
        """Whether the very path is on a review list."""
        return Flags(by_reader=path in self.by_reader, by_rules=path in self.by_rules)

    def mark(self, path: str) -> Mark | None:
        """The path's own Mark, else that of what it is part of."""
        return next((self.marks[name] for name in _ancestry(path) if name in self.marks), None)

    def worst_mark(self, path: str) -> Mark | None:
        """The least sure Mark among the path and its parts."""
        marks = [mark for name, mark in self.marks.items() if _is_within(name, path)]
        return min(marks, key=_sureness, default=None)

    def covered(self, path: str) -> float | None:
        """Share hidden (0..1) of the path's best visible place; None where no place is known."""
        return next((min(self.coverage[name]) for name in _ancestry(path) if self.coverage.get(name)), None)

    def most_covered(self, path: str) -> float | None:
        """The largest :meth:`covered` among the path and its parts."""
        return largest(min(v) for name, v in self.coverage.items() if v and _is_within(name, path))

    def legible(self, path: str) -> float | None:
        """Legibility (0..1) of the path's plainest place; None where it was not measured."""
        return next((best for name in _ancestry(path) if (best := self._plainest(name)) is not None), None)

    def least_legible(self, path: str) -> float | None:
        """The smallest :meth:`legible` among the path and its parts."""
        found = (self._plainest(name) for name in self.legibility if _is_within(name, path))
        return smallest(found)

    def _plainest(self, path: str) -> float | None:
        return largest(self.legibility.get(path, ()))


def smallest(shares: Iterable[float | None]) -> float | None:
    """Return the smallest of the shares that are known, None when none is."""
    return min((share for share in shares if share is not None), default=None)


def largest(shares: Iterable[float | None]) -> float | None:
    """Return the largest of the shares that are known, None when none is."""
    return max((share for share in shares if share is not None), default=None)


def _asked_by_reader(extraction: Extraction) -> frozenset[str]:
    below = (path for path, mark in extraction.marks.items() if mark.marker != Marker.CERTAIN)
    return frozenset((*below, *extraction.review))


def _sureness(mark: Mark) -> tuple[int, float]:
    return _WORST_FIRST.index(mark.marker), 1.0 if mark.score is None else mark.score


def _ancestry(path: str) -> tuple[str, ...]:
    """``items[2].amount`` -> itself, ``items[2]``, ``items``."""
    return tuple(dict.fromkeys((path, path.rpartition(".")[0] or path, path.partition("[")[0])))


def _is_within(path: str, whole: str) -> bool:
    return path == whole or path.startswith((whole + ".", whole + "["))


def _touches(path: str, listed: frozenset[str]) -> bool:
    return any(_is_within(path, other) or _is_within(other, path) for other in listed)
