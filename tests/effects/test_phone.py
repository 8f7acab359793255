import numpy as np
import pytest

from robustocr.effects.phone import screenshot
from tests.corruption_page import TEXT_HEIGHT, text_page


def shot(page, **strengths):
    strengths = {"text_pixels": 400, "sharpen": 0.0, "quality": 95, **strengths}
    return screenshot(page, text_height=TEXT_HEIGHT, rng=np.random.default_rng(0), **strengths)


@pytest.mark.parametrize("shape", [(360, 300), (200, 600), (2400, 300)])
def test_the_page_lies_whole_between_the_bars(shape):
    page = text_page(*shape)
    change = shot(page)
    assert change.cover is None
    height, width = change.pixels.shape[:2]
    assert width == shape[1]
    assert shape[0] + 0.3 * width < height < 2 * shape[0] + 0.4 * width
    (x, y), (right, bottom) = change.move.move_points(np.array([[0.0, 0.0], [shape[1], shape[0]]]))
    assert (x, right) == (0, shape[1])
    assert y >= 0.18 * width
    assert height - bottom >= 0.11 * width
    shown = change.pixels[int(y) : int(bottom)]
    assert np.abs(shown.astype(int) - page).mean() < 3


def test_the_clock_and_buttons_stand_on_the_bars_only():
    change = shot(text_page())
    top = change.pixels[: int(0.06 * 300)]
    bottom = change.pixels[-int(0.12 * 300) :]
    for bar in (top, bottom):
        assert np.ptp(bar.astype(int)) > 100
        levels, counts = np.unique(bar[..., 0], return_counts=True)
        assert counts.max() > 0.6 * counts.sum(), levels[counts.argmax()]


def test_sharpening_overshoots_beside_print():
    page = np.clip(text_page().astype(int) - 30, 0, 255).astype(np.uint8)
    plain, sharp = (shot(page, sharpen=amount).pixels for amount in (0.0, 1.5))
    paper = int(np.median(plain[200]))
    assert sharp[150:-80].max() > plain[150:-80].max() + 8
    assert int(np.median(sharp[200])) == pytest.approx(paper, abs=3)


def test_fewer_screen_pixels_are_further_away():
    page = text_page()
    errors = []
    for text_pixels in (14, 10, 7):
        change = shot(page, text_pixels=text_pixels)
        errors.append(np.abs(change.move.restore_image(change.pixels).astype(int) - page).mean())
    assert errors == sorted(errors)
