"""Pictures really taken badly: which receipt is on them, and the condition they were taken under."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from robustocr.errors import DatasetError, InputError
from robustocr.loaders.base import Dataset
from robustocr.records import Sample

CLEAN = "clean"

Part = Literal["paired_photos", "paired_clean"]
"""A part of a dataset: of the receipts that have a clean picture and another, all pictures or the clean."""


def receipt_of(sample: Sample) -> str:
    """Return which receipt a sample shows: its ``pair_id``, else its own id. What bounds count."""
    return sample.pair_id or sample.id


def own_condition(sample: Sample) -> str:
    """Return the condition a picture was taken under, ``clean`` where none is named.

    Raises InputError for a name with a slash, which the keys of cases cannot hold.
    """
    name = (sample.condition or "").strip() or CLEAN
    if "/" in name:
        raise InputError(
            f"{sample.image}: the condition {name!r} has a slash, which parts the names in a case's key; "
            "name it otherwise"
        )
    return name


def has_own_conditions(samples: Sequence[Sample]) -> bool:
    """Tell whether any picture was taken under a condition that is not clean."""
    return any(own_condition(sample) != CLEAN for sample in samples)


def take_part(dataset: Dataset, part: Part) -> Dataset:
    """Return the part of a dataset that comparisons within receipts need.

    Raises DatasetError where no receipt has both a clean picture and one under another condition.
    """
    clean = {receipt_of(sample) for sample in dataset.samples if own_condition(sample) == CLEAN}
    other = {receipt_of(sample) for sample in dataset.samples if own_condition(sample) != CLEAN}
    pairs = clean & other
    if not pairs:
        raise DatasetError(
            f"{dataset.root}: no receipt has both a clean picture and one under another condition; give each "
            "picture its condition (none, or 'clean', for the clean one), and the pictures of one receipt "
            "the same pair_id"
        )
    samples = tuple(
        sample
        for sample in dataset.samples
        if receipt_of(sample) in pairs and (part == "paired_photos" or own_condition(sample) == CLEAN)
    )
    return replace(dataset, samples=samples, part=part)
