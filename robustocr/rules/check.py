"""check(receipt): does it close, contradict itself, or can nobody tell; and which field is to blame."""

from __future__ import annotations

from dataclasses import dataclass

from robustocr.records import Check, Closing, Receipt, Suspect, Verdict, VerdictStatus
from robustocr.rules.balance import Balance, Held, Standing, build_balance, stand
from robustocr.rules.checks import row_checks, sum_checks
from robustocr.rules.closings import Equation
from robustocr.rules.diagnosis import Repair, find_repairs
from robustocr.rules.equations import fields_of, spell
from robustocr.rules.ledger import build_ledger
from robustocr.rules.suspects import (
    as_suspect,
    best_repairs,
    is_weak,
    missing_term,
    missing_total,
    row_suspects,
    rows_suspect,
    total_suspects,
)

_DIRECT: tuple[Equation, ...] = ("subtotal_total", "items_total")
_MOST_CLOSINGS = 5


def check(receipt: Receipt) -> Verdict:
    """Return the rules' verdict on one receipt.

    ``closes``: the total follows from other printed amounts, in a way named in ``closings``;
    ``contradicts``: what should add up does not in any admissible way; ``cannot_tell``: too little is
    there, or a line seems to be missing. ``suspects`` are the fields to look at, likeliest first.
    """
    ledger = build_ledger(receipt)
    balance = build_balance(ledger)
    standing = stand(balance)
    rows = row_checks(ledger)
    failed = [one for one in rows if one.status == "fails"]
    repairs = find_repairs(balance, standing) if standing.failing or failed else []
    view = _View(
        balance=balance,
        standing=standing,
        rows=rows,
        repairs=best_repairs(ledger, repairs),
        all_repairs=repairs,
    )
    status, suspects = _judge(view)
    taken = {suspect.field for suspect in suspects}
    suspects += [one for one in row_suspects(ledger, failed, repairs, taken) if one.field not in taken]
    checks = (*sum_checks(balance, standing), *rows)
    unexplained = status == VerdictStatus.CONTRADICTS and not view.rows_missing
    if unexplained and not any(one.field == "total" for one in suspects):
        suspects += _unconfirmed_total(receipt, checks)
    return Verdict(
        status=status,
        closings=_closings(view) if status == VerdictStatus.CLOSES else (),
        checks=checks,
        suspects=tuple(suspects),
    )


def _unconfirmed_total(receipt: Receipt, checks: tuple[Check, ...]) -> list[Suspect]:
    """A total that misses a sum and that no other sum reaches must be looked at, whoever is to blame."""
    about = [one.status for one in checks if "total" in one.fields]
    if receipt.total is None or "fails" not in about or "holds" in about:
        return []
    return [Suspect(field="total", read=format(receipt.total, "f"), slip="no printed sum confirms it")]


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """All that the judgement looks at."""

    balance: Balance
    standing: Standing
    rows: list[Check]
    repairs: list[Repair]
    all_repairs: list[Repair]

    def fails(self, *equations: Equation) -> bool:
        return any(equation in self.standing.failing for equation in equations)

    @property
    def rows_missing(self) -> bool:
        return any(
            one.rule == "item_count_equals_rows_or_pieces" and one.status == "fails" for one in self.rows
        )

    @property
    def items_short(self) -> bool:
        """Whether the items add up to less than what is printed below them."""
        shapes = self.balance.shapes.get("items_subtotal") or self.balance.shapes.get("items_total")
        return shapes is not None and shapes[0][1] > 0

    @property
    def total_confirmed(self) -> bool:
        """Whether the total follows from something else than the items."""
        held = self.standing.held
        from_subtotal = held.get("subtotal_total", ())
        return (
            any(len(one.shape.coefficients) > 1 for one in from_subtotal)
            or self._tender_confirms
            or any(
                one.rule == "total_equals_sum_of_tax_groups" and one.status == "holds" for one in self.rows
            )
        )

    @property
    def _tender_confirms(self) -> bool:
        """Cash minus change confirms a total; a lone payment only repeats it, unless a subtotal does too."""
        held = self.standing.held.get("payments_total", ())
        change = self.balance.ledger.sums.get("change", 0)
        counted = change != 0 and any("change" in one.shape.coefficients for one in held)
        return counted or bool(held and self.standing.held.get("subtotal_total"))


def _judge(view: _View) -> tuple[VerdictStatus, list[Suspect]]:
    if "total" not in view.balance.ledger.sums:
        return _judge_without_total(view)
    if not view.fails("items_subtotal", "subtotal_total", "items_total"):
        return _judge_agreeing(view)
    if view.fails("subtotal_total"):
        return _judge_total(view)
    return _judge_items(view)


def _judge_agreeing(view: _View) -> tuple[VerdictStatus, list[Suspect]]:
    """Nothing between items, subtotal and total fails: closes when the total follows from something.

    Where the items add up, a printed number of items that exceeds them is itself in doubt.
    """
    tender = _tender_suspects(view)
    rows = [Suspect(field="item_count")] if view.rows_missing else []
    closes = "items_total" in view.standing.agreed or view.total_confirmed
    status = VerdictStatus.CLOSES if closes else VerdictStatus.CANNOT_TELL
    if not closes and view.fails("payments_total"):
        status = VerdictStatus.CONTRADICTS
    return status, tender + rows


def _tender_suspects(view: _View) -> list[Suspect]:
    if not view.fails("payments_total"):
        return []
    found = [as_suspect(one) for one in view.repairs]
    return found or [Suspect(field="payments", closing="payments - change = total")]


def _judge_total(view: _View) -> tuple[VerdictStatus, list[Suspect]]:
    """The subtotal does not lead to the total."""
    suspects = [as_suspect(one) for one in view.repairs]
    missing = missing_term(view.balance, view.standing)
    rows = rows_suspect(view.balance, view.rows_missing) if view.fails("items_subtotal") else None
    if missing is not None and _missing_is_likelier(view):
        rows = None if "items_total" in view.standing.held else rows
        tender = [one for one in suspects if one.field.startswith(("payments", "change"))]
        return VerdictStatus.CANNOT_TELL, [missing, *([rows] if rows else []), *tender]
    if not view.repairs:
        suspects = total_suspects(view.balance, view.standing, view.all_repairs)
    if rows is not None and (not view.repairs or view.repairs[0].open_sums):
        suspects.append(rows)
    return VerdictStatus.CONTRADICTS, suspects


def _missing_is_likelier(view: _View) -> bool:
    """Tell whether an unread line explains the total better than any slip.

    So it is where slips are no better than chance or leave the total open, and where the items make
    the total and no slip explains the subtotal: it may be net of an unread tax.
    """
    open_still = all(one.open_sums >= len(view.standing.failing) - 1 > 0 for one in view.repairs)
    net = "items_total" in view.standing.held and all(one.slip is None for one in view.repairs)
    return is_weak(view.repairs) or net or (open_still and view.fails("payments_total"))


def _judge_items(view: _View) -> tuple[VerdictStatus, list[Suspect]]:
    """The items do not lead to the subtotal, or without one to the total; no other way to it fails.

    A total confirmed without the items closes, and the rows are to blame: a reader often loses some.
    """
    rows = rows_suspect(view.balance, view.rows_missing)
    suspects = [as_suspect(one) for one in view.repairs]
    missing = missing_term(view.balance, view.standing)
    if missing is not None and is_weak(view.repairs) and not view.total_confirmed:
        return VerdictStatus.CANNOT_TELL, [missing, *([rows] if rows else [])]
    if view.rows_missing or not suspects or _rows_may_be_lost(view):
        kept = [as_suspect(one) for one in view.repairs if one.fixed > 1 or not view.rows_missing]
        suspects = [*kept, *([rows] if rows else [])]
    if not view.repairs and not view.total_confirmed:
        suspects += total_suspects(view.balance, view.standing, view.all_repairs)
    lost = view.items_short and (not view.repairs or view.rows_missing)
    if lost and view.total_confirmed:
        return VerdictStatus.CLOSES, suspects
    if lost and "subtotal_total" in view.standing.held:
        return VerdictStatus.CANNOT_TELL, suspects
    return VerdictStatus.CONTRADICTS, suspects


def _rows_may_be_lost(view: _View) -> bool:
    return view.items_short and not view.total_confirmed and "subtotal" not in view.balance.ledger.sums


def _judge_without_total(view: _View) -> tuple[VerdictStatus, list[Suspect]]:
    """No total was read: only items against the subtotal can contradict each other."""
    proposal = missing_total(view.balance)
    found = [proposal] if proposal is not None else []
    if not view.fails("items_subtotal"):
        return VerdictStatus.CANNOT_TELL, found
    rows = rows_suspect(view.balance, view.rows_missing)
    suspects = [as_suspect(one) for one in view.repairs] or ([rows] if rows else [])
    lost = view.items_short and not view.repairs
    status = VerdictStatus.CANNOT_TELL if lost else VerdictStatus.CONTRADICTS
    return status, [*found, *suspects]


def _closings(view: _View) -> tuple[Closing, ...]:
    """Return the ways in which the receipt closes, plainest first: to the total, then the partial ones."""
    held = view.standing.held
    direct = sorted((one for name in _DIRECT for one in held.get(name, ())), key=lambda one: one.cost)
    others = [one for name in ("items_subtotal", "payments_total") for one in held.get(name, ())[:1]]
    groups = [
        Closing(name="tax groups = total", equation=one.equation or "", fields=one.fields)
        for one in view.rows
        if one.rule == "total_equals_sum_of_tax_groups" and one.status == "holds"
    ]
    ways = [*direct[:_MOST_CLOSINGS], *others]
    return (*(_closing(view.balance, one) for one in ways), *groups)


def _closing(balance: Balance, held: Held) -> Closing:
    ledger = balance.ledger
    equation = spell(ledger, held.shape)
    if held.step:
        equation = equation.replace(", printed ", ", rounded to ")
    name = f"{held.shape.name}, rounded" if held.step else held.shape.name
    return Closing(name=name, equation=equation, fields=fields_of(ledger, held.shape))
