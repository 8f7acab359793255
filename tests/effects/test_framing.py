import cv2
import numpy as np
import pytest

from robustocr.effects.framing import cut_off, sideways, upside_down
from tests.corruption_page import text_page


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize(
    "turned",
    [lambda page: upside_down(page), *(lambda page, s=s: sideways(page, rng=rng(s)) for s in range(4))],
)
def test_every_pixel_is_kept_and_lies_where_the_move_says(turned):
    page = rng(1).integers(0, 256, (7, 11, 3)).astype(np.uint8)
    change = turned(page)
    at = np.array([[x, y] for y in range(7) for x in range(11)], dtype=np.float64)
    there = np.round(change.move.move_points(at)).astype(int)
    assert np.array_equal(change.pixels[there[:, 1], there[:, 0]], page.reshape(-1, 3))
    assert np.abs(change.move.move_points(at) - there).max() < 1e-9
    assert np.array_equal(change.move.restore_image(change.pixels), page)


def test_both_directions_are_drawn():
    page = text_page()
    left, right = np.rot90(page, 1), np.rot90(page, 3)
    seen = [sideways(page, rng=rng(seed)).pixels for seed in range(12)]
    assert all(np.array_equal(one, left) or np.array_equal(one, right) for one in seen)
    assert len({one.tobytes() for one in seen}) == 2
    assert np.array_equal(upside_down(page).pixels, page[::-1, ::-1])


@pytest.mark.parametrize("share", [0.1, 0.4])
def test_cut_off_loses_a_side_and_keeps_the_other_pixels(share):
    page = text_page()
    for seed in range(8):
        change = cut_off(page, share=share, rng=rng(seed))
        dx, dy = np.round(change.move.move_points(np.zeros((1, 2)))[0]).astype(int)
        height, width = change.pixels.shape[:2]
        assert np.array_equal(change.pixels, page[-dy : height - dy, -dx : width - dx])
        lost = 1 - height / 360, 1 - width / 300
        assert max(lost) == pytest.approx(share, abs=0.01)
        assert min(lost) < 0.31 * share
        assert change.cover.shape == (height, width)
        assert not change.cover.any()


def test_each_side_is_cut_and_more_cuts_the_same_side():
    page = np.full((100, 100, 3), 255, dtype=np.uint8)
    cv2.circle(page, (50, 50), 10, (0, 0, 0), -1)
    sides = set()
    for seed in range(20):
        little, much = (cut_off(page, share=share, rng=rng(seed)).move for share in (0.1, 0.3))
        for move in (little, much):
            assert np.all(np.array(move.new) <= 100)
        first = little.move_points(np.zeros((1, 2)))[0]
        assert np.all(much.move_points(np.zeros((1, 2)))[0] <= first)
        sides.add((int(np.argmin(little.new)), bool(first[int(np.argmin(little.new))] < -5)))
    assert len(sides) == 4


def test_a_few_pixels_always_stay():
    for shape in ((5, 400, 3), (1, 1, 3), (90, 60, 3)):
        change = cut_off(np.zeros(shape, np.uint8), share=1.0, rng=rng(3))
        assert min(change.pixels.shape[:2]) >= min(8, *shape[:2])
