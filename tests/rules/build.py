"""Short ways to write receipts in tests."""

from __future__ import annotations

from typing import Any

from robustocr.records import Receipt, Verdict


def items(*amounts: str) -> list[dict[str, str]]:
    return [{"name": f"thing {index}", "amount": amount} for index, amount in enumerate(amounts)]


def row(quantity: str, unit_price: str, amount: str, **more: Any) -> dict[str, Any]:
    return {"name": "thing", "quantity": quantity, "unit_price": unit_price, "amount": amount, **more}


def amounts(*values: str) -> list[dict[str, str]]:
    return [{"amount": value} for value in values]


def story(**changes: Any) -> Receipt:
    """The cafe receipt whose subtotal 28.90 is read as 23.90, with fields replaced."""
    fields: dict[str, Any] = {
        "merchant": "Blue Door Cafe",
        "date": "2026-03-14",
        "currency": "USD",
        "items": [row("2", "4.50", "9.00"), row("1", "19.90", "19.90")],
        "subtotal": "28.90",
        "discounts": [{"label": "Member", "amount": "-1.00"}],
        "taxes": [
            {"label": "Sales tax", "rate": "0.08", "base": "27.90", "amount": "2.23", "included": False}
        ],
        "total": "30.13",
        "payments": [{"label": "Cash", "amount": "40.00"}],
        "change": "9.87",
    }
    return Receipt(**{**fields, **changes})


def fields(verdict: Verdict) -> list[str]:
    return [suspect.field for suspect in verdict.suspects]


def closing_names(verdict: Verdict) -> list[str]:
    return [closing.name for closing in verdict.closings]


def replaced(receipt: Receipt, path: str, value: str) -> Receipt:
    """Return the receipt with one field path (``items[2].amount``) set to a value."""
    data = receipt.to_json()
    name, _, rest = path.partition("[")
    if rest:
        index, _, field = rest.partition("].")
        data[name][int(index)][field] = value
    else:
        data[name] = value
    return Receipt(**data)
