import numpy as np
import pytest

from robustocr.effects.registry import Choice, FieldName, Strength, Text, effect, find_effect, known_effects
from robustocr.errors import RecipeError
from robustocr.fields import make_fields


def test_effects_are_named_described_and_typed():
    effects = known_effects()
    assert set(effects) >= {
        "defocus", "motion_blur", "gaussian_blur", "tilt", "perspective", "glare", "cast_shadow", "low_light",
        "thermal_fade", "crumple", "occlusion", "finger", "stain", "downscale", "jpeg", "messenger",
    }  # fmt: skip
    assert list(effects) == sorted(effects)
    for name, entry in effects.items():
        assert entry.name == name == entry.function.__name__
        assert entry.function.__doc__
        assert entry.parameters or entry.moves
        assert not name.startswith("random")


@pytest.mark.parametrize("name", sorted(set(known_effects()) - {"wrong_total"}))
def test_lowest_strengths_give_a_page(name):
    entry = find_effect(name)
    values = {key: lowest(kind) for key, kind in entry.parameters.items()}
    entry.check(values)
    fields = make_fields({"total": [(10.0, 20.0, 50.0, 32.0)]})
    page = np.full((80, 60, 3), 200, dtype=np.uint8)
    change = entry.apply(page, values, text_height=12.0, rng=np.random.default_rng(0), fields=fields)
    assert change.pixels.dtype == np.uint8
    assert np.all(page == 200)
    assert (change.move is not None) == entry.moves


def lowest(kind):
    if isinstance(kind, Choice):
        return kind.names[0]
    if isinstance(kind, FieldName):
        return "total"
    return "PAID" if isinstance(kind, Text) else kind.low


def test_ranges():
    whole = Strength(1, 9, "things", whole=True)
    assert [whole.admits(value) for value in (1, 9, 2.0, 0, 10, 2.5, "2", True, None)] == [True] * 3 + [
        False
    ] * 6
    assert str(whole) == "a whole number 1 to 9 things"
    assert str(Choice(("a", "b"))) == "one of a, b"


def test_unknown_effect():
    with pytest.raises(RecipeError, match=r"unknown effect 'tlit'. Did you mean 'tilt'.*Known: .*defocus"):
        find_effect("tlit")


def test_a_parameter_without_a_range_is_a_mistake_of_the_author():
    with pytest.raises(TypeError, match="effect 'loose': size must be annotated"):

        @effect()
        def loose(pixels, *, size: float):
            return pixels


def test_defaults_make_a_parameter_optional():
    entry = find_effect("stain")
    assert entry.required == {"share", "radius", "density"}
    with pytest.raises(RecipeError, match="effect 'stain' needs density"):
        entry.check({"radius": 3, "share": 0.1})
    assert entry.random
    assert not find_effect("defocus").random
    assert entry.parameters["kind"] == Choice(("coffee", "grease", "drawn"))
