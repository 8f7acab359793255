import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustocr.loaders.rows import bounds, part_of_box, rows_of, union
from robustocr.records import Word


def word(text, x, y, width=None, height=10):
    return Word(text=text, box=(x, y, x + (width or 6 * len(text)), y + height))


def test_rows_from_top_to_bottom_and_words_from_left_to_right():
    words = [
        word("9.00", 200, 52),
        word("SHOP", 50, 10),
        word("TOTAL", 20, 50),
        word(" ", 90, 50),
        word("CASH", 20, 66),
    ]
    assert [row.text for row in rows_of(words)] == ["SHOP", "TOTAL 9.00", "CASH"]


def test_words_that_lie_over_each_other_are_two_rows():
    assert [row.text for row in rows_of([word("ONE", 20, 50), word("TWO", 22, 54)])] == ["ONE", "TWO"]


def test_the_box_of_a_part_of_one_word_and_across_words():
    (row,) = rows_of([word("TOTAL: 9.00", 0, 0, width=110), word("RM", 120, 0, width=20)])
    assert row.box(7, 11) == (70, 0, 110, 10)
    assert row.box(0, 11) == (0, 0, 110, 10)
    assert row.box(7, 14) == (70, 0, 140, 10)


def test_the_part_of_a_slanted_quad_slants():
    assert part_of_box((0, 0, 100, 50, 100, 70, 0, 20), 0.5, 1) == (50, 25, 100, 50, 100, 70, 50, 45)


def test_union_of_boxes_and_quads():
    assert union([(0, 0, 5, 5), (10, 2, 20, 0, 21, 9, 11, 11)]) == (0, 0, 21, 11)


BOXES = st.tuples(*[st.floats(0, 1000)] * 4).map(lambda b: (b[0], b[1], b[0] + b[2] + 1, b[1] + b[3] + 1))


@settings(deadline=None)
@given(BOXES, st.floats(0, 1), st.floats(0, 1))
def test_a_part_lies_in_its_box(box, one, other):
    start, end = sorted((one, other))
    x0, y0, x1, y1 = bounds(part_of_box(box, start, end))
    assert x0 >= box[0] - 1e-9
    assert x1 <= box[2] + 1e-9
    assert (y0, y1) == (box[1], box[3])
    assert x1 - x0 == pytest.approx((end - start) * (box[2] - box[0]), abs=1e-6)
