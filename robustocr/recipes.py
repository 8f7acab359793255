"""What a corruption and a suite are, and what a severity means. ``recipe_files`` reads them from YAML."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from robustocr.effects import foreign
from robustocr.effects.registry import find_effect
from robustocr.errors import RecipeError

ENGINE_VERSION = 2
"""Grows when chaining, seeding, aiming, tone or the estimate of text height changes; a part of every hash."""

SEVERITIES = (1, 2, 3, 4, 5)

FAMILIES = (
    "optics",
    "geometry",
    "light",
    "paper and ink",
    "cover",
    "sensor and codec",
    "content",
    "compound",
    "other",
)
"""What corruptions are grouped by, in this order."""

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
    def prints(self) -> bool:
        """Whether print is added or changed."""
        return not self.is_foreign and find_effect(self.name).prints

    @property
    def random(self) -> bool:
        """Whether another seed gives other bytes."""
        return self.is_foreign or find_effect(self.name).random

    def meaning(self) -> dict[str, Any]:
        """Return what decides the bytes of this step: name, version and values."""
        version = foreign.version() if self.is_foreign else find_effect(self.name).version
        return {"effect": self.name, "version": version, "ladders": dict(self.ladders)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Inclusion:
    """A corruption that is part of another one, and its own severity at severities 1 to 5 of that one."""

    name: str
    severities: tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corruption:
    """A named recipe with a ladder of five severities.

    ``degrades``: higher severities leave less to read. ``nominal``: what it changes instead
    (orientation, paper or content), else None. ``changes_frame``: points of the page move, and boxes with
    them. ``family``: one of FAMILIES. ``includes``: the corruptions it is made of; their
    steps are among ``steps``.
    """

    name: str
    description: str
    source: str | None
    degrades: bool
    nominal: str | None
    changes_frame: bool
    steps: tuple[Step, ...]
    family: str = "other"
    includes: tuple[Inclusion, ...] = ()

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
    def prints(self) -> bool:
        """Whether print is added or changed, at places of its own choice."""
        return any(step.prints for step in self.steps)

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
    includes = tuple(
        Inclusion(name=entry["name"], severities=tuple(entry["severities"]))
        for entry in data.get("includes", ())
    )
    return Corruption(**{**data, "steps": steps, "includes": includes})


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A named set of corruptions and severities."""

    name: str
    description: str
    corruptions: tuple[str, ...]
    severities: tuple[int, ...]


def check_severity(severity: int) -> None:
    """Raise RecipeError unless the severity is a whole number of 0 to 5."""
    if isinstance(severity, bool) or severity not in (0, *SEVERITIES):
        raise RecipeError(f"severity {severity!r} is not one of 0 (clean), 1, 2, 3, 4, 5")
