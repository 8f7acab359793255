import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustocr.boxes import (
    area_of,
    bounds_of,
    box_of,
    covered_share,
    move_box,
    overlap_share,
    quad_mask,
    quad_of,
    shift_box,
)
from robustocr.moves import Displacement, Homography

UPRIGHT = (10.0, 20.0, 30.0, 26.0)


def test_both_forms_of_a_box_are_the_same_quad():
    quad = quad_of(UPRIGHT)
    assert quad.tolist() == [[10, 20], [30, 20], [30, 26], [10, 26]]
    assert quad_of(box_of(quad)).tolist() == quad.tolist()
    assert bounds_of(box_of(quad)) == UPRIGHT
    assert area_of(UPRIGHT) == area_of(box_of(quad)) == 120


def test_shift_keeps_the_form():
    assert shift_box(UPRIGHT, 1, -2) == (11, 18, 31, 24)
    assert shift_box((0, 0, 2, 0, 2, 1, 0, 1), 1, 5) == (1, 5, 3, 5, 3, 6, 1, 6)


def test_overlap_is_a_share_of_the_first_box():
    assert overlap_share((0, 0, 10, 10), (5, 0, 25, 10)) == pytest.approx(0.5)
    assert overlap_share((5, 0, 25, 10), (0, 0, 10, 10)) == pytest.approx(0.25)
    assert overlap_share((0, 0, 1, 1), (2, 2, 3, 3)) == 0
    assert overlap_share((2, 2, 3, 3), (0, 0, 9, 9)) == pytest.approx(1)
    assert overlap_share((2, 2, 2, 3), (0, 0, 9, 9)) == 0
    diamond = (5.0, 0.0, 10.0, 5.0, 5.0, 10.0, 0.0, 5.0)
    assert overlap_share((0, 0, 10, 10), diamond) == pytest.approx(0.5)


def test_mask_is_cut_at_the_page():
    mask = quad_mask((-5, -5, 2, 3), 10, 8)
    assert mask.shape == (10, 8)
    assert (mask == 255).sum() == 12
    assert mask[:4, :3].all()


def test_covered_share():
    cover = np.zeros((40, 60), dtype=np.uint8)
    cover[:, :20] = 255
    assert covered_share(UPRIGHT, cover) == pytest.approx(0.5, abs=0.05)
    assert covered_share((0, 0, 10, 10), cover) == 1
    assert covered_share((30, 0, 40, 10), cover) == 0
    assert covered_share((-10, 0, 10, 10), cover) == 1


def test_what_lies_off_the_picture_is_hidden():
    cover = np.zeros((40, 60), dtype=np.uint8)
    for box in ((100, 100, 110, 120), (-30, 5, -10, 15), (10, -30, 30, -10), (0, 41, 9, 50)):
        assert covered_share(box, cover) == 1
    assert covered_share((-10, 5, 10, 15), cover) == pytest.approx(0.5, abs=0.04)
    assert covered_share((50, 30, 70, 50), cover) == pytest.approx(0.75, abs=0.04)


def test_a_turn_by_a_quarter():
    turn = np.array([[0, -1, 50], [1, 0, 0], [0, 0, 1]], dtype=float)
    moved = move_box(UPRIGHT, Homography(matrix=turn, old=(60, 50), new=(50, 60)))
    assert moved == (30, 10, 30, 30, 24, 30, 24, 10)


@given(st.floats(-0.2, 0.2), st.floats(-0.2, 0.2), st.floats(0, 6.28))
def test_displaced_boxes_hold_their_points(x_share, y_share, phase):
    grid = np.stack(np.meshgrid(np.arange(20), np.arange(24)), axis=-1) * 0.7
    field = (6 * np.sin(grid / 3 + phase)).astype(np.float32)
    move = Displacement(field=field, size=(200, 240))
    box = (60.0, 80.0, 130.0, 104.0)
    inside = np.array([[95 + x_share * 175 * 0.99, 92 + y_share * 60 * 0.99]])
    quad = quad_of(move_box(box, move))
    moved = move.move_points(inside)[0]
    sides = np.roll(quad, -1, axis=0) - quad
    away = moved - quad
    assert np.all(sides[:, 0] * away[:, 1] - sides[:, 1] * away[:, 0] > -1)
    assert np.abs(quad - quad_of(box)).max() < 12
