import numpy as np
import pytest

from robustocr.effects.ink import thermal_fade
from robustocr.effects.paper import crumple, paper_colour
from robustocr.effects.stains import stain
from tests.corruption_page import TEXT_HEIGHT, text_page


def rng(seed=0):
    return np.random.default_rng(seed)


def test_paper_colour_is_the_page_without_print():
    paper = paper_colour(text_page(), TEXT_HEIGHT)
    assert np.abs(paper.astype(int) - (246, 244, 238)).max() <= 3


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


def test_points_move_as_far_as_it_says():
    page = text_page(500, 500)
    points = rng(1).uniform(60, 440, (400, 2))
    far = [np.abs(_moved(page, shift, points) - points).max() / TEXT_HEIGHT for shift in (0.0, 0.3, 0.6)]
    assert far[0] == 0
    assert 0.12 < far[1] < 0.42
    assert far[2] == pytest.approx(2 * far[1], rel=0.15)


@pytest.mark.parametrize("seed", range(8))
def test_paper_never_folds_over_itself(seed):
    change = crumple(text_page(500, 500), shift=1.2, shade=0.2, text_height=TEXT_HEIGHT, rng=rng(seed))
    field, step = change.move.field, 500 / len(change.move.field)
    assert max(np.abs(np.diff(field, axis=axis)).max() for axis in (0, 1)) / step < 0.95


def _moved(page, shift, points):
    change = crumple(page, shift=shift, shade=0.2, text_height=TEXT_HEIGHT, rng=rng())
    return change.move.move_points(points)


def test_facets_are_flat_and_differ():
    page = np.full((500, 500, 3), 200, dtype=np.uint8)
    shaded = (
        crumple(page, shift=0.0, shade=0.5, text_height=TEXT_HEIGHT, rng=rng()).pixels[..., 0].astype(int)
    )
    assert np.percentile(shaded, 90) - np.percentile(shaded, 10) > 50
    small = np.abs(np.diff(shaded, axis=1)) <= 2
    assert small.mean() > 0.6


def test_coffee_has_a_dark_rim_and_is_brown():
    page = np.full((600, 600, 3), 250, dtype=np.uint8)
    given = {"radius": 7.0, "density": 0.8, "kind": "coffee", "text_height": TEXT_HEIGHT}
    pixels = stain(page, **given, rng=rng(2)).pixels.astype(int)
    red, green, blue = pixels[pixels[..., 2] < 200].mean(axis=0)
    assert red > green + 20 > blue + 40
    rows, columns = np.nonzero(pixels[..., 2] < 200)
    middle = pixels[int(np.median(rows)), int(np.median(columns)), 2]
    assert np.percentile(pixels[..., 2], 1) < 0.75 * middle


def test_bleach_takes_print_and_counts_as_cover_when_nothing_is_left():
    page = text_page(600, 600)
    given = {"radius": 10.0, "density": 0.1, "kind": "grease", "text_height": TEXT_HEIGHT}
    kept, lost = (stain(page, **given, bleach=bleach, rng=rng(3)) for bleach in (0.0, 1.0))
    assert kept.cover.max() == 0
    hidden = lost.cover > 0
    assert 0.1 < hidden.mean() < 0.8
    assert np.percentile(lost.pixels[..., 0][hidden], 1) > 150
    assert np.percentile(kept.pixels[..., 0][hidden], 1) < 80
