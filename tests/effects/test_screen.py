import cv2
import numpy as np

from robustocr.effects.screen import screen_moire
from robustocr.effects.tone import to_light
from tests.corruption_page import TEXT_HEIGHT, text_page


def rng(seed=0):
    return np.random.default_rng(seed)


def test_bands_differ_by_their_depth_and_colour():
    page = np.full((800, 600, 3), 150, dtype=np.uint8)
    for seed in range(3):
        seen = to_light(
            screen_moire(page, text_pixels=16, depth=0.3, leak=0, text_height=24.0, rng=rng(seed))
        )
        gain = seen / to_light(page)
        for channel in range(3):
            spread = np.ptp(gain[..., channel]) / gain[..., channel].mean()
            assert 0.4 < spread < 0.65
        hue = gain[..., 0] / gain[..., 2]
        assert hue.max() > 1.2
        assert hue.min() < 0.75


def test_bands_are_far_wider_than_the_pixels_of_either_grid():
    page = np.full((800, 600, 3), 150, dtype=np.uint8)
    seen = screen_moire(page, text_pixels=14, depth=0.4, leak=0, text_height=24.0, rng=rng(1))
    spectrum = np.abs(np.fft.rfft2(seen[..., 1] - seen[..., 1].mean()))
    frequency = np.hypot(np.fft.fftfreq(800)[:, None], np.fft.rfftfreq(600)[None, :])
    power = spectrum**2
    assert power[frequency < 14 / 24 * 0.12].sum() > 0.95 * power.sum()


def test_wide_screen_pixels_show_their_bars():
    """At six pixels per screen pixel, the columns of a channel come every six pixels, red and blue apart."""
    page = np.full((120, 120, 3), 150, dtype=np.uint8)
    seen = screen_moire(page, text_pixels=8, depth=0, leak=0, text_height=48.0, rng=rng())
    line = to_light(seen)[60].astype(float)
    waves = np.fft.rfft(line - line.mean(axis=0), axis=0)
    assert np.abs(waves).argmax(axis=0).tolist() == [20, 20, 20]
    turn = np.angle(waves[20, 2] / waves[20, 0])
    assert abs(abs(turn) - 2 * np.pi / 3) < 0.05


def test_few_screen_pixels_and_a_bright_black_leave_less_contrast():
    page = text_page()
    left = []
    for text_pixels, leak in ((14, 0.0), (9, 0.1), (6, 0.2)):
        seen = screen_moire(
            page, text_pixels=text_pixels, depth=0.1, leak=leak, text_height=TEXT_HEIGHT, rng=rng()
        )
        left.append(np.ptp(cv2.cvtColor(seen, cv2.COLOR_RGB2GRAY).astype(int)))
    assert left == sorted(left, reverse=True)
    assert left[0] > 1.3 * left[-1]
