"""From repairs to suspects: which of them a person should look at, and what is missing where none fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from robustocr.records import Check, Suspect, Tax
from robustocr.rules.balance import Balance, Standing, build_balance, expected, stand
from robustocr.rules.closings import Equation
from robustocr.rules.diagnosis import Repair
from robustocr.rules.equations import plain
from robustocr.rules.ledger import Ledger, build_ledger
from robustocr.rules.rounding import customary_steps
from robustocr.rules.slips import STRUCTURAL, explain
from robustocr.rules.taxes import COMMON_RATES, SERVICE_WITH_TAX, base_amounts, implied_rate, is_common_rate

_MOST = 5
_TELLING = 1500
"""Units a base must have so that a gap is not one of the many common rates of it by chance."""

_ROW_ONLY = (".quantity", ".unit_price")
_LARGEST_TERM = Decimal("0.35")
"""The largest share of the amount before it that tax, service and tip together are believed to be."""


def best_repairs(ledger: Ledger, repairs: Iterable[Repair]) -> list[Repair]:
    """Return the repairs worth showing, one for each field, likeliest first, at most five.

    A repair counts when one slip explains it or when it mends two independent rules; where a likely
    slip explains one, unexplained and unlikely ones are left out.
    """
    sums = [
        one
        for one in repairs
        if not one.path.endswith(_ROW_ONLY) and _credible(ledger, one) and (one.slip or one.fixed >= 2)
    ]
    if not sums:
        return []
    fewest = min(one.fails for one in sums)
    sums = [one for one in sums if one.fails == fewest]
    if any(_likely(one) for one in sums):
        sums = [one for one in sums if _likely(one) or one.fixed >= 2]
    by_path: dict[str, Repair] = {}
    for one in sums:
        by_path.setdefault(one.path, one)
    return list(by_path.values())[:_MOST]


def _likely(repair: Repair) -> bool:
    return repair.slip is not None and repair.slip.rank <= STRUCTURAL


def _credible(ledger: Ledger, repair: Repair) -> bool:
    """Tell whether a proposed tax, service, tip or rounding has a size that such a thing can have."""
    kind = repair.path.split("[")[0]
    if kind == "rounding":
        return _is_customary(ledger, repair.proposed)
    if kind not in ("taxes", "service", "tip"):
        return True
    whole = max((abs(ledger.sums.get(name, 0)) for name in ("total", "subtotal")), default=0)
    return abs(repair.proposed) <= _LARGEST_TERM * ledger.money(whole)


def _is_customary(ledger: Ledger, rounding: Decimal) -> bool:
    """Tell whether the total lies on a customary step that so large a rounding leads to."""
    amount, total = ledger.units(rounding), ledger.sums.get("total")
    steps = [step for family in customary_steps(ledger) for step in family]
    return (
        amount is not None
        and total is not None
        and any(total % step == 0 and 2 * abs(amount) <= step for step in steps)
    )


def as_suspect(repair: Repair) -> Suspect:
    """Return a repair as the suspect of a verdict."""
    return Suspect(
        field=repair.path,
        read=plain(repair.read),
        proposed=plain(repair.proposed),
        closing=repair.closing,
        slip=repair.slip.text if repair.slip else None,
    )


def missing_term(balance: Balance, standing: Standing) -> Suspect | None:
    """Return the tax or service whose line seems unread: none is there and the gap has its size.

    None where the sums close, where both are printed, or where the gap cannot be such a line.
    """
    equation: Equation = "subtotal_total" if "subtotal_total" in balance.shapes else "items_total"
    ledger = balance.ledger
    has_tax = _has_credible_tax(ledger)
    if equation not in balance.shapes or equation in standing.agreed or (has_tax and ledger.has("service")):
        return None
    shape, residual = expected(balance, standing, equation)
    gap = ledger.money(residual)
    bases = [
        base for name in ("subtotal", "items") if ledger.has(name) for base in base_amounts(ledger, name)
    ]
    telling = Decimal(_TELLING).scaleb(-min(ledger.places, 2))
    if not 0 < gap <= _LARGEST_TERM * max(bases) or max(bases) < telling:
        return None
    rates = COMMON_RATES if has_tax or ledger.has("service") else (*COMMON_RATES, *SERVICE_WITH_TAX)
    if not any(is_common_rate(gap, base, rates) for base in bases):
        return None
    return Suspect(
        field="service" if has_tax else "taxes",
        closing=shape.name,
        slip=f"a line of {plain(gap)} may be missing",
    )


def _has_credible_tax(ledger: Ledger) -> bool:
    """Tell whether a tax was read that can be one; a row misread as tax is as large as the total."""
    taxes = [abs(amount) for name, amount in ledger.sums.items() if name.startswith("taxes[")]
    return any(amount <= _LARGEST_TERM * abs(ledger.sums.get("total", 0)) for amount in taxes)


def rows_suspect(balance: Balance, rows_missing: bool) -> Suspect | None:
    """Return ``items`` as a whole where the rows do not add up to what is printed below them."""
    ledger = balance.ledger
    equation: Equation = "items_subtotal" if "items_subtotal" in balance.shapes else "items_total"
    if equation not in balance.shapes:
        return Suspect(field="items", slip="rows missing") if rows_missing else None
    shape, residual = balance.shapes[equation][0]
    gap = plain(ledger.money(abs(residual)))
    return Suspect(
        field="items",
        read=plain(ledger.money(ledger.sums[shape.target] - residual)),
        closing=shape.name,
        slip=f"rows missing: {gap}" if residual > 0 else f"rows add up to {gap} too much",
    )


def row_suspects(
    ledger: Ledger, checks: Iterable[Check], repairs: Iterable[Repair], taken: set[str]
) -> Iterator[Suspect]:
    """Yield a suspect for every failing check of a single row that the sums do not already explain."""
    by_row: dict[str, Repair] = {}
    for one in repairs:
        if one.path.endswith(_ROW_ONLY):
            by_row.setdefault(one.path.split(".")[0], one)
    for check in checks:
        if check.status != "fails" or not check.fields or taken & set(check.fields):
            continue
        row = check.fields[0].split(".")[0]
        if row in by_row:
            yield as_suspect(by_row[row])
        elif row.startswith("taxes["):
            yield _tax_suspect(ledger.receipt.taxes[int(row[6:-1])], row, check)
        elif check.rule != "item_count_equals_rows_or_pieces":
            yield Suspect(field=check.fields[-1], closing=check.equation)


def _tax_suspect(tax: Tax, row: str, check: Check) -> Suspect:
    """Return the rate as suspect where another common one explains the row, else its base or gross."""
    rate = implied_rate(tax)
    if check.rule == "tax_equals_rate_times_base" and rate is not None:
        read = plain(tax.rate) if tax.rate is not None else None
        return Suspect(field=f"{row}.rate", read=read, proposed=plain(rate), closing=check.equation)
    return Suspect(field=f"{row}.{'base' if tax.gross is None else 'gross'}", closing=check.equation)


def is_weak(repairs: list[Repair]) -> bool:
    """Tell whether the best explanation is no better than chance: any digit of one rule, or none."""
    return not any(one.fixed > 1 for one in repairs) and not any(map(_likely, repairs[:1]))


def total_suspects(balance: Balance, standing: Standing, repairs: Iterable[Repair]) -> list[Suspect]:
    """Return who is left to blame when no slip explains why the total is not reached.

    A total confirmed by the payments is not blamed, nor one that lost rows of items alone explain.
    """
    ledger = balance.ledger
    if "subtotal_total" in balance.shapes:
        confirmed = "payments_total" in standing.held and ledger.sums.get("change", 0) != 0
        found = next((as_suspect(one) for one in repairs if one.path == "total"), None)
        total = [] if confirmed else [found or _expected_total(balance, standing)]
        return total if "items_subtotal" in standing.agreed else [*total, Suspect(field="subtotal")]
    if "payments_total" in standing.held:
        return []
    items = sum(term.contribution for term in ledger.item_terms)
    discounted = any(name.startswith("discounts[") or name == "item_discounts" for name in ledger.groups)
    below = 0 <= ledger.sums["total"] < items and not discounted
    return [_bare_total(ledger, "below the sum of items")] if below else []


def _expected_total(balance: Balance, standing: Standing) -> Suspect:
    """Return the total that the subtotal leads to, though the payments repeat what was read."""
    shape, residual = expected(balance, standing, "subtotal_total")
    read = balance.ledger.money(balance.ledger.sums["total"])
    proposed = read - balance.ledger.money(residual)
    slip = explain(read, proposed)
    return Suspect(
        field="total",
        read=plain(read),
        proposed=plain(proposed),
        closing=shape.name,
        slip=slip.text if slip else None,
    )


def _bare_total(ledger: Ledger, slip: str | None = None) -> Suspect:
    return Suspect(field="total", read=plain(ledger.money(ledger.sums["total"])), slip=slip)


def missing_total(balance: Balance) -> Suspect | None:
    """Return the total that was not read, where cash minus change says it and the rest agrees."""
    ledger = balance.ledger
    payments = sum(amount for name, amount in ledger.sums.items() if name.startswith("payments["))
    if not payments or not ledger.has("change"):
        return None
    total = ledger.money(payments - ledger.sums["change"])
    trial = build_balance(build_ledger(ledger.receipt.model_copy(update={"total": total})))
    if not {"subtotal_total", "items_total"} & stand(trial).agreed:
        return None
    return Suspect(field="total", proposed=plain(total), closing="payments - change = total")
