"""The rules, each a sentence that should hold, applied to one receipt.

To add a rule that stands on its own (not a new way of adding up), write a function that takes the
Ledger and yields Checks, and list it in ``ROW_RULES``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal

from robustocr.records import Check, Tax
from robustocr.rules.balance import Balance, Held, Standing, chain, expected
from robustocr.rules.closings import ADJUSTMENT_WORDS, Equation, Shape
from robustocr.rules.equations import fields_of, plain, spell
from robustocr.rules.ledger import Ledger
from robustocr.rules.lines import item_count_check, line_check, price_unit
from robustocr.rules.taxes import gross_amount, tax_row_checks

_EARLIEST, _LATEST = 1990, 2079


def line_rules(ledger: Ledger) -> Iterator[Check]:
    """Yield ``amount_equals_quantity_times_price`` for every line that prints all three."""
    unit = price_unit(ledger)
    for index, item in enumerate(ledger.receipt.items):
        check = line_check(item, f"items[{index}]", unit)
        if check is not None:
            yield check


def tax_rules(ledger: Ledger) -> Iterator[Check]:
    """Yield the checks of every row of the tax table."""
    for index, tax in enumerate(ledger.receipt.taxes):
        yield from tax_row_checks(tax, f"taxes[{index}]")


def tax_group_rules(ledger: Ledger) -> Iterator[Check]:
    """Yield ``total_equals_sum_of_tax_groups``; it never fails, as a table may leave out zero-rated goods."""
    taxes = ledger.receipt.taxes
    sums = [gross for tax in taxes if (gross := gross_amount(tax)) is not None]
    total = ledger.receipt.total
    if not sums or len(sums) < len(taxes) or total is None:
        return
    computed = sum(sums, Decimal(0))
    text = f"{' + '.join(_addends(taxes))} = {plain(computed)}"
    yield Check(
        rule="total_equals_sum_of_tax_groups",
        status="holds" if computed == total else "cannot_tell",
        fields=("taxes", "total"),
        equation=text if computed == total else f"{text}, printed {plain(total)}",
        residual=total - computed,
    )


def _addends(taxes: Iterable[Tax]) -> Iterator[str]:
    for tax in taxes:
        if tax.base is not None and tax.amount is not None:
            yield f"{plain(tax.base)} + {plain(tax.amount)}"
        elif tax.gross is not None:
            yield plain(tax.gross)


def count_rules(ledger: Ledger) -> Iterator[Check]:
    """Yield ``item_count_equals_rows_or_pieces`` where a number of items is printed."""
    check = item_count_check(ledger.receipt)
    if check is not None:
        yield check


def plausibility_rules(ledger: Ledger) -> Iterator[Check]:
    """Yield a failing check for amounts no receipt can hold and for a year no receipt is from."""
    for path in ledger.implausible:
        yield Check(rule="amounts_are_plausible", status="fails", fields=(path,))
    date = ledger.receipt.date
    if date is not None and not _EARLIEST <= date.year <= _LATEST:
        yield Check(rule="date_is_plausible", status="fails", fields=("date",), equation=date.isoformat())


ROW_RULES: tuple[Callable[[Ledger], Iterator[Check]], ...] = (
    line_rules,
    tax_rules,
    tax_group_rules,
    count_rules,
    plausibility_rules,
)
"""The rules that stand on their own, in the order in which a verdict lists them."""


def row_checks(ledger: Ledger) -> list[Check]:
    """Return the checks of all rules that stand on their own."""
    return [check for rule in ROW_RULES for check in rule(ledger)]


def sum_checks(balance: Balance, standing: Standing) -> list[Check]:
    """Return one check for each equation between items, subtotal, total and payments."""
    return [
        _sum_check(balance, standing, equation) for equation in balance.shapes if _told(standing, equation)
    ]


def _told(standing: Standing, equation: Equation) -> bool:
    """Leave out the direct way where the two steps say the same, and what another two imply."""
    if equation == "items_total":
        stepwise = {"items_subtotal", "subtotal_total"}
        return equation in standing.failing or (
            equation in standing.held and not stepwise <= standing.held.keys()
        )
    return equation in standing.held or equation not in standing.agreed


def _sum_check(balance: Balance, standing: Standing, equation: Equation) -> Check:
    held = _chosen(standing, equation)
    if held is not None and equation in standing.agreed:
        return Check(
            rule=rule_name(balance.ledger, held.shape),
            status="holds",
            fields=fields_of(balance.ledger, held.shape),
            equation=spell(balance.ledger, held.shape),
            residual=balance.ledger.money(held.shape.residual(balance.ledger.sums)),
        )
    shape, residual = expected(balance, standing, equation)
    return Check(
        rule=rule_name(balance.ledger, shape),
        status="fails" if equation in standing.failing else "cannot_tell",
        fields=fields_of(balance.ledger, shape),
        equation=spell(balance.ledger, shape),
        residual=balance.ledger.money(residual),
    )


def _chosen(standing: Standing, equation: Equation) -> Held | None:
    pair = chain(standing.held)
    if pair is not None and equation in ("items_subtotal", "subtotal_total"):
        return pair[0] if equation == "items_subtotal" else pair[1]
    return standing.held[equation][0] if equation in standing.held else None


def rule_name(ledger: Ledger, shape: Shape) -> str:
    """Return the sentence a shape stands for, such as ``total_equals_subtotal_plus_discount_and_tax``."""
    if shape.equation == "payments_total":
        return "payments_minus_change_equal_total"
    base, target = shape.equation.split("_")
    subject = "sum_of_items" if base == "items" else base
    groups = dict.fromkeys(name.split("[")[0] for name in shape.coefficients if ledger.sums[name])
    words = [ADJUSTMENT_WORDS[name] for name in groups if name in ADJUSTMENT_WORDS]
    if not words or target == "subtotal":
        return f"{target}_equals_{subject}"
    return f"{target}_equals_{subject}_plus_{'_and_'.join(words)}"
