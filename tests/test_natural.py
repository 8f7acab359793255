import json
from pathlib import Path

import cv2
import numpy as np
import pandas as pd
import pytest

from robustocr.benchmark import rebuild, run_benchmark, score_predictions
from robustocr.errors import DatasetError, InputError
from robustocr.item_rates import item_rates
from robustocr.loaders.base import Dataset
from robustocr.loaders.registry import load
from robustocr.natural import own_condition, receipt_of, take_part
from robustocr.plan import choose_samples
from robustocr.records import Sample
from robustocr.report.grid import grid_notes, grid_words, receipts_words
from robustocr.report.table import print_table
from robustocr.tallies import Frame
from robustocr.testset import write_corrupted
from tests.drawn import draw_dataset, draw_receipt
from tests.outcome_rows import row

STEADY = "python:tests.stub_readers:steady"
PHOTOS = {
    "a": (None, "dim", "skew"),
    "b": ("clean", "dim", "dim", "skew"),
    "c": (None, "dim"),
    "d": (None, "skew"),
}


def write_photos(folder: Path, photos=None) -> Path:
    """One receipt per letter, each photographed under the given conditions; brighter or darker pages."""
    folder.mkdir(parents=True)
    rows = []
    for receipt, conditions in (photos or PHOTOS).items():
        for number, condition in enumerate(conditions):
            page = draw_receipt(f"{number}.{ord(receipt)}")
            page = np.clip(page.astype(int) - 11 * number, 0, 255).astype(np.uint8)
            name = f"{receipt}{number}.png"
            cv2.imwrite(str(folder / name), page)
            row = {"file_name": name, "receipt": {"total": "1.00"}, "pair_id": receipt}
            row["boxes"] = {"total": [[10, 130, 160, 155]]}
            rows.append(row if condition is None else row | {"condition": condition})
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    return write_photos(tmp_path_factory.mktemp("natural") / "photos")


def run(dataset, out, **options):
    options = {"adapters": (STEADY,), "workers": 1, "cache": out.parent / "cache"} | options
    return run_benchmark(dataset, out=out, **options)


@pytest.fixture(scope="module")
def finished(photos):
    return run(photos, photos.parent / "run")


def answers(folder, right, *, name="answers.jsonl", key=lambda sample: {"id": sample.id}):
    """Predictions for every picture, right where ``right(sample)``."""
    rows = [
        key(sample) | {"receipt": {"total": "1.00" if right(sample) else "2.00"}}
        for sample in load(folder).samples
    ]
    path = folder.parent / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def total(result):
    (adapter,) = result.summary["adapters"].values()
    return adapter["fields"]["total"], {
        row["corruption"]: row for row in adapter["conditions"] if row["field"] == "total"
    }


def test_the_conditions_of_a_dataset_are_its_grid(finished):
    cases = finished.cases()
    assert set(cases["key"]) == {
        "a0/clean/0/0", "a1/dim/0/0", "a2/skew/0/0", "b0/clean/0/0", "b1/dim/0/0", "b2/dim/0/0",
        "b3/skew/0/0", "c0/clean/0/0", "c1/dim/0/0", "d0/clean/0/0", "d1/skew/0/0",
    }  # fmt: skip
    assert finished.summary["grid"] == [
        {"corruption": "dim", "severity": 0},
        {"corruption": "skew", "severity": 0},
    ]
    assert (finished.summary["n_receipts"], finished.summary["n_samples"]) == (4, 11)
    assert finished.summary["natural"]
    assert dict(cases[["sample_id", "receipt_id"]].itertuples(index=False))["b2"] == "b"


def test_pictures_are_read_as_they_are(finished, photos):
    own = {sample.id: sample.image for sample in load(photos).samples}
    clean = run(photos, photos.parent / "clean", clean_only=True)
    read = finished.cases().set_index("sample_id")["picture_sha256"]
    assert read.to_dict() == clean.cases().set_index("sample_id")["picture_sha256"].to_dict()
    assert set(read.index) == set(own)


def test_a_receipt_counts_once_however_often_it_was_photographed(photos, tmp_path):
    wrong = {"b2", "d1"}
    file = answers(photos, lambda sample: sample.id not in wrong)
    field, conditions = total(score_predictions(photos, file, out=tmp_path / "run"))
    assert (field["clean"]["n"], field["clean"]["estimate"]) == (4, 1.0)
    assert (conditions["dim"]["n"], conditions["dim"]["estimate"]) == (3, pytest.approx(2 / 3))
    assert (conditions["skew"]["n"], conditions["skew"]["estimate"]) == (3, pytest.approx(2 / 3))
    assert field["worst_condition"]["n"] == 3
    every = field["all_conditions"]
    assert (every["n"], every["estimate"], every["n_incomplete"]) == (2, 0.5, 2)


def test_the_notes_say_which_receipts_lack_a_condition(finished):
    assert receipts_words(finished.summary) == "4 receipts on 11 pictures"
    assert grid_words(finished.summary) == "clean and 2 conditions of its own"
    assert "Only 2 of 4 receipts have every condition" in " ".join(grid_notes(finished.summary))
    page = finished.report.read_text()
    assert "those the pictures were taken under: dim, skew" in page
    assert "Only 2 of 4 receipts" in page
    assert 'id="charts"' not in page


def test_predictions_name_such_pictures_by_id_or_by_their_condition(photos, tmp_path):
    def right(sample):
        return sample.id != "a1"

    by_id = answers(photos, right)
    by_key = answers(
        photos, right, name="keys.jsonl", key=lambda s: {"key": f"{s.id}/{own_condition(s)}/0/0"}
    )
    first = score_predictions(photos, by_id, out=tmp_path / "ids")
    second = score_predictions(photos, by_key, out=tmp_path / "keys")
    assert total(first) == total(second)
    as_adapter = run(photos, tmp_path / "run", adapters=(f"predictions:{by_id}",))
    assert total(as_adapter) == total(first)
    assert not first.cases()["error"].notna().any()


def test_a_prediction_under_a_condition_the_picture_was_not_taken_under_is_refused(photos, tmp_path):
    file = answers(photos, bool, key=lambda s: {"key": f"{s.id}/skew/0/0"}, name="skew.jsonl")
    with pytest.raises(InputError, match=r"a0/skew/0/0 is for a picture under 'skew'.*known: clean"):
        score_predictions(photos, file, out=tmp_path / "run")


def test_a_picture_predicted_twice_is_refused(photos, tmp_path):
    file = answers(photos, bool, name="twice.jsonl")
    row = {"key": "a1/dim/0/0", "receipt": {"total": "1.00"}}
    file.write_text(file.read_text() + json.dumps(row) + "\n")
    with pytest.raises(InputError, match="two predictions are for the picture of 'a1'"):
        score_predictions(photos, file, out=tmp_path / "run")


def test_runs_resume_repeat_from_the_cache_and_are_rebuilt(finished, photos, tmp_path):
    resumed = run(photos, finished.folder)
    assert resumed.summary == finished.summary
    cached = run(photos, photos.parent / "again")
    usage = cached.summary["adapters"][STEADY]["usage"]
    assert (usage["calls"], usage["cached"], usage["pictures_made"]) == (0, 11, 0)
    assert rebuild(finished.folder).summary == finished.summary


def test_chosen_corruptions_are_put_on_every_picture_and_the_report_says_so(photos, tmp_path):
    result = run(photos, tmp_path / "run", corruptions=("defocus",), severities=(3,))
    cases = result.cases()
    assert len(cases) == 22
    assert set(cases["corruption"]) == {"clean", "defocus"}
    assert result.summary["n_receipts"] == 4
    assert result.summary["n_already_bad"] == 7
    assert "7 pictures taken under a condition of its own" in result.report.read_text()
    field, _ = total(result)
    assert field["clean"]["n"] == 4


def test_limit_counts_receipts_and_keeps_their_pictures(photos):
    dataset = load(photos)
    for seed in range(5):
        kept = choose_samples(dataset, limit=2, seed=seed)
        receipts = {receipt_of(sample) for sample in kept}
        assert len(receipts) == 2
        assert len(kept) == sum(len(PHOTOS[receipt]) for receipt in receipts)
        everything = choose_samples(dataset, limit=None, seed=seed)
        assert everything[: len(kept)] == kept


def test_the_conditions_are_those_of_the_receipts_kept(photos, tmp_path):
    seed = next(
        seed
        for seed in range(100)
        if {receipt_of(s) for s in choose_samples(load(photos), limit=1, seed=seed)} == {"c"}
    )
    result = run(photos, tmp_path / "run", limit=1, seed=seed)
    assert result.summary["grid"] == [{"corruption": "dim", "severity": 0}]


def test_a_corrupted_dataset_is_run_with_its_conditions(tmp_path):
    source = draw_dataset(tmp_path / "shop", 3)
    write_corrupted(source, out=tmp_path / "bad", corruptions=("defocus",), severities=(1, 3))
    result = run(tmp_path / "bad", tmp_path / "run")
    assert [row["corruption"] for row in result.summary["grid"]] == ["defocus-1", "defocus-3"]
    assert (result.summary["n_receipts"], result.summary["n_samples"]) == (3, 9)
    made = run(source, tmp_path / "made", corruptions=("defocus",), severities=(1, 3))
    assert set(made.cases()["picture_sha256"]) == set(result.cases()["picture_sha256"])


def test_corrupted_pictures_of_one_receipt_stay_one_receipt(photos, tmp_path):
    write_corrupted(photos, out=tmp_path / "bad", corruptions=("defocus",), severities=(1,))
    assert {receipt_of(sample) for sample in load(tmp_path / "bad").samples} == set(PHOTOS)


def test_a_dataset_may_have_no_clean_picture(tmp_path):
    folder = write_photos(tmp_path / "photos", {"a": ("dim", "skew"), "b": ("dim", "skew")})
    result = run(folder, tmp_path / "run")
    assert not result.summary["has_clean"]
    assert grid_words(result.summary) == "2 conditions of its own"
    assert total(result)[0]["clean"]["n"] == 0
    page = result.report.read_text()
    assert "skew" in page
    assert "no receipt shows the field" not in page
    print_table(result.summary, ())
    assert result.exit_code == 0


def test_severities_or_a_target_without_corruptions_are_refused(photos, tmp_path):
    with pytest.raises(InputError, match=r"conditions of its own.*--severities 1,3"):
        run(photos, tmp_path / "run", severities=(1, 3))
    with pytest.raises(InputError, match=r"conditions of its own.*--target total"):
        run(photos, tmp_path / "run", target="total")


def test_a_condition_with_a_slash_is_refused():
    sample = Sample(id="x", image=Path("x.png"), condition="dim/skew")
    with pytest.raises(InputError, match=r"x\.png.*'dim/skew' has a slash"):
        own_condition(sample)


@pytest.mark.parametrize("condition", [None, "", " ", "clean"])
def test_no_name_is_clean(condition):
    assert own_condition(Sample(id="x", image=Path("x.png"), condition=condition)) == "clean"


def test_parts_for_comparisons_within_receipts(tmp_path):
    folder = write_photos(tmp_path / "photos", PHOTOS | {"e": (None,), "f": ("dim",)})
    dataset = load(folder)
    photos = take_part(dataset, "paired_photos")
    clean = take_part(dataset, "paired_clean")
    assert {sample.pair_id for sample in photos.samples} == set("abcd")
    assert [sample.id for sample in clean.samples] == ["a0", "b0", "c0", "d0"]
    result = run(clean, tmp_path / "run", corruptions=("defocus",), severities=(1,))
    pd.testing.assert_frame_equal(rebuild(result.folder).outcomes(), result.outcomes())


def test_a_dataset_without_pairs_has_no_part():
    samples = (Sample(id="x", image=Path("x.png")), Sample(id="y", image=Path("y.png"), condition="dim"))
    with pytest.raises(DatasetError, match="no receipt has both a clean picture"):
        take_part(Dataset(name="d", format="native", root=Path("d"), samples=samples), "paired_clean")


def test_items_of_two_pictures_of_a_receipt_are_not_mixed_up():
    """Of two items, one is wrong on each picture: half of all are right, not none."""
    rows = [
        row(sample, "dim", 0, f"items[{item}].amount", "correct" if item == right else "wrong")
        | {"receipt_id": "r"}
        for sample, right in (("p", 0), ("q", 1))
        for item in (0, 1)
    ]
    rates = item_rates(Frame.of(pd.DataFrame(rows)), 0.05)
    assert (rates["mean_share"]["mean"]["estimate"], rates["mean_share"]["mean"]["n"]) == (0.5, 1)
