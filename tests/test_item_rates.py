import pytest

from robustocr import bounds
from tests.outcome_rows import row, summary


def test_item_rates_by_hand():
    def items(sample, corruption, truth, value, amounts, quantity):
        kind = "correct" if truth == value and quantity == "correct" else "wrong"
        yield row(sample, corruption, 0, "items", kind, truth=truth, value=value)
        for i, outcome in enumerate(amounts):
            yield row(sample, corruption, 0, f"items[{i}].amount", outcome)
        yield row(sample, corruption, 0, "items[0].quantity", quantity)

    rows = [
        *items("r0", "clean", "1.00, 2.00", "1.00, 2.00", ["correct", "correct"], "correct"),
        *items("r0", "dim", "1.00, 2.00", "2.0, 7.00, 9.00", ["wrong", "correct"], "correct"),
        *items("r1", "clean", "5.00", "5.00", ["correct"], "wrong"),
        *items("r1", "dim", "5.00", None, ["missed"], "missed"),
    ]
    data = summary(rows)["adapters"]["a"]
    assert set(data["fields"]) == {"items"}
    assert {c["field"] for c in data["conditions"]} == {"items"}
    found = data["fields"]["items"]
    assert found["mean_share"]["clean"] == bounds.mean([1, 0]).to_json()
    assert found["mean_share"]["mean"] == bounds.mean([0.5, 0]).to_json()
    assert found["item_amounts_f1"]["clean"] == {"estimate": 1.0, "precision": 1.0, "recall": 1.0, "n": 2}
    assert found["item_amounts_f1"]["grid"] == {
        "estimate": pytest.approx(2 * 1 / (3 + 3)), "precision": pytest.approx(1 / 3),
        "recall": pytest.approx(1 / 3), "n": 2,
    }  # fmt: skip


def test_items_of_two_seeds_are_not_merged():
    rows = [
        row("r0", "tilt", 1, name, kind, seed=seed)
        for seed, kind in ((0, "correct"), (1, "wrong"))
        for name in ("items", "items[0].amount")
    ]
    share = summary(rows)["adapters"]["a"]["fields"]["items"]["mean_share"]["mean"]
    assert share == bounds.mean([0.5]).to_json()


def test_items_nobody_can_see_leave_the_share():
    kinds = [
        ("items", "wrong", False),
        ("items[0].amount", "correct", False),
        ("items[1].amount", "wrong", True),
        ("items[2].amount", "correct", True),
        ("items[2].quantity", "correct", False),
    ]
    rows = [row("r0", "cover", 5, name, kind, answerable=shown) for name, kind, shown in kinds]
    share = summary(rows)["adapters"]["a"]["fields"]["items"]["mean_share"]["mean"]
    assert share == bounds.mean([0.0]).to_json()
