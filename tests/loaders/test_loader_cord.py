import json
from decimal import Decimal

import pytest

from robustocr.errors import DatasetError
from robustocr.loaders import load
from robustocr.loaders.cord_labels import receipt_of_gt_parse

from .drawing import draw, write_lines

PARSE = {
    "menu": [
        {"nm": "TICKET CP", "cnt": "2 x", "unitprice": "@30.000", "price": "60.000"},
        {"nm": ["ES", "TEH"], "cnt": "x1", "price": "Rp 5.000", "num": "17", "vatyn": "Y",
         "discountprice": "1.000", "sub": {"nm": "MANIS", "price": "500"}},
    ],
    "sub_total": {"subtotal_price": "65.500", "discount_price": ["1.000", "-500"], "service_price": "3.275",
                  "tax_price": ["5.455", "100"], "othersvc_price": "200", "etc": "Rounding 0"},
    "total": {"total_price": "73.030", "cashprice": "100.000", "changeprice": "26.970",
              "creditcardprice": "0", "menuqty_cnt": "3"},
}  # fmt: skip


def test_every_category_of_a_gt_parse():
    receipt = receipt_of_gt_parse(PARSE)
    tea = {"kind": "item", "name": "ES TEH", "quantity": "1", "amount": "5000", "discount": "-1000"}
    assert receipt.to_json()["items"] == [
        {"kind": "item", "name": "TICKET CP", "quantity": "2", "unit_price": "30000", "amount": "60000"},
        tea,
        {"kind": "modifier", "name": "MANIS", "amount": "500"},
    ]
    assert (receipt.subtotal, receipt.service, receipt.total, receipt.change) == (65500, 3275, 73030, 26970)
    assert [entry.amount for entry in receipt.discounts] == [-1000, -500]
    assert [tax.amount for tax in receipt.taxes] == [5455, 100]
    assert [entry.amount for entry in receipt.charges] == [200]
    assert [(entry.label, entry.amount) for entry in receipt.payments] == [("Cash", 100000), ("Card", 0)]
    assert "tip" not in receipt.labelled
    assert "item_count" not in receipt.labelled


def test_commas_and_points_that_both_group_thousands():
    receipt = receipt_of_gt_parse(
        {"menu": [{"price": "43.636"}, {"price": "3,000"}], "total": {"total_price": "51.300"}}
    )
    assert [item.amount for item in receipt.items] == [43636, 3000]
    assert receipt.total == 51300


def test_cents_where_the_receipt_has_them():
    receipt = receipt_of_gt_parse(
        {"menu": {"nm": "TEA", "price": "9.500,00"}, "total": {"total_price": "9.500,00"}}
    )
    assert receipt.total == Decimal("9500.00")
    assert receipt.items[0].amount == Decimal("9500.00")


def test_void_items_words_around_amounts_and_flat_sub_keys():
    receipt = receipt_of_gt_parse(
        {
            "menu": {
                "nm": "CAKE",
                "price": "10,000",
                "sub_nm": ["CREAM", "NUTS"],
                "sub_price": ["1,000", "2,000"],
            },
            "void_menu": {"nm": "TEA", "price": "5,000"},
            "sub_total": {"discount_price": "Disc -100%", "tax_price": "PB1 (10%) 1,300"},
            "total": {"total_price": ["14,300", "14,300"], "cashprice": "Rp. 20,000 (cash)"},
        }
    )
    assert [(item.name, item.kind, item.amount) for item in receipt.items] == [
        ("CAKE", "item", 10000),
        ("CREAM", "modifier", 1000),
        ("NUTS", "modifier", 2000),
        ("TEA", "return", -5000),
    ]  # fmt: skip
    assert receipt.total == 14300
    assert receipt.taxes[0].amount == 1300
    assert receipt.payments[0].amount == 20000
    assert "discounts" not in receipt.labelled


def test_two_different_totals_label_none():
    receipt = receipt_of_gt_parse({"total": {"total_price": ["14,300", "15,000"]}})
    assert receipt.labelled == frozenset()


@pytest.mark.parametrize(
    ("parse", "words"),
    [
        ({"menus": []}, "unknown section 'menus'. Did you mean 'menu'?"),
        ({"menu": [{"prize": "1"}]}, r"menu[0]: unknown key 'prize'. Did you mean 'price'?"),
        ({"menu": ["x"]}, "menu: 'x' is not an object"),
        ({"menu": [{"price": "free"}]}, "menu[0].price: 'free' is not a printed amount"),
        ({"menu": [{"cnt": "many"}]}, "menu[0].cnt: 'many' is not a printed quantity"),
        ({"menu": [{"nm": {"a": 1}}]}, "menu[0].nm"),
        ({"total": {"total_price": "1,2,3"}}, "total.total_price: '1,2,3'"),
        ({"total": {"totel_price": "1"}}, "unknown key of total 'totel_price'"),
    ],
)
def test_what_cannot_be_read_is_named(parse, words):
    with pytest.raises((DatasetError, ValueError)) as caught:
        receipt_of_gt_parse(parse)
    assert words in str(caught.value)


def quad(x, y):
    return {"x1": x, "y1": y, "x2": x + 10, "y2": y, "x3": x + 10, "y3": y + 5, "x4": x, "y4": y + 5}


def line(category, group, *texts, sub_group=0):
    words = [
        {"text": text, "quad": quad(5 * i, 8 * group), "is_key": int(text.isupper())}
        for i, text in enumerate(texts)
    ]
    return {"category": category, "group_id": group, "sub_group_id": sub_group, "words": words}


LINES = {
    "valid_line": [
        line("menu.cnt", 3, "2"),
        line("menu.nm", 3, "Es", "teh"),
        line("menu.price", 3, "10.000"),
        line("menu.sub_nm", 3, "manis", sub_group=1),
        line("menu.sub_price", 3, "500", sub_group=1),
        line("menu.nm", 4, "Kopi"),
        line("menu.price", 4, "7.500"),
        line("menu.num", 5, "901"),
        line("total.cashprice", 9, "CASH", "20.000"),
        line("sub_total.tax_price", 6, "TAX", "1.800"),
        line("total.total_price", 8, "TOTAL", "Rp", "19.800"),
        line("total.creditcardprice", 10, "0"),
    ]
}


def write(root, stem, label):
    draw(root / "image" / f"{stem}.png")
    (root / "json").mkdir(exist_ok=True)
    (root / "json" / f"{stem}.json").write_text(json.dumps(label), encoding="utf-8")


def test_annotated_lines_give_truth_boxes_and_words(tmp_path):
    write(tmp_path, "receipt_00000", LINES)
    (sample,) = load(tmp_path).samples
    assert [(item.name, item.kind, item.amount) for item in sample.truth.items] == [
        ("Es teh", "item", 10000), ("manis", "modifier", 500), ("Kopi", "item", 7500),
    ]  # fmt: skip
    assert sample.truth.items[0].quantity == 2
    assert (sample.truth.total, sample.truth.taxes[0].amount) == (19800, 1800)
    assert [entry.label for entry in sample.truth.payments] == ["Cash", "Card"]
    assert len(sample.words) == 17
    assert len(sample.boxes["items[0].name"]) == 2
    assert sample.boxes["items[1].amount"] == ((0, 24, 10, 24, 10, 29, 0, 29),)
    assert sample.boxes["items[2].amount"] == ((0, 32, 10, 32, 10, 37, 0, 37),)
    assert sample.boxes["payments[0].amount"] == ((5, 72, 15, 72, 15, 77, 5, 77),)
    assert sample.boxes["payments[1].amount"] == ((0, 80, 10, 80, 10, 85, 0, 85),)
    assert len(sample.boxes["total"]) == 2


def test_splits_missing_labels_and_missing_pictures(tmp_path):
    for split, stem in (("train", "a"), ("dev", "b"), ("test", "c")):
        write_split = tmp_path / split
        write_split.mkdir()
        write(write_split, stem, {"gt_parse": PARSE})
    draw(tmp_path / "test" / "image" / "d.png")
    (tmp_path / "test" / "json" / "e.json").write_text(json.dumps({"gt_parse": PARSE}), encoding="utf-8")
    (tmp_path / "test" / "json" / "f.json").write_text("{}", encoding="utf-8")
    draw(tmp_path / "test" / "image" / "f.png")
    dataset = load(tmp_path)
    assert dataset.format == "cord"
    assert [sample.id for sample in dataset.samples] == ["b", "c", "a"]
    reasons = {left.file: left.reason for left in dataset.left_out}
    assert "no label json/d.json" in reasons["test/image/d.png"]
    assert "no picture image/e.png" in reasons["test/json/e.json"]
    assert "neither valid_line nor" in reasons["test/json/f.json"]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("none", "valid_line is not a list"),
        ([{"category": "menu.nm"}], "has no list of words"),
        ([{"category": "menu.nm", "words": [{"text": "x"}]}], "word 'x' has no quad"),
        ([{"category": "menu.nm", "words": [{"text": "x", "quad": {"x1": 1}}]}], "needs numbers x1, y1"),
        ([line("total.totl", 1, "1")], "unknown key of total 'totl'"),
    ],
)
def test_a_bad_annotation_is_named(tmp_path, lines, words):
    write(tmp_path, "a", {"gt_parse": PARSE})
    write(tmp_path, "b", {"valid_line": lines})
    (left,) = load(tmp_path).left_out
    assert left.file == "json/b.json"
    assert words in left.reason


def test_donut_lines(tmp_path):
    for stem in "abcd":
        draw(tmp_path / f"{stem}.png")
    write_lines(
        tmp_path / "metadata.jsonl",
        [
            {"file_name": "a.png", "ground_truth": json.dumps({"gt_parse": PARSE})},
            {"file_name": "b.png", "ground_truth": json.dumps(LINES)},
            {
                "file_name": "c.png",
                "ground_truth": json.dumps({"gt_parse": {"company": "X", "total": "RM 3.90"}}),
            },
            {
                "file_name": "d.png",
                "ground_truth": json.dumps({"gt_parse": {"merchant": "X", "total": "3,90"}}),
            },
        ],
    )
    dataset = load(tmp_path, strict=True)
    assert dataset.format == "donut"
    assert [sample.truth.total for sample in dataset.samples] == [
        73030,
        19800,
        Decimal("3.90"),
        Decimal("3.90"),
    ]
    assert dataset.samples[1].words


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"file_name": "b.png"}, "the key ground_truth is missing"),
        ({"ground_truth": "{}"}, "the key file_name is missing"),
        ({"file_name": "b.png", "ground_truth": {}}, "not a JSON string"),
        ({"file_name": "b.png", "ground_truth": "{"}, "broken JSON"),
        ({"file_name": "b.png", "ground_truth": "{}", "extra": 1}, "unknown key 'extra'"),
        (
            {"file_name": "b.png", "ground_truth": '{"gt_parse": {"totl": "1"}}'},
            "unknown key of gt_parse 'totl'",
        ),
        (
            {"file_name": "b.png", "ground_truth": '{"gt_parse": {"total": {"total_price": "x"}}}'},
            "'x' is not",
        ),
    ],
)
def test_a_bad_donut_line_is_named(tmp_path, bad, words):
    draw(tmp_path / "a.png")
    draw(tmp_path / "b.png")
    good = {"file_name": "a.png", "ground_truth": json.dumps({"gt_parse": PARSE})}
    write_lines(tmp_path / "metadata.jsonl", [good, bad])
    (left,) = load(tmp_path).left_out
    assert (left.file, left.line) == ("metadata.jsonl", 2)
    assert words in left.reason


def test_the_real_indonesian_labels_parse(real_data):
    """Items and totals as printed; where a label says that the items sum to the total, they must."""
    lines = (real_data / "labels" / "cord_test.jsonl").read_text(encoding="utf-8").splitlines()
    summed, refused = 0, []
    for label in map(json.loads, lines):
        menu = [
            {
                "nm": item["name"],
                "cnt": item["qty"],
                "unitprice": item["unit_price"],
                "price": item["line_total"],
            }
            for item in label["items"]
        ]
        try:
            receipt = receipt_of_gt_parse({"menu": menu, "total": {"total_price": label["total"]}})
        except ValueError as error:
            refused.append(str(error))
            continue
        if label["exact"] and label["items_rel"] == "sum=total":
            summed += 1
            assert sum(item.amount or 0 for item in receipt.items) == receipt.total, label["id"]
    assert summed > 30
    # One label's total is the currency's sign alone.
    assert refused == ["total.total_price: 'Rp' is not a printed amount such as 25,000 or Rp.56.000"]
