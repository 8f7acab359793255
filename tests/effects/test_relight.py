import cv2
import numpy as np
import pytest

from robustocr.effects.relight import relit
from robustocr.effects.tone import to_light, to_pixels


@pytest.mark.parametrize("shape", [(40, 31), (1, 1), (700, 513)])
def test_light_is_that_of_the_formula_at_every_pixel(shape):
    page = np.random.default_rng(2).integers(0, 256, (*shape, 3), dtype=np.uint8)
    amount = np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4)
    tint = np.array([1.0, 0.8, 0.5], dtype=np.float32)
    lit = relit(page, amount, lambda light, share: light * (1 - share * tint / 2) + share**2 / 8)
    share = cv2.resize(amount, shape[::-1], interpolation=cv2.INTER_LINEAR)[..., None]
    exact = to_pixels(to_light(page) * (1 - share * tint / 2) + share**2 / 8)
    off = np.abs(lit.astype(int) - exact)
    assert off.max() <= 3
    assert off.mean() < 0.4


def test_no_change_of_light_is_the_page():
    page = np.random.default_rng(2).integers(0, 256, (50, 70, 3), dtype=np.uint8)
    before = page.copy()
    assert np.array_equal(relit(page, np.full((2, 2), 0.3, dtype=np.float32), lambda light, _: light), page)
    assert np.array_equal(page, before)


def test_amounts_beyond_the_ends_are_the_ends():
    page = np.full((20, 20, 3), 200, dtype=np.uint8)
    amount = np.array([[-3.0, -3.0], [5.0, 5.0]], dtype=np.float32)
    lit = relit(page, amount, lambda light, share: light * share)
    assert (lit[:5] == 0).all()
    assert (lit[-5:] == 200).all()
