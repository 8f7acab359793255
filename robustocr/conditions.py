"""The conditions of a run: clean, corruptions at their severities, or those pictures were taken under."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from robustocr.aim import check_aimable, parse_target
from robustocr.corruptions import load_corruption, load_suite
from robustocr.errors import InputError
from robustocr.natural import CLEAN, has_own_conditions, own_condition
from robustocr.recipes import Corruption
from robustocr.records import Case, Sample

DEFAULT_SUITE = "phone"
DEFAULT_SEVERITIES = (1, 3, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One corruption at one severity, maybe aimed; clean is severity 0 with no corruption.

    ``natural``: the pictures were taken under it, so it is severity 0 and takes only those.
    """

    name: str
    severity: int
    corruption: Corruption | None = None
    target: str | None = None
    natural: bool = False

    def takes(self, sample: Sample) -> bool:
        """Tell whether the sample has a case under this condition."""
        return not self.natural or own_condition(sample) == self.name

    def case(self, sample_id: str, seed: int) -> Case:
        """Return this condition's case of one sample."""
        return Case(
            sample_id=sample_id,
            corruption=self.name,
            severity=self.severity,
            seed=seed,
            target=self.target,
        )


def choose_conditions(
    *,
    suite: str | None,
    corruptions: Sequence[str | Path | Corruption],
    severities: Sequence[int] | None,
    clean_only: bool,
    target: str | None = None,
) -> tuple[Condition, ...]:
    """Return the conditions, clean first, all others aimed at ``target`` if there is one.

    Raises InputError for choices that exclude each other, RecipeError for an unknown name or target.
    """
    chosen = [bool(suite), bool(corruptions), clean_only]
    if sum(chosen) > 1:
        raise InputError("choose one of --suite, --corruption and --clean-only")
    _check_target(target, clean_only)
    clean = Condition(name=CLEAN, severity=0)
    if clean_only:
        return (clean,)
    recipes: list[Corruption]
    if corruptions:
        recipes = [c if isinstance(c, Corruption) else load_corruption(c) for c in corruptions]
        ladder = severities or DEFAULT_SEVERITIES
    else:
        named = load_suite(suite or DEFAULT_SUITE)
        recipes = [load_corruption(name) for name in named.corruptions]
        ladder = severities or named.severities or DEFAULT_SEVERITIES
    wrong = [severity for severity in ladder if severity not in range(1, 6)]
    if wrong:
        raise InputError(f"severity {wrong[0]} is not one of 1, 2, 3, 4, 5 (clean is always run)")
    unique: dict[str, Corruption] = {}
    for recipe in recipes:
        if target is not None:
            check_aimable(recipe, target)
        if unique.setdefault(recipe.name, recipe).recipe_hash != recipe.recipe_hash:
            raise InputError(f"two different corruptions are named {recipe.name!r}; rename one of them")
    grid = [
        Condition(name=recipe.name, severity=severity, corruption=recipe, target=target)
        for recipe in unique.values()
        for severity in sorted(set(ladder))
    ]
    return (clean, *grid)


def _check_target(target: str | None, clean_only: bool) -> None:
    if target is None:
        return
    parse_target(target)
    if clean_only:
        raise InputError(f"--target {target} aims corruptions, and --clean-only leaves none; drop one")


def own_conditions(samples: Sequence[Sample]) -> tuple[Condition, ...]:
    """Return the conditions the samples were taken under, clean first, then by name."""
    names = sorted({own_condition(sample) for sample in samples}, key=lambda name: (name != CLEAN, name))
    return tuple(Condition(name=name, severity=0, natural=True) for name in names)


def conditions_of(cases: Sequence[Case], samples: Sequence[Sample]) -> tuple[Condition, ...]:
    """Return the conditions that answers made elsewhere speak of, clean first.

    They are those the samples were taken under where no answer is for a corrupted picture. Raises InputError
    where they mix seeds, are aimed, or name another condition than the sample was taken under; RecipeError
    for an unknown corruption.
    """
    seeds, targets = {case.seed for case in cases}, {case.target for case in cases}
    if len(seeds) > 1 or targets != {None}:
        raise InputError("score predictions of one seed at a time, and none that aim at a field")
    natural = has_own_conditions(samples) and not any(case.severity for case in cases)
    _check_uncorrupted(cases, samples, natural=natural)
    if natural:
        return own_conditions(samples)
    grid = sorted({(case.corruption, case.severity) for case in cases if case.severity})
    named = [
        Condition(name=name, severity=severity, corruption=load_corruption(name)) for name, severity in grid
    ]
    return (Condition(name=CLEAN, severity=0), *named)


def _check_uncorrupted(cases: Sequence[Case], samples: Sequence[Sample], *, natural: bool) -> None:
    own = {sample.id: own_condition(sample) for sample in samples}
    seen: set[str] = set()
    for case in cases:
        known = (CLEAN, own[case.sample_id]) if natural else (CLEAN,)
        if case.severity:
            continue
        if case.corruption not in known:
            raise InputError(
                f"the prediction {case.key} is for a picture under {case.corruption!r}, "
                f"but {case.sample_id!r} has none; known: {', '.join(dict.fromkeys(known))}"
            )
        if case.sample_id in seen:
            raise InputError(f"two predictions are for the picture of {case.sample_id!r} as it is; keep one")
        seen.add(case.sample_id)
