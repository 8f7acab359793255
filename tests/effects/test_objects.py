import numpy as np
import pytest

from robustocr.effects.objects import draw_coin, draw_key, draw_pen
from robustocr.effects.slips import draw_slip, draw_sticker, draw_strip


def paper(height=420, width=420):
    return np.full((height, width, 3), 240, dtype=np.uint8), np.zeros((height, width), dtype=np.uint8)


def shadow_share(page, cover):
    """The share of the page that is darkened and not covered."""
    return float(((cover == 0) & (page[..., 0] < 225)).mean())


@pytest.mark.parametrize("text_height", [9.0, 24.0])
def test_coin_is_round_metal_with_a_shadow_to_the_lower_right(text_height):
    page, cover = paper()
    draw_coin(page, cover, (200.0, 210.0), 80.0, text_height, 3)
    assert (cover / 255).sum() == pytest.approx(np.pi * 80**2, rel=0.04)
    rows, columns = np.nonzero(cover > 127)
    assert (columns.mean(), rows.mean()) == pytest.approx((200, 210), abs=1.5)
    metal = page[cover == 255].astype(int)
    assert metal.std() > 8
    dark = (cover == 0) & (page[..., 0] < 230)
    assert np.nonzero(dark)[0].mean() > 215
    assert np.nonzero(dark)[1].mean() > 203


def test_key_is_as_long_as_it_says_and_has_a_hole():
    page, cover = paper()
    draw_key(page, cover, (210.0, 210.0), 0.0, 16.0, 5)
    rows, columns = np.nonzero(cover > 127)
    assert np.ptp(columns) == pytest.approx(21 * 16, rel=0.04)
    assert np.ptp(rows) == pytest.approx(9.2 * 16, rel=0.06)
    left = columns.min()
    assert cover[210, left + round(2.3 * 16)] == 0
    assert cover[210, left + round(6.5 * 16)] == 255


def test_pen_points_to_its_tip():
    page, cover = paper()
    draw_pen(page, cover, (300.0, 200.0), 0.0, 600.0, 16.0, 4)
    assert cover[200, 285] > 200
    assert not cover[:, 305:].any()
    assert (cover[:, 100] > 127).sum() == pytest.approx(3.4 * 16, rel=0.06)
    assert (cover[:, 290] > 127).sum() < 12


@pytest.mark.parametrize(("size", "unit"), [((12.0, 8.0), 16.0), ((21.0, 16.0), 14.0)])
def test_sticker_has_its_size_print_and_a_shadow_below(size, unit):
    page, cover = paper()
    draw_sticker(page, cover, (200.0, 180.0), 0.0, size, unit, 2)
    rows, columns = np.nonzero(cover > 127)
    assert np.ptp(columns) == pytest.approx(size[0] * unit, rel=0.04)
    assert np.ptp(rows) == pytest.approx(size[1] * unit, rel=0.06)
    face = page[cover == 255].astype(int).sum(axis=1)
    assert 0.01 < (face < 0.6 * np.median(face)).mean() < 0.4
    below = page[rows.max() + 3, 150:250, 0].mean()
    above = page[rows.min() - 3, 150:250, 0].mean()
    assert below < above - 5


def test_slip_is_pale_paper_with_lines_of_print():
    page, cover = paper()
    draw_slip(page, cover, (210.0, 210.0), 0.0, (20.0, 20.0), 14.0, 8)
    assert (cover > 127).mean() == pytest.approx((280 / 420) ** 2, rel=0.05)
    face = np.where(cover == 255, page[..., 1], 240)[80:340, 80:340]
    assert np.median(face) > 215
    inked = (face < 140).mean(axis=1)
    assert (inked > 0.05).sum() > 20
    assert (inked < 0.002).sum() > 20
    assert shadow_share(page, cover) > 0.01


def test_strip_covers_a_span_of_a_tilted_word():
    for look in range(8):
        page, cover = paper()
        turn = np.array([[np.cos(0.2), -np.sin(0.2)], [np.sin(0.2), np.cos(0.2)]])
        box = np.array([[0.0, 0.0], [120.0, 0.0], [120.0, 24.0], [0.0, 24.0]]) @ turn.T + (140, 150)
        draw_strip(page, cover, box, (0.5, 1.1), 20.0, look)
        for along, expected in ((0.3, 0), (0.7, 255), (0.95, 255)):
            x, y = np.array([120.0 * along, 12.0]) @ turn.T + (140, 150)
            assert cover[round(y), round(x)] == expected
        assert page[cover == 255].mean() > 215
