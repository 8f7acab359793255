"""Which field is to blame: single amounts whose change would make the failing rules hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from robustocr.records import Check
from robustocr.rules.balance import Balance, Standing, stand
from robustocr.rules.closings import Shape
from robustocr.rules.ledger import Ledger, Term
from robustocr.rules.lines import line_check, line_proposals, price_unit
from robustocr.rules.rounding import nearest
from robustocr.rules.slips import UNEXPLAINED, Slip, explain
from robustocr.rules.taxes import is_common_rate, tax_row_checks

_PLAINEST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """One amount replaced. ``fails`` rules still fail afterwards, ``fixed`` no longer do."""

    path: str
    read: Decimal
    proposed: Decimal
    closing: str
    cost: int
    fails: int
    fixed: int
    support: int
    slip: Slip | None

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """Sort key, likeliest first: what still fails, the slip, the evidence for it, the closing's cost."""
        return (self.fails, self.slip.rank if self.slip else UNEXPLAINED, -self.support, self.cost)


def find_repairs(balance: Balance, standing: Standing) -> list[Repair]:
    """Return every single-amount change that makes more rules hold, likeliest first.

    Rules that held must go on holding unless more are mended, so that an amount confirmed by
    several rules is not blamed for one.
    """
    bench = _Bench(balance=balance, before=standing, memo={})
    repairs: dict[tuple[str, Decimal], Repair] = {}
    for term, delta, shape in bench.sum_candidates():
        repair = bench.try_sum(term, delta, shape)
        if repair is not None:
            known = repairs.get((repair.path, repair.proposed))
            if known is None or repair.rank < known.rank:
                repairs[repair.path, repair.proposed] = repair
    for repair in bench.line_candidates():
        repairs.setdefault((repair.path, repair.proposed), repair)
    return sorted(repairs.values(), key=lambda repair: repair.rank)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bench:
    """The receipt under repair; ``memo`` keeps the standing after each (group, change)."""

    balance: Balance
    before: Standing
    memo: dict[tuple[str, int], Standing]

    @property
    def ledger(self) -> Ledger:
        return self.balance.ledger

    def after(self, group: str, delta: int) -> Standing:
        key = (group, delta)
        if key not in self.memo:
            self.memo[key] = stand(self.balance, group, delta)
        return self.memo[key]

    def sum_candidates(self) -> Iterator[tuple[Term, int, Shape]]:
        """Yield (term, change of its contribution, the shape that would then hold)."""
        for equation, rows in self.balance.shapes.items():
            if equation in self.before.agreed:
                continue
            for shape, residual in rows[:_PLAINEST]:
                for group, weight in _weights(shape):
                    for delta in self._deltas(shape, group, -residual // weight):
                        for term in self.ledger.groups.get(group, ()):
                            yield term, delta, shape

    def _deltas(self, shape: Shape, group: str, exact: int) -> list[int]:
        """Return the exact change, and for a total those that lead to a customary rounding."""
        if group != "total" or shape.target != "total":
            return [exact]
        total = self.ledger.sums["total"]
        steps = [step for family in self.balance.steps for step in family]
        return [exact, *(nearest(total + exact, step) - total for step in steps)]

    def try_sum(self, term: Term, delta: int, shape: Shape) -> Repair | None:
        """Return the repair that changes this term, None when it makes nothing better."""
        if term.derived or not delta:
            return None
        after = self.after(term.group, delta)
        before_local, after_local = self._local_failures(term, delta)
        fails = len(after.failing) + after_local
        fixed = len(self.before.failing) + before_local - fails
        if fixed <= 0:
            return None
        proposed = self.ledger.money(term.units + term.sign * delta)
        read = self.ledger.money(term.units)
        return Repair(
            path=term.path,
            read=read,
            proposed=proposed,
            closing=shape.name,
            cost=shape.cost,
            fails=fails,
            fixed=fixed,
            support=len(after.agreed) + self._rate_support(term, proposed),
            slip=explain(read, proposed),
        )

    def _local_failures(self, term: Term, delta: int) -> tuple[int, int]:
        """Count the failing checks of the term's own row, before and after the change."""
        head = term.path.split(".")[0]
        if not head.startswith(("items[", "taxes[")):
            return 0, 0
        amount = self.ledger.money(term.units + term.sign * delta)
        index = int(head[6:-1])
        rows = self.ledger.receipt.items if head.startswith("items") else self.ledger.receipt.taxes
        field = term.path.split(".")[1]
        changed = rows[index].model_copy(update={field: amount})
        return _failures(self.ledger, head, rows[index]), _failures(self.ledger, head, changed)

    def _rate_support(self, term: Term, proposed: Decimal) -> int:
        """Return 1 when the taxes, with this change made, are common rates of the receipt's amounts."""
        amounts = []
        for name in ("subtotal", "total"):
            if name in self.ledger.sums:
                amounts.append(proposed if term.path == name else self.ledger.money(self.ledger.sums[name]))
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
            check = line_check(item, f"items[{index}]", unit)
            if check is None or check.status != "fails":
                continue
            for field, value in line_proposals(item, unit):
                changed = item.model_copy(update={field: value})
                if field == "amount" or _failures(self.ledger, f"items[{index}]", changed):
                    continue
                read = getattr(item, field)
                yield Repair(
                    path=f"items[{index}].{field}",
                    read=read,
                    proposed=value,
                    closing="quantity x unit price = amount",
                    cost=0,
                    fails=len(self.before.failing),
                    fixed=1,
                    support=len(self.before.agreed),
                    slip=explain(read, value),
                )


def _weights(shape: Shape) -> Iterator[tuple[str, int]]:
    for group in (*shape.coefficients, shape.target):
        weight = shape.weight(group)
        if weight:
            yield group, weight


def _is_rate_of(tax: Decimal, amount: Decimal) -> bool:
    return is_common_rate(tax, amount) or is_common_rate(tax, amount - tax)


def _failures(ledger: Ledger, head: str, row: object) -> int:
    checks: list[Check | None] = []
    check_row: Callable[..., Iterator[Check]] = tax_row_checks
    if head.startswith("items"):
        checks = [line_check(row, head, price_unit(ledger))]  # type: ignore[arg-type]
    else:
        checks = list(check_row(row, head))
    return sum(1 for check in checks if check is not None and check.status == "fails")
