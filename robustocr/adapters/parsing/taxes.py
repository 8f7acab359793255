"""Tax rows and tables: rate, base, amount and gross, told apart by their arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from robustocr.adapters.parsing.keywords import Role
from robustocr.adapters.parsing.line import Line
from robustocr.adapters.parsing.lines import Page
from robustocr.adapters.parsing.summary import Summary
from robustocr.adapters.parsing.tokens import Token

_RATES = tuple(Decimal(rate) for rate in range(1, 31))
_CENT = Decimal("0.02")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxRow:
    """One tax as printed; ``rate`` is a fraction."""

    label: str
    amount: Token
    rate: Decimal | None = None
    base: Token | None = None
    gross: Token | None = None
    line: int


def read_taxes(page: Page, summary: Summary) -> tuple[TaxRow, ...]:
    """Return the taxes: the rows of a tax table where there is one, and named amounts not repeated in it."""
    table = _table_rows(page, summary)
    named: list[TaxRow] = []
    seen: set[int] = set()
    for entry in summary.of(Role.TAX):
        if entry.line in seen:
            continue
        seen.add(entry.line)
        row = _row(page.lines[entry.line])
        named.append(
            row
            or TaxRow(
                label=entry.label, amount=entry.token, rate=_rate(page.lines[entry.line]), line=entry.line
            )
        )
    if not table:
        return tuple(row for row in named if row.amount.value != 0 or len(named) == 1)
    together = sum((row.amount.value for row in table), Decimal(0))
    known = {row.amount.value for row in table} | {together}
    extra = [row for row in named if row.amount.value not in known and row.amount.value != 0]
    return (*table, *extra)


def _table_rows(page: Page, summary: Summary) -> tuple[TaxRow, ...]:
    lines = dict.fromkeys(entry.line for entry in summary.entries if entry.in_tax_table)
    rows = []
    for index in lines:
        line = page.lines[index]
        row = _row(line) if line.role != Role.TOTAL else None
        if row is not None and (row.amount.value != 0 or (row.base is not None and row.base.value != 0)):
            rows.append(row)
    return tuple(rows)


def _row(line: Line) -> TaxRow | None:
    """Tell net, tax and gross of one row apart; None where the row's numbers do not fit together."""
    amounts = line.amounts
    if len(amounts) < 2:
        return None
    rate = _rate(line)
    label = line.text[: amounts[0].start].strip(" :-=@")
    if len(amounts) >= 3:
        for net, tax, gross in _triples(amounts):
            if net.value + tax.value == gross.value and abs(tax.value) < abs(net.value):
                return TaxRow(label=label, amount=tax, rate=rate, base=net, gross=gross, line=line.index)
    for base, tax in [*pairwise(amounts), *((b, a) for a, b in pairwise(amounts))]:
        if rate is not None and abs(base.value * rate - tax.value) <= _CENT:
            return TaxRow(label=label, amount=tax, rate=rate, base=base, line=line.index)
        if rate is not None and abs(base.value * rate / (1 + rate) - tax.value) <= _CENT:
            return TaxRow(label=label, amount=tax, rate=rate, gross=base, line=line.index)
    return _unrated(line, label, amounts)


def _unrated(line: Line, label: str, amounts: Sequence[Token]) -> TaxRow | None:
    """A row of net and tax without its rate, where their ratio is a whole percentage."""
    base, tax = amounts[0], amounts[1]
    if base.value <= 0 or not 0 < tax.value < base.value:
        return None
    fits = any(abs(base.value * rate / 100 - tax.value) <= _CENT for rate in _RATES)
    return TaxRow(label=label, amount=tax, base=base, line=line.index) if fits else None


def _triples(amounts: Sequence[Token]) -> list[tuple[Token, Token, Token]]:
    """Orders of net, tax and gross that tables use."""
    a, b, c = amounts[-3:]
    return [(a, b, c), (b, a, c), (c, a, b), (b, c, a), (c, b, a)]


def _rate(line: Line) -> Decimal | None:
    rates = [token.value for token in line.tokens if token.percent]
    if not rates:
        rates = [token.value for token in line.tokens if not token.money and token.value in _RATES]
    if not rates or not 0 <= rates[0] < 100:
        return None
    return rates[0] / 100
