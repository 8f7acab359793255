import numpy as np
import pytest

from robustocr.effects.places import marks_on_print, print_map
from robustocr.fields import Layout, make_fields
from tests.corruption_page import TEXT_HEIGHT, text_page


def layout(page=None, boxes=()):
    page = text_page(700, 500) if page is None else page
    return Layout(pixels=page, fields=make_fields({"total": list(boxes)}))


def marks(share, area=4.0, seed=0, **given):
    return marks_on_print(layout(**given), share, area, TEXT_HEIGHT, np.random.default_rng(seed))


def half_printed():
    page = np.full((640, 640, 3), 250, dtype=np.uint8)
    page[:, :320] = text_page(640, 320)
    return page


def test_the_map_holds_the_lines_and_not_the_empty_half():
    printed = print_map(layout(half_printed()), TEXT_HEIGHT)
    assert printed.shape == (160, 160)
    assert printed[:, 5:75].mean() > 0.4
    assert not printed[:, 84:].any()


def test_a_field_counts_as_printed_and_a_blank_page_everywhere():
    printed = print_map(layout(half_printed(), [(480.0, 160.0, 560.0, 180.0)]), TEXT_HEIGHT)
    assert printed[40:45, 120:140].all()
    assert not printed[60:, 84:].any()
    assert print_map(layout(np.full((100, 80, 3), 9, np.uint8)), TEXT_HEIGHT).all()


@pytest.mark.parametrize("share", [0.1, 0.5, 1.5])
def test_marks_amount_to_the_share(share):
    blocks = print_map(layout(), TEXT_HEIGHT).mean() * 700 * 500 / TEXT_HEIGHT**2
    assert sum(mark.size**2 for mark in marks(share)) * 4.0 == pytest.approx(share * blocks, rel=1e-6)
    assert all(mark.size == 1 for mark in marks(share)[:-1])


def test_a_larger_share_keeps_the_marks_of_the_smaller_one():
    few, many = marks(0.2), marks(0.6)
    assert [(mark.x, mark.y) for mark in few] == [(mark.x, mark.y) for mark in many[: len(few)]]
    assert few[3].rng.uniform() == many[3].rng.uniform()


def test_marks_lie_on_print_and_all_over_it():
    for seed in range(3):
        found = np.array([(mark.x, mark.y) for mark in marks(0.8, page=half_printed(), seed=seed)])
        assert found[:, 0].max() < 340
        counts, _ = np.histogram(found[:, 1], bins=8, range=(0, 640))
        assert counts.min() > 0.5 * counts.mean()


def test_the_first_mark_of_a_scrap_lies_on_its_field():
    scrap = text_page(100, 200)
    first = marks(0.5, page=scrap, boxes=[(100.0, 10.0, 180.0, 30.0), (0.0, 90.0, 9.0, 99.0)])[0]
    assert (first.x, first.y) == (140.0, 20.0)
    nowhere = marks(0.5, page=scrap)[0]
    assert (nowhere.x, nowhere.y) == (99.5, 49.5)


def test_no_share_no_marks():
    assert marks(0.0) == []
