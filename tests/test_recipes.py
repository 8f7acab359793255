import pytest
import yaml

from robustocr.corruptions import corrupt, load_corruption, load_suite
from robustocr.errors import RecipeError
from robustocr.recipes import SEVERITIES
from tests.corruption_page import TEXT_HEIGHT, text_page

GOOD = {
    "name": "mine",
    "description": "A lens out of focus.",
    "degrades": True,
    "changes_frame": False,
    "steps": [{"effect": "defocus", "radius": [0.1, 0.2, 0.3, 0.4, 0.5]}, {"effect": "jpeg", "quality": 40}],
}


def written(tmp_path, stem="mine", **changes):
    path = tmp_path / f"{stem}.yaml"
    path.write_text(yaml.safe_dump({**GOOD, **changes}))
    return path


def refused(path):
    with pytest.raises(RecipeError) as caught:
        load_corruption(path)
    message = str(caught.value)
    assert str(path) in message
    return message


def test_a_users_own_recipe(tmp_path):
    corruption = load_corruption(written(tmp_path))
    assert corruption.name == "mine"
    assert corruption.strength(2) == {"defocus.radius": 0.2, "jpeg.quality": 40}
    assert corruption.strength(0) == {}
    assert load_corruption(str(tmp_path / "mine.yaml")) == corruption
    assert corrupt(text_page(), corruption, 3, seed=0, sample_id="s").pixels.shape == (360, 300, 3)


def test_an_effect_that_comes_twice_keeps_both_strengths(tmp_path):
    steps = [{"effect": "jpeg", "quality": 40}, {"effect": "jpeg", "quality": 20}]
    assert load_corruption(written(tmp_path, steps=steps)).strength(1) == {
        "jpeg.quality": 40,
        "jpeg#2.quality": 20,
    }


def test_hash_is_of_the_meaning(tmp_path):
    hashes = [
        load_corruption(written(tmp_path, **changes)).recipe_hash
        for changes in (
            {},
            {"description": "Other words.", "source": "A book"},
            {"steps": GOOD["steps"][:1]},
            {"steps": [{"effect": "defocus", "radius": [0.1, 0.2, 0.3, 0.4, 0.6]}, GOOD["steps"][1]]},
        )
    ]
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 3
    assert len(hashes[0]) == 64


def test_unknown_effect(tmp_path):
    message = refused(written(tmp_path, steps=[{"effect": "defocuss", "radius": 0.1}]))
    assert "steps[0]: unknown effect 'defocuss'. Did you mean 'defocus'" in message
    assert "thermal_fade" in message


def test_unknown_parameter(tmp_path):
    message = refused(written(tmp_path, steps=[{"effect": "defocus", "sigma": 0.1}]))
    assert "unknown parameter of effect 'defocus' 'sigma'" in message
    assert "Known: radius" in message


def test_value_out_of_range_at_one_severity(tmp_path):
    message = refused(written(tmp_path, steps=[{"effect": "defocus", "radius": [0, 0.1, 0.2, 0.3, 9]}]))
    assert "effect 'defocus': radius = 9 is not 0 to 4 text heights" in message


@pytest.mark.parametrize("value", ["much", True, None, [0.1, 0.2], {"a": 1}, float("nan")])
def test_value_of_a_wrong_type(tmp_path, value):
    message = refused(written(tmp_path, steps=[{"effect": "defocus", "radius": value}]))
    assert "defocus" in message
    assert "0 to 4 text heights" in message


def test_whole_numbers_and_choices(tmp_path):
    assert "a whole number 1 to 100 JPEG quality" in refused(
        written(tmp_path, steps=[{"effect": "jpeg", "quality": 30.5}])
    )
    assert "around = 'floor' is not one of table, scanner" in refused(
        written(tmp_path, steps=[{"effect": "tilt", "angle": 3, "around": "floor"}])
    )


def test_missing_parameter(tmp_path):
    assert "effect 'defocus' needs radius" in refused(written(tmp_path, steps=[{"effect": "defocus"}]))


def test_missing_and_unknown_keys(tmp_path):
    assert "degrades" in refused(written(tmp_path, degrades=None))
    message = refused(written(tmp_path, colour="red"))
    assert "colour" in message
    assert "Known keys: name, description" in message
    assert "steps" in refused(written(tmp_path, steps=[]))
    for step in ({"radius": 1}, {"effect": "jpeg", "albumentations": "ISONoise"}, {"effect": None}):
        message = refused(written(tmp_path, steps=[step]))
        assert (
            "'effect: NAME', 'albumentations: NAME' and 'corruption: NAME'" in message
            or "not a name" in message
        )
    assert "orientation" in refused(written(tmp_path, nominal="size"))


def test_name_is_the_stem(tmp_path):
    assert "must be the file's own name, 'other'" in refused(written(tmp_path, stem="other"))


def test_changes_frame_must_be_true_to_the_steps(tmp_path):
    assert "write changes_frame: false" in refused(written(tmp_path, changes_frame=True))
    steps = [{"effect": "tilt", "angle": 4}]
    assert "write changes_frame: true" in refused(written(tmp_path, steps=steps))


@pytest.mark.parametrize("text", ["- 1", "name: [", "3"])
def test_files_that_are_no_recipe(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    assert "mine.yaml" in refused(path)


def test_missing_file(tmp_path):
    assert "absent.yaml" in refused(tmp_path / "absent.yaml")


def test_suites(tmp_path):
    path = tmp_path / "mine.yaml"
    suite = {"name": "mine", "description": "Two.", "corruptions": ["tilt", "stain"], "severities": [2, 4]}
    path.write_text(yaml.safe_dump(suite))
    assert load_suite(path).severities == (2, 4)
    path.write_text(yaml.safe_dump({**suite, "severities": [7]}))
    with pytest.raises(RecipeError, match=r"severities.0"):
        load_suite(path)
    path.write_text(yaml.safe_dump({**suite, "corruptions": ["tild"]}))
    with pytest.raises(RecipeError, match=r"unknown corruption 'tild'. Did you mean 'tilt'"):
        load_suite(path)


def test_strengths_outside_of_the_ladder(tmp_path):
    corruption = load_corruption("tilt")
    assert [corruption.strength(at)["tilt.angle"] for at in SEVERITIES] == sorted(
        corruption.steps[0].ladders["angle"]
    )
    with pytest.raises(RecipeError, match=r"severity 6"):
        corruption.strength(6)


def test_a_pickled_corruption_is_the_same():
    import pickle

    corruption = load_corruption("glare")
    again = pickle.loads(pickle.dumps(corruption))
    assert again == corruption
    assert again.recipe_hash == corruption.recipe_hash
    assert corrupt(text_page(), again, 1, seed=0, sample_id="s", text_height=TEXT_HEIGHT).pixels.any()
