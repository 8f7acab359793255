import numpy as np
import pytest

from robustocr.effects.rolls import curl
from tests.corruption_page import TEXT_HEIGHT, text_page


def rolled(share, seed=0, page=None, radius=4.0):
    page = text_page(700, 400) if page is None else page
    return curl(page, rolled=share, radius=radius, text_height=TEXT_HEIGHT, rng=np.random.default_rng(seed))


def test_a_flat_page_keeps_its_pixels():
    page = text_page(700, 400)
    change = rolled(0.0)
    corner = change.move.move_points(np.zeros((1, 2)))[0]
    x, y = np.round(corner).astype(int)
    assert corner == pytest.approx([x, y])
    assert np.abs(change.pixels[y : y + 700, x : x + 400].astype(int) - page).max() <= 1
    assert not change.cover.any()


def test_ends_are_foreshortened_and_widened_as_on_a_cylinder():
    """Of a cylinder of radius r under a pinhole camera: place r sin(a), height r (1 - cos(a))."""
    change = rolled(0.2, seed=1, radius=8.0)
    move, radius, camera = change.move, 8.0 * TEXT_HEIGHT, 1.4 * 700
    ends = np.round(move.move_points(np.array([[0.0, 699.0], [399.0, 699.0]])), 6)
    widened = (ends[1, 0] - ends[0, 0]) / 399
    angle = np.arccos(1 - (camera - camera / widened) / radius)
    start = 699 - angle * radius
    below = move.move_points(np.array([[0.0, start]]))[0, 1]
    middle = move.move_points(np.array([[0.0, 349.5]]))[0, 1]
    seen = (start + radius * np.sin(angle) - 349.5) * widened
    assert 0.1 < angle < 1.2
    assert below - middle == pytest.approx(start - 349.5, abs=0.6)
    assert ends[0, 1] - middle == pytest.approx(seen, abs=1.0)


def test_what_is_rolled_in_is_covered_by_the_white_back():
    page = np.full((700, 400, 3), 230, dtype=np.uint8)
    page[:40], page[-40:] = (255, 0, 0), (255, 0, 0)
    change = rolled(0.7, page=page)
    hidden = change.cover > 0
    assert 0.15 < hidden.mean() < 0.8
    back = change.pixels[hidden].astype(int)
    assert np.abs(back - back.mean(axis=1, keepdims=True)).max() < 20
    lost = change.move.move_points(np.array([[200.0, 20.0], [200.0, 680.0]]))
    for x, y in np.round(lost).astype(int):
        assert hidden[y, x]
    x, y = np.round(change.move.move_points(np.array([[200.0, 350.0]]))[0]).astype(int)
    assert not hidden[y, x]


def test_a_tighter_roll_covers_more():
    shares = [(rolled(share, seed=2).cover > 0).mean() for share in (0.1, 0.3, 0.5, 0.7, 0.9)]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] > 0.3


@pytest.mark.parametrize("seed", range(5))
def test_points_lie_where_the_page_shows_them(seed):
    page = np.full((700, 400, 3), 255, dtype=np.uint8)
    marks = np.array([[60.0, 40.0], [300.0, 120.0], [200.0, 350.0], [100.0, 560.0], [340.0, 660.0]])
    for x, y in marks.astype(int):
        page[y - 3 : y + 4, x - 3 : x + 4] = (255, 0, 0)
    change = rolled(0.35, seed=seed, page=page)
    for x, y in np.round(change.move.move_points(marks)).astype(int):
        red = int(change.pixels[y, x, 0]) - int(change.pixels[y, x, 1])
        assert change.cover[y, x] > 0 or red > 60
