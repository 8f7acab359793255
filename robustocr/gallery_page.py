"""What the pictures of corruptions stand in: the text of ``corruptions/README.md``, and a page to open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from robustocr.corruptions import list_corruptions, list_suites, load_corruption, load_suite
from robustocr.effects.registry import Strength, find_effect
from robustocr.errors import StoreError
from robustocr.recipes import FAMILIES, SEVERITIES, Corruption, Step

Row = tuple[str, str, tuple[str, ...]]
"""Name of a strength, its unit, and its values at severities 1 to 5 in words."""

_NOT_SHOWN = 24


def by_family(corruptions: Sequence[Corruption]) -> tuple[tuple[str, tuple[Corruption, ...]], ...]:
    """Return the corruptions grouped by family, in the order of FAMILIES, by name within each."""
    grouped = {
        family: tuple(sorted((c for c in corruptions if c.family == family), key=lambda c: c.name))
        for family in FAMILIES
    }
    return tuple((family, members) for family, members in grouped.items() if members)


def strength_rows(corruption: Corruption) -> tuple[Row, ...]:
    """Return a row for each strength that has a ladder; of a compound, for each part and step of its own."""
    parts = [
        (f"`{part.name}`", "severity of it", tuple(str(severity) for severity in part.severities))
        for part in corruption.includes
    ]
    own = corruption.steps if not parts else ()
    return (*parts, *(row for step in own for row in _step_rows(step)))


def recipes_markdown(pictures: str) -> str:
    """Return the bundled corruptions as Markdown: by family, each with its strip, and a table of strengths.

    ``pictures`` is the folder of the strips as the Markdown file names it.
    """
    parts = []
    for family, members in by_family([load_corruption(name) for name in list_corruptions()]):
        parts.append(f"### {family.capitalize()}")
        parts += [_recipe_markdown(corruption, pictures) for corruption in members]
        rows = [line for corruption in members for line in _table_lines(corruption)]
        head = "| corruption | strength | unit | 1 | 2 | 3 | 4 | 5 |\n|---|---|---|" + "---|" * 5
        parts.append("\n".join([head, *rows]))
    return "\n\n".join(parts)


def suites_markdown() -> str:
    """Return a Markdown table of the bundled suites."""
    rows = ["| suite | what it is | corruptions | severities |", "|---|---|---|---|"]
    for suite in map(load_suite, list_suites()):
        everything = set(suite.corruptions) == set(list_corruptions())
        names = "every one" if everything else ", ".join(suite.corruptions)
        severities = ", ".join(str(severity) for severity in suite.severities)
        rows.append(f"| `{suite.name}` | {suite.description} | {names} | {severities} |")
    return "\n".join(rows)


def write_page(
    out: Path, corruptions: Sequence[Corruption], sheets: Mapping[str, Path], missing: Mapping[str, str]
) -> Path:
    """Write ``index.html`` beside contact sheets and return its path. Raises StoreError.

    ``missing`` says by name why a corruption has no sheet.
    """
    environment = Environment(
        loader=PackageLoader("robustocr.report"), autoescape=True, undefined=StrictUndefined
    )
    families = [
        (family, [(member, strength_rows(member)) for member in members])
        for family, members in by_family(corruptions)
    ]
    html = environment.get_template("gallery.html.j2").render(
        families=families,
        sheets={name: path.name for name, path in sheets.items()},
        missing=missing,
        severities=SEVERITIES,
    )
    path = out / "index.html"
    try:
        out.mkdir(parents=True, exist_ok=True)
        path.write_text(html, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror}; choose another folder") from error
    return path


def _recipe_markdown(corruption: Corruption, pictures: str) -> str:
    text = f"**`{corruption.name}`** {corruption.description.strip()}"
    if not corruption.degrades:
        text += f" Nothing is lost: it changes the {corruption.nominal}." if corruption.nominal else ""
    if corruption.source:
        text += f" Source: {corruption.source.strip().rstrip('.')}."
    return f"{text}\n\n![{corruption.name} at severities 1, 3 and 5]({pictures}/{corruption.name}.webp)"


def _table_lines(corruption: Corruption) -> list[str]:
    rows = strength_rows(corruption) or (("–", "", ("the same",) * len(SEVERITIES)),)
    return [
        f"| {f'`{corruption.name}`' if index == 0 else ''} | {name} | {unit} | {' | '.join(values)} |"
        for index, (name, unit, values) in enumerate(rows)
    ]


def _step_rows(step: Step) -> tuple[Row, ...]:
    rows: list[Row] = []
    for parameter in sorted(step.varying):
        kind = None if step.is_foreign else find_effect(step.name).parameters[parameter]
        unit = kind.unit if isinstance(kind, Strength) else ""
        rows.append((parameter.replace("_", " "), unit, tuple(_shown(v) for v in step.ladders[parameter])))
    return tuple(rows)


def _shown(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:g}"
    text = str(value).replace("|", "/")
    return text if len(text) <= _NOT_SHOWN else f"{text[: _NOT_SHOWN - 1]}…"
