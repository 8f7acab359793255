import json
from collections import Counter
from pathlib import Path

import pytest

from robustocr.adapters.base import OcrLine, OcrPage
from robustocr.loaders import load
from robustocr.loaders.locate import field_values, locate
from robustocr.loaders.rows import bounds
from robustocr.records import Receipt, Sample, Word

LINES = [
    ("BLUE DOOR CAFE (123-X)", 10),
    ("12 HIGH ROAD", 22),
    ("SPRINGFIELD", 34),
    ("Date: 02/01/2018 18:05", 46),
    ("Receipt No: AB-12 345", 58),
    ("Flat white", 70),
    ("2 x 4.50 9.00", 82),
    ("Lunch plate 19.90", 94),
    ("Subtotal 28.90", 106),
    ("Discount 1.00", 118),
    ("Sales tax 2.23", 130),
    ("TOTAL: RM30.13", 142),
    ("Cash 40.00", 154),
    ("Change 9.87", 166),
    ("Items: 2", 178),
    ("Thank you 30.13", 190),
]
TRUTH = {
    "merchant": "Blue Door Cafe", "address": "12 High Road, Springfield", "date": "2018-01-02",
    "time": "18:05", "receipt_number": "AB12345", "currency": "MYR", "item_count": 2,
    "items": [{"name": "Flat white", "quantity": "2", "unit_price": "4.50", "amount": "9.00"},
              {"name": "Lunch plate", "amount": "19.90"}],
    "subtotal": "28.90", "discounts": [{"amount": "-1.00"}], "taxes": [{"amount": "2.23"}], "tip": None,
    "total": "30.13", "payments": [{"amount": "40.00"}], "change": "9.87",
}  # fmt: skip


def words(lines=LINES):
    return tuple(Word(text=text, box=(10, y, 10 + 8 * len(text), y + 10)) for text, y in lines)


def sample(truth=TRUTH, **known):
    return Sample(id="x", image=Path("x.png"), truth=Receipt.model_validate(truth), **known)


def printed(located, path, lines=LINES):
    """The characters under each place of a field."""
    found = []
    for place in located.places[path]:
        x0, y0, x1, _ = bounds(place.box)
        text = next(text for text, y in lines if y == y0)
        found.append(text[round((x0 - 10) / 8) : round((x1 - 10) / 8)])
    return found


EXPECTED = {
    "merchant": ["BLUE DOOR CAFE"],
    "address": ["12 HIGH ROAD", "SPRINGFIELD"],
    "date": ["02/01/2018"],
    "receipt_number": ["AB-12 345"],
    "currency": ["RM"],
    "item_count": ["2"],
    "items[0].name": ["Flat white"],
    "items[0].quantity": ["2"],
    "items[0].unit_price": ["4.50"],
    "items[0].amount": ["9.00"],
    "items[1].name": ["Lunch plate"],
    "items[1].amount": ["19.90"],
    "subtotal": ["28.90"],
    "discounts[0].amount": ["1.00"],
    "taxes[0].amount": ["2.23"],
    "total": ["RM30.13"],
    "payments[0].amount": ["40.00"],
    "change": ["9.87"],
}


@pytest.mark.parametrize(("path", "texts"), EXPECTED.items(), ids=EXPECTED.keys())
def test_every_field_is_found_among_the_words(path, texts):
    assert printed(locate(sample(words=words())), path) == texts


def test_sources_and_what_is_missing():
    located = locate(sample(words=words(), boxes={"total": [(1, 2, 3, 4)], "tip": []}))
    assert located.places["total"][0].box == (1, 2, 3, 4)
    assert located.places["total"][0].source == "label"
    assert located.places["subtotal"][0].source == "matched"
    assert "tip" not in located.places
    assert located.missing == ()


def test_lines_read_fill_what_words_do_not_have():
    half = words(LINES[:9])
    page = OcrPage(
        lines=tuple(OcrLine(text=word.text, box=word.box, score=1.0) for word in words()),
        height=300,
        width=300,
    )
    located = locate(sample(words=half), page=page)
    assert {place.source for place in located.places["subtotal"]} == {"matched"}
    assert {place.source for place in located.places["total"]} == {"read"}
    assert locate(sample(), page=page).places["subtotal"][0].source == "read"
    assert set(locate(sample()).missing) == set(field_values(sample().truth))


def test_a_total_without_a_keyword_is_the_lowest_of_its_value():
    lines = [("Tea 9.00", 10), ("9.00", 30), ("9.00", 50), ("Thanks", 70)]
    located = locate(sample({"total": "9.00"}, words=words(lines)))
    assert [bounds(place.box)[1] for place in located.places["total"]] == [50]


def test_a_keyword_above_its_amount():
    lines = [("9.00", 10), ("TOTAL", 30), ("RM 9.00", 50), ("Cash 9.00", 70)]
    located = locate(sample({"total": "9.00"}, words=words(lines)))
    assert [bounds(place.box)[1] for place in located.places["total"]] == [50]


def test_every_row_that_says_total_counts():
    lines = [("Tea 9.00", 10), ("Total 9.00", 30), ("Rounding 0.00", 50), ("Rounded total 9.00", 70)]
    located = locate(sample({"total": "9.00"}, words=words(lines)))
    assert [bounds(place.box)[1] for place in located.places["total"]] == [30, 70]


def test_values_are_compared_not_texts():
    lines = [("Summe EUR 1.234,50", 10), ("14. März 2026", 30)]
    located = locate(sample({"total": "1234.50", "date": "2026-03-14"}, words=words(lines)))
    assert located.missing == ()
    assert printed(located, "date", lines) == ["14. März 2026"]


def test_a_wrong_value_is_missing():
    assert locate(sample({"total": "30.14", "merchant": "Quite Another Shop"}, words=words())).missing == (
        "merchant", "total",
    )  # fmt: skip


def test_equal_amounts_serve_one_item_each():
    lines = [("Tea 5.00", 10), ("Tea 5.00", 30), ("Cake 5.00", 50), ("Total 15.00", 70)]
    items = [{"name": "Tea", "amount": "5"}, {"name": "Tea", "amount": "5"}, {"name": "Cake", "amount": "5"}]
    located = locate(sample({"items": items}, words=words(lines)))
    assert [bounds(located.places[f"items[{i}].amount"][0].box)[1] for i in range(3)] == [10, 30, 50]


def test_numbers_above_the_name():
    lines = [
        ("1X 000004089728 5.90SR", 10),
        ("SAKUMASHIKIDROP", 30),
        ("1X 000007572029 5.90SR", 50),
        ("BINDER CLIP", 70),
    ]
    items = [{"name": "Sakumashikidrop", "amount": "5.90"}, {"name": "Binder clip", "amount": "5.90"}]
    located = locate(sample({"items": items}, words=words(lines)))
    assert [bounds(located.places[f"items[{i}].amount"][0].box)[1] for i in range(2)] == [10, 50]


def test_without_truth_only_the_boxes_of_the_label():
    bare = Sample(id="x", image=Path("x.png"), boxes={"total": [(1, 2, 3, 4)]}, words=words())
    located = locate(bare)
    assert list(located.places) == ["total"]
    assert located.missing == ()


def test_real_fields_are_found_on_almost_all_receipts(real_data):
    samples = load(real_data / "SROIE2019").samples
    missing = Counter(path for found in samples for path in locate(found).missing)
    assert missing["total"] <= 3
    assert missing["date"] <= 3
    assert missing["merchant"] <= 3
    assert missing["address"] <= 3


def test_real_item_amounts_are_found(real_data):
    labels = (real_data / "SROIE2019" / "train" / "items.jsonl").read_text(encoding="utf-8").splitlines()
    items = {label["id"]: label["items"] for label in map(json.loads, labels)}
    wanted = found = 0
    for known in load(real_data / "SROIE2019").samples:
        rows = [{"name": row["name"], "amount": row["line_total"]} for row in items[known.id]]
        located = locate(known.model_copy(update={"truth": Receipt(items=rows)}))
        wanted += len(rows)
        found += sum(f"items[{index}].amount" in located.places for index in range(len(rows)))
    assert found / wanted > 0.95
