import numpy as np
import pytest

from robustocr.mapped_move import PixelMap


def shifted(dx, dy, height=90, width=120):
    """A picture that shows at each pixel the page ``dx``, ``dy`` to the left and above, NaN off the page."""
    xs, ys = np.meshgrid(np.arange(width, dtype=np.float32) - dx, np.arange(height, dtype=np.float32) - dy)
    origin = np.dstack([xs, ys])
    origin[(xs < 0) | (ys < 0) | (xs > width - 1) | (ys > height - 1)] = np.nan
    return PixelMap(origin=origin)


@pytest.mark.parametrize("points", [[[10.0, 10.0], [50.25, 33.5]], [[0.0, 0.0]], [[119.0, 89.0]]])
def test_points_go_where_the_pixels_show_them_also_off_the_picture(points):
    moved = shifted(7, -4).move_points(np.array(points))
    assert moved == pytest.approx(np.array(points) + np.array([7, -4]), abs=1e-4)


def test_a_tiny_known_part_is_found():
    origin = np.full((200, 200, 2), np.nan, dtype=np.float32)
    origin[101, 103] = (20, 30)
    assert PixelMap(origin=origin).move_points(np.array([[21.0, 30.0]])) == pytest.approx(
        np.array([[104.0, 101.0]])
    )


def test_pictures_move_alike_and_are_black_off_the_page():
    page = np.zeros((90, 120), np.uint8)
    page[40, 50] = 200
    moved = shifted(7, -4).move_image(page)
    assert np.argwhere(moved).tolist() == [[36, 57]]
    assert moved[36, 57] == 200
    white = shifted(7, -4).move_image(np.full((90, 120), 255, np.uint8))
    assert white[:, :7].max() == 0
    assert white[-4:].max() == 0
    assert white[:-5, 8:].min() == 255
