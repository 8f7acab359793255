"""Customary rounding: totals that are rounded to a coin without the receipt saying so."""

from __future__ import annotations

from robustocr.rules.ledger import Ledger

Family = tuple[int, ...]
"""Steps that go with one smallest coin, smallest first."""

_STEPS: dict[str, tuple[Family, ...]] = {
    "MYR": ((5,),), "SGD": ((5,),), "AUD": ((5,),), "CAD": ((5,),), "CHF": ((5,),), "NZD": ((10,),),
    "ZAR": ((10,),), "HKD": ((10,),), "DKK": ((50,),), "SEK": ((100,),), "NOK": ((100,),), "CZK": ((100,),),
    "INR": ((100,),), "THB": ((25,), (100,)), "PHP": ((25,),), "HUF": ((500,),),
    "IDR": ((10_000, 50_000),), "USD": (), "EUR": (), "GBP": (), "JPY": (), "KRW": (), "CNY": (),
}  # fmt: skip
"""To what totals are customarily rounded, in hundredths of the currency; all others: not at all."""

_UNKNOWN_WITH_CENTS: tuple[Family, ...] = ((5,), (100,))
_UNKNOWN_WITHOUT_CENTS: tuple[Family, ...] = ((10_000, 50_000),)
_THOUSANDS = 5_000


def customary_steps(ledger: Ledger) -> tuple[Family, ...]:
    """Return the customary steps in units of the ledger; empty where none is customary.

    Without a currency, cents suggest 0.05 or 1, and amounts of thousands without cents 100 or 500.
    """
    code = (ledger.receipt.currency or "").upper()
    if code:
        families = _STEPS.get(code, ())
    else:
        families = _UNKNOWN_WITHOUT_CENTS if _in_thousands(ledger) else _UNKNOWN_WITH_CENTS
    unit = 10**ledger.places
    scaled = (tuple(step * unit // 100 for step in family) for family in families)
    return tuple(family for family in scaled if family[0] > 1)


def _in_thousands(ledger: Ledger) -> bool:
    unit = 10**ledger.places
    amounts = [abs(term.units) for group in ledger.groups.values() for term in group]
    return all(amount % unit == 0 for amount in amounts) and max(amounts, default=0) >= _THOUSANDS * unit


def rounds_to(computed: int, printed: int, families: tuple[Family, ...]) -> int | None:
    """Return the step by which ``computed`` is customarily rounded to ``printed``, else None.

    The printed total lies on the step, the gap is at most half of it, and the sum itself does not
    lie on the smallest coin: there would be no reason to round it.
    """
    gap = abs(printed - computed)
    for family in families:
        if not gap or computed % family[0] == 0:
            continue
        for step in family:
            if printed % step == 0 and 2 * gap <= step:
                return step
    return None


def nearest(value: int, step: int) -> int:
    """Return the multiple of ``step`` nearest to ``value``, halves away from zero."""
    whole = (abs(value) + step // 2) // step * step
    return whole if value >= 0 else -whole
