import io
import json

import pytest
from rich.console import Console

from robustocr.report.table import print_table

FIELDS = ("total", "date", "merchant", "address", "receipt_number", "items", "document", "item_count")


def printed(folder, **options) -> str:
    summary = json.loads((folder / "summary.json").read_text())
    out = io.StringIO()
    report = folder / "report.html"
    print_table(summary, summary["gates"], console=Console(file=out, width=80, **options), report=report)
    return out.getvalue()


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


def test_clean_only(make_run):
    text = printed(make_run(corruptions=(), n=4, accuracy=1.0))
    assert "4 receipts, clean only" in text
    assert next(line for line in text.splitlines() if line.startswith("total")).split()[1:3] == [
        "100",
        "clean",
    ]
