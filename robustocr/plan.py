"""What a run will do, decided before the first case: samples in order, conditions, settings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from robustocr.adapters.base import Adapter
from robustocr.assets import asset
from robustocr.conditions import Condition
from robustocr.errors import DatasetError, InputError, unknown_name
from robustocr.gate import parse_requirement
from robustocr.images import file_sha256
from robustocr.loaders.base import Dataset
from robustocr.loaders.registry import BUNDLED
from robustocr.natural import own_condition, receipt_of
from robustocr.pictures import pixel_versions
from robustocr.recipes import Corruption
from robustocr.records import LIST_FIELDS, SINGLE_FIELDS, Case, Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Samples in an order fixed by the seed, conditions (clean first), and all that fixes the result."""

    dataset: Dataset
    samples: tuple[Sample, ...]
    sources: dict[str, str]
    conditions: tuple[Condition, ...]
    fields: tuple[str, ...] | None
    seed: int
    settings: dict[str, Any]

    @property
    def corruptions(self) -> dict[str, Corruption]:
        """The corruptions by name."""
        return {c.name: c.corruption for c in self.conditions if c.corruption is not None}

    @property
    def n_cases(self) -> int:
        """Cases for each adapter."""
        return sum(condition.takes(sample) for sample in self.samples for condition in self.conditions)

    def cases(self) -> Iterator[tuple[Sample, Condition, Case]]:
        """Yield all cases, the conditions of one sample together."""
        for sample in self.samples:
            for condition in self.conditions:
                if condition.takes(sample):
                    yield sample, condition, condition.case(sample.id, self.seed)


def choose_samples(dataset: Dataset, *, limit: int | None, seed: int) -> tuple[Sample, ...]:
    """Return the samples in an order fixed by the seed and their ids, those of one receipt together.

    Of ``limit`` receipts the samples are kept, all that show them.
    """
    if limit is not None and limit < 1:
        raise InputError(f"--limit {limit}: at least 1 receipt is needed")
    if not dataset.samples:
        raise DatasetError(f"{dataset.root} holds no usable receipts")
    receipts = sorted({receipt_of(sample) for sample in dataset.samples}, key=partial(_drawn, seed))
    place = {receipt: number for number, receipt in enumerate(receipts[:limit])}
    kept = [sample for sample in dataset.samples if receipt_of(sample) in place]
    return tuple(sorted(kept, key=lambda sample: (place[receipt_of(sample)], _drawn(seed, sample.id))))


def _drawn(seed: int, name: str) -> str:
    return hashlib.sha256(f"{seed}/{name}".encode()).hexdigest()


def choose_fields(fields: Sequence[str] | None, samples: Sequence[Sample]) -> tuple[str, ...] | None:
    """Check field names against the schema and the truth; None means all that are labelled."""
    if not fields:
        return None
    known = (*SINGLE_FIELDS, *LIST_FIELDS)
    for field in fields:
        if field not in known:
            raise InputError(unknown_name("field", field, known))
    labelled = _labelled(samples)
    missing = [field for field in fields if field not in labelled]
    if missing and labelled:
        raise InputError(f"no truth has the field {missing[0]!r}; labelled: {', '.join(sorted(labelled))}")
    return tuple(dict.fromkeys(fields))


def _labelled(samples: Sequence[Sample]) -> frozenset[str]:
    return frozenset(name for sample in samples if sample.truth for name in sample.truth.labelled)


def choose_requirements(
    require: Sequence[str], samples: Sequence[Sample], fields: Sequence[str] | None
) -> list[str]:
    """Return the requirements as written. Raises InputError for one that this run could never judge."""
    requirements = [parse_requirement(text) for text in require]
    judged = {*(fields or _labelled(samples)), "document"} if _labelled(samples) else set()
    for requirement in requirements:
        if requirement.field not in judged:
            raise InputError(
                f"the requirement {requirement.text!r} is about {requirement.field!r}, which this run does "
                f"not score; scored: {', '.join(sorted(judged)) or 'nothing, since no receipt has a truth'}"
            )
    return [requirement.text for requirement in requirements]


def make_plan(
    dataset: Dataset,
    adapters: Sequence[Adapter],
    *,
    conditions: Sequence[Condition],
    suite: str | None = None,
    fields: Sequence[str] | None = None,
    limit: int | None = None,
    seed: int = 0,
    alpha: float = 0.05,
    require: Sequence[str] = (),
    timeout: float | None = None,
) -> Plan:
    """Return the plan of a run; ``suite`` is the name to record. Raises InputError for wrong choices."""
    if not 0 < alpha < 0.5:
        raise InputError(f"--alpha {alpha} is not between 0 and 0.5; 0.05 means bounds with 95 % confidence")
    if not -(2**63) <= seed < 2**63:
        raise InputError(f"--seed {seed} has more than 64 bits")
    names = [adapter.name for adapter in adapters]
    if len(set(names)) < len(names):
        raise InputError(f"name each adapter once: {', '.join(names)}")
    samples = choose_samples(dataset, limit=limit, seed=seed)
    with ThreadPoolExecutor(max_workers=4) as readers:
        hashes = list(readers.map(lambda sample: file_sha256(sample.image), samples))
    sources = {sample.id: source for sample, source in zip(samples, hashes, strict=True)}
    chosen = choose_fields(fields, samples)
    settings = {
        "dataset": str(dataset.root.resolve()),
        "bundled": dataset.name == BUNDLED and dataset.root == asset("datasets/sample"),
        "format": dataset.format,
        "part": dataset.part,
        "samples": _samples_hash(samples, sources),
        "n_samples": len(samples),
        "limit": limit,
        "seed": seed,
        "suite": suite,
        "conditions": [[c.name, c.severity] for c in conditions],
        "natural": any(c.natural for c in conditions),
        "target": next((c.target for c in conditions if c.target), None),
        "recipes": {c.name: c.corruption.recipe_hash for c in conditions if c.corruption},
        "adapters": {adapter.name: adapter.fingerprint for adapter in adapters},
        "fields": list(chosen) if chosen else None,
        "alpha": alpha,
        "require": choose_requirements(require, samples, chosen),
        "timeout": timeout,
        "versions": pixel_versions(),
    }
    return Plan(
        dataset=dataset,
        samples=samples,
        sources=sources,
        conditions=tuple(conditions),
        fields=chosen,
        seed=seed,
        settings=settings,
    )


def _samples_hash(samples: Sequence[Sample], sources: dict[str, str]) -> str:
    rows = [
        [
            sample.id,
            sources[sample.id],
            sample.truth.to_json() if sample.truth else None,
            sample.group,
            receipt_of(sample),
            own_condition(sample),
        ]
        for sample in samples
    ]
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()
