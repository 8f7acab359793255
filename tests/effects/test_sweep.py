import cv2
import numpy as np
import pytest

from robustocr.effects.sweep import MOST_PLACES, Path, path_through, swept
from robustocr.effects.tone import to_light, to_pixels


def straight(length, direction):
    along = (np.arange(400) + 0.5) / 400 * length - length / 2
    return path_through(along * np.cos(direction), along * np.sin(direction))


def kernel_of(path):
    kernel = np.zeros((41, 41), dtype=np.float32)
    for group, share in ((path.full, 1.0), (path.ends, path.share)):
        for row, column in group:
            kernel[20 - row, 20 - column] += share
    return kernel[::-1, ::-1] / kernel.sum()


@pytest.mark.parametrize("direction", [0.0, 0.4, 1.2, np.pi / 2, 2.5])
@pytest.mark.parametrize("length", [1.0, 4.3, 9.0, 14.9])
@pytest.mark.parametrize("shape", [(301, 217), (31, 30), (2, 3), (1, 1)])
def test_shifted_sums_are_the_mean_of_light_along_the_path(shape, length, direction):
    page = np.random.default_rng(3).integers(0, 256, (*shape, 3), dtype=np.uint8)
    path = straight(length, direction)
    direct = cv2.filter2D(to_light(page), -1, kernel_of(path), borderType=cv2.BORDER_REPLICATE)
    counts = 12 * (len(path.full) + 2) / 65535
    assert np.abs(to_light(swept(page, path)) - direct).max() < 0.0046 + counts
    assert np.abs(swept(page, path).astype(int) - to_pixels(direct)).max() <= 2


@pytest.mark.parametrize("places", [1, 2, 9, MOST_PLACES])
def test_even_levels_stay_what_they_are(places):
    path = Path(full=tuple((0, at - places // 2) for at in range(places)))
    for level in range(256):
        page = np.full((2, 6, 3), level, dtype=np.uint8)
        assert np.array_equal(swept(page, path), page)


def test_a_path_is_as_long_as_it_says():
    path = straight(9.5, 0.0)
    assert [column for _, column in path.full] == list(range(-4, 5))
    assert path.ends == ((0, -5), (0, 5))
    assert path.share == pytest.approx(0.25, abs=0.02)
    assert straight(9.0, np.pi / 2) == Path(full=tuple((at, 0) for at in range(-4, 5)))


def test_too_long_a_path_is_refused():
    with pytest.raises(ValueError, match=f"more than {MOST_PLACES}"):
        swept(np.zeros((9, 9, 3), np.uint8), straight(40.0, 0.0))
