import numpy as np
import pytest

from robustocr.effects.damage import hole, tear
from robustocr.fields import Layout
from tests.corruption_page import TEXT_HEIGHT, text_page


def holed(page, seed=0, **given):
    strengths = {"share": 0.1, "radius": 1.5, "kind": "punched", **given}
    layout = Layout(pixels=page, fields={})
    return hole(page, **strengths, text_height=TEXT_HEIGHT, rng=np.random.default_rng(seed), layout=layout)


def torn(page, share, seed=0):
    return tear(page, share=share, text_height=TEXT_HEIGHT, rng=np.random.default_rng(seed))


def blank(shape=(600, 500)):
    return np.full((*shape, 3), 245, dtype=np.uint8)


@pytest.mark.parametrize("kind", ["punched", "burnt", "ripped"])
def test_the_table_is_seen_through_and_nothing_of_the_page(kind):
    black, white = (holed(np.full((600, 500, 3), level, np.uint8), kind=kind) for level in (0, 255))
    alike = np.abs(black.pixels.astype(int) - white.pixels).max(axis=2) < 12
    hidden = white.cover > 230
    assert alike[hidden].mean() > 0.97
    assert np.mean(hidden[alike]) > (0.9 if kind != "burnt" else 0.6)


def test_punched_holes_are_round_and_hold_their_share():
    hidden = holed(blank(), share=0.1, radius=2.0).cover > 127
    assert hidden.mean() == pytest.approx(0.1, rel=0.2)
    rows, columns = np.nonzero(holed(blank(), share=0.0105, radius=2.0, seed=5).cover > 127)
    assert np.ptp(rows) == pytest.approx(4.0 * TEXT_HEIGHT, abs=4)
    assert np.ptp(columns) == pytest.approx(4.0 * TEXT_HEIGHT, abs=4)


def test_paper_is_charred_around_a_burnt_hole():
    change = holed(blank(), kind="burnt", share=0.05)
    browned = (change.cover == 0) & (change.pixels[..., 2] < 200)
    red, green, blue = change.pixels[browned].astype(int).mean(axis=0)
    assert browned.sum() > 0.3 * (change.cover > 0).sum()
    assert red > green + 8 > blue + 12


def test_a_ripped_hole_has_a_pale_rim_without_print():
    page = np.full((600, 500, 3), 90, dtype=np.uint8)
    change = holed(page, kind="ripped", share=0.1)
    rim = (change.cover > 230) & (change.pixels.min(axis=2) > 190)
    assert 0.1 < rim.sum() / (change.cover > 230).sum() < 0.8


def test_more_holes_keep_the_first():
    few, many = (holed(blank(), share=share).cover > 127 for share in (0.05, 0.2))
    assert many.sum() > 2 * few.sum()
    assert (few & ~many).sum() < 0.02 * few.sum()


@pytest.mark.parametrize("share", [0.05, 0.25, 0.5])
def test_as_much_is_torn_off_as_it_says(share):
    lost = [(torn(blank(), share, seed).cover > 127).mean() for seed in range(8)]
    assert np.mean(lost) == pytest.approx(share, abs=0.05)
    assert np.ptp(lost) < 0.15


def test_a_torn_edge_is_ragged_and_has_a_pale_rim():
    page = np.full((600, 500, 3), 110, dtype=np.uint8)
    for seed in range(4):
        change = torn(page, 0.3, seed)
        rim = change.pixels.min(axis=2) > 200
        assert rim.any()
        assert np.all(change.cover[rim] > 100)
        kept = (change.cover == 0).astype(int)
        turns = np.abs(np.diff(kept, axis=0)).sum() + np.abs(np.diff(kept, axis=1)).sum()
        assert 1.2 * 300 < turns < 4 * 1100


def test_a_larger_tear_takes_what_the_smaller_one_took():
    for seed in range(4):
        small, large = (torn(text_page(600, 500), share, seed).cover > 127 for share in (0.1, 0.4))
        assert not (small & ~large).any()


def test_no_tear_leaves_the_page():
    page = text_page(600, 500)
    change = torn(page, 0.0)
    assert np.array_equal(change.pixels, page)
    assert not change.cover.any()


def test_all_sides_are_torn():
    middles = set()
    for seed in range(24):
        rows, columns = np.nonzero(torn(blank(), 0.15, seed).cover)
        middles.add((int(np.mean(rows) // 200), int(np.mean(columns) // 167)))
    assert len(middles) >= 6
