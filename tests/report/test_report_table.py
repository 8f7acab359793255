import io
import json

import pytest
from rich.console import Console

from robustocr.report.table import print_table

FIELDS = ("total", "date", "merchant", "address", "receipt_number", "items", "document", "item_count")


def read_summary(folder) -> dict:
    return json.loads((folder / "summary.json").read_text())


def shown(summary, *, report=None, first_failures=None, **options) -> str:
    out = io.StringIO()
    console = Console(file=out, width=80, **options)
    print_table(summary, summary["gates"], console=console, report=report, first_failures=first_failures)
    return out.getvalue()


def printed(folder, **options) -> str:
    return shown(read_summary(folder), report=folder / "report.html", **options)


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("adapters", [("rapidocr",), ("rapidocr", "openai:gpt-4.1-mini")])
def test_the_table_fits_80_columns_in_plain_ascii(make_run, adapters):
    corruptions = ("messenger_recompression", "low_light_with_sensor_noise", "tilt")
    text = printed(make_run(adapters=adapters, fields=FIELDS, corruptions=corruptions, n=6))
    lines = text.splitlines()
    assert max(len(line.rstrip()) for line in lines if not line.startswith("Report:")) <= 80
    assert text.isascii()
    assert "\x1b" not in text
    for field in FIELDS:
        assert text.count(f"\n{field} ") == len(adapters)


def test_the_numbers_are_those_of_the_summary(make_run):
    folder = make_run(corruptions=("tilt",), severities=(3,), fields=("total",), n=24)
    total = json.loads((folder / "summary.json").read_text())["adapters"]["rapidocr"]["fields"]["total"]
    row = next(line for line in printed(folder).splitlines() if line.startswith("total")).split()
    assert row[:4] == ["total", f"{total['clean']['estimate'] * 100:.0f}", "tilt", "3"]
    assert int(row[4]) == round(total["worst_condition"]["estimate"] * 100)
    assert int(row[5]) == int(total["worst_condition"]["lower_bound"] * 100)
    assert int(row[6]) == int(total["all_conditions"]["lower_bound"] * 100)
    assert int(row[7]) == int(total["silent_error"]["worst_condition"]["upper_bound"] * 100) + 1
    assert int(row[8]) == round(total["review_rate"]["mean"]["estimate"] * 100)


def test_requirements_and_the_path_of_the_report_follow(make_run):
    folder = make_run(n=12)
    gates = json.loads((folder / "summary.json").read_text())["gates"]
    text = printed(folder)
    assert [gate["status"] for gate in gates] == ["fail", "not_enough", "pass"]
    flat = " ".join(text.split())
    assert f"FAILED total>=0.9 {gates[0]['message']}" in flat
    assert f"not enough silent(total)<=0.3 {gates[1]['message']}" in flat
    assert f"passed total>=0.001 {gates[2]['message']}" in flat
    assert text.rstrip().endswith(f"Report: {folder / 'report.html'}")


def test_square_brackets_are_text_and_colour_only_decorates(make_run):
    folder = make_run(adapters=("python:[bold]m:f[/bold]",), n=4)
    assert "python:[bold]m:f[/bold]: sample, 4 receipts, clean and 9 conditions" in printed(folder)
    assert "\x1b[" in printed(folder, force_terminal=True, color_system="standard")


def test_clean_only_has_no_column_that_says_the_same_again(make_run):
    folder = make_run(corruptions=(), n=4, accuracy=1.0)
    text = printed(folder)
    total = read_summary(folder)["adapters"]["rapidocr"]["fields"]["total"]
    assert "4 receipts, clean only" in text
    assert "worst" not in text
    assert "all:" not in text
    row = next(line for line in text.splitlines() if line.startswith("total")).split()
    assert row[:3] == ["total", "100", str(int(total["clean"]["lower_bound"] * 100))]
    assert len(row) == 5


def test_each_header_stands_above_its_numbers(make_run):
    text = printed(
        make_run(corruptions=("motion_blur", "thermal_fade"), n=6, fields=("total", "receipt_number"))
    )
    lines = text.splitlines()
    above, below, ruler, *rows = lines[1:6]
    assert above.split() == ["worst:", "worst:", "worst:", "all:", "silent:"]
    assert flat(below) == "field clean condition seen at least at least at most review"
    assert set(ruler.strip()) == {"-"}
    for header in ("clean", "seen", "review"):
        end = below.index(header) + len(header)
        assert all(row[end - 1].isdigit() and row[end : end + 1].strip() == "" for row in rows)
    assert [row.split()[0] for row in rows] == ["total", "receipt_number"]


def test_a_condition_of_two_words_stays_on_one_line(make_run):
    text = printed(make_run(corruptions=("thermal_fade",), severities=(5,), n=4, fields=FIELDS))
    assert sum(" thermal fade 5 " in line for line in text.splitlines()) == len(FIELDS)


@pytest.mark.parametrize("field", ["extra.loyalty_programme_number", "items[10].unit_price"])
def test_long_names_fold_and_no_number_is_cut(make_run, field):
    folder = make_run(corruptions=("low_light_with_sensor_noise",), n=4, fields=("total", field))
    lines = printed(folder).splitlines()
    assert max(len(line.rstrip()) for line in lines if not line.startswith("Report:")) <= 80
    assert lines[2].split()[-1] == "review"


def test_nothing_is_said_of_failures_or_left_out_where_there_are_none(make_run):
    summary = read_summary(make_run(n=4))
    summary["n_left_out"], summary["left_out"] = 0, []
    text = shown(summary, first_failures={})
    assert "left out" not in text
    assert "failed" not in text


def test_what_was_left_out_is_told_with_reasons(make_run):
    summary = read_summary(make_run(n=4))
    assert "1 left out: metadata.jsonl, line 7: no picture" in shown(summary)
    assert "in summary.json" not in shown(summary)
    summary["left_out"] = [
        {"file": f"{name}.csv", "line": None, "reason": f"reason\n\x1b[2J{name}"} for name in "abcde"
    ]
    summary["n_left_out"] = 1028
    assert (
        "1,028 left out: a.csv: reason [2Ja; b.csv: reason [2Jb; c.csv: reason [2Jc; "
        "... (all of them in summary.json)"
    ) in flat(shown(summary))


def test_failed_cases_are_counted_per_adapter_with_what_the_first_said(make_run):
    summary = read_summary(make_run(n=4, adapters=("one", "two")))
    summary["adapters"]["two"]["errors"].update(crashed=2, rate_limited=1)
    one, two = flat(shown(summary)).split("two: sample")
    assert "failed" not in one
    assert "3 of 40 cases failed: 2 crashed, 1 rate limited" in two
    assert "the first" not in two
    said = shown(summary, first_failures={"two": "ValueError:\n[bold]no[/bold] \x1b[2Jkey " + "x" * 900})
    assert "; the first: ValueError: [bold]no[/bold] [2Jkey xxx" in flat(said)
    assert "x..." in said
    assert "\x1b" not in said
    coloured = shown(summary, force_terminal=True, color_system="standard")
    assert "\x1b[1;31m3 of 40 cases failed" in coloured


def test_without_any_truth_there_is_no_empty_table(make_run):
    summary = read_summary(make_run(n=4))
    summary["adapters"]["rapidocr"]["fields"] = {}
    text = shown(summary)
    assert "No receipt has a truth to compare with" in text
    assert "at least" not in text.split("No receipt")[0]
    assert "1 left out" in text
