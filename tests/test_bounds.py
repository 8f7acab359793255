import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from robustocr import bounds

ALPHAS = (0.05, 0.01, 0.2)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [1, 2, 5, 24, 83, 1000])
def test_clopper_pearson_equals_scipy(n, alpha):
    for k in {0, 1, n // 3, n // 2, n - 1, n}:
        for alternative, bound in (
            ("greater", bounds.clopper_pearson_lower),
            ("less", bounds.clopper_pearson_upper),
        ):
            known = binomtest(k, n, alternative=alternative).proportion_ci(1 - alpha, method="exact")
            expected = known.low if alternative == "greater" else known.high
            assert float(bound(k, n, alpha)) == pytest.approx(expected, abs=1e-10)


def test_clopper_pearson_by_hand():
    assert float(bounds.clopper_pearson_lower(24, 24)) == pytest.approx(0.05 ** (1 / 24))
    assert float(bounds.clopper_pearson_upper(0, 24)) == pytest.approx(1 - 0.05 ** (1 / 24))
    assert float(bounds.clopper_pearson_lower(0, 24)) == 0.0
    assert float(bounds.clopper_pearson_upper(24, 24)) == 1.0
    assert float(bounds.clopper_pearson_lower(1, 2)) == pytest.approx(1 - 0.95**0.5)


def test_clopper_pearson_is_elementwise():
    lower = bounds.clopper_pearson_lower([0, 12, 24], [24, 24, 24])
    assert lower.tolist() == [float(bounds.clopper_pearson_lower(k, 24)) for k in (0, 12, 24)]


@pytest.mark.parametrize(("k", "n"), [(3, 2), (-1, 2)])
def test_impossible_counts_are_refused(k, n):
    with pytest.raises(ValueError, match="0 <= k <= n"):
        bounds.clopper_pearson_lower(k, n)


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, 5])
def test_impossible_alpha_is_refused(alpha):
    with pytest.raises(ValueError, match="alpha"):
        bounds.clopper_pearson_upper(1, 2, alpha)
    with pytest.raises(ValueError, match="alpha"):
        bounds.betting_lower([0.5], alpha)


def test_share():
    assert bounds.share(23, 24).to_json() == {
        "estimate": 23 / 24,
        "n": 24,
        "lower_bound": pytest.approx(0.8171, abs=1e-4),
        "upper_bound": pytest.approx(0.9979, abs=1e-4),
        "method": "clopper-pearson",
    }
    nothing = bounds.share(0, 0)
    assert (nothing.estimate, nothing.lower_bound, nothing.upper_bound) == (None, 0.0, 1.0)
    json.dumps(nothing.to_json(), allow_nan=False)


@pytest.mark.parametrize(("target", "documents"), [(0.90, 29), (0.95, 59), (0.98, 149), (0.99, 299)])
def test_documents_without_a_failure(target, documents):
    assert bounds.required_documents(target) == documents
    assert bounds.share(documents, documents).lower_bound >= target
    assert bounds.share(documents - 1, documents - 1).lower_bound < target


def test_documents_with_failures():
    needed = bounds.required_documents(0.95, rate=0.98)
    assert needed is not None
    failures = int(np.ceil(0.02 * needed - 1e-9))
    assert bounds.share(needed - failures, needed).lower_bound >= 0.95
    for n in range(1, needed):
        k = n - int(np.ceil(0.02 * n - 1e-9))
        assert bounds.share(k, n).lower_bound < 0.95


def test_no_number_of_documents_reaches_the_rate_itself():
    assert bounds.required_documents(0.95, rate=0.95) is None
    assert bounds.required_documents(0.95, rate=0.5) is None
    assert bounds.required_documents(1.0) is None
    assert bounds.required_documents(0.0, rate=0.0) == 0
    assert bounds.documents_to_refute(0.9, rate=0.9) is None


def test_documents_to_refute():
    assert bounds.documents_to_refute(0.96, rate=0.0) == 1
    assert bounds.documents_to_refute(0.95, rate=0.0) == 2
    needed = bounds.documents_to_refute(0.95, rate=0.8)
    assert needed is not None
    assert bounds.share(int(np.ceil(0.8 * needed - 1e-9)), needed).upper_bound < 0.95
    assert bounds.documents_to_refute(0.95, rate=0.8, alpha=0.001) > needed


def test_betting_bound_by_hand():
    """After one value of 1 the gamblers hold 1 + c (1 - m) / m on average: 20 where m = 0.525 / 19.525."""
    assert bounds.betting_lower([1.0]) == pytest.approx(0.525 / 19.525, abs=1e-9)
    assert bounds.betting_lower([0.0]) < 1e-9
    assert bounds.betting_lower([]) < 1e-9
    assert bounds.betting_upper([0.0]) == pytest.approx(1 - 0.525 / 19.525, abs=1e-9)


def test_betting_bound_refutes_what_its_definition_says():
    values = np.array([0.2, 0.9, 1.0, 0.7, 1.0, 0.85, 0.95, 1.0, 0.6, 1.0])
    lower = bounds.betting_lower(values)

    def capital(m):
        return np.mean([np.prod(1 + c / m * (values - m)) for c in np.arange(1, 21) / 20])

    assert capital(lower - 1e-6) >= 20 > capital(lower + 1e-6)
    assert bounds.refutes(values, lower - 1e-6)
    assert not bounds.refutes(values, lower + 1e-6)


def test_betting_bound_of_even_scores_is_tighter_than_that_of_coins():
    even, coins = np.full(100, 0.8), np.repeat([1.0, 0.0], [80, 20])
    assert bounds.betting_lower(even) > bounds.betting_lower(coins) + 0.03


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_betting_bounds_enclose_the_mean_in_any_order(values, random):
    bound = bounds.mean(values)
    assert 0 <= bound.lower_bound <= bound.estimate + 1e-9
    assert bound.estimate - 1e-9 <= bound.upper_bound <= 1
    shuffled = list(values)
    random.shuffle(shuffled)
    assert bounds.betting_lower(shuffled) == pytest.approx(bound.lower_bound, abs=1e-9)
    assert (bound.n, bound.method) == (len(values), "betting")


@pytest.mark.parametrize("values", [[1.1], [-0.1], [float("nan")]])
def test_betting_bound_refuses_other_values(values):
    with pytest.raises(ValueError, match="between 0 and 1"):
        bounds.betting_lower(values)


def test_worst_condition_is_that_of_the_smallest_lower_bound():
    assert bounds.worst_condition([24, 12, 23], [24, 24, 24]) == 1
    assert bounds.worst_condition([2, 20], [2, 24]) == 0
    assert bounds.worst_condition([5, 5], [5, 5]) == 0
    assert bounds.worst_condition([0, 3], [0, 4]) == 1
    assert bounds.worst_condition([0], [0]) is None


def test_all_conditions_asks_for_every_one():
    right = np.array([[True, True], [True, False], [False, True], [True, True]])
    bound = bounds.all_conditions(right)
    assert (bound.estimate, bound.n) == (0.5, 4)
    assert bound.lower_bound == bounds.share(2, 4).lower_bound


def test_below_target_is_holm():
    k, n = [90, 10, 12, 19], [100, 20, 20, 20]
    p = [binomtest(a, b, 0.9, alternative="less").pvalue for a, b in zip(k, n, strict=True)]
    order = np.argsort(p)
    adjusted = np.maximum.accumulate([(len(p) - i) * p[j] for i, j in enumerate(order)])
    expected = [False] * 4
    for i, j in enumerate(order):
        expected[j] = bool(adjusted[i] < 0.05)
    assert list(bounds.below_target(k, n, 0.9)) == expected == [False, True, True, False]


def test_holm_names_more_than_bonferroni():
    """P(X <= 15) is .0432 for 20 at .9: over .025, but the second of two is held against .05."""
    assert bounds.below_target([10, 15], [20, 20], 0.9) == (True, True)
    assert bounds.below_target([20, 15], [20, 20], 0.9) == (False, False)


@given(st.integers(0, 30), st.floats(0.05, 0.99))
def test_the_first_step_of_holm_is_bonferroni(k, target):
    n, others = 30, 4
    under = bounds.share(k, n, 0.05 / (others + 1)).upper_bound
    if abs(under - target) > 1e-9:
        assert bounds.below_target([k] + [n] * others, [n] * (others + 1), target)[0] is (under < target)
