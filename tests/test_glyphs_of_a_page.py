"""Characters found on a drawn page, digits printed over others."""

import cv2
import numpy as np
import pytest

from robustocr.digits import LOOK_ALIKES, glyphs_of_page, overprint
from robustocr.errors import NoPlaceError
from robustocr.fields import PrintedField, make_fields
from robustocr.glyph_cells import find_glyphs

PLACE = PrintedField(box=(20, 14, 150, 46), text="28.90")


def page(text="28.90", *, dark=(40, 38, 44), paper=(246, 244, 238), gap=22):
    pixels = np.full((60, 170, 3), paper, dtype=np.uint8)
    for index, char in enumerate(text):
        cv2.putText(pixels, char, (24 + gap * index, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.9, dark, 2)
    return pixels


def test_each_run_of_ink_is_a_character():
    found = find_glyphs(page(), PLACE)
    assert [cell.char for cell in found.cells] == list("28.90")
    lefts = [cell.bounds[0] for cell in found.cells]
    assert lefts == sorted(lefts)
    for index, cell in enumerate(found.cells):
        assert 20 + 22 * index <= cell.bounds[0] < cell.bounds[2] <= 48 + 22 * index
    digits = [cell.height for cell in found.cells if cell.char != "."]
    assert min(digits) >= 18
    assert np.allclose(found.print, (40, 38, 44), atol=3)
    assert np.allclose(found.paper, (246, 244, 238), atol=3)


def test_touching_characters_are_parted_at_an_even_pitch():
    found = find_glyphs(page("28490", gap=16), PrintedField(box=(20, 14, 110, 46), text="28490"))
    assert [cell.char for cell in found.cells] == list("28490")
    for index, cell in enumerate(found.cells):
        middle = (cell.bounds[0] + cell.bounds[2]) / 2
        assert abs(middle - (24 + 16 * index + 8)) < 6


def test_light_print_on_a_dark_ground():
    found = find_glyphs(page(dark=(240, 240, 240), paper=(20, 20, 30)), PLACE)
    assert [cell.char for cell in found.cells] == list("28.90")
    assert found.print.mean() > 200


def test_unknown_text_gives_unknown_characters():
    found = find_glyphs(page(), PrintedField(box=PLACE.box))
    assert [cell.char for cell in found.cells] == [None] * 5


@pytest.mark.parametrize(
    "box", [(300, 300, 340, 320), (20, 14, 21, 15), (20, 20, 120, 50, 110, 80, 10, 50), (-50, -50, -10, -10)]
)
def test_nothing_to_find(box):
    assert find_glyphs(page(), PrintedField(box=box, text="28.90")) is None


def test_blank_paper_has_no_characters():
    assert find_glyphs(np.full((60, 170, 3), 240, np.uint8), PLACE) is None


def test_every_digit_has_another_as_look_alike():
    assert set(LOOK_ALIKES) == set("0123456789")
    assert all(digit != other and other in LOOK_ALIKES for digit, other in LOOK_ALIKES.items())


def test_overprinted_digits_are_those_of_the_page():
    """The digit comes from elsewhere on the page: what is printed anew looks like what would have been."""
    pixels = np.vstack([page("28.90"), page("33.33")])
    fields = make_fields(
        {"total": [PLACE.box], "subtotal": [(20, 74, 150, 106)]}, {"total": ["28.90"], "subtotal": ["33.33"]}
    )
    book = glyphs_of_page(pixels, fields)
    assert overprint(pixels, PLACE, "23.90", book) == "23.90"
    digit = page("23.90")[18:44, 46:66]

    def likeness(picture):
        return cv2.matchTemplate(picture[14:48, 40:72], digit, cv2.TM_CCOEFF_NORMED).max()

    assert likeness(pixels[:60]) > 0.95 > 0.9 > likeness(page())


def test_a_digit_that_the_page_lacks_is_rendered():
    pixels = page("20.90")
    place = PrintedField(box=PLACE.box, text="20.90")
    assert overprint(pixels, place, "27.90", glyphs_of_page(pixels, make_fields({}))) == "27.90"
    changed = np.abs(pixels.astype(int) - page("20.90")).sum(axis=2) > 60
    assert changed[:, 42:66].any()
    assert not changed[:, :40].any()
    assert not changed[:, 68:].any()


def test_as_many_digits_are_printed_as_stand_there():
    pixels = page()
    with pytest.raises(NoPlaceError, match=r"4 digits are found in '28\.90', 5 are to be printed"):
        overprint(pixels, PLACE, "128.90", glyphs_of_page(pixels, make_fields({})))
