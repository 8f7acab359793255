import numpy as np
import pytest

from robustocr.effects.cover import finger, occlusion


def blank(shape=(500, 400)):
    return np.full((*shape, 3), 245, dtype=np.uint8)


@pytest.mark.parametrize("seed", range(6))
def test_finger_reaches_as_far_as_it_says_from_an_edge(seed):
    change = finger(blank(), reach=0.3, text_height=16.0, rng=np.random.default_rng(seed))
    rows, columns = np.nonzero(change.cover > 127)
    far = max(
        min(edge, 1e9)
        for edge, touches in (
            (columns.max(), columns.min() == 0),
            (399 - columns.min(), columns.max() == 399),
            (499 - rows.min(), rows.max() == 499),
        )
        if touches
    )
    assert 0.2 * 400 < far < 0.45 * 400


def test_finger_is_skin_with_a_nail_and_a_shadow():
    change = finger(blank(), reach=0.5, text_height=16.0, rng=np.random.default_rng(1))
    skin = change.pixels[change.cover == 255].astype(int)
    assert np.mean((skin[:, 0] > skin[:, 1]) & (skin[:, 1] >= skin[:, 2])) > 0.9
    brightness = skin.sum(axis=1)
    assert np.percentile(brightness, 98) > 1.5 * np.percentile(brightness, 10)
    near = (change.cover == 0) & (change.pixels[..., 0] < 215)
    assert near.sum() > 0.1 * (change.cover == 255).sum()


def test_more_fingers_cover_more():
    shares = [
        (
            finger(blank(), reach=0.3, count=count, text_height=16.0, rng=np.random.default_rng(2)).cover > 0
        ).mean()
        for count in (1, 2, 3, 4)
    ]
    assert np.all(np.diff(shares) > 0.01)


@pytest.mark.parametrize("kind", ["finger", "coin", "pen"])
def test_smaller_reach_lies_within_the_larger_one(kind):
    small, large = (
        occlusion(blank(), reach=reach, kind=kind, text_height=16.0, rng=np.random.default_rng(5)).cover > 127
        for reach in (0.15, 0.4)
    )
    assert small.any()
    assert large.sum() > small.sum()
    assert (small & ~large).sum() < 0.4 * small.sum()


def test_all_kinds_are_drawn():
    seen = {tuple(_colour(seed)) for seed in range(12)}
    assert len(seen) > 4


def _colour(seed):
    change = occlusion(blank(), reach=0.4, text_height=16.0, rng=np.random.default_rng(seed))
    return np.median(change.pixels[change.cover == 255], axis=0) // 16


@pytest.mark.parametrize("reach", [0.0, 1.0])
def test_extremes(reach):
    for kind in ("finger", "coin", "pen"):
        change = occlusion(
            blank((40, 30)), reach=reach, count=4, kind=kind, text_height=8.0, rng=np.random.default_rng(0)
        )
        assert change.pixels.shape == (40, 30, 3)
