import pytest

from robustocr import bounds
from tests.outcome_rows import TOY, exact, row, summary, table, total_of


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


def test_a_silent_error_in_a_hidden_case_does_not_count_beside_an_answerable_one():
    rows = [
        row("r0", "cover", 5, "total", "wrong", target="total", answerable=False),
        row("r0", "cover", 5, "total", "correct", target="date"),
    ]
    total = total_of(rows)
    assert total["silent_error"]["worst_condition"]["estimate"] == 0
    assert total["silent_error"]["mean"]["estimate"] == 0
    assert total["worst_condition"]["estimate"] == 1


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
