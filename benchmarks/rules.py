"""False alarms and power of the rules on labelled receipts. Run by hand:

    python benchmarks/rules.py --data DIR [--times 10000] [--any-digit]

DIR holds SROIE2019/train/items.jsonl and labels/cord_test.jsonl. German receipts are generated:
prices with VAT included, two rates, cash and change.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from robustocr.convention import infer_convention
from robustocr.money import parse_amount, parse_quantity
from robustocr.records import Receipt, Verdict, VerdictStatus
from robustocr.rules.check import check
from robustocr.rules.slips import LOOK_ALIKES

_SHARES = ("contradicts", "closes", "named", "first", "three")
_LEFT_OUT = ("test_receipt_00070", "test_receipt_00084")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--times", type=int, default=3000, help="misread digits per set")
    parser.add_argument("--any-digit", action="store_true", help="any wrong digit, not only look-alikes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="list the receipts that do not close")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    for name, receipts in load_sets(options.data).items():
        report_truth(name, receipts, options.show)
        report_power(receipts, rng, options.times, options.any_digit)
        report_losses(receipts, rng)


def load_sets(data: Path) -> dict[str, list[tuple[str, Receipt]]]:
    """Return the labelled receipts by set, each with its id."""
    rng = np.random.default_rng(7)
    return {
        "sroie": list(_rows(data / "SROIE2019/train/items.jsonl", sroie_receipt, lambda row: True)),
        "cord test": list(_rows(data / "labels/cord_test.jsonl", cord_receipt, _is_good)),
        "german (generated)": [(f"german {n}", german_receipt(rng)) for n in range(200)],
        "cord train (by a model)": list(
            _rows(data / "labels/cord_train_400.jsonl", sroie_receipt, lambda row: True)
        ),
    }


def _rows(
    path: Path, build: Callable[[dict[str, Any]], Receipt], wanted: Callable[[dict[str, Any]], bool]
) -> Iterator[tuple[str, Receipt]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if wanted(row):
            yield row["id"], build(row)


def _is_good(row: dict[str, Any]) -> bool:
    relations = f"{row['items_rel']} {row['tot_rel']}"
    bad = ("UNRESOLVED", "open", "no item prices")
    return not any(word in relations for word in bad) and not row["id"].endswith(_LEFT_OUT)


def sroie_receipt(row: dict[str, Any]) -> Receipt:
    """Return a row of plain decimals as a Receipt; ``tax`` may be added or included."""
    fields: dict[str, Any] = {
        "items": [
            {
                "name": item["name"],
                "quantity": item["qty"] or None,
                "unit_price": _cents(item["unit_price"]),
                "amount": _cents(item["line_total"]),
            }
            for item in row["items"]
        ],
        "currency": row.get("currency", "MYR"),
        **{name: _cents(row[name]) for name in ("subtotal", "rounding", "total")},
    }
    if row["tax"] not in (None, "0.0"):
        fields["taxes"] = [{"amount": _cents(row["tax"])}]
    if row["tip"] not in (None, "0.0"):
        fields["service"] = _cents(row["tip"])
    return Receipt(**{name: value for name, value in fields.items() if value is not None})


def _cents(text: str | None) -> str | None:
    if text in (None, ""):
        return None
    value = Decimal(text)
    return f"{value:.0f}" if value == value.to_integral_value() and abs(value) >= 1000 else f"{value:.2f}"


def cord_receipt(row: dict[str, Any]) -> Receipt:
    """Return a CORD label row as a Receipt, its printed amounts parsed by one convention."""
    printed = [item[name] for item in row["items"] for name in ("unit_price", "line_total") if item[name]]
    convention = infer_convention([*printed, row["total"] or ""])

    def amount(text: str | None) -> Decimal | None:
        return parse_amount(text, convention) if text else None

    fields: dict[str, Any] = {
        "items": [
            {
                "name": item["name"],
                "quantity": parse_quantity(item["qty"], convention) if item["qty"] else None,
                "unit_price": amount(item["unit_price"]),
                "amount": amount(item["line_total"]),
            }
            for item in row["items"]
        ],
        "currency": "IDR",
        "total": amount(row["total"]),
        "taxes": _labelled(row["tax"]),
        "discounts": _labelled(row["discount"]),
        "payments": _labelled(row["cash"]),
        "subtotal": _first(row["subtotal"]),
        "service": _first(row["service"]),
        "rounding": _last(row["rounding"]),
        "change": _last(row["change"]),
    }
    return Receipt(**fields)


def _labelled(rows: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    return [{"label": row["line"], "amount": row["val"]} for row in rows]


def _first(rows: Sequence[dict[str, str]]) -> str | None:
    return rows[0]["val"] if rows else None


def _last(rows: Sequence[dict[str, str]]) -> str | None:
    return rows[-1]["val"] if rows else None


def german_receipt(rng: np.random.Generator) -> Receipt:
    """Return a receipt as German tills print them: prices with VAT, a table of two rates, cash, change."""
    gross = {Decimal("0.07"): Decimal(0), Decimal("0.19"): Decimal(0)}
    items = []
    for _ in range(rng.integers(1, 20)):
        rate = Decimal("0.07") if rng.random() < 0.7 else Decimal("0.19")
        quantity, price = int(rng.integers(1, 4)), Decimal(int(rng.integers(29, 2500))) / 100
        items.append({"name": "Ware", "quantity": quantity, "unit_price": price, "amount": quantity * price})
        gross[rate] += quantity * price
    taxes = []
    for rate, amount in gross.items():
        if amount:
            net = (amount / (1 + rate)).quantize(Decimal("0.01"))
            taxes.append(
                {"rate": rate, "base": net, "amount": amount - net, "gross": amount, "included": True}
            )
    total = sum(gross.values(), Decimal(0))
    cash = (total // 10 + 1) * 10
    return Receipt(
        items=items, taxes=taxes, total=total, currency="EUR",
        payments=[{"label": "Bar", "amount": cash}], change=cash - total,
    )  # fmt: skip


def report_truth(name: str, receipts: list[tuple[str, Receipt]], show: bool) -> None:
    """Print how often correct labels close, contradict themselves, or cannot be told."""
    start = time.perf_counter()
    verdicts = [(key, receipt, check(receipt)) for key, receipt in receipts]
    seconds = time.perf_counter() - start
    counts = Counter(verdict.status for _, _, verdict in verdicts)
    total_named = sum(any(one.field == "total" for one in verdict.suspects) for _, _, verdict in verdicts)
    print(f"\n{name}: {len(receipts)} receipts, {1000 * seconds / len(receipts):.2f} ms each")
    for status in VerdictStatus:
        print(f"  P({status.value:11} | correct) = {counts[status] / len(receipts):.3f} ({counts[status]})")
    print(f"  total named as suspect: {total_named}")
    for key, _, verdict in verdicts if show else ():
        if verdict.status != VerdictStatus.CLOSES or verdict.suspects:
            print(f"    {key} {verdict.status.value} {[f'{s.field}: {s.slip}' for s in verdict.suspects]}")


def report_losses(receipts: list[tuple[str, Receipt]], rng: np.random.Generator) -> None:
    """Leave out rows as a reader does on a bad picture; the total stays right and should not be blamed."""
    closing = [receipt for _, receipt in receipts if check(receipt).status == VerdictStatus.CLOSES]
    print("  total right, but lost:   n  closes  contradicts  total named  items named")
    for loss in ("item", "two items", "taxes", "subtotal", "payments", "item and subtotal"):
        verdicts = [check(lost) for one in closing if (lost := without(one, loss, rng)) is not None]
        if verdicts:
            status = Counter(verdict.status for verdict in verdicts)
            named = [{suspect.field for suspect in verdict.suspects} for verdict in verdicts]
            shares = (
                status[VerdictStatus.CLOSES],
                status[VerdictStatus.CONTRADICTS],
                sum("total" in fields for fields in named),
                sum(any(field.startswith("items") for field in fields) for fields in named),
            )
            rates = "     ".join(f"{share / len(verdicts):.3f}" for share in shares)
            print(f"    {loss:18} {len(verdicts):5}   {rates}")


def without(receipt: Receipt, loss: str, rng: np.random.Generator) -> Receipt | None:
    """Return the receipt without what was lost, None where there is nothing to lose."""
    changes: dict[str, Any] = {}
    for part in loss.split(" and "):
        if "item" in part:
            count = 2 if part == "two items" else 1
            if len(receipt.items) <= count:
                return None
            gone = rng.choice(len(receipt.items), count, replace=False)
            changes["items"] = tuple(one for n, one in enumerate(receipt.items) if n not in gone)
        elif not getattr(receipt, part):
            return None
        else:
            changes[part] = None if part == "subtotal" else ()
    return receipt.model_copy(update=changes)


def report_power(
    receipts: list[tuple[str, Receipt]], rng: np.random.Generator, times: int, any_digit: bool
) -> None:
    """Misread one digit of one field of a closing receipt, many times, and print what the rules notice."""
    closing = [receipt for _, receipt in receipts if check(receipt).status == VerdictStatus.CLOSES]
    tallies: dict[str, Counter[str]] = {}
    slowest = 0.0
    for number in range(times):
        receipt = closing[number % len(closing)]
        kind = ("total", "subtotal", "item amount")[int(rng.integers(3))]
        misread = misread_digit(receipt, kind, rng, any_digit)
        if misread is not None:
            start = time.perf_counter()
            verdict = check(misread[0])
            slowest = max(slowest, time.perf_counter() - start)
            _count(tallies.setdefault(kind, Counter()), verdict, misread[1], misread[2])
    print(f"  one digit misread ({'any' if any_digit else 'look-alike'}), slowest {1000 * slowest:.1f} ms:")
    print("    field           n  contradicts  closes  named  first  in three  proposal right when named")
    for kind, tally in sorted(tallies.items()):
        rates = "  ".join(f"{tally[name] / tally['n']:8.3f}" for name in _SHARES)
        print(f"    {kind:12} {tally['n']:5}  {rates}  {tally['right'] / max(1, tally['named']):8.3f}")


def misread_digit(
    receipt: Receipt, kind: str, rng: np.random.Generator, any_digit: bool = False
) -> tuple[Receipt, str, Decimal] | None:
    """Return the receipt with one digit of one field changed, the field's path, and the true value."""
    index = 0
    value: Decimal | None = receipt.total if kind == "total" else receipt.subtotal
    path = kind
    if kind == "item amount":
        index = int(rng.integers(len(receipt.items)))
        path, value = f"items[{index}].amount", receipt.items[index].amount
    wrong = _changed(value, rng, any_digit) if value is not None else None
    if wrong is None or value is None:
        return None
    if kind != "item amount":
        return receipt.model_copy(update={kind: wrong}), path, value
    items = list(receipt.items)
    items[index] = items[index].model_copy(update={"amount": wrong})
    return receipt.model_copy(update={"items": tuple(items)}), path, value


def _changed(value: Decimal, rng: np.random.Generator, any_digit: bool) -> Decimal | None:
    text = f"{value:f}"
    places = [place for place, digit in enumerate(text) if digit.isdigit()]
    for place in rng.permutation(places):
        digits = [d for d in "0123456789" if d != text[place]]
        if not any_digit:
            digits = [d for d in digits if frozenset((d, text[place])) in LOOK_ALIKES]
        if digits:
            wrong = Decimal(text[:place] + str(rng.choice(digits)) + text[place + 1 :])
            return wrong if wrong != 0 else None
    return None


def _count(tally: Counter[str], verdict: Verdict, path: str, truth: Decimal) -> None:
    fields = [suspect.field for suspect in verdict.suspects]
    tally.update(["n", verdict.status.value])
    if path in fields:
        proposed = verdict.suspects[fields.index(path)].proposed
        tally["named"] += 1
        tally["first"] += fields[0] == path
        tally["three"] += path in fields[:3]
        tally["right"] += proposed is not None and Decimal(proposed) == truth


if __name__ == "__main__":
    main()
