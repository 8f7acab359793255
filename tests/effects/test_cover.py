from itertools import pairwise

import numpy as np
import pytest

from robustocr.boxes import covered_share
from robustocr.effects.cover import finger, occlude, occlusion
from robustocr.effects.registry import find_effect
from robustocr.errors import NoPlaceError
from robustocr.fields import make_fields


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


def laid(put, page, share, text_height, seed):
    rng = np.random.default_rng(seed)
    return find_effect(put).apply(page, {"share": share}, text_height=text_height, rng=rng)


@pytest.mark.parametrize("put", ["small_objects", "sticker", "other_receipt"])
@pytest.mark.parametrize("seed", range(3))
def test_cover_grows_with_the_share_and_is_nested(put, seed):
    page = np.full((900, 620, 3), 245, dtype=np.uint8)
    masks = [laid(put, page, share, 20.0, seed).cover > 127 for share in (0.02, 0.12, 0.25, 0.45)]
    shares = [mask.mean() for mask in masks]
    assert np.all(np.diff(shares) > 0)
    assert 0 < shares[0] < 0.07
    assert 0.25 < shares[3] < 0.55
    for small, large in pairwise(masks):
        assert (small & ~large).mean() < 0.02


@pytest.mark.parametrize("put", ["small_objects", "sticker", "other_receipt"])
def test_cover_is_spread_over_the_page(put):
    """Over a dozen pages every part of the page is hidden now and then, its middle too."""
    page = np.full((480, 360, 3), 245, dtype=np.uint8)
    often = np.mean(
        [laid(put, page, 0.4, 12.0, seed).cover > 127 for seed in range(12)],
        axis=0,
    )
    parts = often.reshape(4, 120, 3, 120).mean(axis=(1, 3))
    assert parts.min() > 0.1


@pytest.mark.parametrize("put", ["small_objects", "sticker", "other_receipt"])
@pytest.mark.parametrize("shape", [(1, 1), (30, 30), (20, 600)])
def test_cover_on_tiny_pages(put, shape):
    page = np.full((*shape, 3), 245, dtype=np.uint8)
    for share in (0.0, 0.9):
        change = laid(put, page, share, 8.0, 0)
        assert change.pixels.shape == page.shape
        assert np.all(page == 245)


def test_occlude_takes_tilted_boxes():
    fields = make_fields({"total": [(60.0, 80.0, 158.0, 100.0, 154.0, 120.0, 56.0, 100.0)]})
    for seed in range(4):
        change = occlude(
            blank(), field="total", share=1.0, text_height=20.0, fields=fields,
            rng=np.random.default_rng(seed),
        )  # fmt: skip
        assert covered_share(fields["total"][0].box, change.cover) >= 0.99
        assert (change.cover > 0).sum() < 2.2 * 100 * 20


def test_occlude_nothing_changes_nothing_but_needs_a_place():
    fields = make_fields({"total": [(60.0, 80.0, 158.0, 100.0)]})
    given = {"share": 0.0, "text_height": 20.0, "rng": np.random.default_rng(0)}
    assert np.array_equal(occlude(blank(), field="total", fields=fields, **given).pixels, blank())
    with pytest.raises(NoPlaceError, match=r"'tip' has no known place.*with a place: total"):
        occlude(blank(), field="tip", fields=fields, **given)
