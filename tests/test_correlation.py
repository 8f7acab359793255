import math

import numpy as np
import pytest
from scipy.stats import spearmanr

from robustocr.correlation import hull, nearly_perfect, rank_correlation, spearman, untied


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def test_rho_is_that_of_scipy_ties_included(rng):
    for n in (5, 12, 40):
        x, y = rng.integers(0, 6, n), rng.integers(0, 4, n)
        assert float(spearman(x, y)) == pytest.approx(spearmanr(x, y).statistic)


def test_rows_are_correlated_one_by_one(rng):
    x, y = rng.normal(size=(3, 9)), rng.normal(size=(3, 9))
    assert spearman(x, y).tolist() == pytest.approx(
        [float(spearman(*pair)) for pair in zip(x, y, strict=True)]
    )


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("n", "bound"), [(4, -0.5), (6, 0.5), (10, 0.95)])
def test_perfect_agreement_is_no_certainty(rng, n, bound, sign):
    x = np.arange(n)
    found = rank_correlation(x, sign * x**3, rng=rng)
    assert found.estimate == pytest.approx(sign)
    ends = sorted((sign * found.low, sign * found.high))
    assert ends[0] < bound
    assert ends[1] == pytest.approx(1.0)


def test_a_few_that_agree_among_many_ties_are_few():
    x = np.zeros(60)
    x[:3] = 1
    few = rank_correlation(x, x, rng=np.random.default_rng(0))
    distinct = rank_correlation(np.arange(60), np.arange(60), rng=np.random.default_rng(0))
    assert few.low < 0.7 < 0.99 < distinct.low


def test_one_exchange_short_of_perfect():
    x = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    assert nearly_perfect(x, x) == pytest.approx(float(spearman(x, [1, 3, 2, 4, 5])))
    pairs, exchanged = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 0, 1])
    assert nearly_perfect(pairs, pairs) == pytest.approx(float(spearman(pairs, exchanged)))
    assert math.isnan(nearly_perfect([1, 1], [1, 2]))


def test_more_things_make_it_narrower(rng):
    widths = []
    for n in (10, 40, 160):
        x = np.arange(n, dtype=float)
        found = rank_correlation(x, x + rng.normal(0, n / 3, n), rng=rng)
        widths.append(found.high - found.low)
    assert widths == sorted(widths, reverse=True)


def test_without_variation_there_is_no_estimate(rng):
    found = rank_correlation([0.1 + 0.2, 0.3, 0.3, 0.3], [1, 2, 3, 4], rng=rng)
    assert found.estimate is None
    assert (found.low, found.high) == (-1.0, 1.0)
    assert found.to_json()["reason"] == "one of the two is the same for all"


def test_too_few_things_or_unequal_lengths_are_refused(rng):
    for x, y in (([1, 2, 3], [1, 2, 3]), ([1, 2, 3, 4], [1, 2, 3, 4, 5])):
        with pytest.raises(ValueError, match="at least 4 things"):
            rank_correlation(x, y, rng=rng)


def test_resamples_without_variation_say_nothing():
    x = np.arange(20.0)
    assert hull(x, x, np.array([0.9] * 90 + [math.nan] * 10)) == (-1.0, 1.0)


def test_ties_count_for_less():
    assert untied([1, 2, 3, 4, 5]) == pytest.approx(1)
    assert untied([0] * 59 + [1]) == pytest.approx(3 / 61)
    once = np.array([0.0] * 59 + [1.0])
    assert hull(once, once, np.ones(100)) == (-1.0, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("rho", [0.0, 0.6, 0.9])
@pytest.mark.parametrize("n", [10, 25])
def test_the_interval_holds_the_true_correlation_as_often_as_it_says(n, rho):
    """Normal scores, whose Spearman correlation is 6 / pi asin(r / 2); 300 samples each."""
    rng = np.random.default_rng([n, int(10 * rho)])
    true = 6 / math.pi * math.asin(rho / 2)
    held = 0
    for _ in range(300):
        x = rng.normal(size=n)
        y = rho * x + math.sqrt(1 - rho**2) * rng.normal(size=n)
        found = rank_correlation(x, y, rng=rng, alpha=0.1)
        held += found.low <= true <= found.high
    assert held / 300 >= 0.9 - 0.04


@pytest.mark.slow
@pytest.mark.parametrize("threshold", [0.0, 1.2])
def test_it_does_so_for_shares_of_few_failures_with_many_ties(threshold):
    """Shares of 8 fields failing, of receipts hard or easy in both; the truth from 100,000 of them."""
    rng = np.random.default_rng(11)

    def shares(n):
        hard = rng.normal(size=(n, 1))
        return [(0.8 * hard + rng.normal(size=(n, 8)) > threshold * 1.3).mean(axis=1) for _ in range(2)]

    true = float(spearman(*shares(100_000)))
    held, asked = 0, 0
    for _ in range(300):
        found = rank_correlation(*shares(20), rng=rng, alpha=0.1)
        held += found.low <= true <= found.high
        asked += found.estimate is not None
    assert asked > 290
    assert held / 300 >= 0.9 - 0.04
