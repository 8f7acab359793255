"""Which synthetic condition behaves like which real one: chosen on some receipts, judged on the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from robustocr.correlation import Correlation, hull, spearman, unknown
from robustocr.failures import Failures, Floats
from robustocr.tallies import Condition

SPLITS = 20
_RESAMPLES, _RESAMPLE_SPLITS = 400, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """One real condition and what stood in for it.

    ``observed`` and ``predicted``: the share (0..1) of fields right, on the receipts that were not used to
    choose; None where no half of the receipts could choose. ``chosen``: synthetic conditions and the share of
    choices that fell on each, most frequent first. ``same``: the share of fields that were both right or both
    failed; ``same_by_chance``: what that would be if the two shared no more than their rates. ``n`` counts
    receipts.
    """

    condition: Condition
    n: int
    observed: float | None
    predicted: float | None
    chosen: tuple[tuple[Condition, float], ...]
    same: float | None
    same_by_chance: float | None


def distances(real: Failures, synthetic: Failures, weights: Floats) -> Floats:
    """Return real x synthetic: how unalike two conditions are, over receipts with these weights.

    Per field: the squared difference of the failure rates, minus the covariance over receipts of the two
    failures; averaged over fields by their receipts. Both parts are smallest for the condition itself, and
    the covariance is zero on average for conditions that share nothing, so chance favours neither those under
    which everything fails nor those under which nothing does (as the share of differing outcomes would).
    Infinite where no receipt was tried under both.
    """
    mask, hit = (values.transpose(2, 0, 1) * weights for values in (real.tried, np.nan_to_num(real.failed)))
    known, failed = (
        values.transpose(2, 1, 0) for values in (synthetic.tried, np.nan_to_num(synthetic.failed))
    )
    total = mask @ known
    sums = (hit @ known, mask @ failed, hit @ failed)
    real_rate, synthetic_rate, both = (one / np.maximum(total, 1e-12) for one in sums)
    unlike = (real_rate - synthetic_rate) ** 2 - (both - real_rate * synthetic_rate)
    whole = total.sum(axis=0)
    mean = (total * unlike).sum(axis=0) / np.maximum(whole, 1e-12)
    return np.where(whole > 0, mean, np.inf)


@dataclass(frozen=True, slots=True)
class _Judged:
    """Sums over the judged halves, per real condition: cells, failures seen, predicted, alike, by chance."""

    sums: Floats
    choices: tuple[Counter[int], ...]


def _judge(
    real: Failures, synthetic: Failures, weights: Floats, rng: np.random.Generator, splits: int
) -> _Judged:
    """Choose on each half of the receipts and judge on the other, for several random halvings."""
    n = len(weights)
    sums = np.zeros((5, len(real.conditions)))
    choices: tuple[Counter[int], ...] = tuple(Counter() for _ in real.conditions)
    for _ in range(splits):
        first = np.zeros(n, dtype=np.bool_)
        first[rng.permutation(n)[: n // 2]] = True
        for half in (first, ~first):
            unlike = distances(real, synthetic, weights * half)
            for place in np.flatnonzero(np.isfinite(unlike).any(axis=1)):
                like = int(np.argmin(unlike[place]))
                choices[place][like] += 1
                sums[:, place] += _compared(real.failed[place], synthetic.failed[like], weights * ~half)
    return _Judged(sums, choices)


def _compared(real: Floats, synthetic: Floats, weights: Floats) -> Floats:
    both = ~(np.isnan(real) | np.isnan(synthetic))
    weight = weights[:, None] * both
    seen, stand_in = np.nan_to_num(real), np.nan_to_num(synthetic)
    total = weight.sum(axis=0)
    rates = [(weight * one).sum(axis=0) / np.maximum(total, 1e-12) for one in (seen, stand_in)]
    chance = rates[0] * rates[1] + (1 - rates[0]) * (1 - rates[1])
    alike = (weight * (seen == stand_in)).sum()
    return np.array(
        [total.sum(), (total * rates[0]).sum(), (total * rates[1]).sum(), alike, (total * chance).sum()]
    )


def find_alike(real: Failures, synthetic: Failures, *, rng: np.random.Generator) -> tuple[Likeness, ...]:
    """Return for each real condition the synthetic one most like it, and how well it stood in for it.

    The synthetic condition is chosen on one half of the receipts and judged on the other, then the other way
    round, for 20 random halvings whose judgements are averaged.
    """
    judged = _judge(real, synthetic, np.ones(real.failed.shape[1]), rng, SPLITS)
    receipts = real.tried.any(axis=2).sum(axis=1)
    return tuple(
        _likeness(name, int(receipts[place]), judged.sums[:, place], judged.choices[place], synthetic)
        for place, name in enumerate(real.conditions)
    )


def _likeness(
    condition: Condition, n: int, sums: Floats, choices: Counter[int], synthetic: Failures
) -> Likeness:
    total, shares = float(sums[0]), sums[1:] / max(float(sums[0]), 1e-12)
    chosen = tuple(
        (synthetic.conditions[place], number / choices.total()) for place, number in choices.most_common()
    )
    observed, predicted, same, chance = (float(share) if total else None for share in shares)
    return Likeness(
        condition=condition,
        n=n,
        observed=None if observed is None else 1 - observed,
        predicted=None if predicted is None else 1 - predicted,
        chosen=chosen,
        same=same,
        same_by_chance=chance,
    )


def condition_correlation(
    found: Sequence[Likeness],
    real: Failures,
    synthetic: Failures,
    *,
    rng: np.random.Generator,
    alpha: float = 0.05,
) -> Correlation:
    """Return rho over real conditions of predicted and observed accuracy.

    The interval is the hull of a bootstrap over receipts, each resample choosing and judging anew, and of
    Bonett and Wright's for so many conditions: it allows for other receipts and for other conditions.
    """
    pairs = ((one.predicted, one.observed) for one in found)
    judged = [pair for pair in pairs if None not in pair]
    scores = np.round(np.array(judged, dtype=np.float64).reshape(-1, 2).T, 9)
    rho = float(spearman(*scores)) if len(judged) > 1 else float("nan")
    if np.isnan(rho):
        return unknown(len(judged), "the predicted or the observed accuracy is the same for all", alpha)
    n = real.failed.shape[1]
    resampled = np.empty(_RESAMPLES)
    for number in range(_RESAMPLES):
        weights = np.bincount(rng.integers(0, n, size=n), minlength=n).astype(np.float64)
        resampled[number] = _resampled_rho(_judge(real, synthetic, weights, rng, _RESAMPLE_SPLITS).sums)
    low, high = hull(scores[0], scores[1], resampled, alpha=alpha)
    return Correlation(estimate=rho, n=len(judged), low=low, high=high, confidence=1 - alpha)


def _resampled_rho(sums: Floats) -> float:
    judged = sums[:, sums[0] > 0]
    rates: npt.NDArray[np.float64] = np.round(judged[1:3] / judged[0], 9)
    return float(spearman(rates[0], rates[1])) if rates.shape[1] > 1 else float("nan")
