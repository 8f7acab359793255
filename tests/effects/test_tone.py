import numpy as np
import pytest

from robustocr.effects.tone import LIGHT_OF_LEVEL, to_light, to_pixels


def test_every_level_comes_back():
    ramp = np.arange(256, dtype=np.uint8).reshape(16, 16)
    page = np.dstack([ramp, ramp[::-1], ramp.T])
    assert np.array_equal(to_pixels(to_light(page)), page)


@pytest.mark.parametrize(
    ("level", "light"), [(0, 0.0), (10, 0.003035), (128, 0.215861), (188, 0.502886), (255, 1.0)]
)
def test_known_points_of_the_curve(level, light):
    """Values of IEC 61966-2-1."""
    assert LIGHT_OF_LEVEL[level] == pytest.approx(light, abs=1e-5)


def test_too_much_light_clips():
    assert to_pixels(np.array([[[-0.5, 1.5, 40.0]]], dtype=np.float32)).tolist() == [[[0, 255, 255]]]
