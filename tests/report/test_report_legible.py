import io
import json

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from robustocr.report.html import write_report
from robustocr.report.legible import band_label, legible_line, legible_view
from robustocr.report.results import read_results
from robustocr.report.shown import shown_errors
from robustocr.report.silent import count_silent_errors
from robustocr.report.table import print_table
from robustocr.summary import summarise
from tests.outcome_rows import row, summary
from tests.report.test_report_html import Page

BLURRED = [
    ("total", "correct", 0.9), ("date", "wrong", 0.8), ("time", "missed", 0.2), ("merchant", "wrong", 0.05),
]  # fmt: skip


def of_two_severities(**more):
    rows = [row("r0", "blur", 3, field, kind, legibility=seen, **more) for field, kind, seen in BLURRED]
    rows.append(row("r0", "blur", 1, "tip", "correct", truth=None, value=None, **more))
    rows += [row("r0", "blur", 1, field, "correct", legibility=1.0, **more) for field, *_ in BLURRED]
    return [*rows, row("r0", "clean", 0, "total", "wrong", **more)]


@pytest.fixture
def measured(make_run):
    """A made-up run folder, its legibility known at severities 1 and 5, summarised anew; and the page."""

    def make(**shape):
        folder = make_run(**shape)
        outcomes, cases = (pd.read_parquet(folder / f"{name}.parquet") for name in ("outcomes", "cases"))
        drawn = np.random.default_rng(1).random(len(outcomes)) ** (outcomes["severity"] / 2)
        outcomes["legibility"] = drawn.where(outcomes["severity"].isin((1, 5)))
        outcomes["answerable"] = ~(outcomes["legibility"] < 0.1)
        outcomes.to_parquet(folder / "outcomes.parquet")
        data = json.loads((folder / "summary.json").read_text())
        data |= summarise(outcomes, cases, dataset="sample", n_samples=outcomes["sample_id"].nunique())
        (folder / "summary.json").write_text(json.dumps(data))
        return folder, Page(write_report(folder).read_text(encoding="utf-8"))

    return make


def test_shares_and_words_of_a_condition():
    view = legible_view(summary(of_two_severities()))
    (block,) = view.blocks
    assert block.corruption == "blur"
    mild, strong = block.rows
    assert (mild.severity, mild.shares, mild.legible, mild.right) == (1, (100, 0, 0), "100", ("100",))
    assert (strong.severity, strong.shares, strong.legible, strong.right) == (3, (50, 25, 25), "50", ("50",))
    assert strong.words == (
        "blur, severity 3: of 4 values 2 legible, 1 hard to read, 1 lost; 1 of the 2 legible read right"
    )


def test_silent_errors_stand_apart_by_what_the_picture_showed():
    (reader,) = legible_view(summary(of_two_severities())).readers
    assert (reader.silent_legible, reader.silent_elsewhere) == (1, 1)
    assert reader.note == "In neither number: 1 silent error on clean pictures."
    assert [(line.label, line.cases, line.right) for line in reader.bands] == [
        ("legible", 6, "83"), ("hard to read", 1, "0"), ("lost", 1, "0"),
    ]  # fmt: skip
    assert [(f.field, f.legible.cases, f.legible.silent, f.silent_elsewhere) for f in reader.fields] == [
        ("total", 2, 0, 0), ("date", 2, 1, 0), ("merchant", 1, 0, 1), ("time", 1, 0, 0),
    ]  # fmt: skip


def test_the_line_of_the_terminal():
    data = summary(of_two_severities())
    line = "legible values: 6 of 8, 83% right; silent errors: 1, and 1 on others"
    assert legible_line(data, "a") == line
    out = io.StringIO()
    print_table(data, (), console=Console(file=out, width=80))
    assert f"\n{line}\n" in out.getvalue()


@pytest.mark.parametrize("rows", [[], [row("r1", "photo-dim", 0, "total", "wrong", answerable=True)]])
def test_nothing_is_said_where_nothing_was_measured(rows):
    data = summary([row("r0", "clean", 0, "total", "correct"), *rows])
    assert legible_view(data) is None
    assert legible_line(data, "a") == ""
    del data["adapters"]["a"]["legibility"]
    assert legible_view(data) is None
    assert legible_line(data, "a") == ""


def test_two_readers_share_the_bars(measured):
    rows = of_two_severities() + of_two_severities(adapter="b")
    rows = [r | {"outcome": "missed", "silent": False} if r["adapter"] == "b" else r for r in rows]
    view = legible_view(summary(rows))
    assert [reader.adapter for reader in view.readers] == ["a", "b"]
    assert view.blocks[0].rows[1].right == ("50", "0")
    assert (
        view.blocks[0]
        .rows[1]
        .words.endswith("a: 1 of the 2 legible read right; b: 0 of the 2 legible read right")
    )
    _, page = measured(adapters=("one", "two"), corruptions=tuple(f"c{i}" for i in range(14)), n=3)
    assert len([attrs for attrs in page.named("div") if attrs.get("class") == "stack"]) == 14 * 2
    assert "2 more corruptions" in page.text


def test_the_page_shows_the_section_and_its_numbers(measured):
    folder, page = measured(n=8)
    ids = {attrs["id"] for _, attrs in page.tags if "id" in attrs}
    assert "legible" in ids
    assert {"href": "#legible"} in page.named("a")
    part = json.loads((folder / "summary.json").read_text())["adapters"]["rapidocr"]["legibility"]
    values = part["values"]
    assert f"{values['legible']['silent']} silent errors on legible values" in page.text
    elsewhere = values["hard"]["silent"] + values["lost"]["silent"]
    assert f"{elsewhere} silent errors on values hard to read or lost" in page.text
    assert "they are no bounds" in page.text
    bars = [attrs["aria-label"] for attrs in page.named("div") if attrs.get("class") == "stack"]
    assert len(bars) == 6
    known = [condition for condition in part["conditions"] if condition["n_measured"]]
    for bar, condition in zip(bars, known, strict=True):
        assert f"of {condition['n_measured']} values {condition['bands']['legible']['cases']} legible" in bar


def test_the_silent_errors_add_up_to_those_of_the_gallery(measured):
    folder, _ = measured(n=8, fields=("total", "date", "items", "items[0].amount", "document"))
    part = json.loads((folder / "summary.json").read_text())["adapters"]["rapidocr"]["legibility"]
    counted = sum(band["silent"] for band in part["values"].values()) + part["silent_on_clean"]
    assert counted == count_silent_errors(pd.read_parquet(folder / "outcomes.parquet")) > 0


def test_the_gallery_shows_the_legibility_of_each_picture(measured):
    folder, page = measured(n=8)
    shown = shown_errors(read_results(folder), 12, None)
    known = [entry for entry in shown if entry.error.legibility is not None]
    assert 0 < len(known) < 12
    for entry in known:
        assert 0 <= entry.error.legibility - float(entry.legibility) < 0.01
        assert entry.band == band_label(entry.error.legibility, answerable=entry.error.answerable)
        assert f"legibility {entry.legibility} {entry.band}" in page.text
    assert page.text.count(" legibility 0.") + page.text.count(" legibility 1.") == len(known)


def test_a_run_without_legibility_has_no_such_section(make_run):
    page = Page(write_report(make_run(n=4)).read_text(encoding="utf-8"))
    assert "Could anybody read it?" not in page.text
    assert "legible" not in {attrs.get("id") for _, attrs in page.tags}
    assert not [attrs for attrs in page.named("div") if attrs.get("class") == "stack"]
