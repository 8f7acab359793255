import cv2
import numpy as np
import pytest

from robustocr.effects.sensor import downscale, exposure, low_light, shrink
from robustocr.effects.tone import LIGHT_OF_LEVEL, to_light
from tests.corruption_page import TEXT_HEIGHT, text_page


def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize("level", [90, 180])
def test_noise_is_that_of_photons_and_of_reading(level):
    """Variance of the green channel: (electrons + 5^2) / white^2, at one sensor pixel per pixel."""
    page = np.full((200, 200, 3), level, dtype=np.uint8)
    green = to_light(low_light(page, stops=4.0, text_height=20.0, rng=rng()))[..., 1]
    white = 6000 / 2**4
    electrons = float(LIGHT_OF_LEVEL[level]) * white * 0.93
    assert green.mean() == pytest.approx(LIGHT_OF_LEVEL[level] * 0.93, rel=0.02)
    assert green.std() == pytest.approx(np.sqrt(electrons + 25) / white, rel=0.04)


def test_dimness_is_in_stops():
    page = np.full((60, 60, 3), 220, dtype=np.uint8)
    bright, dark = (
        to_light(low_light(page, stops=1.0, dimness=d, text_height=20.0, rng=rng()))[..., 0].mean()
        for d in (0, 2)
    )
    assert bright / dark == pytest.approx(4, rel=0.03)


@pytest.mark.parametrize("text_height", [10.0, 40.0, 90.0])
def test_a_page_is_equally_noisy_at_any_size(text_height):
    """Averaged over squares as wide as a text height, the noise is that of 20 x 20 sensor pixels."""
    side = int(text_height * 12)
    page = np.full((side, side, 3), 150, dtype=np.uint8)
    green = to_light(low_light(page, stops=5.0, text_height=text_height, rng=rng()))[..., 1]
    squares = cv2.resize(green, (12, 12), interpolation=cv2.INTER_AREA)
    white = 6000 / 2**5
    electrons = float(LIGHT_OF_LEVEL[150]) * white * 0.93
    assert squares.std() == pytest.approx(np.sqrt(electrons + 25) / white / 20, rel=0.25)


def test_downscale_leaves_small_text_alone():
    page = text_page()
    assert np.array_equal(downscale(page, text_pixels=20.0, text_height=TEXT_HEIGHT), page)
    assert downscale(page, text_pixels=8.0, text_height=TEXT_HEIGHT).shape == page.shape
    assert shrink(page, 0.5).shape == (180, 150, 3)
    assert shrink(page, 1e-9).shape == (1, 1, 3)


@pytest.mark.parametrize("stops", [-2.0, 0.0, 1.0, 9.0])
def test_exposure_multiplies_light_until_it_clips(stops):
    page = np.arange(256, dtype=np.uint8).reshape(16, 16, 1).repeat(3, axis=2)
    expected = np.minimum(to_light(page) * 2**stops, 1)
    assert np.abs(to_light(exposure(page, stops=stops)) - expected).max() < 0.005
    if stops == 0:
        assert np.array_equal(exposure(page, stops=0.0), page)
