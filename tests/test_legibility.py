"""What a corruption leaves readable, measured on a receipt of the bundled sample."""

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
import pytest

from robustocr.boxes import shift_box
from robustocr.corruptions import load_corruption
from robustocr.fields import PrintedField, make_fields
from robustocr.images import load_image
from robustocr.legibility import LEGIBLE, corrupt_measured, legibility_of
from robustocr.legibility_probe import prepare
from robustocr.loaders.registry import load
from robustocr.occlusion import occlude
from robustocr.pictures import field_boxes, field_texts, is_scored
from robustocr.recipes import Corruption, Step
from robustocr.text_height import estimate_text_height

SAMPLE = 5


def recipe(effect, **ladders):
    """A corruption of one effect; lists are ladders, other values are the same at every severity."""
    varying = frozenset(name for name, value in ladders.items() if isinstance(value, list))
    steps = {name: tuple(value) if name in varying else (value,) * 5 for name, value in ladders.items()}
    step = Step(name=effect, is_foreign=False, ladders=steps, varying=varying)
    return Corruption(
        name=effect, description="tried here", source=None, degrades=True, nominal=None,
        changes_frame=step.moves, steps=(step,),
    )  # fmt: skip


@lru_cache(maxsize=4)
def page(scale=1.0):
    sample = load("sample").samples[SAMPLE]
    pixels = load_image(sample.image)
    boxes = {path: places for path, places in field_boxes(sample).items() if is_scored(path)}
    texts = field_texts(sample, boxes)
    if scale != 1.0:
        pixels = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        boxes = {path: [tuple(v * scale for v in box) for box in places] for path, places in boxes.items()}
    fields = make_fields(boxes, texts)
    height = estimate_text_height(pixels)
    return pixels, fields, height, prepare(pixels, fields, height)


def legibility(corruption, severity, *, scale=1.0, seed=0, target=None):
    pixels, fields, height, probe = page(scale)
    _, found = corrupt_measured(
        pixels, fields, corruption, severity,
        seed=seed, sample_id="s", text_height=height, target=target, probe=probe,
    )  # fmt: skip
    return {path: max(values) for path, values in found.items()}


def mean(corruption, severity, **more):
    return float(np.mean(list(legibility(corruption, severity, **more).values())))


LADDERS = {
    "gaussian_blur": recipe("gaussian_blur", sigma=[0.02, 0.10, 0.18, 0.28, 0.60]),
    "defocus": recipe("defocus", radius=[0.04, 0.15, 0.22, 0.32, 0.60]),
    "low_light": recipe("low_light", stops=[2, 6, 8, 9, 12]),
    "jpeg": recipe("jpeg", quality=[95, 15, 7, 4, 1]),
    "downscale": recipe("downscale", text_pixels=[16, 9, 7, 5, 3]),
    "thermal_fade": recipe("thermal_fade", loss=[0.1, 0.7, 0.9, 0.96, 1.0], unevenness=0.0),
}


@pytest.mark.parametrize("name", LADDERS)
def test_falls_steadily_from_plain_to_nothing(name):
    means = [mean(LADDERS[name], severity) for severity in (1, 2, 3, 4, 5)]
    assert means[0] > 0.95
    assert all(after < before + 0.01 for before, after in pairwise(means)), means
    floor = 0.15 if name != "jpeg" else 0.6
    assert means[4] < floor


@pytest.mark.parametrize("name", ["gaussian_blur", "low_light", "thermal_fade"])
def test_size_in_pixels_changes_little(name):
    for severity in (2, 3, 4):
        small, large = mean(LADDERS[name], severity), mean(LADDERS[name], severity, scale=2.0)
        assert abs(small - large) < 0.12, (severity, small, large)


@pytest.mark.parametrize("name", ["sideways", "upside_down", "tilt"])
def test_what_only_moves_the_page_leaves_it_legible(name):
    assert mean(load_corruption(name), 4) > 0.93


def test_a_covered_field_is_not_legible_and_the_others_are():
    found = legibility(occlude("total", 1.0), 3)
    assert found["total"] < 0.05
    others = [value for path, value in found.items() if path != "total" and not path.startswith("payments")]
    assert np.mean(others) > 0.9


def test_one_covered_digit_makes_the_field_illegible():
    found = legibility(recipe("occlude", field="total", share=[0.1, 0.2, 0.3, 0.5, 1.0]), 3)
    assert found["total"] < 0.3


def test_an_aimed_corruption_takes_its_target_alone():
    blur = recipe("defocus", radius=0.6)
    for target in ("total", "total:digit[0]", "total:digit"):
        found = legibility(blur, 5, target=target)
        assert found["total"] < 0.2, target
        assert found["date"] > 0.9, target


def test_a_field_turned_upside_down_alone_stays_legible():
    assert legibility(load_corruption("upside_down"), 3, target="total")["total"] > 0.8


def test_colour_over_the_print_takes_nothing_that_still_shows():
    assert mean(load_corruption("coloured_paper"), 5) > 0.97


def test_a_dark_picture_is_as_legible_as_its_noise_allows():
    assert mean(recipe("low_light", stops=0, dimness=2.0), 3) > 0.95


def test_content_takes_no_legibility_but_what_comes_with_it_does():
    wrong = load_corruption("wrong_total")
    found = legibility(wrong, 3)
    assert found["total"] > 0.95, "what is printed there instead is as plain as what was"
    assert np.mean(list(found.values())) > 0.97
    blur = recipe("defocus", radius=0.6)
    for steps in ((*wrong.steps, *blur.steps), (*blur.steps, *load_corruption("second_total").steps)):
        for nominal in ("content", None):
            both = replace(blur, name="both", nominal=nominal, steps=steps)
            assert np.mean(list(legibility(both, 5).values())) < 0.15


def test_places_off_the_page_or_turned_are_not_measured():
    pixels, fields, height, _ = page()
    box = fields["total"][0].box
    odd = {
        "total": (PrintedField(box=shift_box(box, 9000, 0), text="1.00"),),
        "subtotal": (PrintedField(box=(10, 10, 110, 60, 100, 80, 0, 30), text="1.00"),),
    }
    _, found = corrupt_measured(
        pixels, odd, load_corruption("defocus"), 3, seed=0, sample_id="s", text_height=height
    )
    assert found == {}


def test_logistic_curves():
    assert legibility_of(1.0, 1000.0) > 0.99
    assert legibility_of(0.0, 10.0) == legibility_of(1.0, 0.0) == 0.0
    rising = [legibility_of(share, 50.0) for share in (0.02, 0.05, 0.08, 0.12, 0.2, 0.5)]
    assert rising == sorted(rising)
    assert rising[1] < LEGIBLE < rising[3]
