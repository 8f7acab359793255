"""How a reader goes wrong: the slip that turns a value into what was read."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from robustocr.rules.ledger import decimals

LOOK_ALIKES = frozenset(
    frozenset(pair) for pair in ("38", "06", "08", "09", "68", "69", "89", "17", "56", "27", "49", "35")
)
"""Pairs of digits that readers take for each other on bad pictures."""


@dataclass(frozen=True, slots=True, order=True)
class Slip:
    """A slip: ``rank`` 0 is the likeliest kind of misreading, ``text`` says it."""

    rank: int
    text: str


LOOK_ALIKE, MARK, STRUCTURAL, ANY_DIGIT, UNEXPLAINED = 0, 1, 2, 3, 9
"""Ranks: one look-alike digit; a mark or sign; a digit lost, added or swapped; one other digit; none."""


def explain(read: Decimal, proposed: Decimal) -> Slip | None:
    """Return the one slip that turns ``proposed`` into ``read``, None where it takes more than one."""
    if read == proposed:
        return None
    if read == -proposed:
        return Slip(MARK, "minus sign lost" if read > 0 else "minus sign added")
    if read * proposed < 0:
        return None
    places = max(decimals(read), decimals(proposed))
    seen, meant = f"{abs(read):.{places}f}", f"{abs(proposed):.{places}f}"
    if len(seen) == len(meant):
        return _same_length(seen.replace(".", ""), meant.replace(".", ""))
    return _moved_mark(seen, meant) or _other_length(seen, meant)


def _same_length(seen: str, meant: str) -> Slip | None:
    wrong = [index for index, pair in enumerate(zip(seen, meant, strict=True)) if pair[0] != pair[1]]
    if len(wrong) == 1:
        was, now = meant[wrong[0]], seen[wrong[0]]
        rank = LOOK_ALIKE if frozenset((was, now)) in LOOK_ALIKES else ANY_DIGIT
        return Slip(rank, f"{was} read as {now}")
    if len(wrong) == 2 and wrong[1] == wrong[0] + 1:
        first, second = (meant[index] for index in wrong)
        if seen[wrong[0]] == second and seen[wrong[1]] == first:
            return Slip(STRUCTURAL, f"{first}{second} read as {second}{first}")
    return None


def _moved_mark(seen: str, meant: str) -> Slip | None:
    digits = [text.replace(".", "").strip("0") for text in (seen, meant)]
    if digits[0] != digits[1] or not digits[0]:
        return None
    shift = Decimal(seen) / Decimal(meant)
    if shift in (100, 1000):
        return Slip(MARK, "decimal mark lost")
    return Slip(MARK, "decimal mark added") if 1 / shift in (100, 1000) else None


def _other_length(seen: str, meant: str) -> Slip | None:
    lost = _missing(meant, seen)
    if lost is not None:
        return Slip(STRUCTURAL, f"{lost} dropped")
    added = _missing(seen, meant)
    return Slip(STRUCTURAL, f"{added} added") if added is not None else None


def _missing(longer: str, shorter: str) -> str | None:
    """Return the digit before the mark of ``longer`` whose removal gives ``shorter``."""
    for index, digit in enumerate(longer.split(".")[0]):
        if longer[:index] + longer[index + 1 :] == shorter:
            return digit
    return None
