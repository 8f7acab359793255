import importlib
import json
import os

import cv2
import numpy as np
import pandas as pd
import pytest

from robustocr.cli.main import main
from robustocr.correlation import unknown
from robustocr.errors import DatasetError, InputError, StoreError
from robustocr.realism import compare_failures, measure_realism
from robustocr.synth.make import render, sample_rng
from tests.outcome_rows import row

READER = "python:tests.stub_readers:by_contrast"
GRID = [(name, severity) for name in ("blur", "dark", "stain") for severity in (1, 3, 5)]
REAL = ("dim", "far", "shaky", "soft", "steamy")
N = 14


def photograph(pixels, condition, rng):
    """What a hurried person makes of a page, by another's transforms and draws of its own."""
    os.environ.setdefault("NO_ALBUMENTATIONS_UPDATE", "1")
    known = importlib.import_module("albumentations")
    strength = rng.uniform(0.7, 1.3)
    size, scale = 2 * round(2.5 * strength) + 1, 0.55 / strength
    steps = {
        "dim": {"RandomGamma": {"gamma_limit": (160, 160)}, "GaussNoise": {"std_range": (0.05, 0.08)}},
        "far": {
            "Downscale": {"scale_range": (scale, scale)},
            "ImageCompression": {"quality_range": (40, 40)},
        },
        "shaky": {"MotionBlur": {"blur_limit": (size, size)}, "ISONoise": {"intensity": (0.2, 0.2)}},
        "soft": {"GaussianBlur": {"blur_limit": 0, "sigma_limit": (1.1 * strength,) * 2}},
        "steamy": {"GaussianBlur": {"blur_limit": 0, "sigma_limit": (2.2 * strength,) * 2}},
    }[condition]
    made = [getattr(known, name)(p=1, **values) for name, values in steps.items()]
    return known.Compose(made, seed=int(rng.integers(2**31)))(image=pixels)["image"]


def printed(number, rng):
    """A rendered receipt, small, of its own width, in ink that is fainter on some than on others."""
    pixels = render(sample_rng(3, number)).pixels[:420]
    width = 300 + number
    page = cv2.resize(pixels, (width, round(pixels.shape[0] * width / pixels.shape[1] / 1.5)))
    faint = rng.uniform(0.45, 1.0)
    return np.round(255 - (255 - page.astype(float)) * faint).astype(np.uint8)


def write_pairs(folder, n=N, conditions=REAL):
    folder.mkdir()
    rows = []
    for number in range(n):
        rng = np.random.default_rng([5, number])
        page = printed(number, rng)
        truth = {"total": f"{page.shape[1]}.00", "item_count": 3}
        for condition in ("clean", *conditions):
            taken = page if condition == "clean" else photograph(page, condition, rng)
            name = f"r{number:02d}-{condition}.png"
            cv2.imwrite(str(folder / name), cv2.cvtColor(taken, cv2.COLOR_RGB2BGR))
            rows.append(
                {"file_name": name, "receipt": truth, "condition": condition, "pair_id": f"r{number:02d}"}
                | {"boxes": {"total": [[10, 10, 60, 30]]}}
            )
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    return write_pairs(tmp_path_factory.mktemp("realism") / "pairs")


def measure(pairs, out, **options):
    options = {
        "adapter": READER,
        "corruptions": ("defocus", "motion_blur", "low_light"),
        "severities": (2, 4),
        "cache": pairs.parent / "cache",
        "workers": 1,
    } | options
    return measure_realism(pairs, out=out, **options)


@pytest.fixture(scope="module")
def measured(pairs):
    return measure(pairs, pairs.parent / "out")


def test_faint_receipts_fail_in_both_and_harder_conditions_are_predicted(measured):
    numbers = measured.numbers
    assert (numbers["n_receipts"], numbers["fields"]) == (N, ["item_count", "total"])
    assert 0.1 < numbers["failed"]["natural"] < 0.9
    receipts = numbers["receipts"]["rank_correlation"]
    assert receipts["estimate"] > 0.6
    assert 0 < receipts["low"] < receipts["estimate"] < receipts["high"] < 1
    conditions = numbers["conditions"]
    assert [one["condition"] for one in conditions["rows"]] == list(REAL)
    assert conditions["rank_correlation"]["estimate"] > 0.6
    assert conditions["mean_absolute_error"] < 0.2
    assert measured.exit_code == 0


def test_what_is_written_is_what_is_returned(measured):
    assert json.loads((measured.folder / "realism.json").read_text()) == measured.numbers
    page = (measured.folder / "realism.md").read_text()
    assert page == measured.page
    assert "**Which receipts fail.** Predicted: rank correlation 0." in page
    for condition in REAL:
        assert f"\n| {condition} " in page
    assert max(map(len, page.splitlines()[8:])) <= 110


def test_both_runs_are_runs_that_resume(measured, pairs):
    journals = [measured.folder / run / "journal.jsonl" for run in ("natural", "synthetic")]
    before = [journal.read_text() for journal in journals]
    again = measure(pairs, measured.folder)
    assert [journal.read_text() for journal in journals] == before
    assert again.numbers == measured.numbers
    assert len(measured.natural.cases()) == N * 6
    assert len(measured.synthetic.cases()) == N * 7
    assert main(["report", str(measured.folder / "synthetic")]) == 0


def test_the_command_prints_the_page(pairs, measured, capsys):
    grid = [word for name in ("defocus", "motion_blur", "low_light") for word in ("--corruption", name)]
    places = ["--out", str(measured.folder), "--cache", str(pairs.parent / "cache"), "--workers", "1"]
    command = ["realism", str(pairs), "--adapter", READER, *grid, "--severities", "2,4", *places]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert measured.page in out
    assert "realism.json" in out


def test_too_few_pairs_say_so_and_nothing_else(pairs, tmp_path):
    few = measure(pairs, tmp_path / "few", limit=4)
    assert few.numbers["n_receipts"] == 4
    assert few.exit_code == 3
    assert few.page.count("Nothing can be said: 4 receipts are too few; 10 are needed.") == 2


def test_the_folder_must_be_its_own(pairs, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(StoreError, match=r"holds thesis\.txt"):
        measure(pairs, tmp_path)


def test_a_dataset_without_pairs_is_refused(tmp_path):
    folder = write_pairs(tmp_path / "alone", n=1, conditions=())
    with pytest.raises(DatasetError, match="no receipt has both a clean picture"):
        measure(folder, tmp_path / "out")


def table_of(failed, conditions, fields=("total", "date")):
    """Outcomes from conditions x receipts x fields."""
    return pd.DataFrame(
        row(f"r{receipt:03d}", *condition, field, "wrong" if failed[place, receipt, column] else "correct")
        for place, condition in enumerate(conditions)
        for receipt in range(failed.shape[1])
        for column, field in enumerate(fields)
    )


def compared(hard_real, hard_made, *, seed=0, real=REAL, levels=(-2, -1, 0, 1, 2)):
    """Simulated tables: a receipt fails where its hardness and the condition's level exceed chance."""
    rng = np.random.default_rng(seed)

    def failed(hard, levels):
        noise = rng.logistic(size=(len(levels), len(hard), 2))
        return np.asarray(levels)[:, None, None] + hard[None, :, None] + 0.3 * noise > 0

    natural = table_of(failed(hard_real, levels), [(name, 0) for name in real])
    ladder = [-9.0, *np.tile((-2, 0, 2), 3)]
    synthetic = table_of(failed(hard_made, ladder), [("clean", 0), *GRID])
    return compare_failures(natural, synthetic, seed=seed)


def hardness(n=60, seed=1):
    return np.random.default_rng(seed).normal(0, 1.5, n)


def test_the_same_hardness_is_nearly_perfect_agreement():
    hard = hardness()
    numbers = compared(hard, hard)
    assert numbers["receipts"]["rank_correlation"]["estimate"] > 0.9
    assert numbers["receipts"]["rank_correlation"]["low"] > 0.8
    assert numbers["conditions"]["rank_correlation"]["estimate"] == pytest.approx(1)
    assert numbers["conditions"]["mean_absolute_error"] < 0.15


def test_reversed_hardness_is_reversed_agreement():
    hard = hardness()
    found = compared(hard, -hard)["receipts"]["rank_correlation"]
    assert found["estimate"] < -0.8
    assert found["high"] < -0.6


@pytest.mark.slow
def test_unrelated_hardness_is_not_taken_for_agreement():
    shown = 0
    for seed in range(20):
        found = compared(hardness(seed=seed), hardness(seed=100 + seed), seed=seed)["receipts"]
        shown += not found["rank_correlation"]["low"] <= 0 <= found["rank_correlation"]["high"]
    assert shown <= 3


def test_the_clean_pictures_alone_are_the_baseline():
    hard = hardness()
    receipts = compared(hard, hard)["receipts"]
    assert receipts["clean_alone"]["estimate"] is None
    assert "fail equally often on the other pictures" in receipts["clean_alone"]["reason"]


def test_three_conditions_are_too_few_to_rank():
    hard = hardness()
    numbers = compared(hard, hard, real=REAL[:3], levels=(-1, 0, 1))
    found = numbers["conditions"]["rank_correlation"]
    assert (found["estimate"], found["reason"]) == (
        None,
        "3 real conditions are too few to rank; 4 are needed",
    )
    assert len(numbers["conditions"]["rows"]) == 3


def test_without_any_failure_nothing_can_be_said():
    easy = np.full(30, -30.0)
    numbers = compared(easy, easy)
    assert "fail equally often on the real photographs" in numbers["receipts"]["rank_correlation"]["reason"]
    assert "the same for all" in numbers["conditions"]["rank_correlation"]["reason"]


def test_tables_without_a_common_receipt_or_field_are_refused():
    failed = np.zeros((1, 2, 1), dtype=bool)
    natural = table_of(failed, [("dim", 0)], ("total",))
    synthetic = table_of(failed, [("blur", 1)], ("total",))
    with pytest.raises(InputError, match="no receipt was read both"):
        compare_failures(natural, synthetic.assign(sample_id="x"))
    with pytest.raises(InputError, match="no field with a truth was read both"):
        compare_failures(natural, table_of(failed, [("blur", 1)], ("date",)))


def test_what_cannot_be_said_spans_everything():
    assert unknown(3, "why").to_json() == {
        "estimate": None, "n": 3, "low": -1.0, "high": 1.0, "confidence": 0.95,
        "method": "spearman; hull of bootstrap percentiles and Bonett-Wright", "reason": "why",
    }  # fmt: skip
