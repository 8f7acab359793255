import numpy as np
import pytest

from robustocr.effects.light import cast_shadow, glare
from robustocr.effects.tone import to_light
from tests.corruption_page import TEXT_HEIGHT, text_page


@pytest.mark.parametrize("share", [0.03, 0.1])
def test_white_paper_clips_inside_the_spot(share):
    page = np.full((900, 600, 3), 255, dtype=np.uint8)
    clipped = [
        (glare(page, share=share, stops=2.0, rng=np.random.default_rng(seed))[..., 2] >= 254).mean()
        for seed in range(8)
    ]
    assert np.median(clipped) == pytest.approx(share, rel=0.4)


def test_glare_adds_to_print_as_to_paper_and_dims_the_rest():
    page = text_page()
    lit = to_light(glare(page, share=0.05, stops=1.0, dimming=1.0, rng=np.random.default_rng(0)))
    added = lit - to_light(page) / 2
    assert added.min() > -0.01
    free = lit.max(axis=2) < 0.97
    assert added[free].max() > 0.2
    assert np.median(lit / np.maximum(to_light(page), 0.01)) == pytest.approx(0.5, abs=0.06)


def test_the_core_of_the_shadow_is_as_dark_as_it_says():
    page = np.full((600, 500, 3), 240, dtype=np.uint8)
    for seed in range(5):
        shaded = cast_shadow(
            page, stops=2.0, softness=0.5, text_height=TEXT_HEIGHT, rng=np.random.default_rng(seed)
        )
        kept = to_light(shaded)[..., 1] / to_light(page)[..., 1]
        assert kept.min() == pytest.approx(0.25, abs=0.01)
        assert kept.max() == pytest.approx(1, abs=0.01)
        assert 0.1 < (kept < 0.6).mean() < 0.6


def test_what_is_left_in_the_shadow_is_bluer():
    page = np.full((600, 500, 3), 240, dtype=np.uint8)
    shaded = cast_shadow(page, stops=2.0, text_height=TEXT_HEIGHT, rng=np.random.default_rng(0))
    red, _, blue = shaded.reshape(-1, 3)[shaded[..., 1].argmin()].astype(int)
    assert blue > red + 8
