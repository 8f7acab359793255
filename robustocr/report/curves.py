"""Curves of legibility against severity: a table for the terminal, a CSV, and a page of small charts."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

from jinja2 import Environment, PackageLoader, select_autoescape

from robustocr.calibration import Curve, Measured, curves_of
from robustocr.errors import StoreError
from robustocr.ladder_fit import TARGETS, fit_ladders
from robustocr.recipes import SEVERITIES, Corruption
from robustocr.records import Sample

WIDTH, HEIGHT, MARGIN = 200, 130, 24
_FAR = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveChart:
    """One corruption's chart: a polyline (viewBox units) for each width, and its numbers in words."""

    corruption: Corruption
    lines: tuple[tuple[str, str, tuple[tuple[float, float], ...]], ...]
    rows: tuple[tuple[str, Curve], ...]
    problems: tuple[str, ...]


def judge(
    rows: Sequence[Measured], corruptions: Sequence[Corruption], *, widths: Sequence[int | None]
) -> tuple[tuple[str, ...], str]:
    """Return what is not as meant, and a text with the curves of every corruption.

    At given widths it also says by how much the mean legibility at one severity differs between them, over
    the receipts that were measured at all of them.
    """
    by_name = {corruption.name: corruption for corruption in corruptions}
    lines, problems = [], []
    for curve in _curves(rows, widths):
        shares = "  ".join(f"{share:4.0%}" for share in curve.legible)
        means = "  ".join(f"{mean:.2f}" for mean in curve.legibility)
        found = curve.problems if by_name[curve.corruption].degrades else ()
        width = f"{curve.width:5d}" if curve.width else "  own"
        lines.append(f"{curve.corruption:<20} {width}  legible {shares}   mean {means}")
        lines += [f"    {problem}" for problem in found]
        problems += [f"{curve.corruption}: {problem}" for problem in found]
    for name, severity, spread in _spreads(rows, widths):
        if spread > 0.10:
            text = f"{name}: mean legibility at severity {severity} differs by {spread:.2f} between widths"
            problems.append(text)
            lines.append(f"    {text}")
    return tuple(problems), "\n".join(lines)


def write_curves(
    out: Path, rows: Sequence[Measured], corruptions: Sequence[Corruption], *, widths: Sequence[int | None]
) -> Path:
    """Write ``curves.csv`` and ``curves.html`` and return the path of the page. Raises StoreError."""
    names = [field.name for field in fields(Measured)]
    page = out / "curves.html"
    environment = Environment(
        loader=PackageLoader("robustocr.report"),
        autoescape=select_autoescape(default=True, default_for_string=True),
    )
    template = environment.get_template("curves.html.j2")
    charts = [_chart(corruption, rows, widths) for corruption in corruptions]
    html = template.render(
        charts=[chart for chart in charts if chart.rows], width=WIDTH, height=HEIGHT, margin=MARGIN
    )
    try:
        out.mkdir(parents=True, exist_ok=True)
        with (out / "curves.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(names)
            writer.writerows(astuple(row) for row in rows)
        page.write_text(html, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{out}: cannot be written: {error}; choose another --out") from error
    return page


def describe_fit(
    samples: Sequence[Sample], corruption: Corruption, *, seed: int = 0, workers: int | None = None
) -> str:
    """Return the fitted ladders of a corruption as lines of its YAML file, with what they leave legible."""
    fitted, scale, legible = fit_ladders(samples, corruption, seed=seed, workers=workers)
    at, left, aims = (
        ", ".join(f"{value:{form}}" for value in values)
        for values, form in ((scale, ".2f"), (legible, ".0%"), (TARGETS, ".1%"))
    )
    lines = [
        f"{corruption.name}: severities 1 to 5 at {at} of the old ones",
        f"  leave about {left} legible; wanted are {aims}",
    ]
    if max(abs(share - target) for share, target in zip(legible, TARGETS, strict=True)) > _FAR:
        lines.append("  stretching its ladders does not reach that: another strength, or degrades: false?")
    for step in fitted.steps:
        lines.append(f"  - {'albumentations' if step.is_foreign else 'effect'}: {step.name}")
        for name in sorted(step.varying):
            values = ", ".join(
                f"{value:.3g}" if isinstance(value, float) else str(value) for value in step.ladders[name]
            )
            lines.append(f"    {name}: [{values}]")
    return "\n".join(lines)


def _curves(rows: Sequence[Measured], widths: Sequence[int | None]) -> list[Curve]:
    """Return the curves; pictures of their own width count together, as width 0."""
    return curves_of(rows if None not in widths else [replace(row, width=0) for row in rows])


def _spreads(rows: Sequence[Measured], widths: Sequence[int | None]) -> list[tuple[str, int, float]]:
    """Return for each corruption and severity the largest difference of mean legibility between widths."""
    if len(widths) < 2:
        return []
    everywhere = set.intersection(*({row.sample_id for row in rows if row.width == w} for w in widths))
    curves: dict[str, list[Curve]] = {}
    for curve in curves_of([row for row in rows if row.sample_id in everywhere]):
        curves.setdefault(curve.corruption, []).append(curve)
    return [
        (name, severity, max(means) - min(means))
        for name, same in curves.items()
        for severity in SEVERITIES
        if (means := [curve.legibility[severity - 1] for curve in same])
    ]


def _chart(corruption: Corruption, rows: Sequence[Measured], widths: Sequence[int | None]) -> CurveChart:
    curves = _curves([row for row in rows if row.corruption == corruption.name], widths)
    named = tuple((f"{curve.width} px" if curve.width else "own width", curve) for curve in curves)
    lines = []
    for name, curve in named:
        points = tuple(
            _point(severity, share) for severity, share in zip(SEVERITIES, curve.legible, strict=True)
        )
        lines.append((name, " ".join(f"{x:g},{y:g}" for x, y in points), points))
    problems = [f"{name}: {problem}" for name, curve in named for problem in curve.problems]
    return CurveChart(
        corruption=corruption,
        lines=tuple(lines),
        rows=named,
        problems=tuple(problems) if corruption.degrades else (),
    )


def _point(severity: int, share: float) -> tuple[float, float]:
    x = MARGIN + (severity - 1) / 4 * (WIDTH - 2 * MARGIN)
    return round(x, 1), round(HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN), 1)
