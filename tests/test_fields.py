from decimal import Decimal

import numpy as np
import pytest

from robustocr.errors import InputError
from robustocr.fields import (
    boxes_of,
    edited,
    is_field_path,
    labelled_text,
    make_fields,
    move_fields_at,
    shift_fields,
    text_in,
)
from robustocr.moves import Shift
from robustocr.records import Receipt, Word

WORDS = (
    Word(text="TOTAL", box=(10, 10, 60, 30)),
    Word(text="28.90", box=(100, 11, 150, 31)),
    Word(text="EUR", box=(160, 10, 190, 30)),
    Word(text="next row", box=(10, 40, 90, 60)),
)


def test_text_in_a_box_is_what_the_words_print_there():
    assert text_in((98, 10, 152, 32), WORDS) == "28.90"
    assert text_in((98, 10, 195, 32), WORDS) == "28.90 EUR"
    assert text_in((8, 10, 195, 32), WORDS) == "TOTAL 28.90 EUR"
    assert text_in((300, 10, 400, 30), WORDS) is None


def test_a_part_of_a_line_is_cut_at_an_even_pitch():
    line = (Word(text="Total: 28.90", box=(0, 0, 120, 20)),)
    assert text_in((70, 0, 120, 20), line) == "28.90"


def test_labelled_text():
    truth = Receipt(total=Decimal("28.90"), item_count=3, merchant="SHOP", items=[{"amount": "1.50"}])
    assert labelled_text(truth, "total") == "28.90"
    assert labelled_text(truth, "item_count") == "3"
    assert labelled_text(truth, "items[0].amount") == "1.50"
    for path in ("merchant", "items[4].amount", "items", "nothing", "items[0].name"):
        assert labelled_text(truth, path) is None
    assert labelled_text(None, "total") is None


def test_edited_truth_says_what_is_printed_now():
    truth = Receipt(total="28.90", items=[{"name": "A", "amount": "28.90"}])
    changed = edited(truth, {"total": "23.90", "items[0].amount": "8.90", "subtotal": "1.00"})
    assert changed.total == Decimal("23.90")
    assert changed.items[0].amount == Decimal("8.90")
    assert changed.items[0].name == "A"
    assert "subtotal" not in changed.labelled, "what was unlabelled stays unlabelled"
    assert truth.total == Decimal("28.90")


@pytest.mark.parametrize("path", ["items", "total[0].amount", "what ever"])
def test_edits_name_single_values(path):
    with pytest.raises(InputError, match="names no single value"):
        edited(Receipt(total="1.00", items=[{"amount": "1.00"}]), {path: "2.00"})


def test_fields_move():
    fields = make_fields({"total": [(0, 0, 10, 10), (50, 50, 60, 60)]}, {"total": ["1", None]})
    assert [place.text for place in fields["total"]] == ["1", None]
    assert boxes_of(shift_fields(fields, 2, -3)) == {"total": ((2, -3, 12, 7), (52, 47, 62, 57))}
    moved = move_fields_at(fields, (49, 49, 61, 61), (Shift(dx=5, dy=0),))
    assert boxes_of(moved)["total"][0] == (0, 0, 10, 10)
    assert np.allclose(boxes_of(moved)["total"][1], (55, 50, 65, 50, 65, 60, 55, 60))


def test_field_paths():
    for path in ("total", "items", "items[2]", "items[0].amount", "taxes[1].rate"):
        assert is_field_path(path)
    for path in ("totl", "items.amount", "total[0]", "items[x].amount", "items[0].amont", ""):
        assert not is_field_path(path)
