import numpy as np
import pandas as pd
import pytest

from robustocr.failures import Failures, failures_of
from robustocr.likeness import condition_correlation, distances, find_alike
from tests.outcome_rows import table


def failures(failed, name="c"):
    failed = np.asarray(failed, dtype=float)
    n_conditions, n, n_fields = failed.shape
    return Failures(
        conditions=tuple((f"{name}{place}", 0) for place in range(n_conditions)),
        receipts=tuple(f"r{place}" for place in range(n)),
        fields=tuple(f"f{place}" for place in range(n_fields)),
        failed=failed,
    )


def worlds(n, *, seed=0, levels=(-2.0, -0.7, 0.7), kinds=3, n_fields=4):
    """Kinds of damage that each hit other receipts, at levels of severity; and real pictures of the same."""
    rng = np.random.default_rng(seed)
    hit = rng.normal(0, 1.5, (kinds, n))
    field = rng.normal(0, 0.5, n_fields)

    def under(kind, level):
        return level + hit[kind][:, None] + field + rng.normal(0, 0.5, (n, n_fields)) > 0

    grid = [(kind, level) for kind in range(kinds) for level in levels]
    return failures([under(*one) for one in grid], "real"), failures([under(*one) for one in grid], "made")


def test_the_distance_by_hand():
    real = failures([[[1], [1], [0], [0]]])
    made = failures([[[1], [1], [0], [0]], [[1], [0], [1], [0]], [[0], [0], [0], [0]], [[0], [0], [1], [1]]])
    assert distances(real, made, np.ones(4))[0].tolist() == pytest.approx([-0.25, 0.0, 0.25, 0.25])


def test_receipts_count_by_their_weight():
    real, made = worlds(12)
    twice = np.repeat(np.arange(12), 2)
    doubled = distances(failures(real.failed[:, twice]), failures(made.failed[:, twice]), np.ones(24))
    assert distances(real, made, np.full(12, 2.0)) == pytest.approx(doubled)


def test_what_was_not_tried_does_not_count():
    real = failures([[[1], [0], [np.nan], [1]]])
    made = failures([[[1], [0], [1], [np.nan]], [[np.nan]] * 4])
    found = distances(real, made, np.ones(4))[0]
    assert found[0] == pytest.approx(-0.25)
    assert np.isinf(found[1])


def test_a_condition_is_most_like_itself():
    real, _ = worlds(60)
    found = find_alike(real, real, rng=np.random.default_rng(0))
    for likeness, condition in zip(found, real.conditions, strict=True):
        assert likeness.chosen == ((condition, 1.0),)
        assert likeness.predicted == likeness.observed
        assert likeness.same == 1.0


def test_the_same_kind_of_damage_is_found_and_its_accuracy_predicted():
    real, made = worlds(200)
    found = find_alike(real, made, rng=np.random.default_rng(0))
    for place, likeness in enumerate(found):
        assert likeness.chosen[0][0] == made.conditions[place]
        assert abs(likeness.predicted - likeness.observed) < 0.1
        assert likeness.same > likeness.same_by_chance + 0.05
    assert sum(share for _, share in found[0].chosen) == pytest.approx(1)
    rho = condition_correlation(found, real, made, rng=np.random.default_rng(0))
    assert rho.estimate > 0.9
    assert 0.4 < rho.low <= rho.estimate <= rho.high
    assert rho.n == 9


def test_patterns_that_share_nothing_agree_by_chance_alone():
    rng = np.random.default_rng(3)
    rates = np.array([0.2, 0.4, 0.6, 0.8])[:, None, None]
    real, made = (failures(rng.random((4, 300, 3)) < rates) for _ in range(2))
    for likeness in find_alike(real, made, rng=rng):
        assert likeness.same == pytest.approx(likeness.same_by_chance, abs=0.03)


def test_the_choice_is_never_judged_on_the_receipts_it_was_made_on():
    """Among many patterns of pure chance one fits any half by luck; on the other half it must not."""
    rng = np.random.default_rng(5)
    real, made = failures(rng.random((1, 20, 1)) < 0.5), failures(rng.random((400, 20, 1)) < 0.5)
    (likeness,) = find_alike(real, made, rng=rng)
    lucky = np.mean(made.failed == real.failed, axis=(1, 2)).max()
    assert lucky >= 0.8
    assert likeness.same < 0.65


def test_a_condition_nobody_shares_has_no_prediction():
    real = failures([[[np.nan]] * 12, [[1.0]] * 12])
    made = failures([[[1.0]] * 12])
    first, second = find_alike(real, made, rng=np.random.default_rng(0))
    assert (first.n, first.observed, first.predicted, first.chosen) == (0, None, None, ())
    assert (second.n, second.observed, second.predicted) == (12, 0.0, 0.0)


def test_one_accuracy_for_all_is_no_order():
    real = failures([[[1.0]] * 12] * 4)
    found = find_alike(real, real, rng=np.random.default_rng(0))
    rho = condition_correlation(found, real, real, rng=np.random.default_rng(0))
    assert (rho.estimate, rho.low, rho.high) == (None, -1.0, 1.0)
    assert "the same for all" in rho.reason


def test_failures_come_from_outcomes():
    rows = table({("clean", 0): "cc ", ("dim", 0): "wm "}) + table({("clean", 0): "c w"}, "document")
    rows += table({("dim", 0): " ca"}, "date")
    found = failures_of(pd.DataFrame(rows))
    assert (found.conditions, found.receipts) == ((("clean", 0), ("dim", 0)), ("r0", "r1", "r2"))
    nan = pytest.approx(float("nan"), nan_ok=True)
    assert found.fields == ("date", "total")
    assert found.failed[0].tolist() == [[nan, 0], [nan, 0], [nan, nan]]
    assert found.failed[1].tolist() == [[nan, 1], [0, 1], [1, nan]]
    assert found.share == pytest.approx(3 / 6)


def test_a_receipt_that_lacks_an_easy_condition_does_not_look_hard():
    easy, hard = [[0.0]] * 4, [[1.0], [1.0], [1.0], [0.0]]
    easy[0] = [np.nan]
    found = failures([easy, hard]).excess()
    assert found[0] > 0
    assert found[0] == pytest.approx(0.25)
    assert found[1:].tolist() == pytest.approx([0.125, 0.125, -0.375])
    whole = failures([[[0.0]] * 4, hard])
    shares = whole.failed.mean(axis=(0, 2))
    assert whole.excess() == pytest.approx(shares - shares.mean())
