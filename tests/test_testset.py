import json
import re

import cv2
import numpy as np
import pytest

from robustocr import case_files, case_pool
from robustocr.corruptions import corrupt, load_corruption
from robustocr.errors import InputError, NoPlaceError, StoreError
from robustocr.fields import is_field_path
from robustocr.loaders import load
from robustocr.pictures import make_picture
from robustocr.records import Case
from robustocr.testset import write_corrupted
from tests.drawn import draw_dataset, draw_receipt

BOX = [10, 130, 160, 155]
DEFOCUS = {"corruptions": ["defocus"], "severities": [3], "workers": 1}


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
    source = dataset_of(tmp_path / "in", *({"id": name, "boxes": {"total": [BOX]}} for name in ids))
    out = tmp_path / "out"
    made = write_corrupted(source, out=out, with_clean=False, **DEFOCUS)
    assert (made.pictures, made.clean, made.left_out) == (6, 0, ())
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
    made = write_corrupted(source, out=tmp_path / "out", target="total", **DEFOCUS)
    assert (made.pictures, made.clean) == (2, 1)
    (reason,) = made.left_out
    assert "p1.png" in reason
    assert "'total' has no known place" in reason
    assert reason.endswith("(defocus-3)")
    clean, sample = load(tmp_path / "out").samples
    assert (clean.condition, sample.condition) == ("clean", "defocus-3")
    assert (sample.pair_id, sample.boxes["total"]) == ("p2", (tuple(map(float, BOX)),))
    one = write_corrupted(source, out=tmp_path / "one", target="items[0].amount", **DEFOCUS)
    assert one.pictures == 2
    with pytest.raises(NoPlaceError, match="'total' has no known place"):
        write_corrupted(source, out=tmp_path / "strict", target="total", strict=True, **DEFOCUS)
    with pytest.raises(InputError, match=r"nothing could be corrupted.*'tip' has no known place"):
        write_corrupted(source, out=tmp_path / "none", target="tip", **DEFOCUS)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "one", "out"]


@pytest.mark.parametrize("target", ["totl", "items[0].amont", "total[0]", "lines", "items[x].amount"])
def test_a_target_that_is_no_field_is_refused_before_anything_is_written(tmp_path, target):
    source = draw_dataset(tmp_path / "in", 1)
    with pytest.raises(InputError, match=rf"unknown field {re.escape(repr(target))}.*subtotal"):
        write_corrupted(source, out=tmp_path / "out", target=target, **DEFOCUS)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "path",
    ["total", "vat_id", "items", "items[12]", "items[0].unit_price", "taxes[1].rate", "payments[0].label"],
)
def test_paths_of_fields_are_known(path):
    assert is_field_path(path)


@pytest.mark.parametrize("is_new", [True, False])
@pytest.mark.parametrize("workers", [1, 2])
def test_nothing_half_written_is_left_behind(tmp_path, is_new, workers):
    source, out = draw_dataset(tmp_path / "in", 3), tmp_path / "out"
    if not is_new:
        out.mkdir()
    seen = []

    def stop(_, finished, total):
        seen.append((finished, total, len(list(out.rglob("*.png")))))
        if finished >= 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_corrupted(source, out=out, progress=stop, **DEFOCUS | {"workers": workers})
    assert [(finished, total) for finished, total, _ in seen] == [(2, 6), (4, 6)]
    assert all(on_disk >= finished for finished, _, on_disk in seen)
    assert out.exists() is not is_new
    assert is_new or not list(out.iterdir())
    assert write_corrupted(source, out=out, **DEFOCUS).pictures == 6
    assert len(list(out.iterdir())) == 8


def test_an_error_nobody_thought_of_costs_one_case(tmp_path, monkeypatch):
    source = draw_dataset(tmp_path / "in", 2)
    make = case_files.make_picture

    def breaks(sample, case, corruption, **options):
        if (sample.id, case.severity) == ("r000", 4):
            raise ZeroDivisionError("by nothing")
        return make(sample, case, corruption, **options)

    monkeypatch.setattr(case_files, "make_picture", breaks)
    words = DEFOCUS | {"severities": [3, 4]}
    made = write_corrupted(source, out=tmp_path / "out", **words)
    (reason,) = made.left_out
    assert made.pictures == 5
    assert "r000.png: ZeroDivisionError: by nothing" in reason
    assert reason.endswith("(defocus-4)")
    with pytest.raises(InputError, match="by nothing"):
        write_corrupted(source, out=tmp_path / "strict", strict=True, **words)
    assert not (tmp_path / "strict").exists()


def test_cases_that_cannot_be_made_are_named_in_the_manifest(tmp_path):
    rows = (
        {"receipt": {"date": None}, "words": [{"text": "SHOP", "box": [10, 30, 90, 55]}]},
        {"boxes": {"total": [BOX]}},
    )
    source = dataset_of(tmp_path / "in", *rows)
    made = write_corrupted(source, out=tmp_path / "out", target="total", **DEFOCUS)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["left_out"] == ["p1/defocus/3/0/total"]
    assert set(manifest["sources"]) == {"p2"}
    assert made.pictures == 2


def test_a_process_that_dies_costs_the_case_that_killed_it(tmp_path, monkeypatch):
    source = draw_dataset(tmp_path / "in", 2)
    (tmp_path / "deadly.py").write_text(
        "import os\n"
        "from robustocr import case_files\n"
        "make = case_files.make_picture\n"
        "def dies(sample, case, corruption, **options):\n"
        "    if (sample.id, case.severity) == ('r001', 3):\n"
        "        os._exit(9)\n"
        "    return make(sample, case, corruption, **options)\n"
        "def case_writer(*arguments):\n"
        "    case_files.make_picture = dies\n"
        "    return case_files.case_writer(*arguments)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    real = case_pool.WorkerProcess
    monkeypatch.setattr(
        case_pool, "WorkerProcess", lambda _, arguments: real("deadly:case_writer", arguments)
    )
    made = write_corrupted(source, out=tmp_path / "out", **DEFOCUS | {"severities": [2, 3], "workers": 2})
    (reason,) = made.left_out
    assert made.pictures == 5
    assert "exit code 9" in reason
    assert reason.endswith("(defocus-3)")


def test_the_same_call_writes_the_same_bytes_with_any_number_of_processes(tmp_path):
    source = draw_dataset(tmp_path / "in", 2)
    words = {"corruptions": ["stain", "tilt", "messenger"], "severities": [2, 5]}
    made = [
        write_corrupted(source, out=tmp_path / f"out{workers}{again}", workers=workers, **words)
        for workers, again in ((1, ""), (1, "again"), (2, ""), (3, ""))
    ]
    contents = [{path.name: path.read_bytes() for path in one.folder.iterdir()} for one in made]
    assert len(contents[0]) == 2 * 7 + 2
    assert contents[0] == contents[1] == contents[2] == contents[3]
    assert len({one.sha256 for one in made}) == 1
    other = write_corrupted(source, out=tmp_path / "other", workers=1, seed=1, **words)
    assert other.sha256 != made[0].sha256


def test_less_than_one_worker_is_refused(tmp_path):
    with pytest.raises(InputError, match="--workers 0: at least 1"):
        write_corrupted("sample", out=tmp_path / "out", **DEFOCUS | {"workers": 0})


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
    made = write_corrupted(source, out=tmp_path / "out", **DEFOCUS)
    assert made.pictures == 2
    assert ["r001.png" in reason for reason in made.left_out] == [True]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["left_out"] == ["metadata.jsonl, line 2"]
    with pytest.raises(InputError, match=r"r001.png"):
        write_corrupted(source, out=tmp_path / "strict", strict=True, **DEFOCUS)


def test_a_set_read_back_keeps_what_the_corruption_left(tmp_path):
    """A reader that says nothing of a covered total is judged alike on the set and on the fly."""
    source = dataset_of(tmp_path / "in", {"boxes": {"total": [BOX]}})
    write_corrupted(source, out=tmp_path / "set", corruptions=["total_covered"], severities=[5], workers=1)
    again = {sample.condition: sample for sample in load(tmp_path / "set").samples}
    assert again["total_covered-5"].coverage["total"] == (1.0,)
    assert again["total_covered-5"].legibility["total"][0] < 0.05
    assert again["clean"].coverage == {}
    picture = make_picture(again["total_covered-5"], Case(sample_id="x"), None)
    assert picture.coverage["total"] == (1.0,)
    assert picture.legibility["total"][0] < 0.05
    blurred = make_picture(
        again["total_covered-5"],
        Case(sample_id="x", corruption="defocus", severity=1),
        load_corruption("defocus"),
        with_legibility=True,
    )
    assert blurred.coverage["total"] == (1.0,), "what was hidden stays hidden under another corruption"
