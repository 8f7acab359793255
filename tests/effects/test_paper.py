import cv2
import numpy as np
import pytest

from robustocr.effects.paper import coloured_paper, crumple, paper_colour, show_through
from robustocr.effects.tone import to_light
from tests.corruption_page import TEXT_HEIGHT, text_page


def rng(seed=0):
    return np.random.default_rng(seed)


def test_paper_colour_is_the_page_without_print():
    paper = paper_colour(text_page(), TEXT_HEIGHT)
    assert np.abs(paper.astype(int) - (246, 244, 238)).max() <= 3


def test_coloured_paper_takes_each_channel_by_its_share():
    ramp = np.repeat(np.arange(0, 256, 5, dtype=np.uint8)[None, :, None], 3, axis=2)
    pink = to_light(coloured_paper(ramp, saturation=1.0, colour="pink", rng=rng()))
    light = to_light(ramp)
    full = to_light(np.array([[[248, 176, 196]]], dtype=np.uint8))
    assert np.abs(pink - light * full).max() < 0.01
    half = to_light(coloured_paper(ramp, saturation=0.5, colour="pink", rng=rng()))
    assert np.abs(half - light * (1 + full) / 2).max() < 0.01


def test_colours_are_drawn():
    page = np.full((2, 2, 3), 255, dtype=np.uint8)
    seen = {tuple(coloured_paper(page, saturation=1.0, rng=rng(seed))[0, 0]) for seed in range(30)}
    assert len(seen) == 5


def test_the_back_is_mirrored_and_as_strong_as_it_says():
    page = np.full((400, 300, 3), 255, dtype=np.uint8)
    cv2.putText(page, "F", (120, 200), cv2.FONT_HERSHEY_SIMPLEX, 3, (0, 0, 0), 14)
    shown = show_through(page, strength=0.4, text_height=20.0, rng=rng())
    back = (shown[..., 0] < 240) & (page[..., 0] == 255)
    front = page[..., 0] < 128
    weight = np.arange(300) @ front.sum(axis=0) / front.sum() - np.median(np.nonzero(front)[1])
    mirrored = np.arange(300) @ back.sum(axis=0) / back.sum() - np.median(np.nonzero(back)[1])
    assert weight > 0 > mirrored
    assert to_light(shown)[back].min() == pytest.approx(0.6, abs=0.03)


def test_front_print_stays_where_the_back_shows():
    page = text_page()
    shown = show_through(page, strength=0.5, text_height=TEXT_HEIGHT, rng=rng())
    assert np.all(shown <= page)
    assert np.percentile(shown[page[..., 0] < 60], 95) < 60


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
