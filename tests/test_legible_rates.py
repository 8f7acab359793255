import pandas as pd
import pytest

from robustocr.legible_rates import BANDS, band_of, bands_of, legibility_seen
from tests.outcome_rows import row, summary

NOTHING = {"cases": 0, "correct": 0, "flagged": 0, "silent": 0, "no_value": 0, "failed": 0}


def counts(**more):
    return NOTHING | more | {"cases": sum(more.values())}


def legibility(rows, **more):
    return summary(rows, **more)["adapters"]["a"]["legibility"]


def blurred(sample, outcome, seen, field="total", **more):
    return row(sample, "blur", 3, field, outcome, legibility=seen, **more)


@pytest.mark.parametrize(
    ("seen", "answerable", "band"),
    [
        (0.0, True, "lost"), (0.0999, False, "lost"), (0.1, True, "hard"), (0.4999, True, "hard"),
        (0.5, True, "legible"), (1.0, True, "legible"), (None, True, "unknown"),
        (None, False, "lost"), (0.9, False, "lost"),
    ],
)  # fmt: skip
def test_bands_begin_at_a_tenth_and_at_a_half_and_what_is_covered_is_lost(seen, answerable, band):
    assert band_of(seen, answerable=answerable) == band


def test_bands_of_a_whole_table_are_those_of_its_rows():
    table = pd.DataFrame(
        {"legibility": [0.05, None, 0.3, None, 0.7], "answerable": [False, False, True, True, True]}
    )
    assert [BANDS[place] for place in bands_of(table)] == ["lost", "lost", "hard", "unknown", "legible"]
    seen = legibility_seen(table)
    assert seen[[0, 1, 2, 4]].tolist() == [0.05, 0, 0.3, 0.7]
    assert pd.isna(seen[3])


def test_counts_of_a_field_by_hand():
    rows = [
        blurred("r0", "correct", 0.9, by_reader=True),
        blurred("r1", "wrong", 0.5),
        blurred("r2", "wrong", 0.6, by_rules=True),
        blurred("r3", "missed", 0.2),
        blurred("r4", "abstained", 0.2, by_reader=True),
        blurred("r5", "failed", 0.3, error="timeout"),
        blurred("r6", "wrong", 0.01, answerable=False),
        blurred("r7", "invented", None, truth=None),
        blurred("r8", "correct", None, truth=None, value=None),
    ]
    rows.append(row("r0", "clean", 0, "total", "wrong"))
    found = legibility(rows)
    assert found["fields"] == {
        "total": {
            "lost": counts(silent=1),
            "hard": counts(no_value=2, failed=1),
            "legible": counts(correct=1, silent=1, flagged=1),
            "unknown": counts(correct=1, silent=1),
        }
    }
    assert found["values"] == found["fields"]["total"] | {"unknown": counts(silent=1)}
    assert found["silent_on_clean"] == 1
    assert found["method"] == "counts of cases, no bounds"


def test_a_condition_counts_the_printed_values_of_all_its_receipts():
    rows = [
        blurred("r0", "correct", 0.9),
        blurred("r1", "wrong", 0.3),
        blurred("r0", "correct", 0.7, "date"),
        blurred("r1", "missed", None, "date", answerable=False),
        blurred("r1", "missed", None, "time"),
        blurred("r1", "invented", None, "tip", truth=None),
        blurred("r0", "correct", 0.1, "items"),
        blurred("r0", "correct", 0.1, "items[0].amount"),
        blurred("r0", "wrong", 0.1, "document"),
        row("r0", "blur", 1, "total", "correct"),
        row("r0", "clean", 0, "total", "correct"),
    ]
    mild, strong = legibility(rows)["conditions"]
    assert mild == {
        "corruption": "blur", "severity": 1, "n_measured": 0, "mean": None, "share_legible": None,
        "bands": {"lost": NOTHING, "hard": NOTHING, "legible": NOTHING, "unknown": counts(correct=1)},
    }  # fmt: skip
    assert strong == {
        "corruption": "blur", "severity": 3, "n_measured": 5,
        "mean": pytest.approx((0.9 + 0.3 + 0.7 + 0 + 0.1) / 5), "share_legible": pytest.approx(2 / 5),
        "bands": {
            "lost": counts(no_value=1), "hard": counts(silent=1, correct=1), "legible": counts(correct=2),
            "unknown": counts(no_value=1),
        },
    }  # fmt: skip


def test_legibility_is_the_same_for_all_adapters():
    mine = [blurred("r0", "correct", 0.9), blurred("r1", "wrong", 0.3)]
    other = [r | {"adapter": "b", "outcome": "failed", "value": None, "silent": False} for r in mine]
    adapters = summary(mine + other)["adapters"]
    one, two = (adapters[name]["legibility"]["conditions"][0] for name in "ab")
    for key in ("n_measured", "mean", "share_legible"):
        assert one[key] == two[key]
    assert [one["bands"][band]["cases"] for band in BANDS] == [two["bands"][band]["cases"] for band in BANDS]
    assert two["bands"]["legible"]["failed"] == 1


def test_a_silent_list_counts_where_none_of_its_figures_is_silent():
    rows = [
        blurred("r0", "wrong", 0.9, "items"),
        blurred("r0", "correct", 0.9, "items[0].amount"),
        blurred("r1", "wrong", 0.2, "items"),
        blurred("r1", "wrong", 0.2, "items[0].amount"),
        blurred("r1", "wrong", 0.2, "items", seed=1),
        blurred("r1", "correct", 0.2, "items[0].amount", seed=1),
        blurred("r2", "wrong", 0.9, "items", by_rules=True),
    ]
    found = legibility(rows)
    assert found["values"]["legible"] == counts(correct=1, silent=1)
    assert found["values"]["hard"] == counts(correct=1, silent=2)
    assert found["fields"]["items"]["hard"] == counts(silent=2)
    assert found["conditions"][0]["bands"]["hard"] == counts(correct=1, silent=1)


def test_clean_alone_is_the_grid_and_not_measured():
    found = legibility([row("r0", "clean", 0, "total", "wrong"), row("r1", "clean", 0, "total", "correct")])
    assert found["values"]["unknown"] == counts(correct=1, silent=1)
    assert found["silent_on_clean"] == 0
    assert [c["corruption"] for c in found["conditions"]] == ["clean"]
