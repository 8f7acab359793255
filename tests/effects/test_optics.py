import cv2
import numpy as np
import pytest

from robustocr.effects.optics import defocus, disc_kernel, gaussian_blur, motion_blur, path_kernel
from robustocr.effects.tone import to_light
from tests.corruption_page import text_page


def spread(kernel):
    """Standard deviations along x and y, and the middle."""
    at = np.arange(len(kernel)) - len(kernel) // 2
    x, y = kernel.sum(axis=0), kernel.sum(axis=1)
    return np.sqrt((x * at**2).sum()), np.sqrt((y * at**2).sum()), (x * at).sum(), (y * at).sum()


@pytest.mark.parametrize("radius", [1.5, 2.7, 5.0])
def test_disc_is_even_round_and_as_wide_as_it_says(radius):
    kernel = disc_kernel(radius)
    wide, high, middle_x, middle_y = spread(kernel)
    assert kernel.sum() == pytest.approx(1)
    assert wide == pytest.approx(radius / 2, rel=0.08)
    assert (wide, middle_x, middle_y) == pytest.approx((high, 0, 0), abs=1e-5)
    assert np.array_equal(kernel, kernel.T)


@pytest.mark.parametrize("direction", [0.0, 0.6, np.pi / 2])
def test_path_is_as_long_as_it_says(direction):
    kernel = path_kernel(12.0, direction, 0.0)
    wide, high, middle_x, middle_y = spread(kernel)
    assert kernel.sum() == pytest.approx(1)
    assert np.hypot(wide, high) == pytest.approx(12 / np.sqrt(12), rel=0.1)
    assert wide / np.hypot(wide, high) == pytest.approx(abs(np.cos(direction)), abs=0.15)
    assert (middle_x, middle_y) == pytest.approx((0, 0), abs=0.1)


def test_bent_path_stays_about_its_middle():
    _, _, middle_x, middle_y = spread(path_kernel(30.0, 0.0, 0.35))
    assert (middle_x, middle_y) == pytest.approx((0, 0), abs=0.5)


def test_light_is_kept_not_grey_levels():
    """Half black, half white in a fine pattern blurs to half the light, which is level 188, not 128."""
    page = np.zeros((90, 90, 3), dtype=np.uint8)
    page[::2] = 255
    assert int(defocus(page, radius=1.0, text_height=8.0)[45, 45, 0]) == pytest.approx(188, abs=4)
    assert int(gaussian_blur(page, sigma=0.5, text_height=8.0)[45, 45, 0]) == pytest.approx(128, abs=2)


def test_wide_blurs_on_a_smaller_picture_are_the_same_blur():
    page = text_page(300, 300)
    wide = defocus(page, radius=1.0, text_height=9.0)
    kernel = disc_kernel(9.0)
    direct = cv2.filter2D(to_light(page), -1, kernel, borderType=cv2.BORDER_REPLICATE)
    assert np.abs(to_light(wide) - direct).mean() < 0.004


def test_blur_grows_evenly_across_the_change_of_method():
    """A bright square of 9 pixels has a variance of 80 / 12, a disc of a quarter of its radius squared."""
    page = np.zeros((161, 161, 3), dtype=np.uint8)
    page[76:85, 76:85] = 255
    at = np.arange(161) - 80
    widths = []
    for radius in (4.6, 4.95, 5.05, 5.4, 9.9, 10.1):
        light = to_light(defocus(page, radius=radius, text_height=1.0))[..., 0]
        widths.append(np.sqrt((light.sum(axis=0) * at**2).sum() / light.sum() - 80 / 12) / radius)
    assert np.allclose(widths, 0.5, atol=0.02), widths


@pytest.mark.parametrize("sigma", [1.0, 2.0, 5.9, 6.1, 20.0])
def test_gaussian_is_as_wide_as_it_says(sigma):
    """Levels along a blurred edge rise by the kernel itself."""
    page = np.zeros((301, 303, 3), dtype=np.uint8)
    page[:, 151:] = 255
    rise = np.diff(gaussian_blur(page, sigma=sigma / 8, text_height=8.0)[150, :, 0].astype(float))
    place = np.arange(302) + 0.5
    middle = (rise * place).sum() / rise.sum()
    assert middle == pytest.approx(150.5, abs=0.1)
    assert np.sqrt((rise * (place - middle) ** 2).sum() / rise.sum()) == pytest.approx(sigma, rel=0.06)


def test_no_blur_is_the_page():
    page = text_page()
    assert np.array_equal(defocus(page, radius=0.0, text_height=16.0), page)
    assert np.array_equal(gaussian_blur(page, sigma=0.0, text_height=16.0), page)


def test_motion_is_along_one_direction():
    page = np.full((101, 101, 3), 255, dtype=np.uint8)
    page[50, 50] = 0
    blurred = motion_blur(page, length=1.5, text_height=16.0, rng=np.random.default_rng(4))
    y, x = np.nonzero(blurred[..., 0] < 255)
    values = np.linalg.eigvalsh(np.cov(x, y))
    assert values[1] > 8 * values[0]
    assert np.sqrt(12 * values[1]) == pytest.approx(24, rel=0.25)
