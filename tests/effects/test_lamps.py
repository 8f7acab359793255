import cv2
import numpy as np
import pytest

from robustocr.effects.lamps import exposed, flash, lamp_colour, mixed_light, overexposure, window_stripes
from robustocr.effects.tone import to_light
from tests.corruption_page import TEXT_HEIGHT, text_page


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("share", [0.05, 0.2])
def test_white_paper_clips_inside_the_hot_spot(share):
    page = np.full((900, 600, 3), 255, dtype=np.uint8)
    clipped = [
        (flash(page, share=share, distance=5.0, rng=rng(seed)).min(axis=2) >= 254).mean() for seed in range(6)
    ]
    assert np.median(clipped) == pytest.approx(share, rel=0.3)


def test_light_falls_with_the_square_of_the_distance_and_its_cosine():
    """Without a hot spot, a corner of a page at half its diagonal gets about (1 + 1)^-2 of the middle."""
    page = np.full((600, 600, 3), 255, dtype=np.uint8)
    lit = to_light(flash(page, share=0, stops=-3, distance=0.5, dimming=0, rng=rng()))[..., 1]
    assert lit.max() == pytest.approx(1, abs=0.01)
    corners = [lit[0, 0], lit[0, -1], lit[-1, 0], lit[-1, -1]]
    assert np.mean(corners) == pytest.approx(0.25, abs=0.04)


def test_sun_and_shade_differ_by_the_stops_it_says():
    page = np.full((900, 700, 3), 200, dtype=np.uint8)
    for seed in range(4):
        seen = window_stripes(page, contrast=3.0, over=0.0, flare=0.0, text_height=TEXT_HEIGHT, rng=rng(seed))
        gain = to_light(seen)[..., 1] / to_light(page)[..., 1]
        assert gain.max() == pytest.approx(1, abs=0.02)
        assert gain.min() == pytest.approx(1 / 8, abs=0.02)
        assert 0.25 < (gain > 0.5).mean() < 0.65
        shade, sun = seen[gain < 0.14].mean(axis=0), seen[gain > 0.9].mean(axis=0)
        assert shade[2] / shade[0] > sun[2] / sun[0] + 0.1


def test_bands_come_at_their_period():
    page = np.full((1600, 400, 3), 200, dtype=np.uint8)
    seen = window_stripes(
        page, contrast=3.0, over=0.0, period=8.0, flare=0.0, text_height=TEXT_HEIGHT, rng=rng(1)
    )
    column = to_light(seen)[:, 100, 1]
    edges = np.flatnonzero(np.diff(column > 0.3))
    direction = 1 / np.cos(0.6)
    assert 8 * TEXT_HEIGHT * 0.95 < np.diff(edges[::2]).mean() < 8 * TEXT_HEIGHT * direction * 1.05


def test_scattered_light_is_kept_and_fills_the_print():
    page = text_page()
    flat = np.full((8, 8, 3), 0.5, dtype=np.float32)
    plain, flared = (to_light(exposed(page, flat, share, TEXT_HEIGHT)) for share in (0.0, 0.1))
    assert flared.mean() == pytest.approx(plain.mean(), rel=0.02)
    assert flared.min() > plain.min() + 0.03


def test_overexposed_paper_clips_and_print_fades_with_every_stop():
    page = text_page()
    left = []
    for stops in (0.5, 1.5, 2.5, 3.5, 6.0):
        light = to_light(overexposure(page, stops=stops, text_height=TEXT_HEIGHT, rng=rng()))
        left.append(np.percentile(light, 99) - np.percentile(light, 1))
    assert left == sorted(left, reverse=True)
    assert left[-1] < 0.02


def test_one_side_of_the_page_is_brighter_by_the_stops_it_says():
    page = np.full((400, 400, 3), 60, dtype=np.uint8)
    for seed in range(3):
        light = to_light(
            overexposure(page, stops=0, uneven=2, flare=0, text_height=TEXT_HEIGHT, rng=rng(seed))
        )
        assert np.log2(light.max() / light.min()) == pytest.approx(2, abs=0.15)


@pytest.mark.parametrize(
    ("kelvin", "rgb"), [(6500, (1.0, 0.94, 0.98)), (2700, (1.0, 0.41, 0.10)), (10000, (0.60, 0.71, 1.0))]
)
def test_black_bodies_have_the_colours_of_the_tables(kelvin, rgb):
    """Linear sRGB, brightest channel 1, of black bodies under the CIE 1931 observer."""
    colour = lamp_colour(1e6 / kelvin)
    assert colour / colour.max() == pytest.approx(np.array(rgb), abs=0.06)
    assert colour @ (0.2126, 0.7152, 0.0722) == pytest.approx(1, abs=0.01)


def test_one_side_is_warm_the_other_cold_and_print_stays():
    page = text_page(600, 600)
    for seed in range(3):
        seen = mixed_light(page, gap=200, miss=0, rng=rng(seed))
        paper = cv2.dilate(seen, np.ones((25, 25), np.uint8)).astype(float)
        warmth = paper[..., 0] / paper[..., 2]
        assert warmth.max() > 1.15
        assert warmth.min() < 0.9
        grey = cv2.cvtColor(seen, cv2.COLOR_RGB2GRAY)
        assert np.percentile(grey, 95) - grey.min() > 120


def test_a_missed_white_balance_tints_the_whole_page():
    page = np.full((200, 200, 3), 220, dtype=np.uint8)
    even = mixed_light(page, gap=0, miss=0, rng=rng())
    tinted = mixed_light(page, gap=0, miss=100, rng=rng())
    assert np.ptp(even.astype(int)) <= 1
    red, _, blue = tinted.reshape(-1, 3).mean(axis=0)
    assert abs(red - blue) > 30
