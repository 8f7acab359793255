"""Write ``report.html``: one file that needs no network, no script and no other file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from robustocr.errors import StoreError
from robustocr.report.about import about_run
from robustocr.report.charts import HEIGHT, WIDTH, field_charts, y_of
from robustocr.report.evidence import error_rows, failed_cases, rule_rows, usage_rows
from robustocr.report.grid import grid_notes, grid_words, n_conditions, receipts_words
from robustocr.report.headline import confidence, headlines
from robustocr.report.heat import heat_map
from robustocr.report.legible import legible_view
from robustocr.report.results import RunResults, read_results
from robustocr.report.shown import MakePictures, shown_errors
from robustocr.report.silent import count_silent_errors
from robustocr.report.wording import percent, showable
from robustocr.store import REPORT_FILE, write_text_atomically

SHOWN_ERRORS = 12


def write_report(run_dir: Path, *, make_pictures: MakePictures | None = None) -> Path:
    """Write ``report.html`` into a run folder and return its path.

    ``make_pictures`` is asked once for the pictures of the silent errors shown, and hands back RGB arrays by
    case key; without it, or for a key it leaves out, the report shows the error without its picture.
    The same folder and pictures give the same bytes. Raises StoreError when the folder cannot be read or
    written.
    """
    results = read_results(run_dir)
    page = render_report(results, make_pictures=make_pictures)
    path = run_dir / REPORT_FILE
    try:
        write_text_atomically(path, page)
    except OSError as error:
        raise StoreError(f"cannot write {path} ({error}); make the folder writable") from error
    return path


def render_report(results: RunResults, *, make_pictures: MakePictures | None = None) -> str:
    """Return the report as one HTML text, control characters of any value in it as U+FFFD."""
    summary = results.summary
    adapters: Mapping[str, Any] = summary["adapters"]
    failures, n_failed = failed_cases(results.cases)
    charts = field_charts(summary)
    template = _environment().get_template("report.html.j2")
    page = template.render(
        about=about_run(results),
        summary=summary,
        adapters=tuple(adapters),
        confidence=confidence(float(summary["alpha"])),
        n_conditions=n_conditions(summary),
        subtitle=f"{receipts_words(summary)}, {grid_words(summary)}",
        notes=grid_notes(summary),
        headlines=headlines(summary),
        gates=summary.get("gates") or (),
        heat_maps=tuple(heat_map(summary, adapter) for adapter in adapters),
        charts=charts,
        bars_alone=all(chart.bar_width for field in charts for chart in field.charts),
        chart_size=(WIDTH, HEIGHT),
        legible=legible_view(summary),
        y_ticks=tuple((share, y_of(share / 100)) for share in (0, 50, 100)),
        shown_errors=shown_errors(results, SHOWN_ERRORS, make_pictures),
        n_silent=count_silent_errors(results.outcomes),
        rules=rule_rows(summary),
        errors=error_rows(summary),
        failures=failures,
        n_failed=n_failed,
        usage=usage_rows(summary, results.cases),
    )
    return showable(page)


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("robustocr.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    environment.filters["shorten"] = _shorten
    return environment


def _shorten(text: object, length: int = 160) -> str:
    whole = str(text)
    return whole if len(whole) <= length else whole[: length - 1] + "…"
