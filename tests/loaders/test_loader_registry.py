import os
from pathlib import Path

import pytest

from robustocr.errors import DatasetError
from robustocr.loaders import list_formats, load
from robustocr.loaders.registry import FORMATS

from .drawing import draw, write_lines


def test_every_format_has_a_name_and_a_layout():
    assert list_formats() == ("native", "donut", "cord", "sroie", "csv", "folder")
    assert all(known.layout for known in FORMATS)


def test_the_readme_of_the_datasets_names_every_format_and_every_card_its_licence():
    folder = Path(__file__).resolve().parents[2] / "datasets"
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in readme for name in list_formats())
    cards = sorted((folder / "cards").glob("*.md"))
    assert [card.stem for card in cards] == ["cord", "german", "sroie", "wildreceipt"]
    assert all("| licence |" in card.read_text(encoding="utf-8") for card in cards)


def test_a_folder_that_is_not_there():
    with pytest.raises(DatasetError, match="no folder nowhere; give a folder of receipts, or 'sample'"):
        load("nowhere")


def test_a_file_instead_of_a_folder(native):
    root = native([{"file_name": "a.png"}])
    with pytest.raises(DatasetError, match=f"is a file; a dataset is a folder: give {root}"):
        load(root / "metadata.jsonl")


def test_an_unknown_format(native):
    with pytest.raises(DatasetError, match=r"unknown dataset format 'sroi'\. Did you mean 'sroie'"):
        load(native([{"file_name": "a.png"}]), format="sroi")


def test_an_empty_folder_names_the_known_layouts(tmp_path):
    with pytest.raises(
        DatasetError, match=r"no receipts in a known format.*native: metadata\.jsonl"
    ) as caught:
        load(tmp_path)
    assert all(f"{name}: " in str(caught.value) for name in list_formats())


@pytest.mark.parametrize("name", list_formats())
def test_an_empty_folder_is_an_error_in_every_format(tmp_path, name):
    with pytest.raises(DatasetError, match=name):
        load(tmp_path, format=name)


def test_nothing_usable_is_an_error_that_says_why(native):
    root = native([{"file_name": "z.png"}, "{"])
    with pytest.raises(DatasetError, match=r"2 left out: metadata\.jsonl, line 1: .*z\.png does not exist"):
        load(root)


def test_a_format_can_be_forced(native):
    root = native([{"file_name": "a.png", "receipt": {"total": "1"}}])
    assert load(root).format == "native"
    bare = load(root, format="folder")
    assert [sample.id for sample in bare.samples] == list("abcdef")
    assert all(sample.truth is None for sample in bare.samples)
    assert bare.left_out == ()


def test_bare_pictures_in_a_stable_order(tmp_path):
    for name in ("b.png", "C.jpg", "a.webp", "10.tif", "9.PNG", ".hidden.png"):
        draw(tmp_path / name)
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "scan.pdf").write_bytes(b"%PDF-1.7")
    dataset = load(tmp_path)
    assert dataset.format == "folder"
    assert [sample.image.name for sample in dataset.samples] == [
        "10.tif",
        "9.PNG",
        "C.jpg",
        "a.webp",
        "b.png",
    ]
    labels, scan = dataset.left_out
    assert (labels.file, labels.line) == ("notes.txt", None)
    assert scan.file == "scan.pdf"
    assert "PDF" in scan.reason


def test_files_that_look_like_labels_are_told_when_pictures_are_taken_alone(tmp_path):
    draw(tmp_path / "a.png")
    (tmp_path / "labels.csv").write_text("\nimage,total\na.png,1.00\n")
    (tmp_path / "latin.csv").write_bytes("image,größe\n".encode("latin-1"))
    (tmp_path / "labels.JSON").write_text("{}")
    (tmp_path / "a.txt").write_text("TOTAL 1.00")
    (tmp_path / "README.txt").write_text("about")
    (tmp_path / "License.txt").write_text("MIT")
    (tmp_path / "tool.py").write_text("")
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / "rows.csv").write_text("file_name,total\n")
    dataset = load(tmp_path)
    assert dataset.format == "folder"
    assert [sample.id for sample in dataset.samples] == ["a"]
    told = {entry.file: entry.reason for entry in dataset.left_out}
    assert list(told) == ["a.txt", "labels.JSON", "labels.csv", "latin.csv", "train/rows.csv"]
    assert all(reason.startswith("not recognised as labels: ") for reason in told.values())
    assert told["labels.csv"].endswith("a CSV needs a column file_name; its first line is 'image,total'")
    assert "JSON labels are read from metadata.jsonl" in told["labels.JSON"]
    assert "not UTF-8" in told["latin.csv"]
    assert told["train/rows.csv"].endswith(f"move it there, or give {tmp_path / 'train'}")


def test_unread_labels_are_an_error_when_strict_unless_pictures_alone_are_asked_for(tmp_path):
    draw(tmp_path / "a.png")
    (tmp_path / "labels.csv").write_text("image,total\na.png,1.00\n")
    with pytest.raises(DatasetError, match=r"labels\.csv: not recognised as labels"):
        load(tmp_path, strict=True)
    asked = load(tmp_path, format="folder", strict=True)
    assert [entry.file for entry in asked.left_out] == ["labels.csv"]
    assert asked.left_out == load(tmp_path).left_out


def test_bare_pictures_one_level_below_and_equal_stems(tmp_path):
    draw(tmp_path / "shop" / "1.png")
    draw(tmp_path / "shop" / "2.png")
    draw(tmp_path / "zoo" / "1.png")
    dataset = load(tmp_path)
    assert [sample.id for sample in dataset.samples] == ["1", "2"]
    assert "already that of shop/1.png" in dataset.left_out[0].reason


def test_the_name_is_that_of_the_folder(native, monkeypatch):
    root = native([{"file_name": "a.png"}])
    assert load(root).name == root.name
    monkeypatch.chdir(root)
    assert load(".").name == root.name
    assert load(Path()).root == Path()


def test_the_bundled_sample_loads_whatever_lies_in_the_current_folder(native, monkeypatch):
    root = native([{"file_name": "a.png"}])
    (root / "sample").mkdir()
    monkeypatch.chdir(root)
    dataset = load("sample")
    assert dataset.name == "sample"
    assert len(dataset.samples) == 60
    assert dataset.left_out == ()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_label_file_is_named(native):
    root = native([{"file_name": "a.png"}])
    (root / "metadata.jsonl").chmod(0)
    with pytest.raises(DatasetError, match="cannot read the label file"):
        load(root)


def test_native_and_donut_are_told_apart(tmp_path):
    draw(tmp_path / "a.png")
    write_lines(
        tmp_path / "metadata.jsonl", [{"file_name": "a.png", "ground_truth": '{"gt_parse": {"menu": []}}'}]
    )
    assert load(tmp_path).format == "donut"
