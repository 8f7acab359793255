import string

import numpy as np
import pytest

from robustocr.errors import InputError
from robustocr.synth.glyphs import PIN_COLUMNS, PIN_ROWS, pin_glyph, pin_table, stroke_glyph, stroke_table
from robustocr.synth.make import draw_truth, lay_out, sample_rng, sample_shop
from robustocr.synth.shops import all_shops, catalogue, customs

PRINTABLE = (string.digits + string.ascii_letters + string.punctuation + "£€§äöüßÄÖÜé×·").replace(" ", "")


@pytest.mark.parametrize("table", [stroke_table(), pin_table()], ids=["strokes", "pins"])
def test_tables_hold_all_printable_characters(table):
    assert [char for char in PRINTABLE if char not in table] == []


def test_tables_hold_every_character_of_goods_shops_and_labels():
    texts = [label for custom in customs().values() for labels in custom.labels.values() for label in labels]
    texts += [custom.symbol for custom in customs().values()]
    for shop in all_shops():
        texts += [shop.name, *shop.address, *shop.header, *shop.footer, shop.phone, shop.vat_id or ""]
        texts += [goods.name for goods in catalogue(shop.goods)]
    used = {char for text in texts for char in text + text.upper()} - {" "}
    assert used - set(stroke_table()) == set()
    assert used - set(pin_table()) == set()


def test_pin_glyphs_are_nine_by_five_and_all_different():
    shapes = {}
    for name, pins in pin_table().items():
        assert pins.shape == (PIN_ROWS, PIN_COLUMNS)
        assert pins.any()
        shapes.setdefault(pins.tobytes(), []).append(name)
    assert [names for names in shapes.values() if len(names) > 1] == []


@pytest.mark.parametrize(("width", "height"), [(12, 24), (11, 24), (14, 24), (9, 15)])
def test_stroke_glyphs_stay_apart_and_differ(width, height):
    shapes = {}
    for char in PRINTABLE:
        glyph = stroke_glyph(char, width=width, height=height, pen=height / 12)
        assert glyph.shape == (height, width)
        assert not glyph[:, -1].any() or not glyph[:, 0].any(), f"{char} would touch its neighbour"
        assert not glyph[-1].any(), f"{char} would touch the row below"
        shapes.setdefault(glyph.tobytes(), []).append(char)
    assert [names for names in shapes.values() if len(names) > 1] == []


def test_digits_stand_on_the_baseline_at_one_height():
    for digit in string.digits:
        rows = np.flatnonzero(stroke_glyph(digit, width=12, height=24, pen=2).any(axis=1))
        assert (rows[0], rows[-1]) == (1, 17)
        assert np.flatnonzero(pin_glyph(digit).any(axis=1))[[0, -1]].tolist() == [0, 6]


def test_zero_has_three_forms_on_heads_and_two_on_pins():
    forms = {
        stroke_glyph("0", width=12, height=24, pen=2, zero=z).tobytes()
        for z in ("plain", "slashed", "dotted")
    }
    assert len(forms) == 3
    assert not np.array_equal(pin_glyph("0"), pin_glyph("0", zero="slashed"))
    assert np.array_equal(pin_glyph("0"), pin_glyph("0", zero="dotted"))


def test_bold_pen_inks_more():
    thin, bold = (stroke_glyph("8", width=12, height=24, pen=pen) for pen in (2, 3))
    assert bold.sum() > thin.sum()
    assert (bold | thin).sum() == bold.sum()


@pytest.mark.parametrize(
    "draw", [lambda: pin_glyph("語"), lambda: stroke_glyph("語", width=12, height=24, pen=2)]
)
def test_unknown_character_is_named(draw):
    with pytest.raises(InputError, match=r"'語' \(U\+8A9E\).*data/"):
        draw()


def test_no_word_lies_over_another():
    for index in range(36):
        rng, shop = sample_rng(3, index), sample_shop(index)
        bill = draw_truth(shop, rng)
        words = lay_out(shop, bill, np.random.default_rng(index)).words
        boxes = np.array([box for _, box in words])
        for place, (x0, y0, x1, y1) in enumerate(boxes):
            later = boxes[place + 1 :]
            over = (later[:, 0] < x1) & (later[:, 2] > x0) & (later[:, 1] < y1) & (later[:, 3] > y0)
            assert not over.any(), f"{shop.id}: {words[place]} and {words[place + 1 + int(over.argmax())]}"
