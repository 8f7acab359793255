import json
import math
import time

import numpy as np
import pandas as pd
import pytest

from robustocr import bounds
from robustocr.summary import summarise
from tests.outcome_rows import TOY, cases_of, exact, row, summary, table

RATE = {"estimate", "n", "lower_bound", "upper_bound", "method"}


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
            "legibility": rng.random(len(index)),
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


def test_text_fields_state_the_similarity_asked_for():
    fields = summary(table(TOY) + table(TOY, "merchant"))["adapters"]["a"]["fields"]
    assert fields["merchant"]["text_similarity"] == 0.85
    assert "text_similarity" not in fields["total"]


def test_a_field_no_truth_has_is_absent():
    fields = summary(table(TOY) + table(TOY, "document"))["adapters"]["a"]["fields"]
    assert list(fields) == ["total", "document"]


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
