"""Every box must hold the ink and the text of the value it speaks of."""

import re
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import pytest

from robustocr.records import Receipt, Word
from robustocr.synth.make import Rendered, draw_truth, lay_out, render, sample_rng, sample_shop
from robustocr.synth.printing import Printing
from robustocr.synth.shops import find_shop


@dataclass(frozen=True)
class Slip:
    """A slip with its places: in dots for the texts, in pixels for the ink."""

    shop: str
    truth: Receipt
    boxes: dict[str, tuple[tuple[float, ...], ...]]
    words: tuple[tuple[str, tuple[float, ...]], ...]


def slip(index: int) -> Slip:
    shop, rng = sample_shop(index), sample_rng(11, index)
    bill = draw_truth(shop, rng)
    sheet = lay_out(shop, bill, np.random.default_rng(index))
    return Slip(shop=shop.id, truth=bill.receipt, boxes=sheet.boxes, words=sheet.words)


@pytest.fixture(scope="module")
def slips() -> list[Slip]:
    return [slip(index) for index in range(54)]


@pytest.fixture(scope="module")
def rendered() -> list[Rendered]:
    """One receipt of each kind of face, at least one of them askew."""
    return [render(sample_rng(11, index), sample_shop(index)) for index in (4, 5, 7, 16, 17)]


def leaves(receipt: Receipt) -> dict[str, object]:
    """Every stated value by its field path, but for what is no print (kinds, included or added)."""
    found: dict[str, object] = {}
    for name in receipt.labelled:
        value = getattr(receipt, name)
        if isinstance(value, tuple):
            for index, entry in enumerate(value):
                fields = set(entry.model_fields_set) - {"kind", "included"}
                found |= {f"{name}[{index}].{key}": getattr(entry, key) for key in fields}
        else:
            found[name] = value
    return {path: value for path, value in found.items() if value is not None}


def text_inside(one: Slip | Rendered, box: tuple[float, ...]) -> str:
    """The words whose middle lies in the box, in reading order."""
    x0, y0, x1, y1 = box
    words = [(word.text, word.box) if isinstance(word, Word) else word for word in one.words]
    middles = [(text, (at[0] + at[2]) / 2, (at[1] + at[3]) / 2) for text, at in words]
    return " ".join(text for text, x, y in middles if x0 <= x <= x1 and y0 <= y <= y1)


def plain_number(text: str, decimal_mark: str) -> Decimal:
    """A printed amount as a number: no symbols, one decimal point, a minus in any of three forms."""
    negative = "-" in text or "(" in text
    digits = re.sub(rf"[^\d{re.escape(decimal_mark)}]", "", text).replace(decimal_mark, ".")
    return -Decimal(digits) if negative else Decimal(digits)


def test_every_stated_value_has_a_place_and_no_other(slips):
    for one in slips:
        assert set(one.boxes) == set(leaves(one.truth)), one.shop


def test_the_text_in_a_box_is_its_value(slips):
    checked = 0
    for one in slips:
        mark = Printing.of(find_shop(one.shop)).decimal
        for path, value in leaves(one.truth).items():
            if not isinstance(value, Decimal) or path.endswith(("rate", "quantity")):
                continue
            for box in one.boxes[path]:
                assert plain_number(text_inside(one, box), mark) == value, f"{one.shop} {path}"
                checked += 1
    assert checked > 1000


def test_texts_and_dates_stand_in_their_boxes(slips):
    for one in slips:
        printing, truth = Printing.of(find_shop(one.shop)), one.truth
        assert text_inside(one, one.boxes["merchant"][0]) == truth.merchant
        assert text_inside(one, one.boxes["date"][0]) == printing.day(truth.date)
        assert text_inside(one, one.boxes["time"][0]).startswith(printing.clock(truth.time).split()[0])
        assert text_inside(one, one.boxes["receipt_number"][0]) == truth.receipt_number
        for index, item in enumerate(truth.items):
            assert text_inside(one, one.boxes[f"items[{index}].name"][0]) == item.name


def test_boxes_hold_ink_and_lie_in_the_picture(rendered):
    for one in rendered:
        grey = one.pixels.mean(axis=2)
        height, width = grey.shape
        paper = np.median(grey)
        for path, boxes in one.boxes.items():
            for x0, y0, x1, y1 in boxes:
                assert 0 <= x0 < x1 <= width, path
                assert 0 <= y0 < y1 <= height, path
                patch = grey[int(y0) : round(y1) + 1, int(x0) : round(x1) + 1]
                assert patch.min() < paper - 30, f"{one.shop} {path} has no ink"


def test_a_total_printed_again_has_all_its_places(slips):
    again = [one for one in slips if len(one.boxes["total"]) > 1]
    assert again
    for one in again:
        tops = [box[1] for box in one.boxes["total"]]
        assert len(set(tops)) == len(tops)


def test_size_of_pictures_and_text(rendered):
    for one in rendered:
        height, width, depth = one.pixels.shape
        assert depth == 3
        assert 380 <= width <= 760
        assert height > width * 0.8
        heights = [box[3] - box[1] for path, boxes in one.boxes.items() if "amount" in path for box in boxes]
        assert 12 <= np.median(heights) <= 30


def test_boxes_follow_the_skew_of_the_scan(rendered):
    for one in rendered:
        for path in ("total", "date", "receipt_number"):
            for box in one.boxes[path]:
                assert text_inside(one, box), f"{one.shop} {path}"
