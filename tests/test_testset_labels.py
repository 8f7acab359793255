"""What the labels and the manifest of a private test set say."""

import hashlib
import json
import shutil
from dataclasses import replace

import pytest

from robustocr import case_files
from robustocr.assets import asset
from robustocr.boxes import bounds_of
from robustocr.corruptions import load_corruption
from robustocr.images import load_image
from robustocr.loaders import load
from robustocr.natural import has_own_conditions, receipt_of
from robustocr.recipes import parse_corruption
from robustocr.testset import write_corrupted

DEFOCUS = {"corruptions": ["defocus"], "severities": [3], "workers": 1}


@pytest.fixture(scope="module")
def receipts(tmp_path_factory):
    """Two of the bundled receipts as a dataset of their own."""
    folder = tmp_path_factory.mktemp("receipts")
    bundled = asset("datasets/sample")
    lines = (bundled / "metadata.jsonl").read_text().splitlines(keepends=True)[4:6]
    (folder / "metadata.jsonl").write_text("".join(lines))
    for line in lines:
        name = json.loads(line)["file_name"]
        shutil.copy(bundled / name, folder / name)
    return folder


def test_what_was_written_reads_back_with_truth_pairs_and_boxes_on_the_page(receipts, tmp_path):
    source = {sample.id: sample for sample in load(receipts).samples}
    out = tmp_path / "out"
    write_corrupted(receipts, out=out, corruptions=["perspective", "occlusion"], severities=[1, 5], workers=1)
    written = load(out, strict=True).samples
    assert [sample.condition for sample in written[:5]] == [
        "clean", "perspective-1", "perspective-5", "occlusion-1", "occlusion-5",
    ]  # fmt: skip
    for sample in written:
        assert sample.truth == source[sample.pair_id].truth
        assert sample.group == source[sample.pair_id].group
        assert set(sample.boxes) == set(source[sample.pair_id].boxes)
        height, width = load_image(sample.image).shape[:2]
        for box in (box for places in sample.boxes.values() for box in places):
            x0, y0, x1, y1 = bounds_of(box)
            assert -1 <= x0 < x1 <= width + 1
            assert -1 <= y0 < y1 <= height + 1
    assert has_own_conditions(written)
    assert len({receipt_of(sample) for sample in written}) == 2


def test_labels_say_how_much_is_left_of_each_place(receipts, tmp_path):
    out = tmp_path / "out"
    write_corrupted(receipts, out=out, corruptions=["defocus", "occlusion"], severities=[1, 5], workers=1)
    rows = [json.loads(line) for line in (out / "metadata.jsonl").read_text().splitlines()]
    assert all(row["file_name"] and row["condition"] and row["pair_id"] for row in rows)
    left = {row["condition"]: row["legibility"].get("total") for row in rows}
    assert left["clean"] is None
    assert left["defocus-1"][0] > 0.9
    assert left["defocus-5"][0] < 0.5
    covered = [row["coverage"] for row in rows if row["condition"] == "occlusion-5"]
    assert max(share for row in covered for shares in row.values() for share in shares) > 0.5
    for row in rows:
        assert all(len(row["boxes"][path]) == len(shares) for path, shares in row["coverage"].items())


def test_the_manifest_tells_what_the_set_is_made_of(receipts, tmp_path):
    out = tmp_path / "out"
    made = write_corrupted(receipts, out=out, suite="quick", severities=[2], seed=7, workers=1)
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["sha256"] == made.sha256
    assert (manifest["suite"], manifest["seed"], manifest["target"]) == ("quick", 7, None)
    assert manifest["conditions"][0] == ["clean", 0]
    assert {"robustocr", "opencv-python-headless", "albumentations"} <= set(manifest["made_with"])
    for name, told in manifest["recipes"].items():
        assert told["sha256"] == load_corruption(name).recipe_hash
        recipe = {key: value for key, value in told.items() if key != "sha256"}
        assert parse_corruption(recipe) == load_corruption(name)
    for told in manifest["sources"].values():
        assert told["sha256"] == hashlib.sha256((receipts / told["file"]).read_bytes()).hexdigest()
    on_disk = {path.name: path.read_bytes() for path in out.iterdir() if path.name != "manifest.json"}
    assert manifest["files"] == {
        name: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
        for name, data in on_disk.items()
    }
    assert str(tmp_path) not in (out / "manifest.json").read_text()


def test_a_corruption_that_prints_something_else_changes_the_truth(receipts, tmp_path, monkeypatch):
    make = case_files.make_picture

    def prints(sample, case, corruption, **options):
        made = make(sample, case, corruption, **options)
        return replace(made, edits={"total": "0.00"}) if case.severity else made

    monkeypatch.setattr(case_files, "make_picture", prints)
    write_corrupted(receipts, out=tmp_path / "out", **DEFOCUS)
    clean, edited = load(tmp_path / "out").samples[:2]
    assert str(edited.truth.total) == "0.00"
    assert clean.truth.total != edited.truth.total
    row = json.loads((tmp_path / "out" / "metadata.jsonl").read_text().splitlines()[1])
    assert row["edits"] == {"total": "0.00"}
