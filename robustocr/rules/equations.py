"""Closings spelled out in the receipt's own numbers."""

from __future__ import annotations

from decimal import Decimal

from robustocr.rules.closings import Shape
from robustocr.rules.ledger import ITEM_GROUPS, Ledger, Term

_SHOWN = 24
_BASES = (*ITEM_GROUPS, "subtotal")


def spell(ledger: Ledger, shape: Shape) -> str:
    """Return ``9.00 + 19.90 = 28.90``; where it does not hold, ``..., printed 23.90`` follows.

    Long lists of items are shortened to their number and sum.
    """
    numbers = [(shape.coefficients[term.group] * term.contribution, term) for term in _ordered(ledger, shape)]
    text = _shortened(ledger, numbers) if len(numbers) > _SHOWN else _signed(ledger, [n for n, _ in numbers])
    computed = sum(number for number, _ in numbers)
    printed = ledger.sums[shape.target]
    text = f"{text} = {plain(ledger.money(computed))}"
    return text if computed == printed else f"{text}, printed {plain(ledger.money(printed))}"


def fields_of(ledger: Ledger, shape: Shape) -> tuple[str, ...]:
    """Return the field paths that take part in a closing: lists as a whole, adjustments of zero left out."""
    names = [_public(group) for group in shape.coefficients if ledger.sums[group] or group in _BASES]
    return tuple(dict.fromkeys([*names, shape.target]))


def plain(value: Decimal) -> str:
    """Return an amount as plain digits, never in scientific form."""
    return f"{value:f}"


def _public(group: str) -> str:
    if group in ITEM_GROUPS or group == "item_discounts":
        return "items"
    return group.split("[")[0]


def _ordered(ledger: Ledger, shape: Shape) -> list[Term]:
    items = [term for term in ledger.item_terms if term.group in shape.coefficients]
    rest = [
        term
        for group in shape.coefficients
        if group not in ITEM_GROUPS
        for term in ledger.groups.get(group, ())
        if term.units or group in _BASES
    ]
    return [*items, *rest]


def _signed(ledger: Ledger, numbers: list[int]) -> str:
    words = []
    for number in numbers:
        sign = "-" if number < 0 else "+"
        words.append(f"{sign} {plain(ledger.money(abs(number)))}")
    text = " ".join(words) or "+ 0"
    return text[2:] if text.startswith("+") else f"-{text[2:]}"


def _shortened(ledger: Ledger, numbers: list[tuple[int, Term]]) -> str:
    items = [number for number, term in numbers if term.group in ITEM_GROUPS]
    rest = [number for number, term in numbers if term.group not in ITEM_GROUPS]
    text = f"{plain(ledger.money(sum(items)))} ({len(items)} items)"
    return f"{text} {_tail(ledger, rest)}" if rest else text


def _tail(ledger: Ledger, numbers: list[int]) -> str:
    text = _signed(ledger, numbers)
    return f"- {text[1:]}" if text.startswith("-") else f"+ {text}"
