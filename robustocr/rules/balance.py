"""Which equations of a receipt hold: as printed, and as they would be after one amount changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from robustocr.rules.closings import Equation, Shape, candidate_shapes
from robustocr.rules.ledger import Ledger
from robustocr.rules.rounding import Family, customary_steps, rounds_to
from robustocr.rules.tenders import tender_shapes

_COARSE = 50
_ROUNDED = ("subtotal_total", "items_total")


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A shape that holds, and the customary step its sum was rounded to (0: exactly)."""

    shape: Shape
    step: int = 0

    @property
    def cost(self) -> int:
        """How rare this way of adding up is: unprinted rounding is rarer than the shape alone."""
        return self.shape.cost + (2 if self.step else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """All admissible shapes of a receipt with their residuals (printed minus computed, in units)."""

    ledger: Ledger
    shapes: Mapping[Equation, tuple[tuple[Shape, int], ...]]
    steps: tuple[Family, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The shapes that hold by equation, and whether items, subtotal and total agree with each other.

    ``agreed`` are the equations that count as satisfied. With items, subtotal and total all printed,
    two equations that hold (and do not count an adjustment twice) imply the third; ``independent`` are
    the agreed ones without it.
    """

    held: Mapping[Equation, tuple[Held, ...]]
    agreed: frozenset[Equation]
    independent: frozenset[Equation]
    failing: frozenset[Equation]


def build_balance(ledger: Ledger) -> Balance:
    """Return the balance of a ledger: every equation whose base and target are printed."""
    shapes: dict[Equation, tuple[Shape, ...]] = {
        "items_subtotal": candidate_shapes(ledger, "items_subtotal"),
        "subtotal_total": candidate_shapes(ledger, "subtotal_total"),
        "items_total": candidate_shapes(ledger, "items_total"),
        "payments_total": tender_shapes(ledger),
    }
    return Balance(
        ledger=ledger,
        shapes={
            name: tuple((shape, shape.residual(ledger.sums)) for shape in group)
            for name, group in shapes.items()
            if group
        },
        steps=() if ledger.sums.get("rounding") else customary_steps(ledger),
    )


def stand(balance: Balance, group: str = "", delta: int = 0) -> Standing:
    """Return what holds when the terms of ``group`` add ``delta`` units more than printed."""
    total = balance.ledger.sums.get("total", 0) + (delta if group == "total" else 0)
    held: dict[Equation, tuple[Held, ...]] = {}
    for equation, rows in balance.shapes.items():
        found = list(_holding(balance, rows, group, delta, total))
        if found:
            held[equation] = tuple(sorted(found, key=lambda one: one.cost))
    agreed = _agreed(balance, held)
    independent = agreed - {"items_total"} if _all_three(balance) else agreed
    return Standing(held=held, agreed=agreed, independent=independent, failing=_failing(balance, agreed))


def _holding(
    balance: Balance, rows: tuple[tuple[Shape, int], ...], group: str, delta: int, total: int
) -> Iterator[Held]:
    for shape, printed in rows:
        residual = printed + shape.weight(group) * delta if delta else printed
        if residual == 0:
            yield Held(shape=shape)
        elif balance.steps and shape.equation in _ROUNDED:
            step = rounds_to(total - residual, total, balance.steps)
            if step and _may_be_odd(balance, shape):
                yield Held(shape=shape, step=step)


def _may_be_odd(balance: Balance, shape: Shape) -> bool:
    """Tell whether a sum off the coin has a cause: fine coins, or two terms that are off it themselves.

    Where prices lie on a coarse coin, one term off it is rather misread than rounded away.
    """
    coin = min(family[0] for family in balance.steps)
    if coin < _COARSE:
        return True
    terms = (term for group in shape.coefficients for term in balance.ledger.groups[group])
    return sum(1 for term in terms if term.units % coin) >= 2


def _agreed(balance: Balance, held: Mapping[Equation, tuple[Held, ...]]) -> frozenset[Equation]:
    agreed = set(held)
    if _all_three(balance):
        direct = {"items_subtotal", "subtotal_total", "items_total"} & agreed
        if direct == {"items_subtotal", "subtotal_total"} and chain(held) is None:
            agreed.discard("subtotal_total")
        elif len(direct) >= 2:
            agreed |= _implied(held)
    return frozenset(agreed)


def _implied(held: Mapping[Equation, tuple[Held, ...]]) -> set[Equation]:
    """Return what two equations imply; a subtotal is explained by two ways to the total only if exactly."""
    exact = all(any(not one.step for one in held.get(name, ())) for name in ("subtotal_total", "items_total"))
    if "items_subtotal" in held or exact:
        return {"items_subtotal", "subtotal_total", "items_total"}
    return set()


def _all_three(balance: Balance) -> bool:
    return all(balance.ledger.has(name) for name in ("items", "subtotal", "total"))


def chain(held: Mapping[Equation, tuple[Held, ...]]) -> tuple[Held, Held] | None:
    """Return the plainest pair (items to subtotal, subtotal to total) that counts no adjustment twice."""
    pairs = [
        (first.cost + second.cost, index, first, second)
        for index, first in enumerate(held.get("items_subtotal", ()))
        for second in held.get("subtotal_total", ())
        if _compatible(first.shape, second.shape)
    ]
    if not pairs:
        return None
    _, _, first, second = min(pairs, key=lambda pair: pair[:2])
    return first, second


def expected(balance: Balance, standing: Standing, equation: Equation) -> tuple[Shape, int]:
    """Return the plainest shape of an equation and its residual, given how the items make the subtotal.

    An adjustment that is inside the subtotal already is not expected again below it.
    """
    rows = balance.shapes[equation]
    if equation == "subtotal_total" and "items_subtotal" in standing.held:
        above = standing.held["items_subtotal"][0].shape
        rows = tuple(one for one in rows if _compatible(above, one[0])) or rows
    return rows[0]


def _compatible(first: Shape, second: Shape) -> bool:
    shared = first.coefficients.keys() & second.coefficients.keys()
    return all(first.coefficients[name] + second.coefficients[name] in (0, 1) for name in shared)


def _failing(balance: Balance, agreed: frozenset[Equation]) -> frozenset[Equation]:
    """Return the equations that should hold and do not; a missing item or unread change excuses one."""
    ledger = balance.ledger
    expected: set[Equation] = set(balance.shapes)
    if _all_three(balance):
        expected.discard("items_total")
    if ledger.incomplete:
        expected -= {"items_subtotal", "items_total"}
    if not _tender_is_telling(balance):
        expected.discard("payments_total")
    return frozenset(expected - agreed)


def _tender_is_telling(balance: Balance) -> bool:
    """Tell whether payments that differ from the total contradict it: too little, or change is printed."""
    if "payments_total" not in balance.shapes:
        return False
    shape, residual = balance.shapes["payments_total"][0]
    return "change" in shape.coefficients or residual > 0
