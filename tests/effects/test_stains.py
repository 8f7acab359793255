import numpy as np
import pytest

from robustocr.effects.stains import stain
from robustocr.fields import Layout
from tests.corruption_page import TEXT_HEIGHT, text_page


def blank():
    return np.full((600, 600, 3), 250, dtype=np.uint8)


def spilt(page, seed=2, **given):
    strengths = {"share": 0.3, "radius": 6.0, "density": 0.8, "kind": "coffee", **given}
    layout = Layout(pixels=page, fields={})
    return stain(page, **strengths, text_height=TEXT_HEIGHT, rng=np.random.default_rng(seed), layout=layout)


def test_coffee_has_a_dark_rim_and_is_brown():
    pixels = spilt(blank()).pixels.astype(int)
    inside = pixels[..., 2] < 200
    red, green, blue = pixels[inside].mean(axis=0)
    assert red > green + 20 > blue + 40
    assert np.percentile(pixels[..., 2][inside], 2) < 0.7 * np.median(pixels[..., 2][inside])


def test_grease_has_no_rim_and_is_paler():
    coffee, grease = (spilt(blank(), kind=kind).pixels[..., 2] for kind in ("coffee", "grease"))
    inside = grease[grease < 235]
    assert np.percentile(inside, 2) > 0.8 * np.median(inside)
    assert np.percentile(grease, 1) > np.percentile(coffee, 1) + 30


@pytest.mark.parametrize("kind", ["coffee", "grease"])
def test_stains_hold_the_share_of_the_print_that_they_should(kind):
    for share in (0.1, 0.4):
        wet = [
            (spilt(blank(), seed=seed, share=share, radius=3.0, kind=kind).pixels[..., 2] < 247).mean()
            for seed in range(6)
        ]
        assert np.mean(wet) == pytest.approx(share, rel=0.35)


def test_more_stains_keep_the_first():
    few, more = (spilt(blank(), share=share, radius=2.0).pixels[..., 2] < 200 for share in (0.1, 0.3))
    assert more.sum() > 2 * few.sum()
    assert (few & ~more).sum() < 0.02 * few.sum()


def test_bleach_takes_print_and_counts_as_cover_when_nothing_is_left():
    page = text_page(600, 600)
    kept, lost = (spilt(page, kind="grease", share=0.6, density=0.1, bleach=bleach) for bleach in (0.0, 1.0))
    assert kept.cover.max() == 0
    hidden = lost.cover > 0
    assert 0.05 < hidden.mean() < 0.8
    assert np.percentile(lost.pixels[..., 0][hidden], 1) > 150
    assert np.percentile(kept.pixels[..., 0][hidden], 1) < 80


def test_what_lets_nothing_through_is_cover():
    change = spilt(blank(), density=4.0)
    assert np.all(change.pixels[change.cover > 0].mean(axis=-1) < 110)
    assert (change.cover > 0).mean() > 0.02
