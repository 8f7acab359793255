"""Confidence bounds over documents: exact ones for shares, betting ones for means, the worst condition.

All bounds are one-sided: each holds with probability at least ``1 - alpha``. Nothing here is random.
The unit is the document; cases of one document are dependent and must never be counted as ``n``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, betaincinv

Floats = npt.NDArray[np.float64]

_BETS = np.linspace(0.05, 1.0, 20)
_BISECTIONS = 40
_MOST_DOCUMENTS = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """An estimate with its one-sided bounds, all in 0..1. ``n`` counts documents; no estimate when n is 0."""

    estimate: float | None
    n: int
    lower_bound: float
    upper_bound: float
    method: str

    def to_json(self) -> dict[str, Any]:
        """Return ``{estimate, n, lower_bound, upper_bound, method}``."""
        return {
            "estimate": self.estimate,
            "n": self.n,
            "lower_bound": self.lower_bound,
            "upper_bound": self.upper_bound,
            "method": self.method,
        }


def clopper_pearson_lower(k: npt.ArrayLike, n: npt.ArrayLike, alpha: float = 0.05) -> Floats:
    """Return the exact lower bound(s) 0..1 of a share with ``k`` of ``n`` right, elementwise; 0 if k = 0.

    BetaInv(alpha; k, n - k + 1). Clopper and Pearson, Biometrika 26 (1934) 404-413.
    """
    right, total = _counts(k, n, alpha)
    bound = betaincinv(np.maximum(right, 1), total - right + 1, alpha)
    return np.where(right == 0, 0.0, bound)


def clopper_pearson_upper(k: npt.ArrayLike, n: npt.ArrayLike, alpha: float = 0.05) -> Floats:
    """Return the exact upper bound(s) 0..1 of a share with ``k`` of ``n``, elementwise; 1 if k = n.

    BetaInv(1 - alpha; k + 1, n - k). Clopper and Pearson, Biometrika 26 (1934) 404-413.
    """
    right, total = _counts(k, n, alpha)
    return 1.0 - clopper_pearson_lower(total - right, total, alpha)


def share(k: int, n: int, alpha: float = 0.05) -> Bound:
    """Return the Clopper-Pearson bounds of ``k`` documents among ``n``."""
    return Bound(
        estimate=k / n if n else None,
        n=n,
        lower_bound=float(clopper_pearson_lower(k, n, alpha)),
        upper_bound=float(clopper_pearson_upper(k, n, alpha)),
        method="clopper-pearson",
    )


def betting_lower(values: npt.ArrayLike, alpha: float = 0.05) -> float:
    """Return a lower bound 0..1 of the mean of independent values in [0,1]; their order does not matter.

    For each candidate mean m, gamblers who stake the fraction ``c`` of their money, c = .05, .10, ..., 1,
    hold ``prod(1 + (c / m) * (x_i - m))``; their average is a supermartingale when the mean is at most m,
    so m is refuted where it reaches ``1 / alpha`` (Ville's inequality). The bound is the largest m refuted.
    It may be read after every value of a growing run: the chance that it is ever wrong is alpha at most.
    Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting",
    arXiv 2010.09686 (capital processes; the mixture of constant bets is their dKelly).
    Raises ValueError for values outside [0,1].
    """
    distinct, times = _tally(values, alpha)
    refuted, open_ = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (refuted + open_) / 2
        if _log_capital(distinct, times, middle) >= -math.log(alpha):
            refuted = middle
        else:
            open_ = middle
    return refuted


def refutes(values: npt.ArrayLike, mean: float, alpha: float = 0.05) -> bool:
    """Tell whether the values show that their true mean is above ``mean`` (0 < mean <= 1).

    The same as ``betting_lower(values, alpha) >= mean``, from one evaluation of the capital.
    """
    distinct, times = _tally(values, alpha)
    return _log_capital(distinct, times, mean) >= -math.log(alpha)


def _tally(values: npt.ArrayLike, alpha: float) -> tuple[Floats, npt.NDArray[np.int64]]:
    _check_alpha(alpha)
    scores = np.asarray(values, dtype=np.float64)
    if scores.size and not (np.min(scores) >= 0.0 and np.max(scores) <= 1.0):
        raise ValueError("a betting bound needs values between 0 and 1")
    distinct, times = np.unique(scores, return_counts=True)
    return distinct, times.astype(np.int64)


def _log_capital(distinct: Floats, times: npt.NDArray[np.int64], mean: float) -> float:
    with np.errstate(divide="ignore"):
        growth = np.log1p(np.outer(_BETS / mean, distinct - mean)) @ times
    richest = float(growth.max())
    return richest + math.log(float(np.exp(growth - richest).mean()))


def betting_upper(values: npt.ArrayLike, alpha: float = 0.05) -> float:
    """Return an upper bound 0..1 of the mean of values in [0,1]: see :func:`betting_lower`."""
    return 1.0 - betting_lower(1.0 - np.asarray(values, dtype=np.float64), alpha)


def mean(values: npt.ArrayLike, alpha: float = 0.05) -> Bound:
    """Return the mean of one score in [0,1] per document, with betting bounds."""
    scores = np.asarray(values, dtype=np.float64)
    return Bound(
        estimate=float(np.mean(scores)) if scores.size else None,
        n=int(scores.size),
        lower_bound=betting_lower(scores, alpha),
        upper_bound=betting_upper(scores, alpha),
        method="betting",
    )


def worst_condition(k: Sequence[int], n: Sequence[int], alpha: float = 0.05) -> int | None:
    """Return the index of the condition with the smallest Clopper-Pearson lower bound; the first of equals.

    That bound is a valid 1 - alpha lower bound of the smallest share over a grid fixed in advance, with no
    correction: it exceeds that share only if the bound of the worst condition does. Conditions without
    documents stand aside; None when there is no other.
    """
    lower = np.where(np.asarray(n) > 0, clopper_pearson_lower(k, n, alpha), np.inf)
    return int(np.argmin(lower)) if np.any(np.isfinite(lower)) else None


def all_conditions(right: npt.NDArray[np.bool_], alpha: float = 0.05) -> Bound:
    """Return the share of documents right under every condition; ``right`` is documents x conditions."""
    return share(int(np.sum(np.all(right, axis=1))), len(right), alpha)


def below_target(k: Sequence[int], n: Sequence[int], target: float, alpha: float = 0.05) -> tuple[bool, ...]:
    """Tell for each condition whether its share is surely under ``target``, all of them at once by Holm.

    The p-value of condition c is P(X <= k_c) for X binomial(n_c, target). Holm rejects the smallest
    against alpha/m, the next against alpha/(m - 1), until one stands: with probability 1 - alpha no
    condition is named wrongly. Holm, Scandinavian Journal of Statistics 6 (1979) 65-70. The first step
    equals "the upper bound at alpha/m is under the target" (Bonferroni).
    """
    p_values = np.asarray(bdtr(np.asarray(k, dtype=np.float64), np.asarray(n, dtype=np.int64), target))
    below = np.zeros(len(p_values), dtype=np.bool_)
    for step, index in enumerate(np.argsort(p_values, kind="stable")):
        if p_values[index] >= alpha / (len(p_values) - step):
            break
        below[index] = True
    return tuple(bool(b) for b in below)


def required_documents(target: float, *, rate: float = 1.0, alpha: float = 0.05) -> int | None:
    """Return the fewest documents whose lower bound reaches ``target`` if a share ``rate`` of them is right.

    Failures are rounded up to whole documents. None when no number would do (``rate <= target``, or more
    than 200,000
    documents).
    """
    if rate <= target:
        return 0 if target <= 0 else None
    return _fewest(rate, lambda k, n: clopper_pearson_lower(k, n, alpha) >= target)


def documents_to_refute(target: float, *, rate: float, alpha: float = 0.05) -> int | None:
    """Return the fewest documents whose upper bound is under ``target`` at this ``rate``; None if none."""
    if rate >= target:
        return None
    return _fewest(1 - rate, lambda k, n: clopper_pearson_upper(n - k, n, alpha) < target)


def _fewest(rate: float, enough: Callable[[Floats, Floats], npt.NDArray[np.bool_]]) -> int | None:
    """The smallest n for which ``enough(k, n)`` holds, k being ``rate`` of n rounded down."""
    first, size = 1, 64
    while first <= _MOST_DOCUMENTS:
        n = np.arange(first, first + size, dtype=np.float64)
        held = enough(n - np.ceil((1.0 - rate) * n - 1e-9), n)
        if np.any(held):
            return int(n[np.argmax(held)])
        first, size = first + size, min(size * 2, 65536)
    return None


def _counts(k: npt.ArrayLike, n: npt.ArrayLike, alpha: float) -> tuple[Floats, Floats]:
    _check_alpha(alpha)
    right, total = np.asarray(k, dtype=np.float64), np.asarray(n, dtype=np.float64)
    if np.any(right < 0) or np.any(right > total):
        raise ValueError("a share needs 0 <= k <= n")
    return right, total


def _check_alpha(alpha: float) -> None:
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"alpha must lie between 0 and 1, not {alpha}")
