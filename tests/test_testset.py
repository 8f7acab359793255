import json
import re

import cv2
import numpy as np
import pytest

from robustocr import testset
from robustocr.corruptions import corrupt, load_corruption
from robustocr.errors import InputError, NoPlaceError, RecipeError, StoreError
from robustocr.fields import is_field_path
from robustocr.loaders import load
from robustocr.testset import write_corrupted
from tests.drawn import draw_dataset, draw_receipt

BOX = [10, 130, 160, 155]
DEFOCUS = {"corruptions": ["defocus"], "severities": [3]}


def dataset_of(folder, *rows):
    """Write one picture for each row (a dict for ``metadata.jsonl``), every total another one."""
    folder.mkdir()
    lines = []
    for number, row in enumerate(rows, 1):
        cv2.imwrite(str(folder / f"p{number}.png"), draw_receipt(f"{number}.00"))
        known = {"file_name": f"p{number}.png", "receipt": {"total": f"{number}.00"}}
        lines.append(json.dumps(known | row) + "\n")
    (folder / "metadata.jsonl").write_text("".join(lines))
    return folder


def test_ids_that_look_alike_or_are_long_get_a_picture_each(tmp_path):
    ids = ["x y", "x_y", "x/y", "é" * 300, "é" * 299 + "!", "../up"]
    source = dataset_of(tmp_path / "in", *({"id": name} for name in ids))
    out = tmp_path / "out"
    assert write_corrupted(source, out=out, **DEFOCUS) == (6, ())
    written = load(out, strict=True).samples
    assert [sample.pair_id for sample in written] == ids
    assert [str(sample.truth.total) for sample in written] == [f"{n}.00" for n in range(1, 7)]
    assert len({sample.image for sample in written}) == 6
    assert {sample.image.parent for sample in written} == {out}
    assert all(re.fullmatch(r"\d{6}-[A-Za-z0-9._-]{1,80}\.png", sample.image.name) for sample in written)
    for number, sample in enumerate(written, 1):
        page = cv2.cvtColor(cv2.imread(str(source / f"p{number}.png")), cv2.COLOR_BGR2RGB)
        blurred = corrupt(page, load_corruption("defocus"), 3, seed=0, sample_id=ids[number - 1]).pixels
        stored = cv2.cvtColor(cv2.imread(str(sample.image)), cv2.COLOR_BGR2RGB)
        assert np.array_equal(stored, blurred)


def test_pictures_without_a_place_of_the_target_are_left_out_with_the_reason(tmp_path):
    placed = {"boxes": {"total": [BOX], "items[0].amount": [[90, 80, 160, 105]]}}
    silent = {"receipt": {"date": "2026-01-02"}, "words": [{"text": "SHOP", "box": [10, 30, 90, 55]}]}
    source = dataset_of(tmp_path / "in", silent, placed)
    written, skipped = write_corrupted(source, out=tmp_path / "out", target="total", **DEFOCUS)
    assert written == 1
    (reason,) = skipped
    assert "p1.png" in reason
    assert "'total' has no known place" in reason
    (sample,) = load(tmp_path / "out").samples
    assert (sample.pair_id, sample.boxes["total"]) == ("p2", (tuple(map(float, BOX)),))
    assert write_corrupted(source, out=tmp_path / "one", target="items[0].amount", **DEFOCUS)[0] == 1
    with pytest.raises(NoPlaceError, match="'total' has no known place"):
        write_corrupted(source, out=tmp_path / "strict", target="total", strict=True, **DEFOCUS)
    with pytest.raises(InputError, match=r"nothing could be corrupted.*'tip' has no known place"):
        write_corrupted(source, out=tmp_path / "none", target="tip", **DEFOCUS)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "one", "out"]


@pytest.mark.parametrize("target", ["totl", "items[0].amont", "total[0]", "lines", "", "items[x].amount"])
def test_a_target_that_is_no_field_is_refused_before_anything_is_written(tmp_path, target):
    source = draw_dataset(tmp_path / "in", 1)
    with pytest.raises(InputError, match=rf"unknown field {re.escape(repr(target))}.*subtotal"):
        write_corrupted(source, out=tmp_path / "out", target=target, **DEFOCUS)
    assert not (tmp_path / "out").exists()


def test_a_corruption_that_moves_the_page_cannot_be_aimed_whatever_comes_first(tmp_path):
    source = dataset_of(tmp_path / "in", {"receipt": {"date": None}}, {"boxes": {"total": [BOX]}})
    with pytest.raises(RecipeError, match="'tilt' moves the whole page") as caught:
        write_corrupted(source, out=tmp_path / "out", target="total", corruptions=["defocus", "tilt"])
    assert not isinstance(caught.value, NoPlaceError)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "path",
    ["total", "vat_id", "items", "items[12]", "items[0].unit_price", "taxes[1].rate", "payments[0].label"],
)
def test_paths_of_fields_are_known(path):
    assert is_field_path(path)


@pytest.mark.parametrize("stop", [RuntimeError, KeyboardInterrupt])
@pytest.mark.parametrize("is_new", [True, False])
def test_nothing_half_written_is_left_behind(tmp_path, monkeypatch, stop, is_new):
    source, out = draw_dataset(tmp_path / "in", 3), tmp_path / "out"
    if not is_new:
        out.mkdir()
    make, seen = testset.make_picture, []

    def breaks_at_the_third(*arguments):
        seen.append(len(list(out.rglob("*.png"))))
        if len(seen) == 3:
            raise stop("enough")
        return make(*arguments)

    monkeypatch.setattr(testset, "make_picture", breaks_at_the_third)
    with pytest.raises(stop):
        write_corrupted(source, out=out, **DEFOCUS)
    assert seen == [0, 1, 2]
    assert out.exists() is not is_new
    assert is_new or not list(out.iterdir())
    monkeypatch.setattr(testset, "make_picture", make)
    assert write_corrupted(source, out=out, **DEFOCUS) == (3, ())
    assert len(list(out.iterdir())) == 4


def test_what_is_there_is_never_overwritten(tmp_path):
    source, out = draw_dataset(tmp_path / "in", 1), tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    with pytest.raises(StoreError, match="is not empty"):
        write_corrupted(source, out=out, **DEFOCUS)
    assert [path.name for path in out.iterdir()] == ["mine.txt"]
    with pytest.raises(StoreError, match=r"cannot write to .*mine.txt"):
        write_corrupted(source, out=out / "mine.txt", **DEFOCUS)


def test_a_damaged_picture_is_left_out(tmp_path):
    source = draw_dataset(tmp_path / "in", 2)
    whole = (source / "r001.png").read_bytes()
    (source / "r001.png").write_bytes(whole[: len(whole) // 2])
    written, skipped = write_corrupted(source, out=tmp_path / "out", **DEFOCUS)
    assert written == 1
    assert ["r001.png" in reason for reason in skipped] == [True]
