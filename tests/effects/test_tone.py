import numpy as np
import pytest

from robustocr.effects.tone import LIGHT_OF_LEVEL, looked_up, to_light, to_pixels


def test_every_level_comes_back():
    ramp = np.arange(256, dtype=np.uint8).reshape(16, 16)
    page = np.dstack([ramp, ramp[::-1], ramp.T])
    assert np.array_equal(to_pixels(to_light(page)), page)


@pytest.mark.parametrize(
    ("level", "light"), [(0, 0.0), (10, 0.003035), (128, 0.215861), (188, 0.502886), (255, 1.0)]
)
def test_known_points_of_the_curve(level, light):
    """Values of IEC 61966-2-1."""
    assert LIGHT_OF_LEVEL[level] == pytest.approx(light, abs=1e-5)


def test_too_much_light_clips():
    assert to_pixels(np.array([[[-0.5, 1.5, 40.0]]], dtype=np.float32)).tolist() == [[[0, 255, 255]]]


@pytest.mark.parametrize("shape", [(3, 5), (4, 5, 3), (7, 3, 3), (1, 1, 3)])
def test_light_of_any_part_of_a_page(shape):
    """Also where a row begins at an odd place in memory, and where columns are left out."""
    page = np.random.default_rng(1).integers(0, 256, 2000, dtype=np.uint8)
    size = int(np.prod(shape))
    for part in (page[1 : 1 + size].reshape(shape), page[: 2 * size].reshape(2 * shape[0], *shape[1:])[::2]):
        assert np.array_equal(to_light(part), LIGHT_OF_LEVEL[part])
        room = np.empty(shape, dtype=np.float32)
        assert to_light(part, out=room) is room
        assert np.array_equal(room, LIGHT_OF_LEVEL[part])


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("shape", [(4, 6, 3), (3, 5), (1, 1)])
def test_looked_up_two_at_a_time_is_looked_up(kind, shape):
    table = (np.arange(256)[::-1] * 0.77).astype(kind)
    page = np.random.default_rng(2).integers(0, 256, shape, dtype=np.uint8)
    assert np.array_equal(looked_up(page, table), table[page])
    assert np.array_equal(looked_up(page[:, :3], table), table[page[:, :3]])
