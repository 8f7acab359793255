import numpy as np
import pytest

from robustocr.corruptions import corrupt, load_corruption
from tests.corruption_page import TEXT_HEIGHT, text_page


def made(name, severity, *, seed=0, page=None):
    page = text_page() if page is None else page
    return corrupt(page, load_corruption(name), severity, seed=seed, sample_id="s", text_height=TEXT_HEIGHT)


@pytest.mark.parametrize("seed", range(4))
def test_tilt_goes_one_way_by_the_angle_it_says(seed):
    angles = []
    for severity in (1, 2, 3, 4, 5):
        left, right = (
            made("tilt", severity, seed=seed).moves[0].move_points(np.array([[0.0, 9.0], [299.0, 9.0]]))
        )
        angles.append(np.degrees(np.arctan2(*(right - left)[::-1])))
    assert np.allclose(np.abs(angles), load_corruption("tilt").steps[0].ladders["angle"], atol=0.01)
    assert len(set(np.sign(angles))) == 1


@pytest.mark.parametrize("seed", range(4))
def test_perspective_is_from_one_side_and_grows(seed):
    """The row of the homography that foreshortens points one way and grows with the sine of the angle."""
    rows = np.array([made("perspective", at, seed=seed).moves[0].matrix[2, :2] for at in (1, 2, 3, 4, 5)])
    lengths = np.linalg.norm(rows, axis=1)
    assert np.allclose(rows / lengths[:, None], rows[0] / lengths[0], atol=1e-6)
    sines = np.sin(np.radians(load_corruption("perspective").steps[0].ladders["angle"]))
    assert np.allclose(lengths, sines / (1.4 * 360))


@pytest.mark.parametrize("name", ["tilt", "perspective"])
@pytest.mark.parametrize("severity", [1, 5])
def test_turning_cuts_nothing_off(name, severity):
    page = text_page()
    for corner in ((slice(0, 8), slice(0, 8)), (slice(-8, None), slice(-8, None))):
        page[corner] = (255, 0, 0)
    page[:8, -8:] = (0, 0, 255)
    page[-8:, :8] = (0, 0, 255)
    result = made(name, severity, page=page)
    height, width = result.pixels.shape[:2]
    corners = result.moves[0].move_points(np.array([[0, 0], [299, 0], [299, 359], [0, 359]], dtype=float))
    assert corners.min() >= 0
    assert np.all(corners <= [width - 1, height - 1])
    inside = result.moves[0].move_points(np.array([[4, 4], [295, 4], [295, 355], [4, 355]], dtype=float))
    for (x, y), colour in zip(np.round(inside).astype(int), ("red", "blue", "red", "blue"), strict=True):
        red, _, blue = (int(value) for value in result.pixels[y, x])
        assert (red - blue > 100) if colour == "red" else (blue - red > 100)
