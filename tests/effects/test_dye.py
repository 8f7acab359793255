import numpy as np
import pytest

from robustocr.effects.dye import Layer, lit, passed_by, soak, without_print
from robustocr.effects.patch import patch_around
from robustocr.effects.tone import to_light
from robustocr.strips import stretched


def layer(page, passed, lost=0.0, veil=None):
    patch = patch_around(page.shape, (10.0, 10.0), (50.0, 40.0), 2.0)
    grid = np.ones_like(patch.x)
    return Layer(
        patch=patch,
        passed=grid[..., None] * np.array(passed, np.float32)
        if np.ndim(passed)
        else grid * np.float32(passed),
        lost=grid * np.float32(lost),
        veil=None if veil is None else grid * np.float32(veil),
    )


def soaked(level, *layers, paper=240):
    page = np.full((60, 80, 3), level, dtype=np.uint8)
    cover = np.zeros((60, 80), dtype=np.uint8)
    soak(page, cover, np.full_like(page, paper), [layer(page, **given) for given in layers])
    return page, cover


def test_density_is_the_logarithm_of_what_passes():
    passed = passed_by(np.array([[0.0, 1.0, 2.0]], np.float32), np.array([1.0, 0.5, 0.0], np.float32))
    assert passed[0] == pytest.approx(np.array([[1, 1, 1], [0.1, 10**-0.5, 1], [0.01, 0.1, 1]]), rel=1e-5)


def test_light_is_filtered_inside_the_patch_only():
    page, cover = soaked(200, {"passed": (0.5, 1.0, 0.25)})
    clean = to_light(np.full((1, 1, 3), 200, np.uint8))[0, 0]
    assert to_light(page)[20, 30] == pytest.approx(clean * (0.5, 1.0, 0.25), rel=0.02)
    assert np.all(page[:10] == 200)
    assert np.all(page[:, 50:] == 200)
    assert not cover.any()


def test_a_veil_adds_light():
    page, _ = soaked(0, {"passed": 1.0, "veil": 0.3})
    assert to_light(page)[20, 30] == pytest.approx([0.3] * 3, rel=0.02)


def test_print_dissolves_into_paper():
    page, cover = soaked(40, {"passed": 1.0, "lost": 0.5})
    assert page[20, 30].tolist() == [140, 140, 140]
    assert not cover.any()
    page, cover = soaked(40, {"passed": 1.0, "lost": 0.95})
    assert page[20, 30].tolist() == [230, 230, 230]
    assert (cover > 0).sum() == 40 * 30


def test_a_layer_does_not_dissolve_the_dye_of_another():
    once, _ = soaked(240, {"passed": 0.3})
    both, _ = soaked(240, {"passed": 0.3}, {"passed": 1.0, "lost": 0.9})
    assert np.array_equal(once, both)


def test_what_lets_no_light_through_is_cover():
    _, cover = soaked(200, {"passed": (0.2, 0.02, 0.02)})
    assert (cover > 0).sum() == 40 * 30
    _, cover = soaked(200, {"passed": (0.3, 0.02, 0.02)})
    assert not cover.any()


def test_light_of_a_lamp_and_paper_without_print():
    page = np.full((30, 40, 3), 100, dtype=np.uint8)
    doubled = lit(page, stretched(np.full((4, 4), 2.0, np.float32), 30, 40))
    assert to_light(doubled)[3, 3] == pytest.approx(2 * to_light(page)[3, 3], rel=0.02)
    bare = without_print(page, np.full_like(page, 220), np.full((30, 40), 0.25, np.float32))
    assert np.all(bare == 130)
