import numpy as np
import pytest

from robustocr.bent_moves import Chain, Roll
from robustocr.boxes import bounds_of, move_box
from robustocr.moves import Displacement, Homography


def shifted(dx, dy, old=(60, 40), new=(80, 60)):
    return Homography(matrix=np.array([[1.0, 0, dx], [0, 1, dy], [0, 0, 1]]), old=old, new=new)


def test_a_chain_is_one_move_after_another_and_back():
    field = np.zeros((6, 8, 2), dtype=np.float32)
    field[..., 0] = 3
    chain = Chain(moves=(shifted(10, 5), Displacement(field=field, size=(80, 60))))
    assert chain.move_points(np.array([[20.0, 20.0]])).tolist() == [[27.0, 25.0]]
    page = np.zeros((40, 60), dtype=np.uint8)
    page[10:20, 30:40] = 200
    moved = chain.move_image(page)
    assert moved.shape == (60, 80)
    assert np.all(moved[15:25, 37:47] == 200)
    assert np.array_equal(chain.restore_image(moved), page)


def leaning(height=50, width=30):
    """The lower half of a page shrunk to a half, and widened to twice."""
    rows = np.arange(height, dtype=np.float64)
    lies = np.where(rows < 25, rows, 25 + (rows - 25) / 2)
    scale = np.where(rows < 25, 1.0, 2.0)
    new = np.arange(40, dtype=np.float64)
    shows = np.where(new < 25, new, 25 + 2 * (new - 25))
    shows[new > 37] = -1
    return Roll(
        old=(width, height),
        new=(60, 40),
        lies=lies,
        scale=scale,
        shows=shows,
        shown_scale=np.where(new < 25, 1.0, 2.0),
    )


def test_points_of_a_roll_go_where_its_pixels_go():
    page = np.zeros((50, 30), dtype=np.uint8)
    page[10, 5] = page[39:42, 20] = 255
    moved = leaning().move_image(page)
    there = leaning().move_points(np.array([[5.0, 10.0], [20.0, 40.0]]))
    assert there[0] == pytest.approx([20.0, 10.0])
    assert there[1] == pytest.approx([29.5 + 2 * 5.5, 32.5])
    assert moved[10, 20] == 255
    rows, columns = np.nonzero(moved[26:] > 60)
    assert np.abs(rows + 26 - there[1, 1]).max() < 2
    assert np.abs(columns - there[1, 0]).max() < 2
    assert moved[38:].max() == 0


def test_a_roll_is_restored_where_it_shows():
    page = np.tile(np.linspace(0, 250, 30, dtype=np.uint8), (50, 1))
    restored = leaning().restore_image(leaning().move_image(page))
    assert np.abs(restored[:46, 1:-1].astype(int) - page[:46, 1:-1]).max() <= 3


def test_the_moved_box_holds_its_outline():
    box = move_box((2.0, 15.0, 28.0, 45.0), leaning())
    inside = np.array([[x, y] for x in (2.0, 15.0, 28.0) for y in (15.0, 26.0, 44.0)])
    x0, y0, x1, y1 = bounds_of(box)
    for x, y in leaning().move_points(inside):
        assert x0 - 0.01 <= x <= x1 + 0.01
        assert y0 - 0.01 <= y <= y1 + 0.01
