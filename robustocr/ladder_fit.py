"""Ladders stretched so that the severities of a corruption take legibility in even steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from robustocr.calibration import measure_corruptions, measuring_pool, stretched_step
from robustocr.errors import InputError, RecipeError
from robustocr.recipes import Corruption
from robustocr.records import Sample

TARGETS = (0.975, 0.87, 0.75, 0.63, 0.5)
"""Share of the fields that severities 1 to 5 are fitted to leave legible."""

_MOST_HALVINGS = 4
_CLOSE, _NARROW = 0.10, 0.06


def fit_ladders(
    samples: Sequence[Sample],
    corruption: Corruption,
    *,
    targets: Sequence[float] = TARGETS,
    seed: int = 0,
    workers: int | None = None,
) -> tuple[Corruption, tuple[float, ...], tuple[float, ...]]:
    """Return a corruption whose severities leave ``targets`` of the fields legible, as nearly as it can.

    With it come where its five severities stand on the scale of the old ones (all ladders are stretched
    together, values stay within the range of the effect), and what they leave legible, interpolated between
    what was measured. Raises RecipeError for a corruption without ladders, InputError where nothing can be
    measured.
    """
    if not any(step.varying and not step.is_foreign for step in corruption.steps):
        raise RecipeError(f"corruption {corruption.name!r} has no ladder of an effect that could be fitted")
    known: dict[float, float] = {}

    def legible_at(at: float) -> float:
        if at not in known:
            rows = measure_corruptions(samples, [corruption], severities=[at], seed=seed, pool=pool)
            if not rows:
                raise InputError(f"{corruption.name}: no receipt has a field that can be measured")
            known[at] = float(np.mean([row.legible for row in rows]))
        return known[at]

    with measuring_pool(workers) as pool:
        _bracket(legible_at, known, targets)
        for target in targets:
            _narrow(legible_at, known, target)
    points = sorted(known)
    falling = np.minimum.accumulate(np.array([known[at] for at in points]))
    scale = np.interp(1 - np.array(targets), 1 - falling, points)
    fitted = np.maximum.accumulate(scale)
    steps = tuple(stretched_step(step, [float(at) for at in fitted]) for step in corruption.steps)
    legible = np.interp(fitted, points, falling)
    return replace(corruption, steps=steps), _floats(fitted), _floats(legible)


def _floats(values: npt.NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _bracket(
    legible_at: Callable[[float], float], known: Mapping[float, float], targets: Sequence[float]
) -> None:
    """Measure at mild and severe strengths until all targets lie between them, as far as that can be."""
    for at in (3.0, 1.0, 5.0):
        legible_at(at)
    for at in (0.4, 0.1, 0.02):
        if known[min(known)] < max(targets):
            legible_at(at)
    for at in (6.5, 8.0):
        if known[max(known)] > min(targets):
            legible_at(at)


def _narrow(legible_at: Callable[[float], float], known: Mapping[float, float], target: float) -> None:
    """Halve until a target lies between two severities that leave nearly the same legible."""
    for _ in range(_MOST_HALVINGS):
        above = max((at for at in known if known[at] >= target), default=min(known))
        below = min((at for at in known if at > above), default=above)
        if known[above] - known[below] < _CLOSE or below - above < _NARROW:
            return
        legible_at((above + below) / 2)
