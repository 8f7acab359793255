import json

import jsonschema
import pytest
import yaml

from robustocr.assets import asset
from robustocr.corruptions import list_corruptions, list_suites, load_suite
from robustocr.effects.registry import Choice, FieldName, Strength, Text, known_effects
from robustocr.errors import RecipeError
from robustocr.fields import is_field_path
from robustocr.recipe_files import read_corruption
from robustocr.recipe_schema import SCHEMA_KINDS, recipe_schema, schema_text, suite_schema

FOLDER = asset("corruptions")
GOOD = {
    "name": "mine",
    "description": "A lens out of focus.",
    "degrades": True,
    "changes_frame": False,
    "steps": [{"effect": "defocus", "radius": [0.1, 0.2, 0.3, 0.4, 0.5]}],
}
SUITE = {"name": "mine", "description": "Two.", "corruptions": ["tilt", "stain"], "severities": [2, 4]}


@pytest.fixture(scope="module")
def validator():
    schema = recipe_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


@pytest.fixture(scope="module")
def suite_validator():
    schema = suite_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def parses(folder, data):
    path = folder / "mine.yaml"
    path.write_text(yaml.safe_dump(data))
    try:
        read_corruption(path)
    except RecipeError as error:
        return "changes_frame is" in str(error)
    return True


def suite_parses(folder, data):
    path = folder / "mine.yaml"
    path.write_text(yaml.safe_dump(data))
    try:
        load_suite(path)
    except RecipeError:
        return False
    return True


@pytest.mark.parametrize("kind", SCHEMA_KINDS)
def test_the_bundled_schemas_are_those_of_the_effects_as_they_are(kind):
    path = {"recipe": FOLDER / "schema.json", "suite": FOLDER / "suites" / "schema.json"}[kind]
    assert path.read_text() == schema_text(kind), "run: python docs/make_gallery.py"


@pytest.mark.parametrize("name", list_corruptions())
def test_bundled_recipes_are_valid(validator, name):
    assert not list(validator.iter_errors(yaml.safe_load((FOLDER / f"{name}.yaml").read_text())))


@pytest.mark.parametrize("name", list_suites())
def test_bundled_suites_are_valid(suite_validator, name):
    path = FOLDER / "suites" / f"{name}.yaml"
    assert not list(suite_validator.iter_errors(yaml.safe_load(path.read_text())))


def step(**keys):
    return {"steps": [keys]}


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"source": "A book"},
        {"source": None, "nominal": None, "family": None},
        {"nominal": "paper", "degrades": False, "family": "paper and ink"},
        step(effect="defocus", radius=1),
        step(effect="jpeg", quality=30.0),
        step(effect="tilt", angle=3, around="scanner"),
        step(albumentations="ISONoise", intensity=[0.2, 0.4]),
        step(corruption="defocus"),
        step(corruption="defocus", severity=2),
        step(corruption="defocus", severity=[1, 1, 2, 2, 3]),
    ],
)
def test_both_accept(validator, tmp_path, change):
    validator.validate(GOOD | change)
    assert parses(tmp_path, GOOD | change)


@pytest.mark.parametrize(
    "change",
    [
        {"colour": "red"},
        {"description": ""},
        {"description": 3},
        {"name": None},
        {"degrades": None},
        {"degrades": "yes"},
        {"degrades": 1},
        {"changes_frame": 0},
        {"nominal": "size"},
        {"family": "magic"},
        {"source": 7},
        {"steps": []},
        {"steps": None},
        {"steps": {"effect": "defocus", "radius": 1}},
        {"steps": ["defocus"]},
        step(radius=1),
        step(effect=None, radius=1),
        step(effect="defocus"),
        step(effect="defocuss", radius=1),
        step(effect="defocus", sigma=1),
        step(effect="defocus", radius=1, blades=5),
        step(effect="defocus", radius=9),
        step(effect="defocus", radius=-0.1),
        step(effect="defocus", radius="1"),
        step(effect="defocus", radius=True),
        step(effect="defocus", radius=None),
        step(effect="defocus", radius=[0.1, 0.2, 0.3, 0.4]),
        step(effect="defocus", radius=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
        step(effect="defocus", radius=[0.1, 0.2, 0.3, 0.4, 50]),
        step(effect="defocus", radius=[0.1, 0.2, 0.3, 0.4, "0.5"]),
        step(effect="jpeg", quality=30.5),
        step(effect="tilt", angle=3, around="floor"),
        step(effect="defocus", radius=1, albumentations="ISONoise"),
        step(albumentations="ISONoize"),
        step(albumentations="RandomGridShuffle"),
        step(corruption="defocuss"),
        step(corruption=["defocus"]),
        step(corruption="defocus", radius=1),
        step(corruption="defocus", severity=0),
        step(corruption="defocus", severity=[1, 2, 3]),
        step(corruption="defocus", severity=[1, 2, 3, 4, 6]),
        step(corruption="defocus", severity="high"),
        step(corruption="defocus", effect="jpeg", quality=30),
    ],
)
def test_both_refuse(validator, tmp_path, change):
    assert not validator.is_valid(GOOD | change)
    assert not parses(tmp_path, GOOD | change)


@pytest.mark.parametrize("key", ["name", "description", "degrades", "changes_frame", "steps"])
def test_both_ask_for_what_is_needed(validator, tmp_path, key):
    data = {name: value for name, value in GOOD.items() if name != key}
    assert not validator.is_valid(data)
    assert not parses(tmp_path, data)


def values_to_try(parameter):
    match parameter:
        case Strength(low, high, _, whole):
            middle = (low + high) // 2 if whole else (low + high) / 2
            gap = 1 if whole else 0.01 * max(high - low, 1)
            return [low, high, middle, low - gap, high + gap, middle + 0.5, [middle] * 5]
        case Choice(names):
            return [*names, "no such name", [names[0]] * 5]
        case FieldName():
            return ["total", "items[0].amount", "items[0].amont", "total[0]", "totl", "", ["total"] * 5]
        case Text(longest):
            return ["words", "x" * longest, "x" * (longest + 1), "", " ", "two\nlines", ["words"] * 5]


@pytest.mark.parametrize("name", sorted(known_effects()))
def test_schema_and_parser_agree_about_every_parameter_of_every_effect(validator, tmp_path, name):
    effect = known_effects()[name]
    plain = {key: values_to_try(parameter)[0] for key, parameter in effect.parameters.items()}
    assert validator.is_valid(GOOD | step(effect=name, **plain))
    assert parses(tmp_path, GOOD | step(effect=name, **plain))
    for key, parameter in effect.parameters.items():
        good = plain[key]
        for value in (*values_to_try(parameter), None, True, {}, [good] * 4, [good] * 6, [good] * 4 + [None]):
            data = GOOD | step(effect=name, **{**plain, key: value})
            assert validator.is_valid(data) == parses(tmp_path, data), (key, value)
        missing = {other: plain[other] for other in plain if other != key}
        data = GOOD | step(effect=name, **missing)
        assert validator.is_valid(data) == parses(tmp_path, data) == (key not in effect.required)


def test_editors_are_told_ranges_units_and_defaults():
    schema = recipe_schema()
    defocus = schema["definitions"]["effect.defocus"]
    assert "disc" in defocus["description"]
    assert "0 to 4 text heights" in defocus["properties"]["radius"]["description"]
    assert defocus["required"] == ["effect", "radius"]
    perspective = schema["definitions"]["effect.perspective"]["properties"]
    assert perspective["around"]["default"] == "table"
    names = schema["definitions"]["step"]["properties"]["effect"]["enum"]
    assert names == list(known_effects())


def test_a_wrong_value_is_named_by_the_schema(validator):
    (error,) = validator.iter_errors(GOOD | step(effect="defocus", radius=9))
    assert list(error.absolute_path) == ["steps", 0, "radius"]


def test_paths_of_fields_in_the_schema_are_those_of_fields():
    schema = recipe_schema()["definitions"]
    patterns = [
        schema[f"effect.{effect.name}"]["properties"][key]["anyOf"][0]["pattern"]
        for effect in known_effects().values()
        for key, parameter in effect.parameters.items()
        if isinstance(parameter, FieldName)
    ]
    for pattern in patterns:
        for path in (
            "total",
            "vat_id",
            "items",
            "items[12].unit_price",
            "taxes[1].rate",
            "items[x]",
            "lines",
        ):
            assert jsonschema.Draft7Validator({"pattern": pattern}).is_valid(path) == is_field_path(path)


@pytest.mark.parametrize(
    ("change", "good"),
    [
        ({}, True),
        ({"severities": [1, 2, 3, 4, 5]}, True),
        ({"severities": [3.0]}, True),
        ({"corruptions": ["./own.yaml"]}, True),
        ({"severities": []}, False),
        ({"severities": [0]}, False),
        ({"severities": [6]}, False),
        ({"severities": [2.5]}, False),
        ({"severities": ["3"]}, False),
        ({"severities": [True]}, False),
        ({"severities": [None]}, False),
        ({"severities": 3}, False),
        ({"corruptions": []}, False),
        ({"corruptions": ["tild"]}, False),
        ({"corruptions": "tilt"}, False),
        ({"description": ""}, False),
        ({"colour": "red"}, False),
        ({"name": None}, False),
    ],
)
def test_suites_are_judged_alike(suite_validator, tmp_path, change, good):
    assert suite_validator.is_valid(SUITE | change) == good
    assert suite_parses(tmp_path, SUITE | change) == good


def test_schemas_are_json():
    for kind in SCHEMA_KINDS:
        assert json.loads(schema_text(kind))["$schema"].endswith("draft-07/schema#")
