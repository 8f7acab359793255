import json

import pytest

from robustocr.benchmark import rebuild, run_benchmark
from robustocr.cli.main import main
from robustocr.errors import DatasetError, InputError, RecipeError
from robustocr.report.grid import grid_notes, grid_words
from tests.drawn import draw_dataset

STEADY = "python:tests.stub_readers:steady"


def run(dataset, out, **options):
    options = {"adapters": (STEADY,), "workers": 1, "cache": out.parent / "cache"} | options
    return run_benchmark(dataset, out=out, **options)


@pytest.fixture(scope="module")
def half_placed(tmp_path_factory):
    """Four receipts; where the total is printed is known for two of them."""
    folder = draw_dataset(tmp_path_factory.mktemp("aimed") / "shop", 4)
    rows = [json.loads(line) for line in (folder / "metadata.jsonl").read_text().splitlines()]
    for line in rows[2:]:
        line["boxes"] = {"merchant": [[10, 30, 80, 55]]}
    (folder / "metadata.jsonl").write_text("".join(json.dumps(line) + "\n" for line in rows))
    return folder


@pytest.fixture(scope="module")
def aimed(half_placed):
    return run(
        half_placed,
        half_placed.parent / "run",
        adapters=(STEADY, "python:tests.stub_readers:slow"),
        corruptions=("defocus",),
        severities=(3, 5),
        target="total",
    )


def test_an_aimed_run_leaves_out_only_the_cases_whose_place_is_unknown(aimed):
    cases = aimed.cases()
    placed = {"r000", "r001"}
    for _, mine in cases.groupby("adapter"):
        assert set(mine.query("corruption == 'clean'")["sample_id"]) == placed | {"r002", "r003"}
        assert set(mine.query("corruption == 'defocus'")["sample_id"]) == placed
    assert set(cases.query("severity > 0")["target"]) == {"total"}
    assert "r000/defocus/3/0/total" in set(cases["key"])
    assert (aimed.summary["n_samples"], aimed.summary["n_left_out"]) == (4, 0)


def test_what_an_aimed_run_left_out_is_said(aimed, half_placed):
    summary = aimed.summary
    assert (summary["target"], summary["n_cases_left_out"]) == ("total", 4)
    assert [entry["cases"] for entry in summary["cases_left_out"]] == [2, 2]
    assert str(half_placed / "r002.png") == summary["cases_left_out"][0]["file"]
    assert "'total' has no known place" in summary["cases_left_out"][0]["reason"]
    field, rows = total_of(aimed, STEADY)
    assert (field["clean"]["n"], rows["defocus"]["n"]) == (4, 2)
    assert grid_words(summary) == "clean and 2 conditions aimed at total"
    assert "4 cases of 2 pictures left out for every reader" in " ".join(grid_notes(summary))
    assert "Aimed at" in aimed.report.read_text()


def total_of(result, adapter):
    data = result.summary["adapters"][adapter]
    return data["fields"]["total"], {
        row["corruption"]: row for row in data["conditions"] if row["field"] == "total"
    }


def test_an_aimed_run_is_resumed_and_rebuilt(aimed, half_placed):
    assert rebuild(aimed.folder).summary == aimed.summary
    journal = (aimed.folder / "journal.jsonl").read_text()
    run(
        half_placed,
        aimed.folder,
        adapters=(STEADY, "python:tests.stub_readers:slow"),
        corruptions=("defocus",),
        severities=(3, 5),
        target="total",
    )
    assert (aimed.folder / "journal.jsonl").read_text() == journal


def test_aiming_at_a_field_that_no_picture_shows_is_an_error(half_placed, tmp_path):
    with pytest.raises(DatasetError, match=r"under any condition but clean.*'date' has no known place"):
        run(half_placed, tmp_path / "run", corruptions=("defocus",), severities=(3,), target="date")


def test_strict_makes_the_first_unknown_place_an_error(half_placed, tmp_path):
    with pytest.raises(DatasetError, match=r"r00[23]\.png.*no known place"):
        run(half_placed, tmp_path / "run", corruptions=("defocus",), target="total", strict=True)


def test_targets_are_checked_before_anything_runs(half_placed, tmp_path):
    with pytest.raises(RecipeError, match="totl"):
        run(half_placed, tmp_path / "run", target="totl")
    with pytest.raises(InputError, match="--clean-only leaves none"):
        run(half_placed, tmp_path / "run", target="total", clean_only=True)
    assert not (tmp_path / "run").exists()


def test_the_command_line_aims_runs(half_placed, tmp_path, capsys):
    places = ["--out", str(tmp_path / "run"), "--cache", str(tmp_path / "cache"), "--workers", "1"]
    grid = ["--corruption", "defocus", "--severities", "3", "--target", "total:row"]
    assert main(["run", str(half_placed), "--adapter", STEADY, *grid, *places]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "clean and 1 condition aimed at total:row" in out
    assert "2 cases of 2 pictures left out for every reader" in out
