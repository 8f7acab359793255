"""What the severities of every bundled corruption leave legible, and that the calibration tells."""

from functools import lru_cache

import numpy as np
import pytest

from robustocr.calibration import (
    LEAST_AT_1,
    Curve,
    curves_of,
    measure_corruptions,
    page_of,
)
from robustocr.corruptions import list_corruptions, load_corruption
from robustocr.errors import InputError, RecipeError
from robustocr.ladder_fit import fit_ladders
from robustocr.legibility import LEGIBLE, corrupt_measured
from robustocr.loaders.registry import load
from robustocr.report.curves import describe_fit
from tests.test_legibility import recipe

RECEIPTS = (4, 6, 9)
DEGRADE = [name for name in list_corruptions() if load_corruption(name).degrades]
NOMINAL = [name for name in list_corruptions() if load_corruption(name).nominal]


@lru_cache(maxsize=8)
def page(number):
    return page_of(load("sample").samples[number])


def left(name, severity):
    """Mean legibility and share of fields legible over three receipts."""
    means, shares = [], []
    for number in RECEIPTS:
        at = page(number)
        _, found = corrupt_measured(
            at.pixels, at.fields, load_corruption(name), severity,
            seed=0, sample_id=at.sample_id, text_height=at.text_height, probe=at.probe,
        )  # fmt: skip
        best = np.array([max(values) for values in found.values()])
        means.append(best.mean())
        shares.append((best >= LEGIBLE).mean())
    return float(np.mean(means)), float(np.mean(shares))


@pytest.mark.parametrize("name", DEGRADE)
def test_legibility_falls_with_severity(name):
    """Three receipts say little about the share, but which way it goes they must."""
    mild, middle, severe = (left(name, severity) for severity in (1, 3, 5))
    assert mild[0] > middle[0] - 0.02 > severe[0] - 0.04
    assert mild[0] - severe[0] > 0.15
    assert mild[1] > 0.8
    assert 0.05 < severe[1] < 0.9


@pytest.mark.parametrize("name", NOMINAL)
def test_what_changes_something_else_takes_little(name):
    assert left(name, 5)[1] > 0.6
    assert left(name, 1)[1] > 0.95


def test_measured_rows_and_curves():
    samples = load("sample").samples[4:6]
    blur = recipe("defocus", radius=[0.05, 0.15, 0.2, 0.3, 0.5])
    rows = measure_corruptions(samples, [blur], widths=(400, 600), workers=1)
    assert len(rows) == 2 * 2 * 5
    assert {row.width for row in rows} == {400, 600}
    assert all(0 <= row.legible <= 1 and row.n_fields > 3 for row in rows)
    for curve in curves_of(rows):
        assert curve.n == 2
        assert list(curve.legibility) == sorted(curve.legibility, reverse=True)
        assert curve.legible[0] > 0.9
        assert curve.legible[4] < 0.1


def test_a_curve_says_what_is_not_as_meant():
    def problems(*legible):
        return Curve(corruption="x", width=0, n=9, legibility=legible, legible=legible).problems

    assert problems(0.97, 0.88, 0.75, 0.6, 0.5) == ()
    assert problems(0.90, 0.88, 0.75, 0.6, 0.5) == ("severity 1 leaves 90% legible, not 95%",)
    assert problems(0.97, 0.88, 0.75, 0.6, 0.2) == ("severity 5 leaves 20% legible, not 35% to 65%",)
    assert problems(0.97, 0.70, 0.80, 0.6, 0.5) == ("a higher severity leaves more legible than a lower one",)


def test_fitted_ladders_take_in_even_steps():
    samples = load("sample").samples[4:7]
    steep = recipe("gaussian_blur", sigma=[0.1, 0.5, 1.0, 1.5, 2.0])
    fitted, scale, legible = fit_ladders(samples, steep, workers=1)
    assert list(legible) == sorted(legible, reverse=True)
    assert abs(legible[2] - 0.75) < 0.1
    assert list(scale) == sorted(scale)
    sigma = fitted.steps[0].ladders["sigma"]
    assert list(sigma) == sorted(sigma)
    assert 0.03 < sigma[0] < sigma[4] < 0.4
    (curve,) = curves_of(measure_corruptions(samples, [fitted], widths=(500,), workers=1))
    assert curve.legible[0] > LEAST_AT_1 - 0.06
    assert 0.2 < curve.legible[4] < 0.8


def test_what_stretching_cannot_reach_is_said():
    samples = load("sample").samples[4:6]
    told = describe_fit(samples, recipe("tilt", angle=[1.0, 2.0, 3.0, 4.0, 5.0]), workers=1)
    assert "does not reach that" in told
    with pytest.raises(RecipeError, match="has no ladder"):
        fit_ladders(samples, recipe("tilt", angle=3.0), workers=1)
    bare = [sample.model_copy(update={"boxes": {}, "words": ()}) for sample in samples]
    blur = recipe("defocus", radius=[0.1, 0.2, 0.3, 0.4, 0.5])
    with pytest.raises(InputError, match="no receipt has a field that can be measured"):
        fit_ladders(bare, blur, workers=1)
