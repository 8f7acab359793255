import numpy as np
import pytest

from robustocr.effects.sprite import Shadow, Sprite, cast_shadow, lamp_at, lay_sprite, sprite_of

RED = (200, 20, 30)


def paper(height=120, width=160):
    return np.full((height, width, 3), 240, dtype=np.uint8), np.zeros((height, width), dtype=np.uint8)


def square(side=20, step=1.0):
    return sprite_of(np.full((side, side, 3), RED, np.float32), np.ones((side, side), np.float32), step)


def test_an_upright_sprite_lies_with_its_anchor_at_the_place():
    page, cover = paper()
    lay_sprite(page, cover, square(), (79.5, 59.5), 0.0, ())
    assert np.all(page[50:70, 70:90] == RED)
    assert np.all(cover[50:70, 70:90] == 255)
    outside = np.ones(cover.shape, dtype=bool)
    outside[49:71, 69:91] = False
    assert np.all(page[outside] == 240)
    assert not cover[outside].any()


def test_a_turned_sprite_covers_its_own_area():
    page, cover = paper()
    lay_sprite(page, cover, square(40), (80.0, 60.0), np.pi / 4, ())
    assert (cover / 255).sum() == pytest.approx(1600, rel=0.03)
    assert cover[60, 80 - 27] > 127
    assert cover[60 - 19, 80 - 19] == 0


@pytest.mark.parametrize("step", [0.25, 0.5, 2.0])
def test_a_step_scales(step):
    page, cover = paper()
    side = round(32 / step)
    lay_sprite(page, cover, square(side, step), (79.5, 59.5), 0.0, ())
    assert (cover / 255).sum() == pytest.approx(32 * 32, rel=0.08)
    rows, columns = np.nonzero(cover > 127)
    assert rows.mean() == pytest.approx(59.5, abs=0.6)
    assert columns.mean() == pytest.approx(79.5, abs=0.6)


def test_what_is_off_the_page_changes_nothing():
    page, cover = paper()
    shadow = Shadow(shift=(2.0, 2.0), softness=3.0, share=0.5)
    lay_sprite(page, cover, square(), (-300.0, 60.0), 0.3, (shadow,))
    assert np.all(page == 240)
    assert not cover.any()


def test_a_shadow_takes_its_share_and_falls_where_it_is_shifted():
    page, cover = paper()
    big = Sprite(
        colour=np.zeros((60, 60, 3), np.uint8), opacity=np.full((60, 60), 255, np.uint8), step=1.0,
        anchor=(29.5, 29.5),
    )  # fmt: skip
    cast_shadow(page, big, (70.0, 50.0), 0.0, Shadow(shift=(10.0, 10.0), softness=2.0, share=0.5))
    assert page[60, 80] == pytest.approx((120, 120, 120), abs=2)
    assert np.all(page[20:24, 40:44] == 240)
    assert not cover.any()


def test_a_soft_shadow_is_wider_and_weaker_at_its_border():
    rims = []
    for softness in (1.0, 8.0):
        page, _ = paper()
        cast_shadow(page, square(60), (80.0, 60.0), 0.0, Shadow(shift=(0, 0), softness=softness, share=0.6))
        rims.append(page[60, 80 + 38, 0])
    assert rims[0] > 238
    assert rims[1] < 235


def test_the_lamp_turns_against_the_thing():
    assert lamp_at(0.0) == pytest.approx((-0.45, -0.60, 0.66))
    along, beside, up = lamp_at(np.pi)
    assert (along, beside, up) == pytest.approx((0.45, 0.60, 0.66))
    assert lamp_at(np.pi / 2)[:2] == pytest.approx((-0.60, 0.45))
