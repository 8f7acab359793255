import cv2
import numpy as np
import pytest

from robustocr.effects.codec import avif, jpeg, messenger, webp
from tests.corruption_page import TEXT_HEIGHT, text_page


def away(pixels):
    return float(np.abs(pixels.astype(int) - text_page()).mean())


def test_colours_stay_in_their_channels():
    page = np.full((64, 64, 3), (220, 30, 60), dtype=np.uint8)
    assert np.abs(jpeg(page, quality=80, text_height=TEXT_HEIGHT).astype(int) - page).max() < 12


def test_lower_quality_is_further_away():
    errors = [
        away(jpeg(text_page(), quality=quality, text_height=TEXT_HEIGHT)) for quality in (95, 60, 25, 8)
    ]
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


@pytest.mark.parametrize(("codec", "qualities"), [(webp, (90, 40, 10, 0)), (avif, (90, 50, 20, 2))])
def test_lower_quality_of_webp_and_avif_is_further_away(codec, qualities):
    errors = [away(codec(text_page(), quality=quality, text_height=TEXT_HEIGHT)) for quality in qualities]
    assert errors == sorted(errors)
    assert errors[0] < 3


@pytest.mark.parametrize("codec", [webp, avif])
def test_webp_and_avif_keep_colours_in_their_channels(codec):
    page = np.full((64, 64, 3), (220, 30, 60), dtype=np.uint8)
    assert np.abs(codec(page, quality=80, text_height=TEXT_HEIGHT).astype(int) - page).max() < 12


def test_coarser_colour_leaves_brightness_alone_and_smears_colour():
    page = np.full((96, 96, 3), (150, 150, 150), dtype=np.uint8)
    page[:, 1::2] = (210, 120, 160)
    colour, grey = [], []
    for subsampling in ("444", "422", "420"):
        seen = jpeg(page, quality=92, subsampling=subsampling, text_height=TEXT_HEIGHT)
        colour.append(np.abs(np.diff(seen[..., 0].astype(int) - seen[..., 1], axis=1)).mean())
        grey.append(cv2.cvtColor(seen, cv2.COLOR_RGB2GRAY).astype(int)[:, ::2].mean())
    assert colour[0] > 2 * colour[1]
    assert colour[1] == pytest.approx(colour[2], rel=0.2)
    assert np.ptp(grey) < 6


@pytest.mark.parametrize("codec", [jpeg, webp, avif])
def test_text_is_first_shrunk(codec):
    page = text_page()
    small = codec(page, quality=95, text_pixels=6, text_height=TEXT_HEIGHT)
    assert small.shape == page.shape
    assert away(small) > 2 * away(codec(page, quality=95, text_height=TEXT_HEIGHT))


def test_pages_longer_than_webp_allows_are_encoded_in_parts():
    page = np.full((17000, 12, 3), 235, dtype=np.uint8)
    page[::50] = 40
    seen = webp(page, quality=80, text_height=20.0)
    assert seen.shape == page.shape
    assert np.abs(seen.astype(int) - page).mean() < 12
