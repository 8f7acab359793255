"""Do the bounds miss no more often than they say? Simulated receipts, 2,000 runs each, fixed seeds.

A bound of exact level misses more than alpha half of the time by chance, so a run of simulations fails
above the 99.9 % limit of the binomial distribution.
"""

from functools import cache

import numpy as np
import pytest
from scipy.stats import binom

from robustocr import bounds

RUNS, ALPHA = 2000, 0.05
LIMIT = binom.ppf(0.999, RUNS, ALPHA) / RUNS
SEVERITIES = 5
FAMILIES = 4

pytestmark = pytest.mark.slow


def receipts(rng, n, hardest):
    """Right or not, receipts x conditions: one difficulty per receipt; 5 % read best where it is worst."""
    severity = np.linspace(0.2, 1.0, SEVERITIES)
    family = np.linspace(0.5, 1.0, FAMILIES)
    strength = np.outer(family, severity).ravel() * hardest
    odd = rng.random((n, 1)) < 0.05
    difficulty = rng.gamma(0.4, 2.5, (n, 1))
    chance = np.exp(-difficulty * np.where(odd, strength[::-1], strength))
    return rng.random((n, len(strength))) < chance


@pytest.fixture(scope="module", params=[(60, 0.05), (60, 0.4), (30, 2.0)], ids=["rare", "common", "hard"])
def world(request):
    """Receipts per run, the true share right per condition and under all of them, and 2,000 runs."""
    n, hardest = request.param
    rng = np.random.default_rng(20260314)
    crowd = receipts(rng, 400_000, hardest)
    runs = receipts(rng, RUNS * n, hardest).reshape(RUNS, n, -1)
    return n, crowd.mean(axis=0), crowd.all(axis=1).mean(), runs


def missed(lower, truth):
    return float(np.mean(lower > truth))


def test_the_limit():
    assert pytest.approx(0.0655) == LIMIT


def test_worst_condition_holds(world):
    n, right, _, runs = world
    lower = bounds.clopper_pearson_lower(runs.sum(axis=1), n, ALPHA).min(axis=1)
    assert missed(lower, right.min()) <= LIMIT


def test_plug_in_minimum_is_no_bound(world):
    _, right, _, runs = world
    assert runs.mean(axis=1).min(axis=1).mean() < right.min()


def test_all_conditions_hold(world):
    n, _, every, runs = world
    lower = bounds.clopper_pearson_lower(runs.all(axis=2).sum(axis=1), n, ALPHA)
    assert missed(lower, every) <= LIMIT


def test_mean_of_shares_holds(world):
    _, right, _, runs = world
    assert np.mean([bounds.refutes(run.mean(axis=1), right.mean(), ALPHA) for run in runs]) <= LIMIT
    wrong = [bounds.refutes(1 - run.mean(axis=1), 1 - right.mean(), ALPHA) for run in runs]
    assert np.mean(wrong) <= LIMIT


def test_a_bound_on_pooled_cases_does_not_hold(world):
    n, right, _, runs = world
    cases = n * runs.shape[2]
    lower = bounds.clopper_pearson_lower(runs.sum(axis=(1, 2)), cases, ALPHA)
    assert missed(lower, right.mean()) > LIMIT


def test_failing_a_target_every_condition_meets_is_rare():
    """40 conditions exactly at the target: alpha/m keeps the promise, alpha for each does not."""
    rng = np.random.default_rng(7)
    k = rng.binomial(60, 0.9, (RUNS, 40))
    careful = bounds.clopper_pearson_upper(k, 60, ALPHA / 40).min(axis=1) < 0.9
    careless = bounds.clopper_pearson_upper(k, 60, ALPHA).min(axis=1) < 0.9
    assert careful.mean() <= LIMIT
    assert careless.mean() > 0.5


def test_betting_may_be_read_at_every_moment_and_clopper_pearson_may_not():
    rng = np.random.default_rng(11)
    truth, longest = 0.9, 200
    right = rng.random((RUNS, longest)) < truth
    exact = bounds.clopper_pearson_lower(np.cumsum(right, axis=1), np.arange(1, longest + 1), ALPHA)
    assert np.mean(np.any(exact > truth, axis=1)) > 2 * LIMIT

    @cache
    def refuted(k, n):
        return bounds.refutes(np.repeat([1.0, 0.0], [k, n - k]), truth, ALPHA)

    ever = [any(refuted(int(k), t + 1) for t, k in enumerate(np.cumsum(run))) for run in right]
    assert 0 < np.mean(ever) <= LIMIT
