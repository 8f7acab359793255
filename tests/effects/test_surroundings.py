import numpy as np
import pytest

from robustocr.effects.surroundings import surroundings_beside


def ground(kind, shadow, seed=0):
    page = np.zeros((400, 500), dtype=np.uint8)
    page[100:300, 150:350] = 255
    return surroundings_beside(page, kind, 20.0, np.random.default_rng(seed), shadow)


@pytest.mark.parametrize(("kind", "bright"), [("table", False), ("scanner", True)])
def test_table_and_scanner(kind, bright):
    picture = ground(kind, 0.0)
    assert picture.shape == (400, 500, 3)
    assert (picture.mean() > 200) == bright


def test_the_shadow_is_beside_the_page_alone():
    kept = ground("table", 0.5).mean(axis=2) / ground("table", 0.0).mean(axis=2)
    assert kept[200, 250] == pytest.approx(0.5, abs=0.04)
    assert 0.6 < kept[200, 145] < 0.9
    assert kept[30, 40] == pytest.approx(1, abs=0.02)
