import numpy as np

from robustocr.effects.codec import jpeg, messenger
from tests.corruption_page import TEXT_HEIGHT, text_page


def away(pixels):
    return float(np.abs(pixels.astype(int) - text_page()).mean())


def test_colours_stay_in_their_channels():
    page = np.full((64, 64, 3), (220, 30, 60), dtype=np.uint8)
    assert np.abs(jpeg(page, quality=80, text_height=TEXT_HEIGHT).astype(int) - page).max() < 12


def test_lower_quality_is_further_away():
    errors = [away(jpeg(text_page(), quality=quality, text_height=TEXT_HEIGHT)) for quality in (95, 60, 25, 8)]
    assert errors == sorted(errors)
    assert errors[0] < 1.5


def test_each_pass_costs():
    errors = [
        away(messenger(text_page(), text_pixels=12.0, quality=20, passes=passes, text_height=TEXT_HEIGHT))
        for passes in (1, 2, 4)
    ]
    assert errors == sorted(errors)


def test_the_blocks_are_those_of_the_small_picture():
    """At half size, blocks of 8 are 16 pixels wide on the page."""
    page = np.tile(np.linspace(40, 220, 320, dtype=np.uint8)[None, :, None], (64, 1, 3))
    sent = messenger(page, text_pixels=8.0, quality=5, text_height=16.0)[32, :, 0].astype(int)
    steps = np.abs(np.diff(sent)).reshape(-1, 1)
    at_edges = np.concatenate([steps[k::16] for k in (14, 15)]).mean()
    inside = np.concatenate([steps[k::16] for k in (5, 6, 7, 8)]).mean()
    assert at_edges > inside
