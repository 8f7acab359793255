import datetime as dt
import json
import time
from decimal import Decimal

import pytest

from robustocr.errors import DatasetError
from robustocr.loaders import load

from .drawing import draw

BOXES = (
    "10,5,50,5,50,15,10,15,SHOP, THE\r\n10,40,30,40,30,50,10,50,TOTAL\r\n35,40,55,40,55,50,35,50,RM9.00\r\n"
)
ENTITIES = {"company": "SHOP, THE", "date": "02/01/2018", "address": "1 ROAD", "total": "RM 9.00"}


def add(folder, stem, entities=None, boxes=BOXES, labels="entities", suffix=".txt"):
    """Write one receipt in SROIE's layout; None leaves a file out."""
    draw(folder / "img" / f"{stem}.jpg")
    for name, text, ending in (("box", boxes, ".txt"), (labels, entities, suffix)):
        (folder / name).mkdir(parents=True, exist_ok=True)
        if text is not None:
            content = text if isinstance(text, str) else json.dumps(text)
            (folder / name / f"{stem}{ending}").write_text(content, encoding="utf-8")


def test_entities_boxes_and_words(tmp_path):
    add(tmp_path, "x1", ENTITIES)
    (sample,) = load(tmp_path).samples
    assert sample.id == "x1"
    assert sample.truth.to_json() == {
        "merchant": "SHOP, THE", "date": "2018-01-02", "address": "1 ROAD", "total": "9.00",
    }  # fmt: skip
    assert [word.text for word in sample.words] == ["SHOP, THE", "TOTAL", "RM9.00"]
    assert sample.words[2].box == (35, 40, 55, 40, 55, 50, 35, 50)
    assert (sample.group, sample.licence) == ("shop, the", "CC-BY-4.0")


def test_the_words_decide_the_decimal_mark(tmp_path):
    add(tmp_path, "x1", ENTITIES | {"total": "9.000"}, boxes=BOXES + "1,60,9,60,9,70,1,70,4.50 4.50\n")
    assert load(tmp_path).samples[0].truth.total == Decimal("9.000")


def test_key_files_splits_and_empty_entities(tmp_path):
    add(tmp_path / "train", "x1", ENTITIES | {"address": "", "date": None}, labels="key", suffix=".json")
    add(tmp_path / "test", "x2", None, boxes=None, labels="box")
    dataset = load(tmp_path)
    assert dataset.format == "sroie"
    assert [(sample.id, sample.truth is None) for sample in dataset.samples] == [("x2", True), ("x1", False)]
    assert dataset.samples[1].truth.labelled == {"merchant", "total"}
    assert [sample.id for sample in load(tmp_path / "train").samples] == ["x1"]


BAD = {
    "no label": (None, BOXES, "no label b.txt or .json"),
    "broken JSON": ("{", BOXES, "broken JSON"),
    "unknown entity": (ENTITIES | {"totel": "1"}, BOXES, "unknown entity 'totel'. Did you mean 'total'?"),
    "bad total": (ENTITIES | {"total": "nine"}, BOXES, "total: 'nine' is not a printed amount"),
    "impossible date": (ENTITIES | {"date": "31/02/2018"}, BOXES, "date: '31/02/2018' is not a date"),
    "number": (ENTITIES | {"total": 9}, BOXES, "entity 'total' is 9, not text"),
    "empty": ("", BOXES, "the file is empty"),
    "short box": (
        ENTITIES,
        BOXES + "1,2,3,4,5,6,7,8\n",
        "box file box/b.txt: box '1,2,3,4,5,6,7,8' has 8 parts",
    ),
    "no numbers": (ENTITIES, "a,b,c,d,e,f,g,h,text\n", "is not x1,y1,...,x4,y4,text"),
}


@pytest.mark.parametrize(("entities", "boxes", "words"), BAD.values(), ids=BAD.keys())
def test_a_bad_label_is_named_and_the_others_go_on(tmp_path, entities, boxes, words):
    add(tmp_path, "a", ENTITIES)
    add(tmp_path, "b", entities, boxes=boxes)
    add(tmp_path, "c", ENTITIES)
    dataset = load(tmp_path)
    assert [sample.id for sample in dataset.samples] == ["a", "c"]
    (left,) = dataset.left_out
    assert "b." in left.file
    assert words in left.reason
    with pytest.raises(DatasetError, match=r"b\."):
        load(tmp_path, strict=True)


def test_the_line_of_a_bad_box_is_told(tmp_path):
    add(tmp_path, "a", ENTITIES)
    add(tmp_path, "b", ENTITIES, boxes=BOXES + "\noops\n")
    assert load(tmp_path).left_out[0].line == 5


def test_latin_1_is_named_with_its_line(tmp_path):
    add(tmp_path, "a", ENTITIES)
    add(tmp_path, "b", ENTITIES)
    (tmp_path / "entities" / "b.txt").write_bytes('{"company":\n"Caf\u00e9"}'.encode("latin-1"))
    (left,) = load(tmp_path).left_out
    assert (left.file, left.line) == ("entities/b.txt", 2)
    assert "not UTF-8: byte 0xe9" in left.reason


def test_a_label_without_a_picture_and_a_link_out_of_the_folder(tmp_path, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "secret.jpg"
    draw(outside)
    add(tmp_path, "a", ENTITIES)
    add(tmp_path, "b", ENTITIES)
    (tmp_path / "img" / "b.jpg").unlink()
    add(tmp_path, "c", ENTITIES)
    (tmp_path / "img" / "c.jpg").unlink()
    (tmp_path / "img" / "c.jpg").symlink_to(outside)
    reasons = {left.file: left.reason for left in load(tmp_path).left_out}
    assert "no picture b.jpg" in reasons["entities/b.txt"]
    assert "leads out of the dataset" in reasons["entities/c.txt"]


def test_the_real_receipts_load_whole_and_fast(real_data):
    start = time.perf_counter()
    dataset = load(real_data / "SROIE2019", strict=True)
    seconds = time.perf_counter() - start
    assert len(dataset.samples) == 83
    assert load(real_data / "SROIE2019" / "train").samples == dataset.samples
    assert all(sample.truth.total > 0 and sample.words for sample in dataset.samples)
    days = [sample.truth.date for sample in dataset.samples]
    assert all(dt.date(2016, 1, 1) <= day <= dt.date(2019, 12, 31) for day in days)
    assert seconds < 5
