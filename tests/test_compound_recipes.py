from itertools import pairwise

import numpy as np
import pytest
import yaml

from robustocr.corruptions import corrupt, list_corruptions, load_corruption
from robustocr.effects.registry import known_effects
from robustocr.errors import RecipeError
from robustocr.recipe_files import FAMILY_OF_CAUSE
from robustocr.recipes import FAMILIES, SEVERITIES, Inclusion, dump_corruption, parse_corruption
from tests.corruption_page import TEXT_HEIGHT, text_page

COMPOUND = ("hurried_photo", "old_receipt")


def written(folder, stem, steps, **changes):
    path = folder / f"{stem}.yaml"
    data = {"name": stem, "description": "Mine.", "degrades": True, "changes_frame": False, "steps": steps}
    path.write_text(yaml.safe_dump(data | changes))
    return path


def refused(path):
    with pytest.raises(RecipeError) as caught:
        load_corruption(path)
    return str(caught.value)


def test_an_included_corruption_gives_its_steps_at_its_own_severities(tmp_path):
    steps = [
        {"corruption": "defocus", "severity": [1, 1, 2, 2, 5]},
        {"effect": "jpeg", "quality": 40},
        {"corruption": "stain", "severity": 2},
        {"corruption": "thermal_fade"},
        {"albumentations": "ISONoise", "intensity": [0.2, 0.4]},
    ]
    mine = load_corruption(written(tmp_path, "mine", steps))
    radius = [load_corruption("defocus").strength(at)["defocus.radius"] for at in SEVERITIES]
    assert [mine.strength(at)["defocus.radius"] for at in SEVERITIES] == [
        radius[i - 1] for i in (1, 1, 2, 2, 5)
    ]
    for at in SEVERITIES:
        assert load_corruption("stain").strength(2).items() <= mine.strength(at).items()
        assert load_corruption("thermal_fade").strength(at).items() <= mine.strength(at).items()
    names = [step.name for step in mine.steps]
    assert names == ["defocus", "jpeg", *_names("stain"), *_names("thermal_fade"), "ISONoise"]
    assert mine.includes == (
        Inclusion(name="defocus", severities=(1, 1, 2, 2, 5)),
        Inclusion(name="stain", severities=(2, 2, 2, 2, 2)),
        Inclusion(name="thermal_fade", severities=(1, 2, 3, 4, 5)),
    )
    assert mine.steps[0].varying == {"radius"}
    assert not mine.steps[2].varying
    assert parse_corruption(dump_corruption(mine)) == mine


def _names(corruption):
    return [step.name for step in load_corruption(corruption).steps]


def test_an_included_step_has_its_own_random_stream(tmp_path):
    written(tmp_path, "spot", [{"albumentations": "CoarseDropout", "num_holes_range": [1, 1]}])
    once, twice = (
        load_corruption(written(tmp_path, "spots", [{"corruption": "spot.yaml"}] * count)) for count in (1, 2)
    )
    page = np.full((600, 400, 3), 235, np.uint8)
    first, both = (
        corrupt(page, spots, 3, seed=1, sample_id="s", text_height=TEXT_HEIGHT).pixels[..., 0] == 0
        for spots in (once, twice)
    )
    assert both[first].all()
    assert both.sum() > 1.3 * first.sum() > 0


def test_users_own_files_include_each_other_by_path_from_their_own_folder(tmp_path):
    inner = tmp_path / "parts"
    inner.mkdir()
    written(inner, "soft", [{"effect": "defocus", "radius": [0.1, 0.2, 0.3, 0.4, 0.5]}])
    written(inner, "middle", [{"corruption": "soft.yaml", "severity": [2, 2, 3, 3, 4]}])
    outer = load_corruption(written(tmp_path, "outer", [{"corruption": "parts/middle.yaml", "severity": 5}]))
    assert outer.strength(1) == {"defocus.radius": 0.4}
    assert outer.family == "compound"


def test_the_hash_follows_what_is_included(tmp_path):
    part = [{"effect": "defocus", "radius": [0.1, 0.2, 0.3, 0.4, 0.5]}]
    written(tmp_path, "part", part)
    path = written(tmp_path, "whole", [{"corruption": "part.yaml"}])
    before = load_corruption(path).recipe_hash
    assert before == load_corruption(written(tmp_path, "whole", part)).recipe_hash
    written(tmp_path, "whole", [{"corruption": "part.yaml"}])
    written(tmp_path, "part", [{"effect": "defocus", "radius": 0.3}])
    assert load_corruption(path).recipe_hash != before


def test_a_corruption_that_is_a_part_of_itself_is_refused_with_the_way_round(tmp_path):
    written(tmp_path, "a", [{"corruption": "b.yaml"}])
    written(tmp_path, "b", [{"corruption": "c.yaml"}])
    c = written(tmp_path, "c", [{"corruption": "a.yaml"}])
    assert "a part of itself: c -> a -> b -> c" in refused(c)
    alone = written(tmp_path, "alone", [{"corruption": "../" + tmp_path.name + "/alone.yaml"}])
    assert "a part of itself: alone -> alone" in refused(alone)


def test_the_same_part_twice_is_no_cycle(tmp_path):
    written(tmp_path, "part", [{"effect": "defocus", "radius": 0.1}])
    path = written(tmp_path, "whole", [{"corruption": "part.yaml"}, {"corruption": "part.yaml"}])
    assert len(load_corruption(path).steps) == 2


@pytest.mark.parametrize(
    ("step", "named"),
    [
        ({"corruption": "defocuss"}, r"steps[0]: unknown corruption 'defocuss'. Did you mean 'defocus'"),
        ({"corruption": "defocus", "radius": 2}, "steps[0]: unknown key 'radius'"),
        ({"corruption": "defocus", "severity": 0}, "severity = 0 is not a whole number 1 to 5"),
        ({"corruption": "defocus", "severity": [1, 2, 3, 4, 6]}, "severity = [1, 2, 3, 4, 6] is not"),
        ({"corruption": "defocus", "severity": [1, 2, 3]}, "severity = [1, 2, 3] is not"),
        ({"corruption": "defocus", "severity": "high"}, "severity = 'high' is not"),
        ({"corruption": "defocus", "effect": "jpeg"}, "exactly one of"),
        ({"corruption": ["defocus"]}, "corruption = ['defocus'] is not a name"),
        ({"corruption": "absent.yaml"}, "absent.yaml: cannot be read"),
    ],
)
def test_wrong_inclusions_are_refused_with_their_step(tmp_path, step, named):
    assert named in refused(written(tmp_path, "mine", [step]))


def test_what_is_included_counts_for_changes_frame(tmp_path):
    path = written(tmp_path, "mine", [{"corruption": "tilt"}])
    assert "write changes_frame: true" in refused(path)


@pytest.mark.parametrize("name", COMPOUND)
def test_bundled_compounds_get_worse_and_carry_boxes(name):
    corruption = load_corruption(name)
    assert len(corruption.includes or corruption.steps) >= 3
    assert corruption.family == "compound"
    page = text_page()
    made = [
        corrupt(
            page,
            corruption,
            at,
            seed=3,
            sample_id="s",
            text_height=TEXT_HEIGHT,
            boxes={"total": ((100, 100, 200, 130),)},
        )
        for at in (1, 5)
    ]
    assert all(len(result.boxes["total"][0]) == 8 for result in made)
    ladders = [inclusion.severities for inclusion in corruption.includes]
    assert all(list(ladder) == sorted(ladder) for ladder in ladders)
    strengths = [corruption.strength(severity) for severity in (1, 2, 3, 4, 5)]
    assert all(worse != better for better, worse in pairwise(strengths))


def test_families_follow_from_the_first_effect_or_are_named(tmp_path):
    optics = [{"effect": "defocus", "radius": 0.1}]
    assert load_corruption(written(tmp_path, "a", optics)).family == "optics"
    assert load_corruption(written(tmp_path, "b", optics, family="light")).family == "light"
    assert load_corruption(written(tmp_path, "c", [{"albumentations": "ISONoise"}])).family == "other"
    assert "family" in refused(written(tmp_path, "d", optics, family="magic"))


def test_every_bundled_corruption_has_a_family():
    families = {name: load_corruption(name).family for name in list_corruptions()}
    assert set(families.values()) <= set(FAMILIES) - {"other"}, families
    causes = {effect.function.__module__.rpartition(".")[2] for effect in known_effects().values()}
    assert causes <= set(FAMILY_OF_CAUSE)
