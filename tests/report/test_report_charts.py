import re
from itertools import pairwise

import pytest

from robustocr.report.charts import HEIGHT, WIDTH, field_charts, x_of, y_of
from robustocr.report.heat import heat_map
from robustocr.report.html import write_report


def bound(estimate: float, **more) -> dict:
    lower, upper = max(estimate - 0.1, 0), min(estimate + 0.2, 1)
    return {"estimate": estimate, "n": 24, "lower_bound": lower, "upper_bound": upper, **more}


def summary(*conditions: dict) -> dict:
    fields = {row["field"]: {"clean": bound(0.9)} for row in conditions} or {"total": {"clean": bound(0.9)}}
    return {"has_clean": True, "adapters": {"reader": {"fields": fields, "conditions": list(conditions)}}}


def condition(severity: int, estimate: float | None, corruption: str = "tilt", field: str = "total") -> dict:
    rate = bound(estimate) if estimate is not None else {"estimate": None, "n": 0}
    return {"field": field, "corruption": corruption, "severity": severity, **rate}


def test_points_stand_where_the_numbers_say():
    (charts,) = field_charts(summary(condition(5, 0.2), condition(1, 0.8)))
    (chart,) = charts.charts
    (series,) = chart.series
    assert [point.severity for point in series.points] == [0, 1, 5]
    assert [point.y for point in series.points] == [y_of(0.9), y_of(0.8), y_of(0.2)]
    last = series.points[-1]
    assert (last.x, last.low, last.high) == (x_of(5), y_of(0.1), y_of(0.4))
    assert series.line == f"{x_of(0):g},{y_of(0.9):g} {x_of(1):g},{y_of(0.8):g} {x_of(5):g},{y_of(0.2):g}"
    assert len(series.band.split()) == 6
    assert "severity 5: 20 % (10 to 40 %)" in chart.words


@pytest.mark.parametrize("share", [0, 1])
def test_everything_stays_inside_the_picture(share):
    assert 0 < y_of(share) < HEIGHT
    assert 0 < x_of(0) < x_of(5) < WIDTH


def test_unanswerable_severities_are_left_out_and_marked_in_the_heat_map():
    data = summary(condition(3, 0.5), condition(5, None))
    (charts,) = field_charts(data)
    assert [point.severity for point in charts.charts[0].series[0].points] == [0, 3]
    heat = heat_map(data, "reader")
    assert heat.has_unanswerable
    tilt = heat.blocks[1]
    assert [(row.severity, row.cells[0].text, row.cells[0].step) for row in tilt] == [
        (3, "50", 5),
        (5, "–", None),
    ]


def test_conditions_without_severity_have_no_chart():
    assert field_charts(summary(condition(0, 0.5, corruption="photo-dim"))) == ()
    assert field_charts(summary()) == ()


def test_the_heat_map_groups_corruptions_and_sorts_severities():
    rows = [condition(5, 0.1), condition(1, 1.0, "glare"), condition(1, 0.7), condition(5, 0.0, "glare")]
    heat = heat_map(summary(*rows), "reader")
    assert [[(row.corruption, row.severity, row.first) for row in block] for block in heat.blocks] == [
        [("clean", 0, True)],
        [("tilt", 1, True), ("tilt", 5, False)],
        [("glare", 1, True), ("glare", 5, False)],
    ]
    assert [[row.cells[0].step for row in block] for block in heat.blocks] == [[9], [7, 1], [10, 0]]
    assert heat.blocks[2][0].cells[0].title == "total, glare, severity 1: 100 % of 24 receipts, at least 90 %"


@pytest.mark.parametrize("readers", [1, 2, 6])
def test_one_severity_is_drawn_as_bars_side_by_side_within_the_picture(readers):
    one = summary(condition(3, 0.4))["adapters"]["reader"]
    data = {"adapters": {f"reader {place}": one for place in range(readers)}}
    (charts,) = field_charts(data)
    (chart,) = charts.charts
    (clean, clean_x), (severity, severity_x) = chart.severities
    assert (clean, severity) == (0, 3)
    points = [point for series in chart.series for point in series.points]
    assert [point.y for point in points] == [y_of(0.9), y_of(0.4)] * readers
    for group, middle in ((0, clean_x), (3, severity_x)):
        middles = [point.x for point in points if point.severity == group]
        assert sum(middles) / readers == pytest.approx(middle, abs=0.1)
        assert all(b - a >= chart.bar_width - 0.11 for a, b in pairwise(middles))
    ends = sorted((point.x - chart.bar_width / 2, point.x + chart.bar_width / 2) for point in points)
    assert x_of(0) - 4 <= ends[0][0]
    assert ends[-1][1] <= WIDTH
    assert ends[readers - 1][1] < ends[readers][0]
    assert "severity 3: 40 % (30 to 60 %)" in chart.words


def test_several_severities_stay_lines_and_missing_points_leave_no_bar():
    several, single = field_charts(summary(condition(1, 0.8), condition(3, 0.5), condition(3, 0.5, "glare")))[
        0
    ].charts
    assert (several.corruption, several.bar_width) == ("tilt", None)
    assert single.corruption == "glare"
    assert single.bar_width > 0
    (unanswerable,) = field_charts(summary(condition(3, None)))[0].charts
    assert [tick for tick, _ in unanswerable.severities] == [0]
    assert [point.severity for point in unanswerable.series[0].points] == [0]


def test_the_page_draws_one_severity_as_bars_and_several_as_lines(make_run):
    run = {"n": 5, "corruptions": ("tilt",), "fields": ("total",)}
    single = write_report(make_run(severities=(3,), **run)).read_text(encoding="utf-8")
    bars = re.findall(r'<rect class="block" .*? y="([\d.]+)" .*? height="([\d.]+)"/>', single)
    assert len(bars) == 2
    assert all(float(top) + float(height) == pytest.approx(y_of(0)) for top, height in bars)
    assert "<polyline" not in single
    assert "clean and at the severity that was tried" in single
    assert ">severity 3</text>" in single
    several = write_report(make_run(severities=(1, 5), **run)).read_text(encoding="utf-8")
    assert 'class="block"' not in several
    assert several.count("<polyline") == 1
    assert "from clean over severity 1 to 5" in several
