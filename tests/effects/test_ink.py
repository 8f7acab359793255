import numpy as np
import pytest

from robustocr.effects.ink import dead_dots, faint_ribbon, thermal_fade
from tests.corruption_page import TEXT_HEIGHT, text_page


def rng(seed=0):
    return np.random.default_rng(seed)


def contrast_left(page, printed, where):
    return (246 - printed[..., 0][where].astype(float)) / (246 - page[..., 0][where].astype(float))


def barred(text_height, width):
    """A pale page with a black bar of half a text height in every second one, and where the bars are."""
    page = np.full((int(8 * text_height), width, 3), 246, dtype=np.uint8)
    bars = (np.arange(len(page)) % int(2 * text_height)) < text_height / 2
    page[bars] = 40
    return page, bars


def test_even_fading_leaves_the_share_it_says():
    page = text_page()
    faded = thermal_fade(page, loss=0.75, unevenness=0.0, text_height=TEXT_HEIGHT, rng=rng())
    ink = page[..., 0] < 60
    contrast = 246 - faded[..., 0][ink].astype(float)
    assert contrast.mean() / (246 - page[..., 0][ink].astype(float).mean()) == pytest.approx(0.25, abs=0.03)
    assert faded[..., 0][~ink & (page[..., 0] == 246)].std() == pytest.approx(1.6, abs=0.4)


def test_uneven_fading_spares_some_print():
    page = text_page(700, 600)
    faded = thermal_fade(page, loss=0.7, unevenness=0.8, text_height=TEXT_HEIGHT, rng=rng())
    kept = (246 - faded[..., 0][page[..., 0] < 60].astype(float)) / 200
    assert np.percentile(kept, 5) < 0.15
    assert np.percentile(kept, 95) > 0.4


def test_a_drier_ribbon_leaves_less_everywhere():
    page = text_page(500, 500)
    ink = page[..., 0] < 60
    kept = [
        contrast_left(page, faint_ribbon(page, dryness=d, text_height=TEXT_HEIGHT, rng=rng()), ink)
        for d in (0.1, 0.3, 0.5, 0.8)
    ]
    means = [float(share.mean()) for share in kept]
    assert means == sorted(means, reverse=True)
    assert means[0] > 0.7
    assert means[-1] < 0.05
    assert np.mean(kept[1] - kept[2] > -0.06) > 0.99


def test_a_dry_ribbon_varies_within_characters_and_along_lines():
    page, bars = barred(20.0, 600)
    printed = faint_ribbon(page, dryness=0.35, text_height=20.0, rng=rng())
    lines = contrast_left(page, printed, bars)
    by_character = lines.reshape(len(lines), -1, 12).mean(axis=2)
    assert lines.std() > by_character.std() > 0.10


def test_dead_dots_are_columns_and_as_many_as_it_says():
    page, bars = barred(24.0, 480)
    for dead in (0.1, 0.3):
        white = dead_dots(page, dead=dead, text_height=24.0, rng=rng())[bars, :, 0] > 150
        assert white.all(axis=0).mean() == pytest.approx(dead, abs=0.01)
        assert np.all(white.all(axis=0) == white.any(axis=0))


def test_a_worse_head_has_the_same_dead_dots_and_more():
    page, bars = barred(24.0, 600)
    better, worse = (
        dead_dots(page, dead=dead, text_height=24.0, rng=rng())[bars, :, 0][0] > 150 for dead in (0.1, 0.25)
    )
    assert np.all(worse[better])
    assert worse.sum() > 2 * better.sum()


@pytest.mark.parametrize("text_height", [8.0, 24.0, 96.0])
def test_dots_are_a_24th_of_a_text_height(text_height):
    """On a head of which half is dead, runs of dots are as long in text heights on any size of page."""
    page, bars = barred(text_height, int(40 * text_height))
    dark = dead_dots(page, dead=0.5, text_height=text_height, rng=rng())[bars, :, 0][0].astype(float)
    assert dark.mean() == pytest.approx((40 + 246) / 2, abs=12)
    borders = np.abs(np.diff(dark)).sum() / 206 / 40
    assert 1.5 < borders < 12
