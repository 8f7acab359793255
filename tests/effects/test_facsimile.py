import numpy as np
import pytest

from robustocr.effects.facsimile import fax
from tests.corruption_page import TEXT_HEIGHT, text_page


def sent(page, *, seed=0, text_height=TEXT_HEIGHT, **strengths):
    strengths = {"lines": 16, "noise": 0.0, **strengths}
    return fax(page, text_height=text_height, rng=np.random.default_rng(seed), **strengths)


def test_every_point_is_black_or_white():
    large = text_page().repeat(3, axis=0).repeat(3, axis=1)
    seen = sent(large, text_height=3 * TEXT_HEIGHT, lines=7, noise=0.05, errors=0.05)
    assert set(np.unique(seen)) == {0, 255}
    assert np.array_equal(seen[..., 0], seen[..., 1])
    assert np.array_equal(seen[..., 0], seen[..., 2])


@pytest.mark.parametrize(("resolution", "columns"), [("standard", 4 * 8.04 / 3.85), ("fine", 4 * 8.04 / 7.7)])
def test_the_raster_is_that_of_the_recommendation(resolution, columns):
    """Noise as strong as the paper's light turns points black at random, so that each of them shows."""
    page = np.full((960, 960, 3), 255, dtype=np.uint8)
    seen = sent(page, text_height=48.0, lines=4, resolution=resolution, threshold=0.95, noise=0.5)[..., 0]
    rows = (np.diff(seen.astype(int), axis=0) != 0).any(axis=1).sum()
    across = (np.diff(seen.astype(int), axis=1) != 0).any(axis=0).sum()
    assert rows + 1 == pytest.approx(4 * 20, abs=1)
    assert across + 1 == pytest.approx(columns * 20, abs=1)


def test_grey_turns_black_below_the_threshold_of_the_paper_around_it():
    page = np.full((400, 400, 3), 180, dtype=np.uint8)
    page[100:110, 50:350], page[200:210, 50:350] = int(180 * 0.7), int(180 * 0.5)
    seen = sent(page, threshold=0.6)
    assert seen[105, 100:300].min() == 255
    assert seen[205, 100:300].max() == 0
    assert (seen[300] == 255).all()


def test_paper_in_the_shade_stays_white():
    shade = np.linspace(1, 0.4, 800)[:, None, None]
    page = (text_page(800, 300) * shade).astype(np.uint8)
    black = (sent(page, threshold=0.6)[..., 0] == 0).mean(axis=1).reshape(8, -1).mean(axis=1)
    assert black.max() < 0.3
    assert black[2:6].min() > 0.02


def test_damaged_lines_are_as_many_as_it_says_and_nested():
    page = np.full((600, 300, 3), 255, dtype=np.uint8)
    y, x = np.mgrid[0:600, 0:300]
    page[(x + 3 * y) % 40 < 9] = 0
    clean = sent(page)
    hit = [
        (sent(page, errors=share) != clean).any(axis=(1, 2)).reshape(600, -1).any(axis=1)
        for share in (0.05, 0.2)
    ]
    assert 0.02 < hit[0].mean() < 0.08
    assert 0.1 < hit[1].mean() < 0.25
    assert (hit[0] & ~hit[1]).sum() == 0


def test_fewer_lines_are_further_away():
    page = text_page()
    errors = [np.abs(sent(page, lines=lines).astype(int) - page).mean() for lines in (16, 9, 5)]
    assert errors == sorted(errors)
