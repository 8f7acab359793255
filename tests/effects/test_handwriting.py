import numpy as np
import pytest

from robustocr.effects.handwriting import pen_strokes
from robustocr.fields import Layout
from tests.corruption_page import TEXT_HEIGHT, text_page


def written(page, seed=0, text_height=TEXT_HEIGHT, **given):
    strengths = {"share": 0.2, "width": 0.2, **given}
    layout = Layout(pixels=page, fields={})
    return pen_strokes(
        page, **strengths, text_height=text_height, rng=np.random.default_rng(seed), layout=layout
    )


def blank():
    return np.full((600, 600, 3), 245, dtype=np.uint8)


@pytest.mark.parametrize(("colour", "channel"), [("blue", 2), ("red", 0)])
def test_ink_has_its_colour_and_hides_print(colour, channel):
    page = text_page(600, 600)
    change = written(page, colour=colour)
    hidden = change.cover > 230
    assert change.pixels[hidden].mean(axis=0).argmax() == channel
    assert hidden[page[..., 0] < 60].any()
    on_print, on_paper = (
        change.pixels[hidden & where].mean(axis=0) for where in (page[..., 0] < 60, page[..., 0] > 240)
    )
    assert np.abs(on_print - on_paper).max() < 12


def test_strokes_are_as_wide_as_it_says():
    """Strokes of a tenth of a text height hide about half as much as those of a fifth."""
    page = np.full((1200, 1200, 3), 245, dtype=np.uint8)
    thin, wide = (
        (written(page, width=width, share=0.05, text_height=48.0).cover / 255.0).sum() for width in (0.1, 0.2)
    )
    assert wide / thin == pytest.approx(2.0, rel=0.2)


def test_pressure_shows():
    change = written(blank(), share=0.4, width=0.4)
    assert len(np.unique(change.cover[change.cover > 128])) > 20


def test_more_strokes_keep_the_first():
    few, many = (written(blank(), share=share).cover > 127 for share in (0.1, 0.4))
    assert many.sum() > 2 * few.sum()
    assert (few & ~many).sum() < 0.1 * few.sum()


def test_cover_is_where_the_pen_was():
    change = written(blank())
    changed = np.abs(change.pixels.astype(int) - 245).max(axis=2)
    assert changed[change.cover > 60].min() > 15
    assert changed[change.cover == 0].max() <= 1
