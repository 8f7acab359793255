"""Spearman's rank correlation with an interval that stays honest where few things were ranked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import norm, rankdata

Floats = npt.NDArray[np.float64]

RESAMPLES = 2000
METHOD = "spearman; hull of bootstrap percentiles and Bonett-Wright"
_FEWEST = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """Spearman's rho (-1 to 1) of ``n`` things with a two-sided interval of this ``confidence`` (0..1).

    ``reason`` says why there is no estimate where it is None; the interval is then -1 to 1.
    """

    estimate: float | None
    n: int
    low: float
    high: float
    confidence: float
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return ``{estimate, n, low, high, confidence, method, reason}``."""
        return {
            "estimate": self.estimate,
            "n": self.n,
            "low": self.low,
            "high": self.high,
            "confidence": self.confidence,
            "method": METHOD,
            "reason": self.reason,
        }


def unknown(n: int, reason: str, alpha: float = 0.05) -> Correlation:
    """Return a correlation that nothing can be said of, and why."""
    return Correlation(estimate=None, n=n, low=-1.0, high=1.0, confidence=1 - alpha, reason=reason)


def spearman(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """Return rho along the last axis: Pearson's correlation of the ranks, ties at their mean rank.

    NaN where either side has no variation. Spearman, American Journal of Psychology 15 (1904) 72-101.
    """
    ranks = [rankdata(np.asarray(values, dtype=np.float64), axis=-1) for values in (x, y)]
    first, second = (values - values.mean(axis=-1, keepdims=True) for values in ranks)
    spread = np.sqrt((first**2).sum(axis=-1) * (second**2).sum(axis=-1))
    with np.errstate(invalid="ignore"):
        rho: Floats = (first * second).sum(axis=-1) / np.where(spread > 0, spread, np.nan)
    return np.clip(rho, -1.0, 1.0)


def rank_correlation(
    x: npt.ArrayLike, y: npt.ArrayLike, *, rng: np.random.Generator, alpha: float = 0.05
) -> Correlation:
    """Return rho of two scores per thing, with an interval of confidence ``1 - alpha`` over the things.

    The interval is :func:`hull` of the bootstrap's percentiles over things. Scores are compared to nine
    digits, so that equal shares are ties however they were summed. Without variation there is no estimate.
    Raises ValueError for fewer than 4 things or scores of different lengths.
    """
    first, second = (np.asarray(values, dtype=np.float64).round(9) for values in (x, y))
    if first.shape != second.shape or first.ndim != 1 or len(first) < _FEWEST:
        raise ValueError(f"a rank correlation needs two scores each of at least {_FEWEST} things")
    n = len(first)
    rho = float(spearman(first, second))
    if math.isnan(rho):
        return unknown(n, "one of the two is the same for all", alpha)
    drawn = rng.integers(0, n, size=(RESAMPLES, n))
    low, high = hull(first, second, spearman(first[drawn], second[drawn]), alpha=alpha)
    return Correlation(estimate=rho, n=n, low=low, high=high, confidence=1 - alpha)


def hull(x: Floats, y: Floats, resampled: Floats, *, alpha: float = 0.05) -> tuple[float, float]:
    """Return an interval of confidence ``1 - alpha`` that holds the bootstrap's and Bonett and Wright's.

    Percentiles of ``resampled``, rho of each resample; one without variation counts as -1 below and as 1
    above. Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13. Alone they are too
    narrow for few things, and a point where all ranks agree. The other is
    ``tanh(atanh(rho) +- z sqrt((1 + rho^2 / 2) / (n - 3)))``, Bonett and Wright, Psychometrika 65 (2000)
    23-28, with rho at most :func:`nearly_perfect` and n times :func:`untied`, for with many ties n says too
    much (Monte Carlo in the tests).
    """
    below = float(np.quantile(np.where(np.isnan(resampled), -1.0, resampled), alpha / 2))
    above = float(np.quantile(np.where(np.isnan(resampled), 1.0, resampled), 1 - alpha / 2))
    rho, most = float(spearman(x, y)), nearly_perfect(x, y)
    number = len(x) * math.sqrt(untied(x) * untied(y))
    if number <= 3:
        return -1.0, 1.0
    inside = min(max(rho, -most), most)
    width = float(norm.ppf(1 - alpha / 2)) * math.sqrt((1 + inside**2 / 2) / (number - 3))
    low = min(below, math.tanh(math.atanh(inside) - width), rho)
    high = max(above, math.tanh(math.atanh(inside) + width), rho)
    return low, high


def nearly_perfect(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Return the rho that is left of a perfect one when two things change places in one of the rankings.

    The two are the neighbours that lie furthest apart, so that of many ties one exchange counts for much.
    Without ties it is ``1 - 12 / (n^3 - n)``. NaN without variation.
    """
    gaps, squares = [], []
    for values in (x, y):
        ranks = rankdata(np.asarray(values, dtype=np.float64))
        gaps.append(float(np.diff(np.unique(ranks)).max(initial=0)))
        squares.append(float(((ranks - ranks.mean()) ** 2).sum()))
    spread = math.sqrt(squares[0] * squares[1])
    return 1 - gaps[0] * gaps[1] / spread if spread else math.nan


def untied(values: npt.ArrayLike) -> float:
    """Return the variance of the ranks as a share (0..1) of what it is without ties."""
    ranks = rankdata(np.asarray(values, dtype=np.float64))
    return float(np.var(ranks)) * 12 / (len(ranks) ** 2 - 1)
