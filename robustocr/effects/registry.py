"""Effects by name, with typed and range-checked strengths.

An effect is a pure function ``effect(pixels, *, strengths..., text_height, rng)`` that returns new
pixels, or a :class:`Change` where it also moves or covers things. It asks for ``text_height`` (pixels),
``rng``, ``fields`` (where the fields are printed) and ``layout`` (where print is) only if it needs them: one
without ``rng`` is deterministic. Strengths are annotated with :class:`Strength`, :class:`Text`,
:class:`FieldName` or a Literal.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.errors import RecipeError, unknown_name
from robustocr.fields import Fields, Layout, is_field_path
from robustocr.moves import Move

_CAUSES = (
    "bands",
    "bends",
    "codec",
    "content",
    "cover",
    "damage",
    "facsimile",
    "framing",
    "geometry",
    "handwriting",
    "ink",
    "lamps",
    "lens",
    "light",
    "optics",
    "paper",
    "phone",
    "rolls",
    "screen",
    "sensor",
    "stains",
    "stamps",
)
_GIVEN = ("pixels", "text_height", "rng", "fields", "layout")
_REGISTRY: dict[str, Effect] = {}

Value = float | int | str


@dataclass(frozen=True, slots=True)
class Strength:
    """The range of one number, both ends included, and its unit. ``whole`` asks for an integer."""

    low: float
    high: float
    unit: str
    whole: bool = False

    def __str__(self) -> str:
        return f"{'a whole number ' if self.whole else ''}{self.low:g} to {self.high:g} {self.unit}"

    def admits(self, value: object) -> bool:
        """Return whether a value is a number of this range."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        return self.low <= value <= self.high and (not self.whole or float(value).is_integer())


@dataclass(frozen=True, slots=True)
class Choice:
    """The names that one parameter may take."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"one of {', '.join(self.names)}"

    def admits(self, value: object) -> bool:
        """Return whether a value is one of the names."""
        return value in self.names


@dataclass(frozen=True, slots=True)
class Text:
    """A line of free text, at most ``longest`` characters."""

    longest: int

    def __str__(self) -> str:
        return f"one line of 1 to {self.longest} characters"

    def admits(self, value: object) -> bool:
        """Return whether a value is one line of text."""
        return isinstance(value, str) and 0 < len(value.strip()) <= self.longest and value.isprintable()


@dataclass(frozen=True, slots=True)
class FieldName:
    """The path of a field, such as ``total`` or ``items[0].amount``."""

    def __str__(self) -> str:
        return "a field path such as total or items[0].amount"

    def admits(self, value: object) -> bool:
        """Return whether a value is the path of a field."""
        return isinstance(value, str) and is_field_path(value)


Parameter = Strength | Choice | Text | FieldName


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What an effect did: new pixels, how points moved, and what now hides the page (255 is opaque).

    ``edits`` says what else is printed now: field path -> its new value, in canonical form (``"28.90"``).
    """

    pixels: Pixels
    move: Move | None = None
    cover: Mask | None = None
    edits: Mapping[str, str] = field(default_factory=dict)


EffectFunction = Callable[..., Pixels | Change]
_F = TypeVar("_F", bound=EffectFunction)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """A registered effect. ``version`` grows with every change of its bytes, so that caches stay right."""

    name: str
    function: EffectFunction
    parameters: Mapping[str, Parameter]
    required: frozenset[str]
    given: frozenset[str]
    moves: bool
    prints: bool
    version: int

    @property
    def random(self) -> bool:
        """Whether another seed gives other bytes."""
        return "rng" in self.given

    def check(self, values: Mapping[str, object]) -> None:
        """Raise RecipeError naming effect, parameter, value and range for the first wrong parameter."""
        for name, value in values.items():
            if name not in self.parameters:
                raise RecipeError(unknown_name(f"parameter of effect {self.name!r}", name, self.parameters))
            if not self.parameters[name].admits(value):
                raise RecipeError(f"effect {self.name!r}: {name} = {value!r} is not {self.parameters[name]}")
        if missing := self.required - set(values):
            raise RecipeError(f"effect {self.name!r} needs {', '.join(sorted(missing))}")

    def apply(
        self,
        pixels: Pixels,
        values: Mapping[str, Value],
        *,
        text_height: float,
        rng: np.random.Generator,
        fields: Fields | None = None,
        layout: Layout | None = None,
    ) -> Change:
        """Return what the effect does to RGB pixels; the input is not touched.

        ``layout`` is the page by which things are placed, the page itself unless given.

        Raises NoPlaceError where an effect needs the place of a field that ``fields`` does not have.
        """
        given: dict[str, Any] = {
            "text_height": text_height,
            "rng": rng,
            "fields": fields or {},
            "layout": layout or Layout(pixels=pixels, fields=fields or {}),
        }
        result = self.function(pixels, **values, **{name: given[name] for name in self.given})
        return result if isinstance(result, Change) else Change(pixels=result)


def effect(*, moves: bool = False, prints: bool = False, version: int = 1) -> Callable[[_F], _F]:
    """Register a function as an effect under its own name.

    ``moves`` says that points of the page move; ``prints``, that it adds or changes print, and takes none.
    """

    def register(function: _F) -> _F:
        signature = inspect.signature(function).parameters
        hints = get_type_hints(function, include_extras=True)
        names = [name for name in signature if name not in _GIVEN]
        _REGISTRY[function.__name__] = Effect(
            name=function.__name__,
            function=function,
            parameters={name: _parameter(function.__name__, name, hints[name]) for name in names},
            required=frozenset(name for name in names if signature[name].default is inspect.Parameter.empty),
            given=frozenset(signature) & frozenset(_GIVEN[1:]),
            moves=moves,
            prints=prints,
            version=version,
        )
        return function

    return register


def _parameter(effect_name: str, name: str, hint: Any) -> Parameter:
    if get_origin(hint) is Literal:
        return Choice(tuple(get_args(hint)))
    for extra in getattr(hint, "__metadata__", ()):
        if isinstance(extra, Strength | Text | FieldName):
            return extra
    raise TypeError(
        f"effect {effect_name!r}: {name} must be annotated with a Strength, Text, FieldName or Literal"
    )


def known_effects() -> dict[str, Effect]:
    """Return every effect by name, in alphabetical order."""
    for cause in _CAUSES:
        import_module(f"robustocr.effects.{cause}")
    return dict(sorted(_REGISTRY.items()))


def find_effect(name: str) -> Effect:
    """Return one effect. Raises RecipeError with the known names for an unknown one."""
    effects = known_effects()
    if name not in effects:
        raise RecipeError(unknown_name("effect", name, effects))
    return effects[name]
