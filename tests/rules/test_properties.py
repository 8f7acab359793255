"""What must be so for every receipt: generated ones that add up, then the same with one digit changed."""

from decimal import Decimal
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from robustocr.records import Receipt, Verdict
from robustocr.rules.check import check
from tests.rules.build import replaced

CENT = Decimal("0.01")


@st.composite
def receipts(draw: st.DrawFn) -> Receipt:
    """A receipt that closes in some convention, with two decimals or none."""
    unit = draw(st.sampled_from([CENT, Decimal(100)]))
    rows = draw(
        st.lists(st.tuples(st.integers(1, 4), st.integers(50, 4000)), min_size=1, max_size=8), label="rows"
    )
    items = [
        {"quantity": quantity, "unit_price": cents * unit, "amount": quantity * cents * unit}
        for quantity, cents in rows
    ]
    fields: dict[str, Any] = {"items": items, "currency": "USD" if unit == CENT else "JPY"}
    amount = sum((one["amount"] for one in items), Decimal(0))
    fields["subtotal"] = amount
    if draw(st.booleans(), label="discount"):
        fields["discounts"] = [{"amount": -draw(st.integers(1, 49)) * unit}]
        amount += fields["discounts"][0]["amount"]
        if draw(st.booleans(), label="discount above the subtotal"):
            fields["subtotal"] = amount
    amount = draw(st.sampled_from([plain, tax_added, tax_included, net_subtotal]))(fields, amount)
    for name in draw(st.lists(st.sampled_from(["service", "tip"]), unique=True), label="extras"):
        fields[name] = draw(st.integers(1, 300), label=name) * unit
        amount += fields[name]
    fields["total"] = amount
    if draw(st.booleans(), label="cash"):
        fields |= {"payments": [{"amount": amount + 500 * unit}], "change": 500 * unit}
    if draw(st.booleans(), label="no subtotal"):
        del fields["subtotal"]
    return Receipt(**fields)


def plain(fields: dict[str, Any], amount: Decimal) -> Decimal:
    return amount


def tax_added(fields: dict[str, Any], amount: Decimal) -> Decimal:
    tax = (amount * Decimal("0.08")).quantize(
        CENT if amount % 1 or fields["currency"] == "USD" else Decimal(1)
    )
    fields["taxes"] = [{"label": "Sales tax", "amount": tax}]
    return amount + tax


def tax_included(fields: dict[str, Any], amount: Decimal) -> Decimal:
    tax = (amount * Decimal("0.19") / Decimal("1.19")).quantize(
        CENT if fields["currency"] == "USD" else Decimal(1)
    )
    fields["taxes"] = [{"label": "MwSt", "amount": tax, "included": True}]
    return amount


def net_subtotal(fields: dict[str, Any], amount: Decimal) -> Decimal:
    tax_included(fields, amount)
    fields["taxes"][0]["included"] = None
    if "discounts" not in fields:
        fields["subtotal"] = amount - fields["taxes"][0]["amount"]
    return amount


def paths(receipt: Receipt) -> list[str]:
    found = ["total", *(f"items[{index}].amount" for index in range(len(receipt.items)))]
    return [*found, *(name for name in ("subtotal", "service", "tip") if getattr(receipt, name) is not None)]


def value_at(receipt: Receipt, path: str) -> Decimal:
    if path.startswith("items"):
        return receipt.items[int(path[6 : path.index("]")])].amount or Decimal(0)
    return getattr(receipt, path)


@settings(max_examples=100, deadline=None)
@given(receipts())
def test_a_receipt_that_adds_up_closes(receipt):
    verdict = check(receipt)
    assert verdict.status == "closes"
    assert verdict.suspects == ()
    assert verdict.closings


@settings(max_examples=150, deadline=None)
@given(receipts(), st.data())
def test_every_proposal_for_one_wrong_digit_makes_the_sums_hold(receipt, data):
    path = data.draw(st.sampled_from(paths(receipt)))
    text = f"{value_at(receipt, path):f}"
    place = data.draw(st.sampled_from([n for n, letter in enumerate(text) if letter.isdigit()]))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != text[place]]))
    misread = replaced(receipt, path, text[:place] + digit + text[place + 1 :])
    verdict = check(misread)
    for suspect in verdict.suspects:
        if suspect.proposed is not None:
            mended = check(replaced(misread, suspect.field, suspect.proposed))
            assert len(failing(mended)) < len(failing(verdict))
            assert mended.status == "closes"


def failing(verdict: Verdict) -> list[str]:
    return [one.rule for one in verdict.checks if one.status == "fails"]


@settings(max_examples=60, deadline=None)
@given(receipts(), st.randoms(use_true_random=False), st.data())
def test_the_order_of_items_and_all_names_do_not_matter(receipt, random, data):
    path = data.draw(st.sampled_from(["total", "subtotal"]))
    assume(getattr(receipt, path) is not None)
    wrong = replaced(receipt, path, f"{getattr(receipt, path) + 5:f}")
    items = [one.model_copy(update={"name": "soup"}) for one in wrong.items]
    random.shuffle(items)
    shuffled = wrong.model_copy(update={"items": tuple(items), "merchant": "Elsewhere"})
    first, second = check(wrong), check(shuffled)
    assert first.status == second.status
    assert {(one.field, one.proposed) for one in first.suspects if not one.field.startswith("items")} == {
        (one.field, one.proposed) for one in second.suspects if not one.field.startswith("items")
    }


amount = st.none() | st.decimals(-(10**6), 10**6, places=2)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(amount, max_size=5),
    st.fixed_dictionaries(
        dict.fromkeys(("subtotal", "service", "tip", "rounding", "total", "change"), amount)
    ),
    st.lists(amount.filter(lambda one: one is not None), max_size=3),
    st.lists(amount, max_size=3),
)
def test_any_receipt_gets_an_answer_with_reasons(items, singles, discounts, taxes):
    receipt = Receipt(
        items=[{"amount": one} for one in items],
        discounts=[{"amount": one} for one in discounts],
        taxes=[{"amount": one} for one in taxes],
        **singles,
    )
    verdict = check(receipt)
    assert (verdict.status == "closes") == bool(verdict.closings)
    if verdict.status == "contradicts":
        assert failing(verdict)
        assert verdict.suspects
    for one in verdict.suspects:
        assert one.field.split("[")[0] in Receipt.model_fields
    assert Verdict.model_validate(verdict.model_dump(mode="json")) == verdict
