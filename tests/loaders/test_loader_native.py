import json
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from robustocr.errors import DatasetError
from robustocr.loaders import load

from .drawing import draw, write_lines

GOOD = {"file_name": "a.png", "receipt": {"total": "9.00"}}


def test_everything_a_line_can_say(native):
    line = {
        "file_name": "a.png",
        "id": "receipt-1",
        "receipt": {"total": "28.90", "tip": None, "items": [{"name": "Tea", "amount": 2.5}]},
        "boxes": {"total": [[1, 2, 30, 10], [1, 2, 30, 2, 30, 10, 1, 10]], "items[0].amount": [[5, 5, 9, 9]]},
        "words": [{"text": "28.90", "box": [1, 2, 30, 10]}],
        "group": "Blue Door",
        "condition": "photo-dim",
        "pair_id": "p1",
        "provenance": "drawn",
        "licence": "MIT",
    }
    dataset = load(native([line]))
    (sample,) = dataset.samples
    assert (dataset.format, dataset.left_out) == ("native", ())
    assert (sample.id, sample.group, sample.condition, sample.pair_id) == (
        "receipt-1",
        "Blue Door",
        "photo-dim",
        "p1",
    )
    assert (sample.provenance, sample.licence, sample.source_line) == ("drawn", "MIT", 1)
    assert sample.truth.total == Decimal("28.90")
    assert sample.truth.labelled == {"total", "tip", "items"}
    assert sample.truth.items[0].amount == Decimal("2.5")
    assert sample.boxes["total"][1] == (1, 2, 30, 2, 30, 10, 1, 10)
    assert sample.words[0].text == "28.90"
    assert sample.image.is_file()


def test_without_an_id_the_stem_and_without_a_receipt_no_truth(native):
    dataset = load(native([{"file_name": "b.png"}, {"file_name": "c.png", "id": 7}]))
    assert [(sample.id, sample.truth) for sample in dataset.samples] == [("b", None), ("7", None)]


def test_printed_forms_need_to_say_so(native):
    lines = [
        {"file_name": "a.png", "receipt": {"printed": True, "total": "Rp 60.000"}},
        {"file_name": "b.png", "receipt": {"total": "Rp 60.000"}},
        {"file_name": "c.png", "receipt": {"total": "12.500"}},
    ]
    dataset = load(native(lines))
    assert [sample.truth.total for sample in dataset.samples] == [Decimal(60000), Decimal("12.5")]
    (left,) = dataset.left_out
    assert left.line == 2
    assert "Rp 60.000" in left.reason
    assert '"printed": true' in left.reason


BAD = {
    "broken JSON": ('{"file_name": "b.png", ', "broken JSON"),
    "no object": ("[1, 2]", "not a JSON object"),
    "unknown key": ({"file_name": "b.png", "recipt": {}}, "unknown key 'recipt'. Did you mean 'receipt'?"),
    "unknown receipt key": (
        {"file_name": "b.png", "receipt": {"totl": "1"}},
        "receipt: unknown key 'totl'. Did you mean 'total'?",
    ),
    "unknown item key": (
        {"file_name": "b.png", "receipt": {"items": [{"price": "1"}]}},
        "receipt.items[0]: unknown key 'price'. Did you mean 'unit_price'?",
    ),
    "bad amount": ({"file_name": "b.png", "receipt": {"total": "9,00"}}, "receipt.total: '9,00' is not"),
    "NaN": ('{"file_name": "b.png", "receipt": {"total": NaN}}', "NaN is not a value"),
    "boolean": ({"file_name": "b.png", "receipt": {"total": True}}, "receipt.total: True is not"),
    "bad date": ({"file_name": "b.png", "receipt": {"date": "14.03.2026"}}, "receipt.date"),
    "key twice": ('{"file_name": "b.png", "file_name": "c.png"}', "key 'file_name' stands twice"),
    "no file name": ({"receipt": {}}, "file_name is missing"),
    "missing picture": ({"file_name": "z.png"}, "does not exist"),
    "no text": ({"file_name": 5}, "file_name is 5"),
    "bad box": ({"file_name": "b.png", "boxes": {"total": [[1, 2, 3]]}}, "4 numbers"),
    "unknown box path": ({"file_name": "b.png", "boxes": {"totl": []}}, "unknown field path 'totl'"),
    "receipt is a list": ({"file_name": "b.png", "receipt": []}, "receipt"),
    "empty id": ({"file_name": "b.png", "id": ""}, "id"),
    "upwards": ({"file_name": "../secret.png"}, "leads out of the dataset"),
    "absolute": ({"file_name": "/etc/passwd"}, "leads out of the dataset"),
    "duplicate id": ({"file_name": "b.png", "id": "a"}, "id 'a' is already that of a.png"),
    "same picture": ({"file_name": "a.png"}, "id 'a' is already that of a.png"),
    "deep": ('{"file_name": ' + "[" * 100_000, "nested too deeply"),
}


@pytest.mark.parametrize(("line", "words"), BAD.values(), ids=BAD.keys())
def test_a_bad_line_is_named_and_the_others_go_on(native, line, words):
    root = native([GOOD, line, {"file_name": "f.png"}])
    dataset = load(root)
    assert [sample.id for sample in dataset.samples] == ["a", "f"]
    (left,) = dataset.left_out
    assert (left.file, left.line) == ("metadata.jsonl", 2)
    assert words in left.reason
    with pytest.raises(DatasetError, match=r"metadata\.jsonl, line 2: ") as caught:
        load(root, strict=True)
    assert words in str(caught.value)


def test_links_out_of_the_folder_are_refused(native, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "secret.png"
    draw(outside)
    root = native([GOOD, {"file_name": "link.png"}, {"file_name": "inner.png"}])
    (root / "link.png").symlink_to(outside)
    (root / "inner.png").symlink_to(root / "b.png")
    dataset = load(root)
    assert [sample.id for sample in dataset.samples] == ["a", "inner"]
    assert "leads out of the dataset" in dataset.left_out[0].reason


def test_unreadable_pictures_are_named(native):
    root = native([GOOD, {"file_name": "b.png"}, {"file_name": "c.png"}, {"file_name": "sub"}])
    (root / "b.png").write_bytes(b"no picture")
    (root / "c.png").write_bytes(b"")
    (root / "sub").mkdir()
    reasons = {left.line: left.reason for left in load(root).left_out}
    assert "known here" in reasons[2]
    assert "empty" in reasons[3]
    assert "folder" in reasons[4]


def test_byte_order_mark_carriage_returns_and_blank_lines(native):
    root = native([])
    text = f"\ufeff{json.dumps(GOOD)}\r\n\r\n   \r\n" + '{"file_name": "b.png"}'
    (root / "metadata.jsonl").write_bytes(text.encode())
    dataset = load(root)
    assert [(sample.id, sample.source_line) for sample in dataset.samples] == [("a", 1), ("b", 4)]
    assert dataset.left_out == ()


def test_a_line_that_is_not_utf8_is_named(native):
    root = native([])
    (root / "metadata.jsonl").write_bytes(
        json.dumps(GOOD).encode() + b"\n" + '{"file_name": "b.png", "group": "Caf\u00e9"}'.encode("latin-1")
    )
    dataset = load(root)
    assert [sample.id for sample in dataset.samples] == ["a"]
    assert dataset.left_out[0].line == 2
    assert "not UTF-8: byte 0xe9" in dataset.left_out[0].reason


@pytest.mark.parametrize(
    ("data", "words"), [(b"", "empty"), (b"\n \n", "empty"), ("x".encode("utf-16"), "UTF-16")]
)
def test_a_label_file_without_labels_is_an_error(native, data, words):
    root = native([])
    (root / "metadata.jsonl").write_bytes(data)
    with pytest.raises(DatasetError, match=rf"metadata\.jsonl.*{words}"):
        load(root)


def test_splits_in_folders_below(tmp_path):
    for split in ("train", "test"):
        draw(tmp_path / split / f"{split}.png")
        write_lines(tmp_path / split / "metadata.jsonl", [{"file_name": f"{split}.png"}])
    assert [sample.id for sample in load(tmp_path).samples] == ["test", "train"]


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["file_name", "receipt", "boxes", "words", "group", "id", "items", "total", "date", "taxes"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(st.dictionaries(KEYS, JSON | st.dictionaries(KEYS, JSON, max_size=3), max_size=4))
def test_any_json_is_a_sample_or_left_out(native, line):
    dataset = load(native([GOOD, json.dumps(line | {"file_name": line.get("file_name", "b.png")})]))
    assert len(dataset.samples) + len(dataset.left_out) == 2
