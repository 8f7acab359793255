import cv2
import numpy as np
import pytest

from robustocr.effects.convolution import convolved, filtered
from robustocr.effects.optics import disc_kernel, path_kernel
from robustocr.effects.tone import to_light, to_pixels

KERNELS = {
    "short": path_kernel(3.2, 0.3, 0.1),
    "diagonal": path_kernel(24.0, 0.8, 0.3),
    "level": path_kernel(24.0, 0.0, -0.35),
    "disc": disc_kernel(9.0),
    "nothing": disc_kernel(0.0),
}


def noisy(height, width):
    return np.random.default_rng(3).integers(0, 256, (height, width, 3), dtype=np.uint8)


def direct(page, kernel):
    return cv2.filter2D(to_light(page), -1, kernel, borderType=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("shape", [(301, 217), (7, 5), (1, 40), (3, 9001)])
def test_tiles_and_strips_of_a_kernel_add_up_to_the_whole(kernel, shape):
    page = noisy(*shape)
    assert np.allclose(filtered(to_light(page), kernel), direct(page, kernel), atol=1e-5)
    off = convolved(page, kernel, 1).astype(int) - to_pixels(direct(page, kernel))
    assert np.abs(off).max() <= 1
    assert (off != 0).mean() < 0.001


def test_one_channel_is_convolved_like_three():
    page = noisy(90, 61)
    kernel = KERNELS["diagonal"]
    assert np.array_equal(convolved(page[..., 1], kernel, 1), convolved(page, kernel, 1)[..., 1])


def test_white_stays_white_and_black_black():
    page = np.zeros((80, 80, 3), dtype=np.uint8)
    page[:, 40:] = 255
    blurred = convolved(page, KERNELS["level"], 1)
    assert (blurred[:, :24] == 0).all()
    assert (blurred[:, -24:] == 255).all()
