"""Any corruption aims at a field, at one of its digits, or at its row."""

import cv2
import numpy as np
import pytest

from robustocr.aim import Aim, parse_target
from robustocr.boxes import bounds_of, quad_mask, quad_of
from robustocr.corruptions import corrupt, list_corruptions, load_corruption
from robustocr.errors import NoPlaceError, RecipeError
from tests.corruption_page import SUBTOTAL, TEXT_HEIGHT, TOTAL, text_page

BOXES = {"total": (TOTAL,), "subtotal": (SUBTOTAL,)}
TEXTS = {"total": ("98.60",), "subtotal": ("68.30",)}
NAMES = list_corruptions()
MOVING = [name for name in NAMES if load_corruption(name).changes_frame]
FEATHER = int(np.ceil(TEXT_HEIGHT / 3)) + 1


def aimed(name, target, severity=5, **more):
    return corrupt(
        text_page(),
        load_corruption(name),
        severity,
        seed=0,
        sample_id="s",
        boxes=BOXES,
        texts=TEXTS,
        target=target,
        text_height=TEXT_HEIGHT,
        **more,
    )


def changed_by(result):
    return np.abs(result.pixels.astype(int) - text_page()).max(axis=2)


def test_targets():
    assert parse_target("total") == Aim(field="total")
    assert parse_target("items[2].amount:row") == Aim(field="items[2].amount", part="row")
    assert parse_target("total:digit") == Aim(field="total", part="digit")
    assert parse_target("total:digit[3]") == Aim(field="total", part="digit", index=3)


@pytest.mark.parametrize(
    "target", ["", "total:", "total:cell", "total:row[1]", "total:digit[x]", "total:digit:row"]
)
def test_targets_of_no_form_are_refused(target):
    with pytest.raises(RecipeError, match=r"followed by :digit, :digit\[N\] or :row"):
        parse_target(target)


def test_unknown_field_names_the_known_ones():
    with pytest.raises(RecipeError, match=r"unknown field 'totl'. Did you mean 'total'"):
        aimed("defocus", "totl")


def test_field_without_a_place_names_those_with_one():
    with pytest.raises(NoPlaceError, match=r"'tip' has no known place.*known are subtotal, total"):
        aimed("defocus", "tip")


@pytest.mark.parametrize("index", [0, 1, 2, 3])
def test_one_digit(index):
    changed = changed_by(aimed("defocus", f"total:digit[{index}]"))
    columns = np.flatnonzero(changed.max(axis=0))
    pitch = 80 / 5
    middle = 190 + (index + (index > 1) + 0.5) * pitch * 0.83
    assert columns.max() - columns.min() < 14 + 2 * FEATHER
    assert abs((columns.max() + columns.min()) / 2 - middle) < 12
    assert np.flatnonzero(changed.max(axis=1)).min() >= TOTAL[1] - FEATHER


def test_a_drawn_digit_is_the_same_for_the_same_seed():
    one, other = aimed("defocus", "total:digit"), aimed("defocus", "total:digit")
    assert np.array_equal(one.pixels, other.pixels)
    assert changed_by(one).max() > 10


def test_a_digit_that_is_not_there_is_said():
    with pytest.raises(NoPlaceError, match=r"'total': 4 digits are found where it is printed"):
        aimed("defocus", "total:digit[7]")


def test_a_row_goes_from_side_to_side():
    changed = changed_by(aimed("defocus", "total:row"))
    rows = np.flatnonzero(changed.max(axis=1))
    assert changed[220:236, 12:60].max() > 30, "the name at the other end of the row"
    assert rows.min() >= TOTAL[1] - 4 - FEATHER
    assert rows.max() <= TOTAL[3] + 4 + FEATHER


@pytest.mark.parametrize("name", MOVING)
def test_what_moves_the_page_moves_the_field_alone(name):
    """The middle of the box stays; what was in the box is in the moved box; the rest of the page stays."""
    result = aimed(name, "total", severity=3)
    assert result.pixels.shape == text_page().shape
    assert result.moves == ()
    assert result.boxes["subtotal"] == (SUBTOTAL,)
    moved = quad_of(result.boxes["total"][0])
    assert np.abs(moved.mean(axis=0) - quad_of(TOTAL).mean(axis=0)).max() < 6
    changed = changed_by(result)
    outside = np.ones(changed.shape, dtype=bool)
    for box in (TOTAL, result.boxes["total"][0]):
        x0, y0, x1, y1 = (int(value) for value in bounds_of(box))
        rows = slice(max(y0 - FEATHER, 0), y1 + FEATHER + 2)
        outside[rows, max(x0 - FEATHER, 0) : x1 + FEATHER + 2] = False
    assert changed[outside].max() == 0


@pytest.mark.parametrize("name", ["tilt", "sideways", "perspective"])
def test_where_the_field_was_is_bare_paper(name):
    result = aimed(name, "total", severity=5)
    x0, y0, x1, y1 = (int(value) for value in TOTAL)
    now = quad_mask(result.boxes["total"][0], *text_page().shape[:2]) > 0
    now = cv2.dilate(now.astype(np.uint8), np.ones((2 * FEATHER + 1, 2 * FEATHER + 1))) > 0
    left = ~now[y0:y1, x0:x1]
    assert left.any()
    assert text_page()[y0:y1, x0:x1][left].min() < 100
    assert result.pixels[y0:y1, x0:x1][left].min() > 180


def test_a_field_upside_down():
    result = aimed("upside_down", "total", severity=3)
    x0, y0, x1, y1 = (int(value) for value in TOTAL)
    before = cv2.rotate(text_page()[y0 + 2 : y1 - 2, x0 + 2 : x1 - 2], cv2.ROTATE_180)
    after = result.pixels[y0 + 2 : y1 - 2, x0 + 2 : x1 - 2]
    best = cv2.matchTemplate(
        result.pixels[y0 - 2 : y1 + 2, x0 - 2 : x1 + 2], before, cv2.TM_CCOEFF_NORMED
    ).max()
    assert best > 0.95
    assert not np.array_equal(after, text_page()[y0 + 2 : y1 - 2, x0 + 2 : x1 - 2])


def test_content_chooses_its_own_place():
    with pytest.raises(
        RecipeError, match=r"'second_total' prints where it finds room and cannot be aimed at 'total'"
    ):
        aimed("second_total", "total")
