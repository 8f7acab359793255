"""Corruptions and suites as written in YAML: parsing, checking, and what a severity means.

A recipe gives for each parameter of each step a constant, or a ladder of five values for severities 1 to 5.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from robustocr.effects import foreign
from robustocr.effects.registry import find_effect
from robustocr.errors import RecipeError

ENGINE_VERSION = 1
"""Grows when chaining, seeding, aiming or the estimate of text height changes; a part of every hash."""

SEVERITIES = (1, 2, 3, 4, 5)

_M = TypeVar("_M", bound=BaseModel)

Ladder = tuple[Any, Any, Any, Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One effect of a recipe, ours or an albumentations transform, with five values for each parameter."""

    name: str
    is_foreign: bool
    ladders: Mapping[str, Ladder]
    varying: frozenset[str]

    def at(self, severity: int) -> dict[str, Any]:
        """Return the parameters at a severity of 1 to 5."""
        return {name: ladder[severity - 1] for name, ladder in self.ladders.items()}

    @property
    def moves(self) -> bool:
        """Whether points of the page move."""
        return foreign.moves(self.name) if self.is_foreign else find_effect(self.name).moves

    @property
    def random(self) -> bool:
        """Whether another seed gives other bytes."""
        return self.is_foreign or find_effect(self.name).random

    def meaning(self) -> dict[str, Any]:
        """Return what decides the bytes of this step: name, version and values."""
        version = foreign.version() if self.is_foreign else find_effect(self.name).version
        return {"effect": self.name, "version": version, "ladders": dict(self.ladders)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Corruption:
    """A named recipe with a ladder of five severities.

    ``degrades``: higher severities leave less to read. ``nominal``: what it changes instead
    (orientation, paper or content), else None. ``changes_frame``: points of the page move, so boxes do
    and it cannot be aimed.
    """

    name: str
    description: str
    source: str | None
    degrades: bool
    nominal: str | None
    changes_frame: bool
    steps: tuple[Step, ...]

    @property
    def recipe_hash(self) -> str:
        """Sha256 (hex) of all that decides the bytes: name, steps, values, versions of effects and engine."""
        meaning = {
            "name": self.name,
            "engine": ENGINE_VERSION,
            "steps": [step.meaning() for step in self.steps],
        }
        return hashlib.sha256(json.dumps(meaning, sort_keys=True).encode()).hexdigest()

    @property
    def random(self) -> bool:
        """Whether another seed gives other bytes."""
        return any(step.random for step in self.steps)

    def strength(self, severity: int) -> dict[str, Any]:
        """Return the physical strengths at a severity: ``effect.parameter`` -> value; empty for severity 0.

        An effect that comes again in a recipe is named ``effect#2``. Raises RecipeError outside of 0 to 5.
        """
        check_severity(severity)
        strengths: dict[str, Any] = {}
        seen: dict[str, int] = {}
        for step in self.steps if severity else ():
            seen[step.name] = seen.get(step.name, 0) + 1
            prefix = step.name if seen[step.name] == 1 else f"{step.name}#{seen[step.name]}"
            strengths.update({f"{prefix}.{name}": value for name, value in step.at(severity).items()})
        return strengths


def dump_corruption(corruption: Corruption) -> dict[str, Any]:
    """Return a corruption as JSON, whole, so that a run can be rebuilt without its YAML file."""
    data = asdict(corruption)
    for step in data["steps"]:
        step["varying"] = sorted(step["varying"])
    return data


def parse_corruption(data: Mapping[str, Any]) -> Corruption:
    """Return the corruption of ``dump_corruption``."""
    steps = tuple(
        Step(
            name=step["name"],
            is_foreign=step["is_foreign"],
            ladders={name: tuple(ladder) for name, ladder in step["ladders"].items()},
            varying=frozenset(step["varying"]),
        )
        for step in data["steps"]
    )
    return Corruption(**{**data, "steps": steps})


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A named set of corruptions and severities."""

    name: str
    description: str
    corruptions: tuple[str, ...]
    severities: tuple[int, ...]


class _StepFile(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)

    effect: str | None = None
    albumentations: str | None = None


class _RecipeFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    description: str = Field(min_length=1)
    source: str | None = None
    degrades: bool
    nominal: Literal["orientation", "paper", "content"] | None = None
    changes_frame: bool
    steps: tuple[_StepFile, ...] = Field(min_length=1)


class _SuiteFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    description: str = Field(min_length=1)
    corruptions: tuple[str, ...] = Field(min_length=1)
    severities: tuple[Annotated[int, Field(ge=1, le=5)], ...] = Field(min_length=1)


def check_severity(severity: int) -> None:
    """Raise RecipeError unless the severity is a whole number of 0 to 5."""
    if isinstance(severity, bool) or severity not in (0, *SEVERITIES):
        raise RecipeError(f"severity {severity!r} is not one of 0 (clean), 1, 2, 3, 4, 5")


def read_corruption(path: Path) -> Corruption:
    """Return the corruption a YAML file describes. Raises RecipeError naming file, key and choices."""
    recipe = _validated(_RecipeFile, path)
    steps = tuple(_step(step, f"{path}: steps[{index}]") for index, step in enumerate(recipe.steps))
    moves = any(step.moves for step in steps)
    if moves != recipe.changes_frame:
        raise RecipeError(
            f"{path}: changes_frame is {recipe.changes_frame}, but its steps "
            f"{'' if moves else 'do not '}move points of the page; write changes_frame: {str(moves).lower()}"
        )
    fields = recipe.model_dump(exclude={"steps"})
    return Corruption(**fields, steps=steps)


def read_suite(path: Path) -> Suite:
    """Return the suite a YAML file describes. Raises RecipeError naming file, key and choices."""
    return Suite(**_validated(_SuiteFile, path).model_dump())


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


def _step(step: _StepFile, where: str) -> Step:
    """Return a checked step. Raises RecipeError naming file, step, effect, parameter, value and range."""
    if (step.effect is None) == (step.albumentations is None):
        raise RecipeError(f"{where}: give either 'effect: NAME' or 'albumentations: NAME'")
    given: dict[str, Any] = dict(step.model_extra or {})
    varying = frozenset(name for name, value in given.items() if isinstance(value, list) and len(value) == 5)
    ladders = {name: tuple(value) if name in varying else (value,) * 5 for name, value in given.items()}
    is_foreign = step.effect is None
    name = step.albumentations or step.effect or ""
    try:
        for severity in SEVERITIES:
            values = {key: ladder[severity - 1] for key, ladder in ladders.items()}
            foreign.check(name, values) if is_foreign else find_effect(name).check(values)
    except RecipeError as error:
        raise RecipeError(f"{where}: {error}") from error
    return Step(name=name, is_foreign=is_foreign, ladders=ladders, varying=varying)
