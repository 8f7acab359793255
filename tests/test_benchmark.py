import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import cv2
import numpy as np
import pandas as pd
import pytest

from robustocr.assets import asset
from robustocr.benchmark import rebuild, run_benchmark, score_predictions
from robustocr.errors import AdapterError, DatasetError, InputError, StoreError
from robustocr.store import read_journal
from tests.drawn import draw_dataset

STEADY = "python:tests.stub_readers:steady"
TIMINGS = ["seconds", "cached"]


def run(dataset, out, cache, **options):
    options = {"adapters": (STEADY,), "suite": "quick", "workers": 2} | options
    return run_benchmark(dataset, out=out, cache=cache, **options)


def tables(result):
    cases = (
        result.cases().drop(columns=[*TIMINGS, "calls"]).sort_values(["adapter", "key"], ignore_index=True)
    )
    return cases, result.outcomes()


def break_picture(path):
    """Leave a picture whose header is fine and whose end is missing."""
    pixels = np.random.default_rng(0).integers(0, 255, (400, 300, 3), dtype=np.uint8)
    whole = cv2.imencode(".jpg", pixels)[1].tobytes()
    path.write_bytes(whole[: len(whole) // 2])


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    return draw_dataset(tmp_path_factory.mktemp("drawn") / "shop", 6)


@pytest.fixture(scope="module")
def finished(dataset, tmp_path_factory):
    root = tmp_path_factory.mktemp("finished")
    return run(dataset, root / "run", root / "cache")


def test_every_case_is_once_in_the_tables(finished):
    cases = finished.cases()
    assert len(cases) == 6 * 4
    assert cases["key"].is_unique
    assert set(cases["corruption"]) == {"clean", "defocus", "glare", "perspective"}
    assert set(finished.outcomes()["field"]) == {"total", "document"}
    assert len(finished.outcomes()) == 6 * 4 * 2
    assert (cases["picture_sha256"].str.len() == 64).all()


def test_the_folder_holds_what_is_promised(finished):
    names = {path.name for path in finished.folder.iterdir()} - {".lock"}
    assert names == {
        "run.json",
        "journal.jsonl",
        "cases.parquet",
        "outcomes.parquet",
        "summary.json",
        "report.html",
    }
    summary = json.loads((finished.folder / "summary.json").read_text())
    assert summary == finished.summary
    assert summary["n_samples"] == 6
    assert summary["adapters"][STEADY]["fields"]["total"]["clean"]["n"] == 6
    assert summary["adapters"][STEADY]["usage"]["pictures_made"] == 24
    assert 0 < summary["adapters"][STEADY]["usage"]["adapter_share"] <= 1


def test_a_repeat_calls_no_reader_and_makes_no_picture(dataset, finished, tmp_path):
    cache = finished.folder.parent / "cache"
    again = run(dataset, tmp_path / "again", cache)
    usage = again.summary["adapters"][STEADY]["usage"]
    assert (usage["pictures_made"], usage["calls"]) == (0, 0)
    assert again.cases()["cached"].all()
    for first, second in zip(tables(finished), tables(again), strict=True):
        pd.testing.assert_frame_equal(first, second)


def test_the_number_of_workers_changes_nothing(dataset, finished, tmp_path):
    other = run(dataset, tmp_path / "run", tmp_path / "cache", workers=1)
    for first, second in zip(tables(finished), tables(other), strict=True):
        pd.testing.assert_frame_equal(first, second)


def test_another_seed_gives_other_pictures_and_the_same_clean_ones(dataset, finished, tmp_path):
    other = run(dataset, tmp_path / "run", tmp_path / "cache", seed=1)
    first = finished.cases().set_index(["sample_id", "corruption"])["picture_sha256"].sort_index()
    second = other.cases().set_index(["sample_id", "corruption"])["picture_sha256"].sort_index()
    same = first == second
    assert same.xs("clean", level="corruption").all()
    assert not same.xs("perspective", level="corruption").any()


def test_the_same_settings_resume_and_others_are_refused(dataset, finished):
    cache = finished.folder.parent / "cache"
    before = (finished.folder / "journal.jsonl").read_bytes()
    again = run(dataset, finished.folder, cache, workers=1)
    assert (finished.folder / "journal.jsonl").read_bytes() == before
    assert again.summary["adapters"][STEADY]["fields"] == finished.summary["adapters"][STEADY]["fields"]
    with pytest.raises(StoreError, match=r"alpha was 0.05, now 0.1"):
        run(dataset, finished.folder, cache, alpha=0.1)


def test_a_folder_is_rebuilt_from_its_journal(finished):
    outcomes = finished.outcomes()
    (finished.folder / "outcomes.parquet").unlink()
    (finished.folder / "report.html").unlink()
    again = rebuild(finished.folder)
    pd.testing.assert_frame_equal(again.outcomes(), outcomes)
    assert again.report.exists()


def test_a_changed_dataset_is_not_taken_for_the_old_one(tmp_path):
    dataset = draw_dataset(tmp_path / "shop", 2)
    run(dataset, tmp_path / "run", tmp_path / "cache", clean_only=True, suite=None)
    lines = (dataset / "metadata.jsonl").read_text().replace('"1.00"', '"2.00"')
    (dataset / "metadata.jsonl").write_text(lines)
    with pytest.raises(StoreError, match="has changed since the run"):
        rebuild(tmp_path / "run")


def test_a_reader_that_raises_hangs_dies_or_answers_nonsense_fails_that_case_only(tmp_path):
    dataset = draw_dataset(tmp_path / "shop", 10, widths=(200, 201, 202, 203, 204))
    faulty = "python:tests.stub_readers:faulty"
    result = run(
        dataset,
        tmp_path / "run",
        tmp_path / "cache",
        adapters=(faulty,),
        suite=None,
        clean_only=True,
        timeout=2,
    )
    errors = result.summary["adapters"][faulty]["errors"]
    assert {kind: n for kind, n in errors.items() if n} == {"crashed": 4, "timeout": 2, "malformed": 2}
    assert (result.outcomes()["outcome"] == "failed").sum() == 8 * 2
    assert result.summary["adapters"][faulty]["fields"]["total"]["clean"]["estimate"] == 0.2
    assert not result.outcomes()["silent"].any()
    messages = " ".join(result.cases()["error_message"].dropna())
    assert "ValueError: cannot read this one (stub_readers.py:" in messages
    assert "exit code 9" in messages


def clean_run(dataset, root, name, **options):
    reader = f"python:tests.stub_readers:{name}"
    result = run(
        dataset, root / name, root / "cache", adapters=(reader,), suite=None, clean_only=True, **options
    )
    return result, {kind: n for kind, n in result.summary["adapters"][reader]["errors"].items() if n}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_hostile_readers_answer_for_their_own_case_only(dataset, tmp_path):
    forked, errors = clean_run(dataset, tmp_path, "forking")
    assert not errors
    totals = forked.outcomes().query("field == 'total'")["value"]
    assert set(totals) == {"28.90"}
    _, errors = clean_run(dataset, tmp_path, "meddling", timeout=20)
    assert set(errors) <= {"crashed", "timeout"}
    _, errors = clean_run(dataset, tmp_path, "leaving", workers=1)
    assert sum(errors.values()) <= 1
    odd, errors = clean_run(dataset, tmp_path, "odd")
    assert errors == {"crashed": 6}
    assert "OddError: bad ? text" in odd.cases()["error_message"][0]


def test_a_reader_that_cannot_be_imported_is_wrong_use_and_a_slow_import_is_not_on_the_clock(
    dataset, tmp_path, monkeypatch
):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "reader_broken_import.py").write_text("import no_such_thing\ndef read(image): return {}\n")
    options = {"suite": None, "clean_only": True}
    with pytest.raises(InputError, match=r"reader_broken_import.*no_such_thing"):
        run(
            dataset, tmp_path / "a", tmp_path / "c", adapters=("python:reader_broken_import:read",), **options
        )
    slow = "import time\ntime.sleep(2)\ndef read(image): return {'total': '1.00'}\n"
    (tmp_path / "reader_slow_import.py").write_text(slow)
    name = "python:reader_slow_import:read"
    result = run(dataset, tmp_path / "a", tmp_path / "c", adapters=(name,), timeout=1.5, **options)
    assert result.summary["adapters"][name]["fields"]["total"]["clean"]["estimate"] == 1


def test_changed_labels_are_not_answered_from_the_cache(tmp_path):
    plain = draw_dataset(tmp_path / "shop", 2)
    options = {"suite": None, "corruptions": ("occlusion",), "severities": (5,)}
    before = run(plain, tmp_path / "a", tmp_path / "cache", **options)
    lines = (plain / "metadata.jsonl").read_text().replace("[10, 130, 160, 155]", "[10, 20, 160, 60]")
    (plain / "metadata.jsonl").write_text(lines)
    after = run(plain, tmp_path / "b", tmp_path / "cache", **options)
    fresh = run(plain, tmp_path / "c", tmp_path / "other", **options)
    pd.testing.assert_frame_equal(after.outcomes(), fresh.outcomes())
    assert after.cases()["boxes_json"][0] != before.cases()["boxes_json"][0]


def test_a_run_with_an_own_recipe_is_rebuilt_with_that_recipe(dataset, tmp_path):
    folder = tmp_path / "recipes"
    folder.mkdir()
    text = (asset("corruptions") / "defocus.yaml").read_text()
    (folder / "defocus.yaml").write_text(
        re.sub(r"radius: \[.*\]", "radius: [0.05, 0.06, 0.07, 0.08, 0.09]", text)
    )
    (folder / "mine.yaml").write_text(
        "name: mine\ndescription: My own.\ncorruptions: [defocus.yaml, glare]\nseverities: [3]\n"
    )
    result = run(dataset, tmp_path / "run", tmp_path / "cache", suite=str(folder / "mine.yaml"))
    own = set(result.cases()["picture_sha256"])
    shutil.rmtree(folder)
    assert set(rebuild(tmp_path / "run").cases()["picture_sha256"]) == own
    bundled = run(dataset, tmp_path / "other", tmp_path / "cache", suite=None, corruptions=("defocus",))
    assert own.isdisjoint(set(bundled.cases().query("corruption == 'defocus'")["picture_sha256"]))


def test_a_picture_that_cannot_be_decoded_is_left_out_and_counted(tmp_path):
    dataset = draw_dataset(tmp_path / "shop", 4)
    break_picture(dataset / "r002.png")
    result = run(dataset, tmp_path / "run", tmp_path / "cache")
    assert (result.summary["n_samples"], result.summary["n_left_out"]) == (3, 1)
    assert "r002.png" in result.summary["left_out"][0]["file"]
    assert "r002" not in set(result.cases()["sample_id"])
    resumed = run(dataset, tmp_path / "run", tmp_path / "cache")
    assert resumed.summary["left_out"] == result.summary["left_out"]
    with pytest.raises(DatasetError, match=r"r002.png"):
        run(dataset, tmp_path / "strict", tmp_path / "cache", strict=True)


def test_nothing_usable_is_an_error_not_a_report_of_zeros(tmp_path):
    dataset = draw_dataset(tmp_path / "shop", 1)
    break_picture(dataset / "r000.png")
    with pytest.raises(DatasetError, match="no receipt could be used"):
        run(dataset, tmp_path / "run", tmp_path / "cache")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"adapters": ("rapidorc",)}, "Did you mean 'rapidocr'"),
        ({"adapters": ("python:tests.stub_readers:absent",)}, "absent"),
        ({"adapters": ("python:no_such_module:read",)}, "no_such_module"),
        ({"adapters": ()}, "at least one adapter"),
        ({"suite": "phonne"}, "phone"),
        ({"suite": None, "corruptions": ("defocuss",)}, "defocus"),
        ({"suite": "phone", "corruptions": ("defocus",)}, "choose one of"),
        ({"severities": (0,)}, "severity 0"),
        ({"severities": (6,)}, "severity 6"),
        ({"limit": 0}, "--limit 0"),
        ({"alpha": 0.7}, "--alpha 0.7"),
        ({"workers": 0}, "--workers 0"),
        ({"timeout": 0}, "--timeout 0"),
        ({"timeout": float("nan")}, "--timeout nan"),
        ({"timeout": float("inf")}, "--timeout inf"),
        ({"seed": 10**23}, "64 bits"),
        ({"fields": ("totl",)}, "Did you mean 'total'"),
        ({"fields": ("subtotal",)}, "labelled: total"),
        ({"require": ("total>>1",)}, "total>>1"),
        ({"require": ("subtotal>=0.5",)}, "scored: document, total"),
    ],
)
def test_wrong_use_is_named_before_anything_is_read(dataset, tmp_path, options, named):
    with pytest.raises((InputError, AdapterError), match=named):
        run(dataset, tmp_path / "run", tmp_path / "cache", **options)


def test_a_limit_takes_the_first_of_an_order_fixed_by_the_seed(dataset, tmp_path):
    chosen = [
        set(run(dataset, tmp_path / f"run{n}{seed}", tmp_path / "c", limit=n, seed=seed).cases()["sample_id"])
        for n, seed in ((2, 0), (4, 0), (2, 3))
    ]
    assert [len(samples) for samples in chosen] == [2, 4, 2]
    assert chosen[0] < chosen[1]
    assert chosen[0] != chosen[2]


def test_requirements_decide_the_exit_code(dataset, finished, tmp_path):
    cache = finished.folder.parent / "cache"
    codes = [
        run(dataset, tmp_path / str(number), cache, require=(text,)).exit_code
        for number, text in enumerate(("total>=0.0001", "total>=0.9999", "document>=0.2"))
    ]
    assert codes[1] in (1, 3)
    assert set(codes) <= {0, 1, 3}


def test_predictions_made_elsewhere_are_scored_like_a_run(dataset, finished, tmp_path):
    rows = [
        {
            "key": entry["key"],
            "receipt": entry["extraction"]["receipt"],
            "marks": entry["extraction"]["marks"],
        }
        for _, entry in read_journal(finished.folder / "journal.jsonl")
        if "key" in entry
    ]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    scored = score_predictions(dataset, path, out=tmp_path / "run", cache=tmp_path / "cache")
    fields = scored.summary["adapters"]["predictions:answers.jsonl"]["fields"]
    assert fields == finished.summary["adapters"][STEADY]["fields"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows[1:]))
    fewer = score_predictions(dataset, path, out=tmp_path / "fewer", cache=tmp_path / "cache")
    assert (fewer.outcomes()["outcome"] == "failed").sum() == 2
    path.write_text(json.dumps({"key": "stranger/clean/0/0", "receipt": {}}))
    with pytest.raises(InputError, match="stranger"):
        score_predictions(dataset, path, out=tmp_path / "none", cache=tmp_path / "cache")


def test_memory_does_not_grow_with_the_number_of_cases(tmp_path):
    peaks = []
    for n in (8, 60):
        dataset = draw_dataset(tmp_path / f"shop{n}", n, widths=(1200,))
        tracemalloc.start()
        run(dataset, tmp_path / f"run{n}", tmp_path / f"cache{n}")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    picture = 1200 * 260 * 3
    assert peaks[1] - peaks[0] < 6 * picture


@pytest.mark.slow
def test_a_killed_run_goes_on_and_ends_as_if_undisturbed(tmp_path):
    dataset = draw_dataset(tmp_path / "shop", 8)
    slow = "python:tests.stub_readers:slow"
    undisturbed = run(dataset, tmp_path / "whole", tmp_path / "cache0", adapters=(slow,))
    rng = random.Random(5)
    command = [
        sys.executable, "-m", "robustocr.cli.main", "run", str(dataset),
        "--adapter", slow, "--suite", "quick",
        "--workers", "2", "--out", str(tmp_path / "killed"), "--cache", str(tmp_path / "cache1"),
    ]  # fmt: skip
    journal = tmp_path / "killed" / "journal.jsonl"
    kills = 0
    while kills < 10:
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        _wait_for_growth(journal, process)
        time.sleep(rng.uniform(0, 0.25))
        process.send_signal(signal.SIGKILL)
        kills += process.wait() == -signal.SIGKILL
        if _lines(journal) >= 32:
            break
    assert kills >= 3
    resumed = run(dataset, tmp_path / "killed", tmp_path / "cache1", adapters=(slow,))
    for first, second in zip(tables(undisturbed), tables(resumed), strict=True):
        pd.testing.assert_frame_equal(first, second)


def _lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _wait_for_growth(path, process):
    before, end = _lines(path), time.monotonic() + 60
    while _lines(path) == before and process.poll() is None and time.monotonic() < end:
        time.sleep(0.02)


def test_workers_end_with_a_killed_parent():
    code = (
        "from robustocr.workers import WorkerProcess\n"
        "w = WorkerProcess('tests.test_workers:make_handler', ('x',))\n"
        "print(w.call(1, 60).value[2], flush=True)\n"
        "w.call('hang', 600)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    child = int(process.stdout.readline())
    process.kill()
    process.wait()
    process.stdout.close()
    end = time.monotonic() + 15
    while _alive(child) and time.monotonic() < end:
        time.sleep(0.1)
    assert not _alive(child)


def _alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().split()[2] != "Z"
