"""JSON schemas of recipes and suites, for editors: what ``recipe_files`` accepts, drawn from the effects.

Draft 7, which the language servers for YAML know best. Two things a schema cannot see are left to the
parser: that ``name`` is the file's own name, and that ``changes_frame`` is true to the steps.
"""

from __future__ import annotations

import inspect
import json
from typing import Any, Literal

from robustocr.effects import foreign
from robustocr.effects.registry import Choice, Effect, FieldName, Parameter, Strength, Text, known_effects
from robustocr.recipe_files import INCLUDED_SEVERITY, STEP_KINDS, RecipeFile, SuiteFile, bundled_names
from robustocr.recipes import FAMILIES, SEVERITIES
from robustocr.records import LIST_FIELDS, SINGLE_FIELDS, Adjustment, Item, Record, Tax

SchemaKind = Literal["recipe", "suite"]
SCHEMA_KINDS: tuple[SchemaKind, ...] = ("recipe", "suite")

Schema = dict[str, Any]

_DRAFT = "http://json-schema.org/draft-07/schema#"
_LADDER = {"minItems": len(SEVERITIES), "maxItems": len(SEVERITIES)}


def schema_text(kind: SchemaKind) -> str:
    """Return a schema as the text of its file: JSON, indented, with a line end."""
    schema = recipe_schema() if kind == "recipe" else suite_schema()
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def recipe_schema() -> Schema:
    """Return the JSON schema of a recipe: every effect with its strengths, their ranges and units."""
    effects = known_effects()
    return {
        "$schema": _DRAFT,
        "title": "A corruption of robustocr",
        "type": "object",
        "additionalProperties": False,
        "required": _required(RecipeFile),
        "properties": {
            "name": _text("The file's own name, without .yaml"),
            "description": {**_text("What happens, physically, in a sentence"), "minLength": 1},
            "source": {**_text("Where the physics is described"), "type": ["string", "null"]},
            "family": {
                "description": "What it is grouped with; follows from the first effect by default",
                "enum": [*FAMILIES, None],
            },
            "degrades": {"type": "boolean", "description": "Whether higher severities leave less to read"},
            "nominal": {
                "description": "What it changes when it does not degrade",
                "enum": ["orientation", "paper", "content", None],
            },
            "changes_frame": {"type": "boolean", "description": "Whether a step moves points of the page"},
            "steps": {
                "type": "array",
                "minItems": 1,
                "description": "What happens, one after the other",
                "items": {"$ref": "#/definitions/step"},
            },
        },
        "definitions": {
            "step": _step(effects),
            "inclusion": _inclusion(),
            **{f"effect.{name}": _effect(effect) for name, effect in effects.items()},
        },
    }


def suite_schema() -> Schema:
    """Return the JSON schema of a suite."""
    return {
        "$schema": _DRAFT,
        "title": "A suite of robustocr",
        "type": "object",
        "additionalProperties": False,
        "required": _required(SuiteFile),
        "properties": {
            "name": _text("The file's own name, without .yaml"),
            "description": {**_text("What the suite stands for, in a sentence"), "minLength": 1},
            "corruptions": {"type": "array", "minItems": 1, "items": _corruption_name()},
            "severities": {
                "type": "array",
                "minItems": 1,
                "items": {"type": "integer", "minimum": SEVERITIES[0], "maximum": SEVERITIES[-1]},
            },
        },
    }


def _required(model: type[RecipeFile | SuiteFile]) -> list[str]:
    return [name for name, key in model.model_fields.items() if key.is_required()]


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _step(effects: dict[str, Effect]) -> Schema:
    """Return the schema of a step; what it may hold besides follows from the effect that it names."""
    by_effect = [
        {
            "if": {"required": ["effect"], "properties": {"effect": {"const": name}}},
            "then": {"$ref": f"#/definitions/effect.{name}"},
        }
        for name in effects
    ]
    return {
        "type": "object",
        "oneOf": [{"required": [kind]} for kind in STEP_KINDS],
        "properties": {
            "effect": {"description": "An effect of robustocr", "enum": list(effects)},
            "albumentations": {
                "description": "A transform of albumentations; its parameters are further keys of the step",
                "enum": list(foreign.known_transforms()),
            },
            "corruption": _corruption_name(),
        },
        "allOf": [
            *by_effect,
            {"if": {"required": ["corruption"]}, "then": {"$ref": "#/definitions/inclusion"}},
        ],
    }


def _inclusion() -> Schema:
    severity = _parameter(INCLUDED_SEVERITY)
    severity["description"] = "Its severity, once or for severities 1 to 5; the same by default"
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {"corruption": _corruption_name(), "severity": severity},
    }


def _corruption_name() -> Schema:
    return {
        "description": "A bundled corruption, or the path of another recipe from this file's folder",
        "anyOf": [
            {"enum": list(bundled_names("corruption"))},
            {"type": "string", "pattern": r"[^/\\]\.ya?ml$"},
        ],
    }


def _effect(effect: Effect) -> Schema:
    signature = inspect.signature(effect.function).parameters
    properties: Schema = {"effect": {"const": effect.name}}
    for name, parameter in effect.parameters.items():
        properties[name] = _parameter(parameter)
        if name not in effect.required and signature[name].default is not None:
            properties[name]["default"] = signature[name].default
    return {
        "type": "object",
        "description": (effect.function.__doc__ or "").strip().splitlines()[0],
        "additionalProperties": False,
        "required": ["effect", *(name for name in effect.parameters if name in effect.required)],
        "properties": properties,
    }


def _parameter(parameter: Parameter) -> Schema:
    """Return the schema of a parameter: one value, or a ladder of five."""
    one = _value(parameter)
    about = str(parameter)
    return {
        "description": f"{about[0].upper()}{about[1:]}; once, or for severities 1 to 5",
        "anyOf": [one, {"type": "array", "items": one, **_LADDER}],
    }


def _value(parameter: Parameter) -> Schema:
    match parameter:
        case Strength(low, high, _, whole):
            return {"type": "integer" if whole else "number", "minimum": low, "maximum": high}
        case Choice(names):
            return {"enum": list(names)}
        case Text(longest):
            return {"type": "string", "maxLength": longest, "pattern": r"^(?=.*\S)[^\x00-\x1f\x7f-\xa0]*$"}
        case FieldName():
            return {"type": "string", "pattern": f"^({_field_paths()})$"}


def _field_paths() -> str:
    """Return a pattern of the paths of fields: ``total``, ``items``, ``items[2].amount``."""
    entries: dict[str, type[Record]] = {"items": Item, "taxes": Tax}
    lists = [
        rf"{name}(\[\d+\](\.({'|'.join(entries.get(name, Adjustment).model_fields)}))?)?"
        for name in LIST_FIELDS
    ]
    return "|".join([*SINGLE_FIELDS, *lists])
