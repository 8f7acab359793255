import cv2
import numpy as np
import pytest

from robustocr.effects.bends import folds, page_bend
from tests.corruption_page import TEXT_HEIGHT, text_page


def rng(seed=0):
    return np.random.default_rng(seed)


def bent(shift, seed=0, shade=0.3, page=None):
    page = text_page(600, 500) if page is None else page
    return page_bend(page, shift=shift, shade=shade, text_height=TEXT_HEIGHT, rng=rng(seed))


def folded(seed=0, page=None, **given):
    strengths = {"count": 4, "shift": 0.4, "shade": 0.4, "wear": 0.3, **given}
    page = text_page(600, 500) if page is None else page
    return folds(page, **strengths, text_height=TEXT_HEIGHT, rng=rng(seed))


def moved_by(change):
    points = rng(1).uniform(20, 480, (300, 2))
    moved = change.move.move_points(points)
    return moved - points - np.median(moved - points, axis=0)


@pytest.mark.parametrize(
    "make", [lambda: bent(0.0, shade=0.0), lambda: folded(shift=0.0, shade=0.0, wear=0.0)]
)
def test_without_strength_the_page_lies_flat_on_the_table(make):
    page, change = text_page(600, 500), make()
    x, y = np.round(change.move.move_points(np.zeros((1, 2)))[0]).astype(int)
    kept = change.pixels[y : y + 600, x : x + 500].astype(int)
    assert np.mean(np.abs(kept - page) > 2) < 0.03
    assert change.pixels.shape[0] > 600


def test_points_move_by_text_heights():
    reach = [np.abs(moved_by(bent(shift))).max() / TEXT_HEIGHT for shift in (0.0, 0.5, 1.0)]
    assert reach[0] < 1e-9
    assert 0.2 < reach[1] < 1.2
    assert reach[2] == pytest.approx(2 * reach[1], rel=0.25)


@pytest.mark.parametrize("seed", range(6))
def test_paper_never_folds_over_itself(seed):
    for change in (bent(3.0, seed=seed), folded(seed=seed, count=10, shift=1.0)):
        field = change.move.moves[1].field
        step = change.move.moves[1].size[0] / field.shape[1]
        assert max(np.abs(np.diff(field, axis=axis)).max() for axis in (0, 1)) / step < 0.8


def test_slopes_of_a_wave_differ_in_light():
    change = bent(1.0, shade=0.5, page=np.full((600, 500, 3), 200, dtype=np.uint8))
    points = np.round(change.move.move_points(rng(2).uniform(20, 480, (400, 2)))).astype(int)
    levels = change.pixels[points[:, 1], points[:, 0], 0].astype(int)
    assert np.percentile(levels, 95) - np.percentile(levels, 5) > 25


def test_panels_on_both_sides_of_a_fold_differ_in_light():
    change = folded(count=1, shift=0.0, shade=0.6, wear=0.0, page=np.full((600, 500, 3), 200, np.uint8))
    column = change.move.move_points(np.array([[250.0, 280.0], [250.0, 320.0]]))
    step = max(
        abs(
            int(change.pixels[int(y - 1.5 * TEXT_HEIGHT), int(x), 0])
            - int(change.pixels[int(y + 1.5 * TEXT_HEIGHT), int(x), 0])
        )
        for x, y in np.linspace(column[0], column[1], 20)
    )
    assert step > 25


def test_wear_takes_the_print_along_the_creases_and_nowhere_else():
    page = np.full((600, 500, 3), 245, dtype=np.uint8)
    page[:, ::8] = page[:, 1::8] = page[::8] = 30
    worn = folded(count=1, shift=0.0, shade=0.0, wear=1.5, page=page)
    rows = np.flatnonzero((worn.cover > 0).any(axis=1))
    assert 0.3 * TEXT_HEIGHT < len(rows) < 3 * TEXT_HEIGHT
    x, y = np.round(worn.move.move_points(np.zeros((1, 2)))[0]).astype(int)
    kept, hidden = worn.pixels[y : y + 600, x : x + 500], worn.cover[y : y + 600, x : x + 500] > 0
    assert kept[hidden].min() > 180
    assert np.mean(np.abs(kept.astype(int) - page)[~hidden] > 3) < 0.05


def test_more_folds_keep_the_places_of_fewer():
    few, many = (
        folded(count=count, shift=0.0, shade=0.0, wear=0.8, page=text_page(600, 500)).cover > 0
        for count in (2, 6)
    )
    assert many.sum() > 1.5 * few.sum()
    assert not (few & ~many).any()


@pytest.mark.parametrize("seed", range(4))
def test_points_lie_where_the_page_shows_them(seed):
    page = np.full((600, 500, 3), 255, dtype=np.uint8)
    marks = rng(seed).uniform(30, 470, (6, 2)).round()
    for mark in marks.astype(int):
        cv2.circle(page, mark.tolist(), 4, (255, 0, 0), -1)
    for change in (bent(2.0, seed=seed, page=page), folded(seed=seed, wear=0.0, page=page)):
        for x, y in np.round(change.move.move_points(marks)).astype(int):
            assert int(change.pixels[y, x, 0]) - int(change.pixels[y, x, 1]) > 60
