"""Small tables of outcomes and cases, made by hand, and the summary of them."""

import json

import pandas as pd

from robustocr import bounds
from robustocr.summary import summarise

TOY = {("clean", 0): "cccc", ("blur", 1): "cccw", ("blur", 3): "cwww", ("tilt", 1): "cccm"}


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
        "legibility": more.get("legibility"),
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


def total_of(rows, **more):
    return summary(rows, **more)["adapters"]["a"]["fields"]["total"]
