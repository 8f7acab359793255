"""Which field is to blame: single amounts whose change would make the failing rules hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from robustocr.records import Tax
from robustocr.rules.balance import Balance, Standing, stand
from robustocr.rules.closings import Shape
from robustocr.rules.ledger import Ledger, Term
from robustocr.rules.lines import line_holds, line_proposals, price_unit
from robustocr.rules.rounding import nearest
from robustocr.rules.slips import STRUCTURAL, UNEXPLAINED, Slip, explain
from robustocr.rules.taxes import base_amounts, is_common_rate, tax_row_checks

_PLAINEST = 8
_FIRST = ("total", "subtotal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """One amount replaced.

    ``fails`` rules still fail afterwards, of which ``open_sums`` are equations between sums; ``fixed``
    independent rules hold that did not; ``held`` equations between sums hold, and ``support`` counts
    softer evidence.
    """

    path: str
    read: Decimal
    proposed: Decimal
    closing: str
    cost: int
    fails: int
    open_sums: int
    fixed: int
    held: int
    support: int
    slip: Slip | None

    @property
    def rank(self) -> tuple[int, int, int, int, int, int]:
        """Sort key, likeliest first: what still fails, what holds, the slip, soft evidence, the cost.

        Among equals the total comes first, then the subtotal: they matter most.
        """
        slip = self.slip.rank if self.slip else UNEXPLAINED
        place = _FIRST.index(self.path) if self.path in _FIRST else len(_FIRST)
        return (self.fails, -self.held, slip, -self.support, self.cost, place)


def find_repairs(balance: Balance, standing: Standing) -> list[Repair]:
    """Return every single-amount change that makes more rules hold, likeliest first.

    Rules that held must go on holding unless more are mended, so that an amount confirmed by
    several rules is not blamed for one.
    """
    bench = _Bench(
        balance=balance, before=standing, memo={}, rates={}, failing_rows=_failing_rows(balance.ledger)
    )
    tried = (bench.try_sum(term, delta, shape) for term, delta, shape in bench.sum_candidates())
    repairs = [repair for repair in tried if repair is not None]
    repairs += bench.line_candidates()
    return sorted(repairs, key=lambda repair: repair.rank)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bench:
    """The receipt under repair; ``memo`` keeps the standing after each (group, change)."""

    balance: Balance
    before: Standing
    memo: dict[tuple[str, int], Standing]
    rates: dict[tuple[str, Decimal], int]
    failing_rows: int

    @property
    def ledger(self) -> Ledger:
        return self.balance.ledger

    def after(self, group: str, delta: int) -> Standing:
        key = (group, delta)
        if key not in self.memo:
            self.memo[key] = stand(self.balance, group, delta)
        return self.memo[key]

    def sum_candidates(self) -> Iterator[tuple[Term, int, Shape]]:
        """Yield (term, change of its contribution, the plainest shape that would then hold)."""
        rows = [
            (shape, residual)
            for equation, shapes in self.balance.shapes.items()
            if equation not in self.before.agreed
            for shape, residual in shapes[:_PLAINEST]
        ]
        seen: set[tuple[str, int]] = set()
        for shape, residual in sorted(rows, key=lambda row: row[0].cost):
            for group, weight in _weights(shape):
                for delta in self._deltas(shape, group, -residual // weight):
                    if (group, delta) not in seen:
                        seen.add((group, delta))
                        yield from ((term, delta, shape) for term in self.ledger.groups[group])

    def _deltas(self, shape: Shape, group: str, exact: int) -> list[int]:
        """Return the exact change, and for a total those that lead to a customary rounding."""
        if group != "total" or shape.equation == "payments_total":
            return [exact]
        total = self.ledger.sums["total"]
        steps = [step for family in self.balance.steps for step in family]
        return [exact, *(nearest(total + exact, step) - total for step in steps)]

    def try_sum(self, term: Term, delta: int, shape: Shape) -> Repair | None:
        """Return the repair that changes this term, None when it makes nothing better."""
        if term.derived or not delta or (_is_lowering(term) and term.contribution + delta > 0):
            return None
        after = self.after(term.group, delta)
        if len(after.failing) > len(self.before.failing):
            return None
        before_local, after_local = self._local_failures(term, delta)
        mended = len(self.before.failing) - len(after.failing) + before_local - after_local
        if mended <= 0:
            return None
        gained = after.independent - self.before.independent - self.before.failing
        proposed = self.ledger.money(term.units + term.sign * delta)
        read = self.ledger.money(term.units)
        return Repair(
            path=term.path,
            read=read,
            proposed=proposed,
            closing=shape.name,
            cost=sum(held[0].cost for held in after.held.values()),
            fails=len(self.before.failing) + self.failing_rows - mended,
            open_sums=len(after.failing),
            fixed=mended + len(gained),
            held=len(after.held),
            support=self._rate_support(term, proposed) + _rounder(read, proposed),
            slip=explain(read, proposed) or self._taken_from(term),
        )

    def _taken_from(self, term: Term) -> Slip | None:
        """Return the slip of a total that is another amount of the receipt, read in its place."""
        if term.path != "total" or not term.units:
            return None
        sums = self.ledger.sums
        others = ["change", "service", *(name for name in sums if name.startswith("taxes["))]
        if sums.get("change"):
            others += [name for name in sums if name.startswith("payments[")]
        taken = next((name for name in others if sums.get(name) == term.units), None)
        return Slip(STRUCTURAL, f"{taken} taken as total") if taken else None

    def _local_failures(self, term: Term, delta: int) -> tuple[int, int]:
        """Count the failing checks of the term's own row, before and after the change."""
        amount = self.ledger.money(term.units + term.sign * delta)
        kind, index, field = _split(term.path)
        if kind == "items" and field == "amount":
            item, unit = self.ledger.receipt.items[index], price_unit(self.ledger)
            return int(not line_holds(item, unit)), int(not line_holds(item, unit, amount))
        if kind == "taxes":
            tax = self.ledger.receipt.taxes[index]
            return _tax_failures(tax), _tax_failures(tax.model_copy(update={"amount": amount}))
        return 0, 0

    def _rate_support(self, term: Term, proposed: Decimal) -> int:
        """Return 1 when the taxes, with this change made, are common rates of the receipt's amounts."""
        key = (
            (term.path, proposed)
            if term.path in _FIRST or term.path.startswith("taxes")
            else ("", Decimal(0))
        )
        if key not in self.rates:
            self.rates[key] = self._taxes_at_common_rates(term, proposed)
        return self.rates[key]

    def _taxes_at_common_rates(self, term: Term, proposed: Decimal) -> int:
        amounts = []
        for name in ("subtotal", "total", "items"):
            if term.path == name:
                amounts.append(proposed)
            elif self.ledger.has(name):
                amounts += base_amounts(self.ledger, name)
        taxes = [group[0] for name, group in self.ledger.groups.items() if name.startswith("taxes[")]
        return int(
            bool(taxes)
            and all(
                any(
                    _is_rate_of(proposed if term is tax else self.ledger.money(tax.units), one)
                    for one in amounts
                )
                for tax in taxes
            )
        )

    def line_candidates(self) -> Iterator[Repair]:
        """Yield the repairs of quantities and unit prices, which take part in no sum."""
        unit = price_unit(self.ledger)
        for index, item in enumerate(self.ledger.receipt.items):
            if line_holds(item, unit):
                continue
            for field, value in line_proposals(item, unit):
                changed = item.model_copy(update={field: value})
                if not line_holds(changed, unit):
                    continue
                read = getattr(item, field)
                yield Repair(
                    path=f"items[{index}].{field}",
                    read=read,
                    proposed=value,
                    closing="quantity x unit price = amount",
                    cost=0,
                    fails=len(self.before.failing) + self.failing_rows - 1,
                    open_sums=len(self.before.failing),
                    fixed=1,
                    held=len(self.before.held),
                    support=0,
                    slip=explain(read, value),
                )


def _rounder(read: Decimal, proposed: Decimal) -> int:
    """Return 1 when the proposed amount ends rounder than the one read (36080 -> 36000), -1 when less so."""
    was, now = (_trailing_zeros(value) for value in (read, proposed))
    return (now > was) - (now < was)


def _trailing_zeros(value: Decimal) -> int:
    exponent = value.normalize().as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _is_lowering(term: Term) -> bool:
    """Tell whether a term can only lower a sum: a discount or a return, with or without its minus sign."""
    return term.sign < 0 or term.group.startswith(("discounts[", "item_discounts"))


def _weights(shape: Shape) -> Iterator[tuple[str, int]]:
    for group in (*shape.coefficients, shape.target):
        weight = shape.weight(group)
        if weight:
            yield group, weight


def _is_rate_of(tax: Decimal, amount: Decimal) -> bool:
    return is_common_rate(tax, amount) or is_common_rate(tax, amount - tax)


def _failing_rows(ledger: Ledger) -> int:
    unit = price_unit(ledger)
    lines = sum(1 for item in ledger.receipt.items if not line_holds(item, unit))
    return lines + sum(map(_tax_failures, ledger.receipt.taxes))


def _tax_failures(tax: Tax) -> int:
    return sum(1 for one in tax_row_checks(tax, "taxes") if one.status == "fails")


def _split(path: str) -> tuple[str, int, str]:
    """Return ("items", 2, "amount") of ``items[2].amount``, ("total", 0, "") of ``total``."""
    kind, _, rest = path.partition("[")
    index, _, field = rest.partition("].")
    return kind, int(index or 0), field
