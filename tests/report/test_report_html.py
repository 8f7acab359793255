import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from robustocr.errors import StoreError
from robustocr.report.html import SHOWN_ERRORS, write_report
from robustocr.summary import summarise

EVIL = "<script>alert(1)</script>\"'&"
VOID = {"meta", "link", "img", "br", "hr", "input", "rect", "circle", "path", "line", "polygon", "polyline"}


class Page(HTMLParser):
    """The elements of a page; fails on tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    def named(self, tag: str) -> list[dict]:
        return [attrs for name, attrs in self.tags if name == tag]

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.texts))


def report(folder: Path, **options) -> str:
    path = write_report(folder, **options)
    assert path == folder / "report.html"
    return path.read_text(encoding="utf-8")


def grey_pictures(wanted):
    return {one.key: np.full((600, 400, 3), 90 + place, np.uint8) for place, one in enumerate(wanted)}


SHAPES = {
    "demo": {"corruptions": ("defocus", "tilt", "glare"), "severities": (3,)},
    "two readers": {"adapters": ("rapidocr", "openai:gpt-4.1-mini"), "fields": ("total", *"abcdefgh")},
    "all wrong": {"accuracy": 0.0},
    "all right": {"accuracy": 1.0},
    "clean only": {"corruptions": ()},
    "own conditions": {"corruptions": ("photo-dim", "photo-far"), "severities": (0,)},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_run_gives_a_whole_page(make_run, shape):
    page = Page(report(make_run(n=5, **SHAPES[shape]), make_pictures=grey_pictures))
    ids = {attrs["id"] for _, attrs in page.tags if "id" in attrs}
    links = {attrs["href"] for attrs in page.named("a")}
    assert links <= {f"#{name}" for name in ids}
    assert {"run", "fields", "requirements", "map", "silent", "rules", "meanings"} <= ids
    assert ("charts" in ids) == (shape not in ("clean only", "own conditions"))
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in page.named("meta")


def test_nothing_is_loaded_from_anywhere(make_run):
    text = report(make_run(n=5), make_pictures=grey_pictures)
    page = Page(text)
    assert not {tag for tag, _ in page.tags} & {"script", "link", "iframe", "object", "embed", "form", "base"}
    sources = [
        attrs[name] for _, attrs in page.tags for name in ("src", "href", "srcset", "data") if attrs.get(name)
    ]
    assert sources
    assert all(source.startswith(("data:image/webp;base64,", "#")) for source in sources)
    assert not re.search(r"url\(|@import|https?://", text)


def test_every_text_from_outside_is_escaped(make_run):
    folder = make_run(n=4, dataset=EVIL, adapters=(f"python:{EVIL}",), accuracy=0.3)
    outcomes = pd.read_parquet(folder / "outcomes.parquet")
    cases = pd.read_parquet(folder / "cases.parquet")
    for column in ("value", "truth", "text"):
        outcomes[column] = EVIL + outcomes[column].astype(str)
    renamed = {name: f"{name}{EVIL}" for name in outcomes["sample_id"].unique()}
    outcomes["sample_id"] = outcomes["sample_id"].map(renamed)
    cases["key"] = [
        key.replace(name, renamed[name]) for key, name in zip(cases["key"], cases["sample_id"], strict=True)
    ]
    verdict = {"status": "closes", "closings": [{"name": EVIL, "equation": f"1 + 1 = {EVIL}"}]}
    cases["verdict_json"] = json.dumps(verdict)
    cases["error"], cases["error_message"] = "crashed", EVIL
    outcomes.to_parquet(folder / "outcomes.parquet")
    cases.to_parquet(folder / "cases.parquet")
    summary = json.loads((folder / "summary.json").read_text())
    summary["left_out"] = [{"file": EVIL, "line": 3, "reason": EVIL}]
    summary["gates"] = [{"requirement": EVIL, "status": "fail", "message": EVIL, "needed": None}]
    (folder / "summary.json").write_text(json.dumps(summary))
    run = json.loads((folder / "run.json").read_text())
    run["settings"]["suite"] = EVIL
    (folder / "run.json").write_text(json.dumps(run))

    text = report(folder, make_pictures=grey_pictures)
    assert "<script" not in text
    page = Page(text)
    assert not [attrs for _, attrs in page.tags if any(name.startswith("on") for name in attrs)]
    assert page.text.count(EVIL) > 30
    assert any(EVIL in attrs["alt"] for attrs in page.named("img"))


def test_control_characters_become_the_replacement_character(make_run):
    folder = make_run(n=4, accuracy=0.3)
    outcomes = pd.read_parquet(folder / "outcomes.parquet")
    outcomes["value"] = "1\0" + outcomes["value"]
    outcomes.to_parquet(folder / "outcomes.parquet")
    summary = json.loads((folder / "summary.json").read_text())
    summary["left_out"] = [{"file": "a\x1b.jpg", "line": 3, "reason": "no\0 picture\x07"}]
    (folder / "summary.json").write_text(json.dumps(summary))
    text = report(folder)
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", text)
    page = Page(text)
    assert "a\ufffd.jpg:3: no\ufffd picture\ufffd" in page.text
    assert "1\ufffd" in page.text


def test_the_numbers_are_those_of_the_summary(make_run):
    folder = make_run(n=24, adapters=("one", "two"))
    page = Page(report(folder))
    summary = json.loads((folder / "summary.json").read_text())
    shown = {float(attrs["value"]) for attrs in page.named("data")}
    for adapter in summary["adapters"].values():
        for field in adapter["fields"].values():
            assert field["worst_condition"]["lower_bound"] in shown
            assert {field["clean"]["estimate"], field["clean"]["lower_bound"]} <= shown
            assert field["all_conditions"]["lower_bound"] in shown
            assert field["silent_error"]["worst_condition"]["upper_bound"] in shown
            assert field["review_rate"]["mean"]["estimate"] in shown
        assert adapter["rules"]["closes_but_wrong"]["total"]["upper_bound"] in shown
    titles = [attrs["title"] for attrs in page.named("td") if "title" in attrs]
    assert len(titles) == 2 * 4 * 10
    row = next(row for row in summary["adapters"]["two"]["conditions"] if row["field"] == "date")
    where = f"date, {row['corruption'].replace('_', ' ')}, severity {row['severity']}"
    right = f"{row['estimate'] * 100:.0f} % of 24 receipts, at least {int(row['lower_bound'] * 100)} %"
    silent = f"silent errors {row['silent_error']['estimate'] * 100:.0f} %"
    assert [title.rpartition(",")[0] for title in titles if title.startswith(where)][1] == (
        f"{where}: {right}; {silent}"
    )


def test_the_sentence_says_what_is_promised(make_run):
    folder = make_run(n=24, corruptions=("tilt",), fields=("total",))
    worst = json.loads((folder / "summary.json").read_text())["adapters"]["rapidocr"]["fields"]["total"]
    bound = int(worst["worst_condition"]["lower_bound"] * 100)
    text = Page(report(folder)).text
    assert (
        f"With 95 % confidence, total is read right on at least {bound} % of receipts like these, "
        "even under the worst of 3 conditions (tilt, severity 5)."
    ) in text


def test_nothing_is_promised_where_nothing_was_right(make_run):
    text = Page(report(make_run(n=5, accuracy=0.0, fields=("total",), corruptions=("tilt",)))).text
    assert "Nothing can be promised: under the worst of 3 conditions (tilt, severity 1)" in text
    assert "total is read right on 0 of 5 receipts" in text


def test_the_same_folder_gives_the_same_bytes(make_run):
    folder = make_run(n=5)
    first = report(folder, make_pictures=grey_pictures)
    (folder / "report.html").unlink()
    assert report(folder, make_pictures=grey_pictures) == first


def test_pictures_are_asked_for_once_and_shown(make_run):
    asked = []

    def make_pictures(wanted):
        asked.append(tuple(wanted))
        return grey_pictures(wanted)

    text = report(make_run(n=12, fields=("total", "merchant")), make_pictures=make_pictures)
    (wanted,) = asked
    assert len({one.key for one in wanted}) == len(wanted)
    page = Page(text)
    articles = [attrs for attrs in page.named("article") if attrs["class"] == "error"]
    assert len(articles) == SHOWN_ERRORS
    assert all(attrs["alt"] and attrs["width"] and attrs["height"] for attrs in page.named("img"))
    whole = [attrs for attrs in page.named("img") if "is not known" in attrs["alt"]]
    assert 0 < len(whole) < len(page.named("img"))
    assert len(text.encode()) < 3_000_000


def test_errors_are_shown_without_pictures_too(make_run):
    folder = make_run(n=8)
    for make_pictures in (None, lambda wanted: {}):
        page = Page(report(folder, make_pictures=make_pictures))
        assert page.named("img") == []
        assert "The sums close all the same: 20.00 + 5.90 = 25.90" in page.text


def test_clean_alone_is_not_said_twice(make_run):
    text = Page(report(make_run(n=6, corruptions=(), fields=("total",)))).text
    assert (
        "receipts like these, on clean pictures." in text or "on clean pictures, total is read right" in text
    )
    assert "all conditions" not in text.split("Every condition")[1].split("How to read this")[0]
    assert "plain average" not in text


def test_no_silent_error_is_said_in_words(make_run):
    def never(wanted):
        raise AssertionError("no picture is needed")

    page = Page(report(make_run(n=5, accuracy=1.0), make_pictures=never))
    assert "None: no value was wrong without a person being asked to look at it." in page.text
    assert [attrs for attrs in page.named("article") if attrs["class"] == "error"] == []


def test_failures_and_what_was_left_out_are_told(make_run):
    folder = make_run(n=4)
    cases = pd.read_parquet(folder / "cases.parquet")
    cases.loc[3, ["error", "error_message"]] = ["timeout", "no answer in 120 s"]
    cases.to_parquet(folder / "cases.parquet")
    summary = json.loads((folder / "summary.json").read_text())
    summary["adapters"]["rapidocr"]["errors"]["timeout"] = 1
    (folder / "summary.json").write_text(json.dumps(summary))
    page = Page(report(folder))
    assert "What was said" in page.text
    assert "the first" not in page.text
    assert f"{cases.loc[3, 'key']} : timeout. no answer in 120 s" in page.text
    assert "metadata.jsonl:7: no picture" in page.text
    assert "crashed" not in page.text


def test_without_any_truth_the_rules_speak_alone(make_run):
    folder = make_run(n=4)
    outcomes = pd.read_parquet(folder / "outcomes.parquet").head(0)
    cases = pd.read_parquet(folder / "cases.parquet")
    outcomes.to_parquet(folder / "outcomes.parquet")
    summary = summarise(outcomes, cases, dataset="pictures", n_samples=4)
    (folder / "summary.json").write_text(json.dumps(summary))
    page = Page(report(folder))
    assert "No receipt of this dataset has a truth" in page.text
    assert "The sums close" in page.text
    ids = {attrs["id"] for _, attrs in page.tags if "id" in attrs}
    assert ids == {"run", "fields", "rules", "meanings"}


def test_what_only_some_runs_have_is_shown_where_it_is(make_run):
    folder = make_run(n=6, fields=("items", "items[0].amount", "document"))
    plain = Page(report(folder)).text
    assert "share of items right" in plain
    assert "worst, counted by shop" not in plain
    assert "no longer show it at all" not in plain
    outcomes, cases = pd.read_parquet(folder / "outcomes.parquet"), pd.read_parquet(folder / "cases.parquet")
    outcomes["group"] = outcomes["sample_id"].str[-1]
    hidden = (outcomes["corruption"] == "tilt") & (outcomes["severity"] == 5)
    outcomes.loc[hidden, ["answerable", "flagged_by_reader", "silent"]] = [False, True, False]
    outcomes.to_parquet(folder / "outcomes.parquet")
    summary = summarise(outcomes, cases, dataset="sample", n_samples=6)
    (folder / "summary.json").write_text(json.dumps(summary))
    page = Page(report(folder))
    assert "worst, counted by shop" in page.text
    assert "6 more pictures no longer show it at all: 6 answered honestly, 0 in silence." in page.text
    assert [attrs["title"] for attrs in page.named("td") if attrs.get("class") == "none"] == [
        "items, tilt, severity 5: no receipt shows the field",
        "document, tilt, severity 5: no receipt shows the field",
    ]


@pytest.mark.parametrize("name", ["run.json", "summary.json", "outcomes.parquet", "cases.parquet"])
def test_a_missing_or_broken_file_is_named(make_run, name):
    folder = make_run(n=3)
    (folder / name).write_text("{")
    with pytest.raises(StoreError, match=name):
        write_report(folder)
    (folder / name).unlink()
    with pytest.raises(StoreError, match=name):
        write_report(folder)
