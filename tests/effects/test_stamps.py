import numpy as np
import pytest

from robustocr.effects.stamps import stamp
from robustocr.fields import Layout
from tests.corruption_page import TEXT_HEIGHT, text_page


def stamped(page, seed=0, **given):
    strengths = {"share": 0.3, "density": 1.0, **given}
    layout = Layout(pixels=page, fields={})
    return stamp(page, **strengths, text_height=TEXT_HEIGHT, rng=np.random.default_rng(seed), layout=layout)


def blank():
    return np.full((600, 700, 3), 245, dtype=np.uint8)


@pytest.mark.parametrize(("colour", "channel"), [("red", 0), ("blue", 2), ("green", 1), ("violet", 2)])
def test_ink_has_its_colour(colour, channel):
    change = stamped(blank(), colour=colour)
    inked = change.pixels[np.abs(change.pixels.astype(int) - 245).max(axis=2) > 40]
    assert inked.mean(axis=0).argmax() == channel


def test_ink_is_uneven_and_lets_print_show():
    page = text_page(600, 700)
    change = stamped(page, density=1.0, colour="red")
    red = to_loss(blank(), stamped(blank(), colour="red").pixels)
    assert red[red > 20].std() > 20
    assert np.all(change.pixels[page[..., 0] < 42].astype(int) <= page[page[..., 0] < 42])


def to_loss(page, pixels):
    return (page.astype(int) - pixels)[..., 1]


def test_denser_ink_takes_more_light_until_it_covers():
    faint, strong, opaque = (stamped(blank(), density=density, colour="black") for density in (0.3, 1.0, 3.0))
    inked = to_loss(blank(), faint.pixels) > 5
    assert to_loss(blank(), strong.pixels)[inked].mean() > 1.5 * to_loss(blank(), faint.pixels)[inked].mean()
    assert not faint.cover.any()
    assert 0.1 < (opaque.cover > 0).sum() / inked.sum() < 1.0


def test_a_stamp_has_the_size_of_a_stamp():
    inked = to_loss(blank(), stamped(blank(), share=0.0475, seed=3).pixels) > 5
    rows, columns = np.nonzero(inked)
    wide, tall = np.ptp(columns) / TEXT_HEIGHT, np.ptp(rows) / TEXT_HEIGHT
    assert 10 < wide < 16
    assert 5 < tall < 12


def test_more_stamps_keep_the_first():
    few, many = (to_loss(blank(), stamped(blank(), share=share).pixels) > 30 for share in (0.15, 0.5))
    assert many.sum() > 1.5 * few.sum()
    assert (few & ~many).sum() < 0.05 * few.sum()
