"""Corruptions and suites as written in YAML: finding, reading and checking the files.

A recipe gives for each parameter of each step a constant, or a ladder of five values for severities 1 to 5.
A step is an effect, an albumentations transform, or another corruption with all its steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, ValidationError

from robustocr.assets import asset
from robustocr.effects import foreign
from robustocr.effects.registry import Strength, find_effect
from robustocr.errors import RecipeError, unknown_name
from robustocr.recipes import FAMILIES, SEVERITIES, Corruption, Inclusion, Ladder, Step, Suite

STEP_KINDS = ("effect", "albumentations", "corruption")
"""The keys of which a step has exactly one: what it is."""

INCLUDED_SEVERITY = Strength(1, 5, "(the severity of the included corruption)", whole=True)
"""What ``severity`` of a step with ``corruption`` may be, once or as a ladder."""

_CAUSES_OF_FAMILY = {
    "optics": ("optics", "lens"),
    "geometry": ("geometry", "framing", "bends", "rolls"),
    "light": ("light", "lamps"),
    "paper and ink": ("paper", "ink", "stains", "bands", "damage", "handwriting", "stamps"),
    "cover": ("cover",),
    "sensor and codec": ("sensor", "codec", "facsimile", "phone", "screen"),
    "content": ("content",),
}
FAMILY_OF_CAUSE = {cause: family for family, causes in _CAUSES_OF_FAMILY.items() for cause in causes}
"""Module of an effect -> the family of a recipe that begins with it and names none itself."""

_M = TypeVar("_M", bound=BaseModel)


def _not_bool(value: object) -> object:
    if isinstance(value, bool | str):
        raise ValueError("a whole number of 1 to 5 is expected")
    return value


class RecipeFile(BaseModel):
    """The keys of a recipe."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    description: str = Field(min_length=1)
    source: str | None = None
    family: Literal[*FAMILIES] | None = None  # type: ignore[valid-type]
    degrades: StrictBool
    nominal: Literal["orientation", "paper", "content"] | None = None
    changes_frame: StrictBool
    steps: tuple[dict[str, Any], ...] = Field(min_length=1)


class SuiteFile(BaseModel):
    """The keys of a suite."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    description: str = Field(min_length=1)
    corruptions: tuple[str, ...] = Field(min_length=1)
    severities: tuple[Annotated[int, BeforeValidator(_not_bool), Field(ge=1, le=5)], ...] = Field(
        min_length=1
    )


def bundled_names(kind: Literal["corruption", "suite"]) -> tuple[str, ...]:
    """Return the names of the bundled corruptions or suites, in alphabetical order."""
    return tuple(sorted(path.stem for path in _bundled(kind).glob("*.yaml")))


def is_path(name_or_path: str | Path) -> bool:
    """Return whether something names a user's own YAML file, not a bundled one."""
    return isinstance(name_or_path, Path) or Path(name_or_path).suffix in {".yaml", ".yml"}


def recipe_path(kind: Literal["corruption", "suite"], name_or_path: str | Path) -> Path:
    """Return the file of a bundled corruption or suite by name, or a user's own by path.

    Raises RecipeError for an unknown name, with the known ones.
    """
    if is_path(name_or_path):
        return Path(name_or_path)
    path = _bundled(kind) / f"{name_or_path}.yaml"
    if not path.is_file():
        raise RecipeError(unknown_name(kind, str(name_or_path), bundled_names(kind)))
    return path


def read_corruption(path: Path, *, within: Sequence[Path] = ()) -> Corruption:
    """Return the corruption a YAML file describes, those that it includes with their steps in place.

    ``within`` are the files whose inclusions led here. Raises RecipeError naming file, key and choices, and
    for a recipe that includes itself.
    """
    _check_no_cycle(path, within)
    recipe = _validated(RecipeFile, path)
    steps: list[Step] = []
    includes: list[Inclusion] = []
    for index, step in enumerate(recipe.steps):
        where = f"{path}: steps[{index}]"
        if _kind(step, where) != "corruption":
            steps.append(_step(step, where))
            continue
        found, severities = _included(step, where, (*within, path))
        steps += [_at_severities(inner, severities) for inner in found.steps]
        includes.append(Inclusion(name=found.name, severities=severities))
    _check_changes_frame(path, recipe, steps)
    fields = recipe.model_dump(exclude={"steps", "family"})
    family = recipe.family or ("compound" if includes else _family(steps[0]))
    return Corruption(**fields, steps=tuple(steps), family=family, includes=tuple(includes))


def read_suite(path: Path) -> Suite:
    """Return the suite a YAML file describes. Raises RecipeError naming file, key and choices."""
    return Suite(**_validated(SuiteFile, path).model_dump())


def _bundled(kind: str) -> Path:
    folder = asset("corruptions")
    return folder / "suites" if kind == "suite" else folder


def _check_no_cycle(path: Path, within: Sequence[Path]) -> None:
    if path.resolve() in {outer.resolve() for outer in within}:
        chain = " -> ".join(outer.stem for outer in (*within, path))
        raise RecipeError(f"{within[-1]}: a corruption cannot be a part of itself: {chain}")


def _check_changes_frame(path: Path, recipe: RecipeFile, steps: Sequence[Step]) -> None:
    moves = any(step.moves for step in steps)
    if moves != recipe.changes_frame:
        raise RecipeError(
            f"{path}: changes_frame is {recipe.changes_frame}, but its steps "
            f"{'' if moves else 'do not '}move points of the page; write changes_frame: {str(moves).lower()}"
        )


def _validated(model: type[_M], path: Path) -> _M:
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise RecipeError(f"{path}: cannot be read as YAML: {error}") from error
    if not isinstance(data, dict):
        raise RecipeError(f"{path}: a mapping is expected, with the keys {', '.join(model.model_fields)}")
    try:
        record = model.model_validate(data)
    except ValidationError as error:
        raise RecipeError(f"{path}: {_first_problem(error, model)}") from error
    if data["name"] != path.stem:
        raise RecipeError(f"{path}: name is {data['name']!r}, but must be the file's own name, {path.stem!r}")
    return record


def _first_problem(error: ValidationError, model: type[BaseModel]) -> str:
    problem = error.errors()[0]
    key = ".".join(str(part) for part in problem["loc"])
    known = f" Known keys: {', '.join(model.model_fields)}." if problem["type"] == "extra_forbidden" else ""
    value = "" if problem["type"] == "missing" else f", got {problem['input']!r}"
    return f"{key}: {problem['msg']}{value}.{known}"


def _kind(step: Mapping[str, Any], where: str) -> str:
    kinds = [kind for kind in STEP_KINDS if kind in step]
    if len(kinds) != 1:
        raise RecipeError(
            f"{where}: give exactly one of 'effect: NAME', 'albumentations: NAME' and 'corruption: NAME'"
        )
    if not isinstance(step[kinds[0]], str):
        raise RecipeError(f"{where}: {kinds[0]} = {step[kinds[0]]!r} is not a name")
    return kinds[0]


def _step(step: Mapping[str, Any], where: str) -> Step:
    """Return a checked step. Raises RecipeError naming file, step, effect, parameter, value and range."""
    given = {key: value for key, value in step.items() if key not in STEP_KINDS}
    varying = frozenset(name for name, value in given.items() if _is_ladder(value))
    ladders = {name: _ladder(value) for name, value in given.items()}
    is_foreign = "effect" not in step
    name = step["albumentations"] if is_foreign else step["effect"]
    try:
        for severity in SEVERITIES:
            values = {key: ladder[severity - 1] for key, ladder in ladders.items()}
            foreign.check(name, values) if is_foreign else find_effect(name).check(values)
    except RecipeError as error:
        raise RecipeError(f"{where}: {error}") from error
    return Step(name=name, is_foreign=is_foreign, ladders=ladders, varying=varying)


def _included(
    step: Mapping[str, Any], where: str, within: tuple[Path, ...]
) -> tuple[Corruption, tuple[int, int, int, int, int]]:
    """Return the corruption that a step includes, and its severity at each of the five."""
    if unknown := sorted(set(step) - {"corruption", "severity"}):
        raise RecipeError(f"{where}: {unknown_name('key', unknown[0], ('corruption', 'severity'))}")
    ladder = _ladder(step.get("severity", list(SEVERITIES)))
    for value in ladder:
        if not INCLUDED_SEVERITY.admits(value):
            raise RecipeError(
                f"{where}: severity = {step['severity']!r} is not {INCLUDED_SEVERITY}, or five of these"
            )
    name = step["corruption"]
    try:
        path = recipe_path("corruption", within[-1].parent / name if is_path(name) else name)
    except RecipeError as error:
        raise RecipeError(f"{where}: {error}") from error
    one, two, three, four, five = (int(value) for value in ladder)
    return read_corruption(path, within=within), (one, two, three, four, five)


def _at_severities(step: Step, severities: Sequence[int]) -> Step:
    """Return an included step with the values that it has at these severities of its own corruption."""
    ladders = {
        name: _ladder([ladder[severity - 1] for severity in severities])
        for name, ladder in step.ladders.items()
    }
    varying = frozenset(name for name in step.varying if any(v != ladders[name][0] for v in ladders[name]))
    return Step(name=step.name, is_foreign=step.is_foreign, ladders=ladders, varying=varying)


def _is_ladder(value: Any) -> bool:
    return isinstance(value, list) and len(value) == len(SEVERITIES)


def _ladder(value: Any) -> Ladder:
    """Return five values: those of a list of five, else the same value five times."""
    one, two, three, four, five = value if _is_ladder(value) else (value,) * 5
    return one, two, three, four, five


def _family(step: Step) -> str:
    if step.is_foreign:
        return "other"
    cause = find_effect(step.name).function.__module__.rpartition(".")[2]
    return FAMILY_OF_CAUSE.get(cause, "other")
