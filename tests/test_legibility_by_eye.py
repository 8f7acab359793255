"""Legibility against a pair of eyes: 60 crops of bundled receipts, read enlarged, blind, and written down.

Each line of ``read_by_eye.jsonl`` is a crop: what was done to the receipt, what is printed, what was read,
and how sure the reader was that every digit is right (0..1). Crops were drawn evenly over legibility 0 to 1,
so most of them are hard. They were read after the measure was set, and nothing was changed by them.
"""

import json
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from robustocr.calibration import page_of
from robustocr.legibility import LEGIBLE, corrupt_measured
from robustocr.loaders.registry import load
from tests.test_legibility import recipe

CROPS = [
    json.loads(line)
    for line in Path(__file__).with_name("read_by_eye.jsonl").read_text(encoding="utf-8").splitlines()
]


@lru_cache(maxsize=64)
def page(sample_id):
    return page_of(next(sample for sample in load("sample").samples if sample.id == sample_id))


def digits(text):
    return [char for char in text if char.isdigit()]


@pytest.fixture(scope="module")
def read():
    """Legibility, certainty and whether the digits were right, one row per crop."""
    rows = []
    for crop in CROPS:
        at = page(crop["sample"])
        _, found = corrupt_measured(
            at.pixels, at.fields, recipe(crop["effect"], **crop["strengths"]), 3,
            seed=5, sample_id=at.sample_id, text_height=at.text_height, probe=at.probe,
        )  # fmt: skip
        right = digits(crop["read"]) == digits(crop["printed"])
        rows.append((max(found[crop["field"]]), crop["sure"], right))
    return np.array(rows, dtype=float)


def test_there_are_sixty_crops_from_nothing_to_plain(read):
    assert len(read) == 60
    assert read[:, 0].min() < 0.05
    assert read[:, 0].max() > 0.95
    assert np.histogram(read[:, 0], bins=5, range=(0, 1))[0].min() >= 6


def test_ranks_crops_as_the_eye_does(read):
    assert spearmanr(read[:, 0], read[:, 1]).statistic > 0.65


def test_what_is_plain_was_read_and_what_is_lost_was_not(read):
    plain, lost = read[read[:, 0] >= 0.9], read[read[:, 0] < 0.1]
    assert plain[:, 2].mean() >= 0.9
    assert plain[:, 1].mean() > 0.8
    assert lost[:, 1].mean() < 0.25


def test_half_is_where_a_person_stops_being_sure(read):
    above, below = read[read[:, 0] >= LEGIBLE], read[read[:, 0] < LEGIBLE]
    assert above[:, 2].mean() >= 0.75
    assert below[:, 2].mean() <= 0.55
    near = read[(read[:, 0] > 0.3) & (read[:, 0] < 0.7)]
    assert 0.35 < near[:, 1].mean() < 0.75
