import json
import math
import time

import numpy as np
import pandas as pd
import pytest

from robustocr import bounds
from robustocr.summary import summarise

RATE = {"estimate", "n", "lower_bound", "upper_bound", "method"}


def row(sample, corruption, severity, field, outcome, **more):
    silent = outcome in ("wrong", "invented") and not (more.get("by_reader") or more.get("by_rules"))
    return {
        "sample_id": sample,
        "group": more.get("group"),
        "corruption": corruption,
        "severity": severity,
        "seed": more.get("seed", 0),
        "target": more.get("target"),
        "adapter": more.get("adapter", "a"),
        "field": field,
        "read_field": field,
        "truth": more.get("truth", "1.00"),
        "value": more.get("value", None if outcome in ("missed", "abstained", "failed") else "1.00"),
        "outcome": outcome,
        "flagged_by_reader": more.get("by_reader", False),
        "flagged_by_rules": more.get("by_rules", False),
        "silent": silent,
        "answerable": more.get("answerable", True),
        "verdict": more.get("verdict", "cannot_tell"),
        "error": more.get("error"),
    }


def cases_of(rows, **more):
    keys = ["sample_id", "corruption", "severity", "seed", "target", "adapter", "verdict", "error"]
    cases = pd.DataFrame(rows)[keys].drop_duplicates(keys[:6])
    usage = {"seconds": 0.5, "tokens_in": 10, "tokens_out": 2, "cost": None, "calls": 1, "cached": False}
    return cases.assign(key=range(len(cases)), **(usage | more))


def summary(rows, *, cases=None, **more):
    cases = cases_of(rows) if cases is None else cases
    data = summarise(pd.DataFrame(rows), cases, dataset="toy", n_samples=4, **more)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    return data


def table(outcomes, field="total"):
    """Rows from ``outcomes[corruption, severity] = "cwm"``: one letter per receipt."""
    names = {"c": "correct", "w": "wrong", "m": "missed", "a": "abstained", "f": "failed", "i": "invented"}
    return [
        row(f"r{i}", *condition, field, names[letter])
        for condition, letters in outcomes.items()
        for i, letter in enumerate(letters)
        if letter != " "
    ]


def exact(k, n, alpha=0.05):
    return bounds.share(k, n, alpha).to_json()


TOY = {("clean", 0): "cccc", ("blur", 1): "cccw", ("blur", 3): "cwww", ("tilt", 1): "cccm"}


def total_of(rows, **more):
    return summary(rows, **more)["adapters"]["a"]["fields"]["total"]


def test_accuracy_by_hand():
    total = total_of(table(TOY))
    assert total["clean"] == exact(4, 4)
    assert total["worst_condition"] == {"corruption": "blur", "severity": 3, **exact(1, 4)}
    assert total["all_conditions"] == {**exact(1, 4), "n_incomplete": 0}
    assert total["worst_condition"]["lower_bound"] == pytest.approx(1 - 0.95 ** (1 / 4))
    assert total["baselines"]["mean_accuracy"] == pytest.approx((3 + 1 + 3) / 12)
    assert total["baselines"]["minimum_retention"] == {"corruption": "blur", "severity": 3, "estimate": 0.25}


def test_conditions_by_hand():
    conditions = summary(table(TOY))["adapters"]["a"]["conditions"]
    assert [(c["field"], c["corruption"], c["severity"], c["estimate"]) for c in conditions] == [
        ("total", "blur", 1, 0.75), ("total", "blur", 3, 0.25), ("total", "tilt", 1, 0.75)
    ]  # fmt: skip
    assert conditions[1] == {
        "field": "total", "corruption": "blur", "severity": 3, **exact(1, 4), "n_unanswerable": 0,
        "silent_error": exact(3, 4),
    }  # fmt: skip


def test_silent_errors_by_hand():
    silent = total_of(table(TOY))["silent_error"]
    assert silent["clean"] == exact(0, 4)
    assert silent["worst_condition"] == {"corruption": "blur", "severity": 3, **exact(3, 4)}
    assert silent["mean"] == bounds.mean([0, 1 / 3, 1 / 3, 2 / 3]).to_json()
    assert silent["mean"]["estimate"] == pytest.approx(1 / 3)


def test_flagged_errors_are_not_silent_and_count_for_review():
    rows = table(TOY)
    flagged = [
        r | {"flagged_by_rules": True, "silent": False} if r["corruption"] == "blur" else r for r in rows
    ]
    total = total_of(flagged)
    assert total["silent_error"]["mean"]["estimate"] == 0
    assert total["review_rate"]["mean"] == bounds.mean([2 / 3] * 4).to_json()
    assert total["review_rate"]["clean"] == exact(0, 4)


def test_the_smallest_bound_is_the_worst_not_the_smallest_estimate():
    """2 of 3 (lower bound .135) is worse than 5 of 10 (.222)."""
    total = total_of(table({("tilt", 1): "cccccwwwww", ("blur", 1): "ccw"}))
    assert total["worst_condition"] == {"corruption": "blur", "severity": 1, **exact(2, 3)}


def test_ties_go_by_name_and_severity():
    total = total_of(table({("tilt", 1): "cw", ("blur", 5): "cw", ("blur", 3): "wc", ("arch", 2): "cc"}))
    worst = total["worst_condition"]
    assert (worst["corruption"], worst["severity"]) == ("blur", 3)
    worst = total["silent_error"]["worst_condition"]
    assert (worst["corruption"], worst["severity"]) == ("blur", 3)


def test_failed_cases_are_not_right():
    rows = [r | {"error": "timeout"} if r["outcome"] == "failed" else r for r in table({("tilt", 1): "ccff"})]
    data = summary(rows)["adapters"]["a"]
    assert data["fields"]["total"]["worst_condition"]["estimate"] == 0.5
    assert data["fields"]["total"]["silent_error"]["worst_condition"]["estimate"] == 0
    assert data["errors"]["timeout"] == 2
    assert data["errors"]["crashed"] == 0
    assert set(data["errors"]) == {
        "timeout", "crashed", "refused", "filtered", "truncated", "malformed", "rate_limited", "server"
    }  # fmt: skip


def test_n_counts_receipts_not_cases():
    """Two seeds per condition: right only if right in both, silently wrong if in any."""
    rows = [
        row("r0", "tilt", 1, "total", "correct", seed=0),
        row("r0", "tilt", 1, "total", "wrong", seed=1),
        row("r1", "tilt", 1, "total", "correct", seed=0),
        row("r1", "tilt", 1, "total", "correct", seed=1),
    ]
    total = total_of(rows)
    assert total["worst_condition"] == {"corruption": "tilt", "severity": 1, **exact(1, 2)}
    assert total["silent_error"]["worst_condition"]["estimate"] == 0.5
    assert total["silent_error"]["mean"] == bounds.mean([0.5, 0]).to_json()


def test_targets_of_one_condition_are_taken_together():
    rows = [
        row("r0", "blur", 1, "total", kind, target=t) for t, kind in (("total", "wrong"), ("date", "correct"))
    ]
    assert total_of(rows)["worst_condition"] == {"corruption": "blur", "severity": 1, **exact(0, 1)}


def test_unanswerable_cases_stand_apart():
    rows = [
        *table({("clean", 0): "ccc", ("tilt", 1): "ccc"}),
        row("r0", "cover", 5, "total", "missed", answerable=False),
        row("r1", "cover", 5, "total", "wrong", answerable=False, by_reader=True),
        row("r2", "cover", 5, "total", "wrong", answerable=False),
    ]
    data = summary(rows)["adapters"]["a"]
    total = data["fields"]["total"]
    assert total["unanswerable"] == {
        "cases": 3, "honest": 2, "silent": 1, "conditions": [{"corruption": "cover", "severity": 5}]
    }  # fmt: skip
    assert total["worst_condition"] == {"corruption": "tilt", "severity": 1, **exact(3, 3)}
    assert total["all_conditions"] == {**exact(3, 3), "n_incomplete": 0}
    assert total["silent_error"]["mean"]["estimate"] == 0
    assert total["raw"]["worst_condition"] == {"corruption": "cover", "severity": 5, **exact(0, 3)}
    assert total["raw"]["all_conditions"] == {**exact(0, 3), "n_incomplete": 0}
    assert total["raw"]["clean"] == exact(3, 3)
    covered = next(c for c in data["conditions"] if c["corruption"] == "cover")
    assert covered == {
        "field": "total", "corruption": "cover", "severity": 5, **exact(0, 0), "n_unanswerable": 3,
        "silent_error": exact(0, 0),
    }  # fmt: skip
    assert covered["estimate"] is None


def test_a_condition_partly_unanswerable_counts_the_rest():
    rows = [
        row("r0", "cover", 5, "total", "missed", answerable=False),
        row("r1", "cover", 5, "total", "wrong"),
        row("r2", "cover", 5, "total", "correct"),
        *table({("tilt", 1): "ccc"}),
    ]
    total = total_of(rows)
    assert total["worst_condition"] == {"corruption": "cover", "severity": 5, **exact(1, 2)}
    assert total["all_conditions"] == {**exact(2, 3), "n_incomplete": 0}


def test_receipts_without_some_condition_leave_all_conditions():
    total = total_of(table({("tilt", 1): "cccw", ("blur", 1): "cc  "}))
    assert total["all_conditions"] == {**exact(2, 2), "n_incomplete": 2}
    assert total["worst_condition"]["n"] == 2


def test_a_condition_nobody_can_answer_leaves_nobody_incomplete():
    hidden = row("r0", "cover", 5, "total", "wrong", answerable=False)
    total = total_of([*table({("tilt", 1): "ccw"}), hidden])
    assert total["all_conditions"] == {**exact(2, 3), "n_incomplete": 0}


def test_means_are_over_the_conditions_a_receipt_was_run_on():
    total = total_of(table({("tilt", 1): "ww", ("blur", 1): "c "}))
    assert total["silent_error"]["mean"] == bounds.mean([0.5, 1.0]).to_json()


def test_reviews_of_unanswerable_cases_do_not_count():
    hidden = row("r0", "cover", 5, "total", "abstained", answerable=False, by_reader=True)
    total = total_of([*table({("tilt", 1): "cc"}), hidden])
    assert total["review_rate"]["mean"]["estimate"] == 0
    assert total["review_rate"]["mean"]["n"] == 2


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


def test_clean_only_has_clean_as_its_condition():
    data = summary(table({("clean", 0): "cccw"}))
    total = data["adapters"]["a"]["fields"]["total"]
    assert data["clean_only"]
    assert data["grid"] == [{"corruption": "clean", "severity": 0}]
    assert total["worst_condition"] == {"corruption": "clean", "severity": 0, **exact(3, 4)}
    assert total["all_conditions"] == {**exact(3, 4), "n_incomplete": 0}
    assert total["silent_error"]["mean"]["estimate"] == 0.25


def test_without_clean_there_is_no_retention():
    total = total_of(table({("photo-dim", 0): "ccw", ("photo-far", 0): "cww"}))
    assert total["clean"] == exact(0, 0)
    assert total["baselines"]["minimum_retention"] is None
    assert total["worst_condition"]["corruption"] == "photo-far"


def test_groups_are_right_when_all_their_receipts_are():
    groups = {"r0": "shop", "r1": "shop", "r2": "kiosk", "r3": None}
    rows = [r | {"group": groups[r["sample_id"]]} for r in table({("clean", 0): "cccc", ("tilt", 1): "cwcc"})]
    total = total_of(rows)
    assert total["worst_condition"] == {"corruption": "tilt", "severity": 1, **exact(3, 4)}
    assert total["groups"] == {
        "clean": exact(3, 3),
        "worst_condition": {"corruption": "tilt", "severity": 1, **exact(2, 3)},
        "all_conditions": {**exact(2, 3), "n_incomplete": 0},
    }
    assert "groups" not in total_of(table(TOY))


def test_text_fields_state_the_similarity_asked_for():
    fields = summary(table(TOY) + table(TOY, "merchant"))["adapters"]["a"]["fields"]
    assert fields["merchant"]["text_similarity"] == 0.85
    assert "text_similarity" not in fields["total"]


def test_a_field_no_truth_has_is_absent():
    fields = summary(table(TOY) + table(TOY, "document"))["adapters"]["a"]["fields"]
    assert list(fields) == ["total", "document"]


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


def test_rules_by_hand():
    rows = [
        row("r0", "clean", 0, "total", "correct", verdict="contradicts"),
        row("r0", "tilt", 1, "total", "correct", verdict="closes"),
        row("r0", "blur", 1, "total", "wrong", verdict="closes"),
        row("r1", "clean", 0, "total", "correct", verdict="closes"),
        row("r1", "tilt", 1, "total", "wrong", verdict="contradicts"),
        row("r1", "blur", 1, "total", "failed", verdict=None, error="crashed"),
    ]
    rows += [r | {"field": "document"} for r in rows]
    rules = summary(rows)["adapters"]["a"]["rules"]
    assert rules["closes"] == bounds.mean([1, 0]).to_json()
    assert rules["contradicts"] == bounds.mean([0, 0.5]).to_json()
    assert rules["cannot_tell"]["estimate"] == 0
    assert rules["clean"]["closes"]["estimate"] == rules["clean"]["contradicts"]["estimate"] == 0.5
    expected = bounds.mean([0.5, 0]).to_json()
    worst = {"corruption": "blur", "severity": 1, **exact(1, 2)}
    assert rules["closes_but_wrong"] == {
        "total": {**expected, "worst_condition": worst}, "document": {**expected, "worst_condition": worst}
    }  # fmt: skip
    assert rules["contradicts_though_right"] == bounds.mean([0.0]).to_json()


def test_a_failed_case_does_not_close_even_with_a_verdict():
    rows = [row("r0", "tilt", 1, "total", "failed", verdict="closes", error="malformed")]
    assert summary(rows)["adapters"]["a"]["rules"]["closes"]["estimate"] == 0


def test_usage_adds_up():
    rows = table({("clean", 0): "cccc"})
    cases = cases_of(rows, cost=["0.01", "0.02", None, "0.10"], cached=[True, False, False, True])
    usage = summary(rows, cases=cases)["adapters"]["a"]["usage"]
    assert usage == {
        "calls": 4, "cached": 2, "seconds": 2.0, "tokens_in": 40, "tokens_out": 8, "cost": "0.13"
    }  # fmt: skip
    assert summary(rows)["adapters"]["a"]["usage"]["cost"] is None


def test_adapters_stand_apart():
    rows = table(TOY) + [r | {"adapter": "b", "outcome": "wrong"} for r in table(TOY)]
    adapters = summary(rows)["adapters"]
    assert list(adapters) == ["a", "b"]
    assert adapters["a"]["fields"]["total"]["clean"]["estimate"] == 1
    assert adapters["b"]["fields"]["total"]["clean"]["estimate"] == 0


def test_without_any_truth_the_rules_remain():
    rows = [row(f"r{i}", "clean", 0, "total", "correct", verdict="closes") for i in range(3)]
    data = summarise(pd.DataFrame(rows).iloc[:0], cases_of(rows), dataset="bare", n_samples=3)
    adapter = data["adapters"]["a"]
    assert adapter["fields"] == {}
    assert adapter["conditions"] == []
    assert adapter["rules"]["closes"]["estimate"] == 1
    assert adapter["rules"]["closes_but_wrong"] == {}
    json.dumps(data, allow_nan=False)


def test_top_level():
    data = summary(table(TOY), alpha=0.1, n_left_out=3)
    assert data.items() >= {
        "schema": 1, "dataset": "toy", "n_samples": 4, "n_left_out": 3, "n_cases": 16, "alpha": 0.1
    }.items()  # fmt: skip
    assert data["adapters"]["a"]["fields"]["total"]["clean"] == exact(4, 4, 0.1)
    assert data["grid"] == [
        {"corruption": "blur", "severity": 1}, {"corruption": "blur", "severity": 3},
        {"corruption": "tilt", "severity": 1},
    ]  # fmt: skip


def rates_in(data):
    if isinstance(data, dict) and "lower_bound" in data:
        yield data
    for value in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from rates_in(value)


def test_every_rate_has_its_five_parts_and_encloses_its_estimate():
    found = list(rates_in(summary(table(TOY) + table(TOY, "document"))))
    assert len(found) > 30
    for rate in found:
        assert set(rate) >= RATE
        assert rate["n"] <= 4
        if rate["estimate"] is not None:
            assert 0 <= rate["lower_bound"] <= rate["estimate"] <= rate["upper_bound"] + 1e-12 <= 1 + 1e-12


def test_the_order_of_rows_does_not_matter():
    rows = pd.DataFrame(table(TOY) + table(TOY, "document"))
    cases = cases_of(rows.to_dict("records"))
    shuffled = summarise(
        rows.sample(frac=1, random_state=3), cases.sample(frac=1, random_state=4), dataset="toy", n_samples=4
    )
    assert shuffled == summarise(rows, cases, dataset="toy", n_samples=4)


@pytest.mark.slow
def test_a_million_outcomes_take_seconds():
    rng = np.random.default_rng(0)
    conditions = [("clean", 0)] + [(f"c{i}", s) for i in range(8) for s in (1, 3, 5)]
    fields = ["total", "date", "items", "document", *(f"items[{i}].amount" for i in range(36))]
    index = pd.MultiIndex.from_product([range(1000), range(25), range(40)])
    sample, condition, field = (index.get_level_values(level).to_numpy() for level in range(3))
    rows = pd.DataFrame(
        {
            "sample_id": np.array([f"r{i}" for i in range(1000)])[sample],
            "group": None,
            "corruption": np.array([name for name, _ in conditions])[condition],
            "severity": np.array([s for _, s in conditions])[condition],
            "seed": 0,
            "target": None,
            "adapter": "a",
            "field": np.array(fields)[field],
            "truth": "1.00, 2.00",
            "value": "1.00, 2.00",
            "outcome": np.where(rng.random(len(index)) < 0.9, "correct", "wrong"),
            "flagged_by_reader": False,
            "flagged_by_rules": False,
            "silent": False,
            "answerable": True,
            "verdict": "closes",
            "error": None,
        }
    )
    cases = cases_of(rows[field == 0])
    started = time.process_time()
    data = summarise(rows, cases, dataset="big", n_samples=1000)
    assert time.process_time() - started < 10
    assert math.isclose(data["adapters"]["a"]["fields"]["total"]["clean"]["estimate"], 0.9, abs_tol=0.05)
