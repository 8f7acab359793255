import numpy as np
import pytest

from robustocr.effects.scatter import PrintedArea, printed_area, sizes_for, spread_places
from tests.corruption_page import TEXT_HEIGHT, text_page


def test_printed_area_holds_the_print_without_the_margin():
    page = np.full((600, 500, 3), 245, dtype=np.uint8)
    page[200:560, 120:420] = text_page()
    area = printed_area(page, TEXT_HEIGHT)
    assert 125 < area.x0 < 145
    assert 360 < area.x1 < 400
    assert 200 < area.y0 < 225
    assert 500 < area.y1 < 545


@pytest.mark.parametrize("shape", [(1, 1), (40, 30), (300, 200)])
def test_a_blank_page_counts_as_a_whole(shape):
    area = printed_area(np.full((*shape, 3), 230, dtype=np.uint8), 12.0)
    assert (area.x0, area.y0, area.x1, area.y1) == (0, 0, shape[1], shape[0])


def test_places_are_spread_over_the_area():
    area = PrintedArea(x0=100.0, y0=50.0, x1=500.0, y1=1050.0)
    for seed in range(5):
        places = spread_places(area, np.random.default_rng(seed))[:24]
        assert places[:, 0].min() >= 100
        assert places[:, 0].max() <= 500
        thirds = np.histogram(places[:, 1], bins=3, range=(50, 1050))[0]
        assert thirds.min() >= 5
        apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 1e9 * np.eye(len(places))
        assert np.median(apart.min(axis=1)) > 75


def test_sizes_add_up_and_are_nested():
    areas = np.array([10.0, 30.0, 20.0, 40.0, 10.0, 10.0])
    assert sizes_for(0.10, areas, 100.0) == pytest.approx([1.0])
    assert sizes_for(0.25, areas, 100.0) == pytest.approx([1.0, np.sqrt(0.5)])
    assert sizes_for(0.40, areas, 100.0) == pytest.approx([1.0, 1.0])
    assert sizes_for(0.0, areas, 100.0) == pytest.approx([0.5])
    assert len(sizes_for(9.0, areas, 100.0)) == 6
    before = np.zeros(6)
    for share in np.linspace(0, 1.2, 40):
        now = np.pad(sizes_for(float(share), areas, 100.0), (0, 6))[:6]
        assert np.all(now >= before - 1e-9)
        before = now
