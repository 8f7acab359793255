"""The ways in which a receipt may add up: declared as shapes, tried from the plainest to the rarest.

A shape is a linear equation: a base (the items or the subtotal), which printed adjustments join it,
and what it must equal. Its cost says how far it is from the plainest way of its equation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Literal

from robustocr.rules.ledger import ITEM_GROUPS, Ledger
from robustocr.rules.taxes import printed_rate, tax_is_included

Equation = Literal["items_subtotal", "subtotal_total", "items_total", "payments_total"]

MAX_COST = 4
_MANY = 4
Choice = tuple[int, int]
"""A coefficient of a group in a sum, and what choosing it costs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """``sum(coefficient * group) = target``. ``cost`` 0 is the plainest; ``name`` says it in words."""

    equation: Equation
    name: str
    coefficients: Mapping[str, int]
    target: str
    cost: int

    def residual(self, sums: Mapping[str, int]) -> int:
        """Return printed target minus computed sum, in units."""
        computed = sum(factor * sums[group] for group, factor in self.coefficients.items())
        return sums[self.target] - computed

    def weight(self, group: str) -> int:
        """Return by how much the residual grows when a term of ``group`` adds one unit more."""
        return int(group == self.target) - self.coefficients.get(group, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A choice for one kind of adjustment."""

    coefficients: Mapping[str, int]
    cost: int
    words: str = ""


def candidate_shapes(ledger: Ledger, equation: Equation) -> tuple[Shape, ...]:
    """Return the shapes of one equation that this receipt's printed terms admit, plainest first.

    Empty when the base or the target is not printed.
    """
    base, target = equation.split("_")
    if not ledger.has(base) or not ledger.has(target):
        return ()
    adjustments = [_adjustment_parts(ledger, equation, kind) for kind in ADJUSTMENT_WORDS]
    shapes: list[Shape] = []
    for parts in _combinations([list(_base_parts(ledger, base)), *adjustments]):
        coefficients = {group: factor for part in parts for group, factor in part.coefficients.items()}
        if len(coefficients) < sum(len(part.coefficients) for part in parts):
            continue
        words = " ".join(part.words for part in parts if part.words)
        cost = sum(part.cost for part in parts)
        shapes.append(
            Shape(
                equation=equation,
                name=f"{words} = {target}",
                coefficients=coefficients,
                target=target,
                cost=cost,
            )
        )
    return tuple(sorted(shapes, key=lambda shape: shape.cost))


ADJUSTMENT_WORDS = {
    "discounts": "discount", "charges": "charges", "taxes": "tax", "service": "service", "tip": "tip",
    "rounding": "rounding",
}  # fmt: skip
"""What may stand between items, subtotal and total, in the order and words in which closings spell it."""

_CHOICES: dict[Equation, dict[str, tuple[Choice, ...]]] = {
    "items_subtotal": {
        "discounts": ((0, 0), (1, 1)), "charges": ((0, 0), (1, 1)), "taxes": ((0, 0), (-1, 1), (1, 2)),
        "service": ((0, 0), (1, 2)), "tip": ((0, 0),), "rounding": ((0, 0),),
    },
    "subtotal_total": {
        "discounts": ((1, 0), (0, 1)), "charges": ((1, 0), (0, 1)), "taxes": ((1, 0), (0, 1)),
        "service": ((1, 0), (0, 2)), "tip": ((1, 0), (0, 1)), "rounding": ((1, 0), (0, 2)),
    },
    "items_total": {
        "discounts": ((1, 0), (0, 1)), "charges": ((1, 0), (0, 1)), "taxes": ((1, 0), (0, 1)),
        "service": ((1, 0), (0, 2)), "tip": ((1, 0), (0, 1)), "rounding": ((1, 0), (0, 2)),
    },
}  # fmt: skip
"""For each equation and kind: the coefficients it may have, and their costs.

A discount, charge or service may be inside the subtotal already; tax may be inside the prices, and a
subtotal may be net of it (coefficient -1); a tip may be suggested and not paid; a printed rounding
may be that of the tender.
"""


def _combinations(options: list[list[_Part]]) -> Iterator[tuple[_Part, ...]]:
    """Yield one part of each list, in all ways whose costs stay within MAX_COST."""

    def extend(chosen: tuple[_Part, ...], cost: int) -> Iterator[tuple[_Part, ...]]:
        if len(chosen) == len(options):
            yield chosen
            return
        for part in options[len(chosen)]:
            if cost + part.cost <= MAX_COST:
                yield from extend((*chosen, part), cost + part.cost)

    return extend((), 0)


def _adjustment_parts(ledger: Ledger, equation: Equation, kind: str) -> list[_Part]:
    if kind in ("discounts", "taxes"):
        names = [name for name in ledger.groups if name.startswith(kind)]
    else:
        names = [kind] if kind in ledger.groups else []
    choices = [_group_choices(ledger, equation, kind, name) for name in names]
    mixed = len(names) <= _MANY
    rows = product(*choices) if mixed else zip(*choices, strict=False)
    return sorted((_joined(ledger, kind, names, list(row)) for row in rows), key=lambda part: part.cost) or [
        _Part(coefficients={}, cost=0)
    ]


def _group_choices(ledger: Ledger, equation: Equation, kind: str, name: str) -> tuple[Choice, ...]:
    choices = _CHOICES[equation][kind]
    if ledger.sums[name] == 0:
        return choices[:1]
    if kind == "taxes":
        return _tax_choices(ledger, equation, name, choices)
    return choices


def _tax_choices(
    ledger: Ledger, equation: Equation, name: str, choices: tuple[Choice, ...]
) -> tuple[Choice, ...]:
    """Keep the choices that agree with what the tax says of itself, by its flag or by its rate."""
    base = "items" if equation.startswith("items") else "subtotal"
    included = tax_is_included(ledger, name, base)
    if included is None:
        return choices
    if equation == "items_subtotal":
        return tuple(choice for choice in choices if choice[0] != (1 if included else -1))
    if not included:
        return ((1, 0),)
    flagged = ledger.receipt.taxes[int(name[6:-1])].included
    return ((0, 0),) if flagged and base == "items" else ((0, 0), (1, 1))


def _joined(ledger: Ledger, kind: str, names: list[str], row: list[Choice]) -> _Part:
    factors = {name: factor for name, (factor, _) in zip(names, row, strict=True)}
    telling = {factor for name, factor in factors.items() if ledger.sums[name]}
    word = ADJUSTMENT_WORDS[kind]
    used = sorted(telling - {0}, reverse=True)
    words = " ".join(f"{'+' if factor > 0 else '-'} {word}" for factor in used)
    if len(telling) > 1:
        words += " (part)"
    cost = max((cost for _, cost in row), default=0) + (2 if len(telling) > 1 else 0)
    return _Part(coefficients=_nonzero(factors), cost=cost, words=words)


def _nonzero(factors: Mapping[str, int]) -> dict[str, int]:
    return {name: factor for name, factor in factors.items() if factor}


def _base_parts(ledger: Ledger, base: str) -> Iterator[_Part]:
    if base == "subtotal":
        yield _Part(coefficients={"subtotal": 1}, cost=0, words="subtotal")
        return
    plain = {name: 1 for name in (*ITEM_GROUPS, "item_discounts") if name in ledger.groups}
    yield _Part(coefficients=plain, cost=0, words="items")
    for group, change, cost, words in _ITEM_VARIANTS:
        if group in plain:
            yield _Part(coefficients=_nonzero({**plain, **change}), cost=cost, words=words)
    if _discounts_print_net_prices(ledger):
        net = {name: -1 for name in ledger.groups if name.startswith("discounts[")}
        yield _Part(coefficients=net, cost=3, words="discounted prices")


_ITEM_VARIANTS: tuple[tuple[str, dict[str, int], int, str], ...] = (
    ("item_discounts", {"item_discounts": 0}, 1, "items (discounts netted)"),
    ("item_discounts", {"discounted": 0, "item_discounts": -1}, 3, "items (at discounted prices)"),
    ("modifiers", {"modifiers": 0}, 1, "items (add-ons included)"),
    ("reversals", {"reversals": -1}, 1, "items (reversals negative)"),
    ("reversals", {"reversals": 0}, 2, "items (reversals netted)"),
)
"""Ways to add the items: (group it needs, coefficients it changes, cost, words)."""


def _discounts_print_net_prices(ledger: Ledger) -> bool:
    """Tell whether each item has a discount line such as "(20 %) 80.00" that prints its net price."""
    discounts, items = ledger.receipt.discounts, ledger.item_terms
    return 0 < len(discounts) == len(items) and all(
        (rate := printed_rate(discount.label)) is not None
        and abs(discount.amount) == ledger.money(item.contribution) * (1 - rate)
        for discount, item in zip(discounts, items, strict=True)
    )
