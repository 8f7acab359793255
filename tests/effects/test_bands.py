import numpy as np
import pytest

from robustocr.effects.bands import highlighter, tape
from robustocr.fields import Layout
from tests.corruption_page import TEXT_HEIGHT, text_page


def stuck(effect, page, seed=0, **given):
    layout = Layout(pixels=page, fields={})
    return effect(page, **given, text_height=TEXT_HEIGHT, rng=np.random.default_rng(seed), layout=layout)


def blank():
    return np.full((700, 700, 3), 240, dtype=np.uint8)


def test_tape_is_yellow_and_glossy_and_has_dark_edges():
    page = stuck(tape, blank(), share=0.15, loss=0.0, yellowing=0.8).pixels.astype(int)
    inside = page[..., 2] < 200
    red, green, blue = page[inside].mean(axis=0)
    assert red > green > blue + 40
    assert page[..., 0].max() > 244
    assert page[..., 0].min() < 215


def test_tape_holds_the_share_that_it_should():
    shares = [
        (stuck(tape, blank(), seed=seed, share=0.3, loss=0.0, yellowing=1.0).pixels[..., 2] < 200).mean()
        for seed in range(6)
    ]
    assert np.mean(shares) == pytest.approx(0.3, rel=0.35)


@pytest.mark.parametrize("effect", [tape, highlighter])
def test_print_is_lost_beneath_and_counts_as_covered_when_it_is_gone(effect):
    page = text_page(600, 600)
    ink = page[..., 0] < 60
    lost = [stuck(effect, page, share=0.6, loss=loss) for loss in (0.0, 0.5, 1.0)]
    assert not lost[0].cover.any()
    assert not lost[1].cover.any()
    hidden = lost[2].cover > 0
    assert 0.05 < hidden.mean() < 0.7
    levels = [change.pixels[..., 0][ink & hidden].mean() for change in lost]
    assert levels[0] + 40 < levels[1] < levels[2] - 20


def test_a_highlighter_leaves_black_print_black_and_paper_in_its_colour():
    page = text_page(600, 600)
    for colour, channel in (("yellow", 2), ("pink", 1), ("blue", 0), ("orange", 2)):
        pixels = stuck(highlighter, page, share=0.5, loss=0.0, colour=colour).pixels.astype(int)
        marked = np.abs(pixels - page).max(axis=2) > 40
        assert 0.1 < marked.mean() < 0.7
        assert pixels[marked].mean(axis=0).argmin() == channel
        assert np.all(pixels[page[..., 0] < 42] < 60)


def test_strokes_follow_the_lines():
    marked = (
        np.abs(stuck(highlighter, blank(), share=0.06, loss=0.0).pixels.astype(int) - 240).max(axis=2) > 30
    )
    rows, columns = np.nonzero(marked)
    lengths = [
        np.diff(np.flatnonzero(np.diff(np.pad(marked[row].astype(int), 1))))[::2].max() for row in set(rows)
    ]
    heights = [
        np.diff(np.flatnonzero(np.diff(np.pad(marked[:, column].astype(int), 1))))[::2].max()
        for column in set(columns)
    ]
    assert np.median(lengths) > 4 * TEXT_HEIGHT
    assert np.median(heights) == pytest.approx(1.35 * TEXT_HEIGHT, rel=0.25)


@pytest.mark.parametrize("effect", [tape, highlighter])
def test_more_share_keeps_the_first_strips(effect):
    few, many = (
        np.abs(stuck(effect, blank(), share=share, loss=0.0).pixels.astype(int) - 240).max(axis=2) > 30
        for share in (0.2, 0.5)
    )
    assert many.sum() > 1.5 * few.sum()
    assert (few & ~many).sum() < 0.03 * few.sum()
