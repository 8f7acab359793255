import numpy as np
import pytest

from robustocr.effects.noise import smooth_noise, smooth_step, white_noise


def test_white_noise_is_normal_and_without_pattern():
    noise = white_noise(400, 600, np.random.default_rng(1)).rows(slice(0, 400))
    assert noise.shape == (400, 600)
    assert noise.mean() == pytest.approx(0, abs=0.03)
    assert noise.std() == pytest.approx(1, abs=0.02)
    assert np.mean(np.abs(noise) > 1.96) == pytest.approx(0.05, abs=0.005)
    for rows, columns in ((0, 1), (1, 0), (1, 1), (2, 3)):
        shifted = np.roll(noise, (rows, columns), axis=(0, 1))
        assert abs(np.corrcoef(noise.ravel(), shifted.ravel())[0, 1]) < 0.02


def test_rows_wider_than_the_pool():
    assert white_noise(2, 300_000, np.random.default_rng(1)).rows(slice(0, 2)).shape == (2, 300_000)


def test_smooth_noise_is_smooth():
    noise = smooth_noise((120, 90), (6, 5), np.random.default_rng(0))
    assert noise.shape == (120, 90)
    assert np.abs(np.diff(noise, axis=0)).max() < 0.2
    assert noise.std() > 0.2


def test_smooth_step():
    values = smooth_step(np.array([-1, 0, 0.5, 1, 2], dtype=np.float32), 0, 1)
    assert values.tolist() == [0, 0, 0.5, 1, 1]
