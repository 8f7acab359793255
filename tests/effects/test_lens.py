from itertools import pairwise

import cv2
import numpy as np
import pytest

from robustocr.effects.lens import camera_shake, colour_fringe, dirty_lens, focus_tilt, tremor_path
from robustocr.effects.optics import defocus
from robustocr.effects.tone import to_light
from tests.corruption_page import TEXT_HEIGHT, text_page


def rng(seed=0):
    return np.random.default_rng(seed)


def sharpness(pixels):
    return float(np.abs(cv2.Laplacian(to_light(pixels), cv2.CV_32F)).mean())


def extent(path):
    angles = np.linspace(0, np.pi, 90)
    return np.ptp(np.stack([np.cos(angles), np.sin(angles)], axis=1) @ path, axis=1).max()


def test_paths_are_of_one_extent_about_their_middle_and_crooked():
    straightness = []
    for seed in range(12):
        path = tremor_path(rng(seed))
        assert path.shape == (2, 256)
        assert path.mean(axis=1) == pytest.approx((0, 0), abs=1e-9)
        assert extent(path) == pytest.approx(1, abs=0.03)
        straightness.append(1 / np.hypot(*np.diff(path, axis=1)).sum())
    assert max(straightness) < 1.01
    assert np.median(straightness) < 0.8


@pytest.mark.parametrize("length", [0.6, 2.0])
def test_a_spot_of_light_draws_the_path(length):
    """A spot of 8 pixels adds 63 / 12 to the variance of the path along each axis."""
    page = np.zeros((128, 128, 3), dtype=np.uint8)
    page[60:68, 60:68] = 255
    light = to_light(camera_shake(page, length=length, text_height=16.0, rng=rng(3)))[..., 0].astype(float)
    light /= 64
    x, y = np.meshgrid(np.arange(128) - 63.5, np.arange(128) - 63.5)
    path = tremor_path(rng(3)) * length * 16
    assert light.sum() == pytest.approx(1, rel=0.02)
    for along, traced in ((x, path[0]), (y, path[1])):
        assert (light * along).sum() == pytest.approx(0, abs=0.2)
        assert (light * along**2).sum() == pytest.approx(traced.var() + 63 / 12, rel=0.1)


def test_smudges_blur_in_places_and_leave_others_sharp():
    page = text_page(900, 720)
    seen = dirty_lens(page, scatter=0.97, spread=0.6, cover=0.5, text_height=TEXT_HEIGHT, rng=rng())
    left = [
        sharpness(seen[y : y + 90, x : x + 120]) / sharpness(page[y : y + 90, x : x + 120])
        for y in range(0, 900, 90)
        for x in (0, 180)
    ]
    assert min(left) < 0.2
    assert max(left) > 0.8


def test_more_grease_leaves_less_contrast():
    page = text_page()
    left = [
        sharpness(dirty_lens(page, scatter=share, text_height=TEXT_HEIGHT, rng=rng()))
        for share in (0.0, 0.3, 0.6, 0.9)
    ]
    assert left[0] == pytest.approx(sharpness(page), rel=0.01)
    assert left == sorted(left, reverse=True)


def test_colours_part_towards_the_corners():
    page = np.full((401, 301, 3), 255, dtype=np.uint8)
    dots = [(20, 20), (150, 200), (280, 380)]
    for dot in dots:
        cv2.circle(page, dot, 5, (0, 0, 0), -1)
    seen = colour_fringe(page, lateral=0.5, text_height=16.0, rng=rng())

    def middle(channel, dot):
        window = 255 - seen[dot[1] - 15 : dot[1] + 16, dot[0] - 15 : dot[0] + 16, channel].astype(float)
        at = np.arange(31) - 15
        return np.array([(window.sum(axis=0) * at).sum(), (window.sum(axis=1) * at).sum()]) / window.sum()

    apart = [middle(0, dot) - middle(2, dot) for dot in dots]
    assert np.hypot(*apart[1]) < 0.1
    for dot, gap in zip((dots[0], dots[2]), (apart[0], apart[2]), strict=True):
        away = np.array(dot) - (150, 200)
        assert np.hypot(*gap) == pytest.approx(0.5 * 16 * np.hypot(*away) / np.hypot(200, 150), rel=0.1)
        assert abs(gap @ away) == pytest.approx(np.hypot(*gap) * np.hypot(*away), rel=0.05)
    assert middle(1, dots[0]) == pytest.approx((0, 0), abs=0.1)


def test_one_end_of_the_spectrum_is_blurrier_than_green_and_the_other_sharper():
    page = text_page()
    for seed in range(4):
        seen = colour_fringe(page, lateral=0.0, radius=0.4, text_height=TEXT_HEIGHT, rng=rng(seed))
        left = [sharpness(np.ascontiguousarray(seen[..., channel])) for channel in range(3)]
        assert sorted(left)[1] == left[1]
        assert max(left) > 1.5 * min(left)


def test_focus_falls_off_from_one_side_to_the_other():
    page = text_page(1200, 300)
    for seed in range(4):
        seen = focus_tilt(page, radius=0.6, text_height=TEXT_HEIGHT, rng=rng(seed))
        left = [sharpness(seen[y : y + 120]) / sharpness(page[y : y + 120]) for y in range(0, 1200, 120)]
        ordered = left if left[0] > left[-1] else left[::-1]
        assert ordered[0] > 0.9
        assert ordered[-1] < 0.3
        assert all(after < before + 0.06 for before, after in pairwise(ordered))


def test_the_far_side_is_blurred_as_much_as_it_says():
    page = text_page(1200, 300)
    for seed in range(4):
        seen = focus_tilt(page, radius=0.6, text_height=TEXT_HEIGHT, rng=rng(seed))
        at_once = defocus(page, radius=0.6, text_height=TEXT_HEIGHT)
        apart = np.abs(seen.astype(int) - at_once).max(axis=2)
        assert min(apart[:8].mean(axis=1).min(), apart[-8:].mean(axis=1).min()) < 4
