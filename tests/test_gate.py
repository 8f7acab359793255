import json

import pandas as pd
import pytest

from robustocr.bounds import documents_to_refute, required_documents, share
from robustocr.errors import InputError
from robustocr.gate import GateStatus, exit_code, judge, judge_all, parse_requirement


def outcomes(counts, *, field="total", wrong="wrong", adapter="a", **columns):
    """Rows where ``counts[corruption, severity]`` is (wrong ones, which come first, all receipts)."""
    rows = [
        {
            "sample_id": f"r{i:04d}", "corruption": name, "severity": severity, "seed": 0, "target": None,
            "adapter": adapter, "field": field, "group": None, "value": "1", "truth": "1",
            "outcome": wrong if i < bad else "correct", "silent": wrong == "wrong" and i < bad,
            "flagged_by_reader": False, "flagged_by_rules": False, "answerable": True,
            "verdict": "cannot_tell", **columns,
        }
        for (name, severity), (bad, n) in counts.items()
        for i in range(n)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def judged(text, counts, *, alpha=0.05, **more):
    return judge(parse_requirement(text), outcomes(counts, **more), alpha=alpha)


@pytest.mark.parametrize(
    ("text", "measure", "field", "threshold"),
    [
        ("total>=0.95", "accuracy", "total", 0.95),
        (" document >= .9 ", "accuracy", "document", 0.9),
        ("items>=90%", "accuracy", "items", 0.9),
        ("silent(total)<=0.02", "silent", "total", 0.02),
        ("silent( items ) <= 2.5 %", "silent", "items", 0.025),
        ("review(document)<=1", "review", "document", 1.0),
        ("closes_but_wrong(total)<=0.05", "closes_but_wrong", "total", 0.05),
    ],
)
def test_parse(text, measure, field, threshold):
    requirement = parse_requirement(text)
    assert (requirement.measure, requirement.field) == (measure, field)
    assert requirement.threshold == pytest.approx(threshold)
    assert requirement.text == text.strip()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("totl>=0.95", r"unknown field 'totl'\. Did you mean 'total'\?.*merchant"),
        ("silent(totl)<=0.02", r"unknown field 'totl'"),
        ("items[0].amount>=0.9", r"unknown field 'items\[0\]\.amount'"),
        ("slient(total)<=0.02", r"unknown measure 'slient'\. Did you mean 'silent'\?"),
        ("total<=0.95", r"needs >= in place of <=.*total>=0.95"),
        ("silent(total)>=0.02", r"needs <= in place of >="),
        ("total>0.95", r"needs >= in place of >"),
        ("total>=95", r"share lies between 0 and 1, or write %"),
        ("total", r"cannot read the requirement 'total'; write \"total>=0.95\""),
        ("total>=high", r"cannot read"),
        ("", r"cannot read"),
        ("total>=0.95 and date>=0.9", r"cannot read"),
    ],
)
def test_parse_errors_name_the_choices(text, message):
    with pytest.raises(InputError, match=message):
        parse_requirement(text)


def test_pass_needs_every_lower_bound():
    result = judged("total>=0.95", {("clean", 0): (9, 59), ("tilt", 3): (0, 59), ("blur", 5): (0, 59)})
    assert result.status == GateStatus.PASS
    assert result.bound == pytest.approx(share(59, 59).lower_bound)
    assert result.condition == ("blur", 5)
    assert result.more_documents is None
    assert result.message == (
        "blur, severity 5: total is right on 59 of 59 receipts; with 95 % confidence on at least 95 % "
        "under the worst of 2 conditions"
    )


def test_one_receipt_fewer_is_not_enough():
    result = judged("total>=0.95", {("tilt", 3): (0, 58), ("blur", 5): (0, 59)})
    assert result.status == GateStatus.NOT_ENOUGH
    assert (result.more_documents, result.would) == (1, GateStatus.PASS)
    assert result.condition == ("tilt", 3)
    assert result.message.endswith("at the rates seen, 1 more document would make it pass")


def test_the_slowest_condition_says_how_many_more():
    result = judged("total>=0.9", {("tilt", 3): (0, 20), ("blur", 5): (1, 50)})
    slow = required_documents(0.9, rate=0.98) - 50
    assert result.status == GateStatus.NOT_ENOUGH
    assert result.more_documents == max(slow, 29 - 20)
    needed = 50 + slow
    failures = -(-needed // 50)
    assert share(needed - failures, needed).lower_bound >= 0.9


def test_fail_needs_an_upper_bound_at_alpha_over_m():
    """10 of 20 at alpha/2 has the upper bound .728; 19 of 20 is no failure."""
    counts = {("clean", 0): (0, 20), ("tilt", 3): (10, 20), ("blur", 5): (1, 20)}
    result = judged("total>=0.9", counts)
    assert result.status == GateStatus.FAIL
    assert result.missed_by == (("tilt", 3),)
    assert share(10, 20, 0.025).upper_bound == pytest.approx(0.728, abs=5e-4)
    assert result.message == (
        "tilt, severity 3: total is right on 10 of 20 receipts; with 95 % confidence on at most 72.9 % "
        "under one condition"
    )


def test_many_conditions_need_more_to_fail():
    """13 of 20: the upper bound at .05 is .823, at .05 / 40 it is .903."""
    one = judged("total>=0.85", {("tilt", 1): (7, 20)})
    many = judged("total>=0.85", {(f"c{i}", 1): (7 if i == 3 else 0, 20) for i in range(40)})
    assert one.status == GateStatus.FAIL
    assert many.status == GateStatus.NOT_ENOUGH
    assert many.would == GateStatus.FAIL
    assert many.more_documents == documents_to_refute(0.85, rate=13 / 20, alpha=0.05 / 40) - 20
    assert many.more_documents > max(documents_to_refute(0.85, rate=13 / 20) - 20, 0)
    assert many.missed_by == ()


def test_at_the_target_no_number_would_do():
    result = judged("total>=0.9", {("tilt", 1): (2, 20)})
    assert (result.status, result.more_documents, result.would) == (GateStatus.NOT_ENOUGH, None, None)
    assert "no affordable number" in result.message


def test_silent_errors_mirror_it():
    assert judged("silent(total)<=0.02", {("tilt", 1): (0, 149)}).status == GateStatus.PASS
    short = judged("silent(total)<=0.02", {("tilt", 1): (0, 148)})
    assert (short.status, short.more_documents, short.would) == (GateStatus.NOT_ENOUGH, 1, GateStatus.PASS)
    assert short.bound == pytest.approx(share(0, 148).upper_bound)
    worse = judged("silent(total)<=0.02", {("tilt", 1): (10, 40), ("blur", 1): (0, 40)})
    assert worse.status == GateStatus.FAIL
    assert worse.missed_by == (("tilt", 1),)
    assert worse.message == (
        "tilt, severity 1: total is wrong in silence on 10 of 40 receipts; with 95 % confidence on at least "
        "12.6 % under one condition"
    )
    assert share(10, 40, 0.025).lower_bound == pytest.approx(0.1269, abs=5e-5)


def test_wrong_but_flagged_is_not_silent_but_reviewed():
    counts = {("tilt", 1): (30, 30)}
    rows = outcomes(counts, flagged_by_rules=True, silent=False)
    assert judge(parse_requirement("silent(total)<=0.1"), rows).status == GateStatus.PASS
    assert judge(parse_requirement("review(total)<=0.5"), rows).status == GateStatus.FAIL
    assert judge(parse_requirement("total>=0.5"), rows).status == GateStatus.FAIL


def test_closes_but_wrong():
    rows = outcomes({("tilt", 1): (15, 30)}, wrong="missed", verdict="closes")
    assert judge(parse_requirement("closes_but_wrong(total)<=0.2"), rows).status == GateStatus.FAIL
    rows["verdict"] = "contradicts"
    assert judge(parse_requirement("closes_but_wrong(total)<=0.1"), rows).status == GateStatus.PASS


def test_clean_stands_apart_unless_it_is_alone():
    assert judged("total>=0.9", {("clean", 0): (25, 29), ("tilt", 1): (0, 29)}).status == GateStatus.PASS
    assert judged("total>=0.9", {("clean", 0): (0, 29)}).status == GateStatus.PASS
    assert judged("total>=0.9", {("clean", 0): (25, 29)}).status == GateStatus.FAIL


def test_a_field_that_was_only_read_clean_does_not_pass_on_clean():
    rows = pd.concat([outcomes({("clean", 0): (0, 29)}), outcomes({("tilt", 1): (0, 29)}, field="document")])
    result = judge(parse_requirement("total>=0.9"), rows)
    assert result.status == GateStatus.NOT_ENOUGH
    assert (result.bound, result.condition) == (None, None)
    assert "nothing can be said" in result.message


def test_conditions_nobody_can_answer_stand_aside():
    hidden = outcomes({("cover", 5): (29, 29)}, answerable=False, silent=False)
    rows = pd.concat([outcomes({("tilt", 1): (0, 29)}), hidden])
    assert judge(parse_requirement("total>=0.9"), rows).status == GateStatus.PASS
    assert judge(parse_requirement("total>=0.9"), hidden).status == GateStatus.NOT_ENOUGH


def test_a_field_without_truth_is_an_error_naming_the_labelled_ones():
    rows = outcomes({("tilt", 1): (0, 29)})
    with pytest.raises(InputError, match=r"'date>=0.9'.*'date', which no truth .* labelled: total"):
        judge(parse_requirement("date>=0.9"), rows)
    with pytest.raises(InputError, match="no receipt of this run has a truth"):
        judge_all([parse_requirement("date>=0.9")], rows.iloc[:0])


def test_several_adapters_are_judged_apart():
    rows = pd.concat([outcomes({("tilt", 1): (0, 29)}), outcomes({("tilt", 1): (20, 29)}, adapter="b")])
    requirement = parse_requirement("total>=0.9")
    with pytest.raises(InputError, match="several adapters, name one: a, b"):
        judge(requirement, rows)
    assert judge(requirement, rows, adapter="b").status == GateStatus.FAIL
    results = judge_all([requirement, parse_requirement("silent(total)<=0.2")], rows)
    assert [(r.adapter, r.status.value) for r in results] == [
        ("a", "pass"), ("a", "pass"), ("b", "fail"), ("b", "fail")
    ]  # fmt: skip
    assert judge_all([], rows.iloc[:0]) == ()


def test_exit_codes():
    passed = judged("total>=0.9", {("tilt", 1): (0, 29)})
    failed = judged("total>=0.9", {("tilt", 1): (20, 29)})
    open_ = judged("total>=0.9", {("tilt", 1): (0, 28)})
    assert exit_code([]) == exit_code([passed, passed]) == 0
    assert exit_code([passed, failed, open_]) == 1
    assert exit_code([passed, open_]) == 3


def test_json():
    data = judged("total>=0.9", {("tilt", 1): (20, 29)}).to_json()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert (data["requirement"], data["adapter"], data["status"]) == ("total>=0.9", "a", "fail")
    assert data["condition"] == {"corruption": "tilt", "severity": 1}
    assert data["missed_by"] == [{"corruption": "tilt", "severity": 1}]
