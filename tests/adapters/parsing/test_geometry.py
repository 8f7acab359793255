import math
import time

import numpy as np
import pytest

from robustocr.adapters.base import OcrLine
from robustocr.adapters.parsing.geometry import as_quad, build_rows
from tests.adapters.parsing.paper import page_of

RECEIPT = """
    Corner Shop
    Flat white              9.00
    Lunch plate            19.90
    Subtotal               28.90
    Sales tax               2.31
    Total                  31.21
"""


def texts(lines):
    return [[cell.text for cell in row.cells] for row in build_rows(lines)]


@pytest.mark.parametrize("tilt", [-14, -6, -2, 0, 3, 6, 14])
def test_names_and_prices_share_a_row_at_any_tilt(tilt):
    assert texts(page_of(RECEIPT, tilt=tilt).lines) == texts(page_of(RECEIPT).lines)
    assert texts(page_of(RECEIPT, tilt=tilt).lines)[5] == ["Total", "31.21"]


def test_a_page_lying_on_its_side_is_turned():
    assert texts(page_of(RECEIPT, tilt=90).lines)[1] == ["Flat white", "9.00"]


def test_rows_follow_a_perspective():
    def seen(point):
        x, y = point
        depth = 1 + 0.0006 * x
        return x / depth, (y - 100) / depth + 0.02 * x

    lines = []
    for line in page_of(RECEIPT).lines:
        points = np.array(line.box).reshape(4, 2)
        box = tuple(float(v) for point in points for v in seen(point))
        lines.append(OcrLine(text=line.text, box=box, score=1.0))
    assert texts(lines) == texts(page_of(RECEIPT).lines)


def test_padded_boxes_of_one_row_may_reach_into_each_other():
    left = OcrLine(text="Coffee 3,29 x", box=(28, 346, 629, 405), score=1.0)
    middle = OcrLine(text="2", box=(601, 348, 689, 399), score=1.0)
    right = OcrLine(text="6,58 A", box=(749, 344, 890, 401), score=1.0)
    assert texts([left, middle, right]) == [["Coffee 3,29 x", "2", "6,58 A"]]


def test_boxes_above_each_other_are_two_rows():
    upper = OcrLine(text="upper", box=(0, 0, 100, 20), score=1.0)
    lower = OcrLine(text="lower", box=(0, 18, 100, 38), score=1.0)
    assert texts([lower, upper]) == [["upper"], ["lower"]]


@pytest.mark.parametrize(
    "box",
    [
        (0, 0, math.nan, 5),
        (0, 0, math.inf, 5),
        (5, 5, 5, 5),
        (0, 0, 0, 0, 0, 0, 0, 0),
        (1, 2, 3),
        (0, 0, 1e9, 5),
    ],
)
def test_impossible_boxes_are_left_out(box):
    good = OcrLine(text="kept", box=(0, 0, 50, 20), score=1.0)
    assert texts([good, OcrLine(text="odd", box=box, score=1.0)]) == [["kept"]]


def test_blank_texts_are_left_out():
    assert build_rows([OcrLine(text="  ", box=(0, 0, 50, 20), score=1.0)]) == ()


def test_a_box_of_four_numbers_becomes_a_quad():
    assert as_quad((1, 2, 11, 7)) == (1, 2, 11, 2, 11, 7, 1, 7)


def test_many_boxes_take_little_time():
    rng = np.random.default_rng(0)
    places = rng.uniform((0, 0), (900, 4000), (5000, 2))
    lines = [OcrLine(text="7.50", box=(x, y, x + 60, y + 18), score=1.0) for x, y in places.tolist()]
    start = time.process_time()
    rows = build_rows(lines)
    assert time.process_time() - start < 2.0
    assert sum(len(row.cells) for row in rows) == 5000
