import cv2
import numpy as np
import pytest

from robustocr.effects.print_rows import find_rows, inked_pixels
from tests.corruption_page import TEXT_HEIGHT, text_page


def test_rows_of_a_level_page():
    """Lines stand every 30 pixels from 24 on, with digits 12 pixels high; the last one at 324."""
    rows = find_rows(text_page(), TEXT_HEIGHT)
    assert abs(rows.tilt) < 0.004
    assert rows.left == pytest.approx(13, abs=6)
    assert rows.right == pytest.approx(252, abs=12)
    assert rows.bottom == pytest.approx(325, abs=4)
    middles = [gap.middle for gap in rows.gaps if 30 < gap.top < 310]
    assert np.diff(middles) == pytest.approx([30] * (len(middles) - 1), abs=3)
    assert rows.gaps[-1].top == pytest.approx(327, abs=4)
    assert rows.gaps[-1].bottom <= 360


@pytest.mark.parametrize("angle", [-3.0, 2.0])
def test_tilted_rows_and_back_to_the_page(angle):
    matrix = cv2.getRotationMatrix2D((150, 180), -angle, 1.0)
    page = cv2.warpAffine(text_page(), matrix, (300, 360), borderMode=cv2.BORDER_REPLICATE)
    rows = find_rows(page, TEXT_HEIGHT)
    assert np.degrees(rows.tilt) == pytest.approx(angle, abs=0.3)
    assert len(rows.gaps) >= 9
    x, y = rows.on_page(40.0, 100.0)
    assert rows.down_of(x, y) == pytest.approx(100.0)
    for gap in rows.gaps[2:-2]:
        grey = cv2.cvtColor(page, cv2.COLOR_RGB2GRAY)
        line = [rows.on_page(along, gap.middle) for along in range(20, 240)]
        assert min(grey[round(y), round(x)] for x, y in line if 0 <= round(y) < 360) > 200


def test_a_dark_table_beside_the_page_is_no_print():
    page = text_page()
    table = np.full((500, 460, 3), 45, dtype=np.uint8)
    table[70:430, 80:380] = page
    rows = find_rows(table, TEXT_HEIGHT)
    assert len(rows.gaps) >= 9
    assert 80 < rows.left < 110
    assert 300 < rows.right < 350


def test_faint_print_counts_unless_it_fills_every_gap():
    page = text_page()
    page[40:44, 20:250] = 225
    faint = find_rows(page, TEXT_HEIGHT)
    assert not any(gap.top < 42 < gap.bottom for gap in faint.gaps)
    through = text_page()
    for y in range(6, 356, 6):
        through[y : y + 2, 20:250:3] = np.minimum(through[y : y + 2, 20:250:3], 214)
    assert len(find_rows(through, TEXT_HEIGHT).gaps) >= 8


@pytest.mark.parametrize("shape", [(1, 1), (30, 30), (200, 20)])
def test_a_blank_page_is_one_gap(shape):
    rows = find_rows(np.full((*shape, 3), 240, dtype=np.uint8), 8.0)
    assert [(gap.top, gap.bottom) for gap in rows.gaps] == [(0, shape[0])]
    assert rows.tilt == 0


def test_inked_pixels_follow_the_light():
    grey = np.tile(np.linspace(120, 250, 300).astype(np.uint8), (60, 1))
    grey[20:40, 50:53] = 60
    grey[20:40, 250:253] = 150
    inked = inked_pixels(grey, 12.0)
    assert inked[20:40, 50:53].all()
    assert inked[20:40, 250:253].all()
    assert inked.sum() < 2.5 * 120
