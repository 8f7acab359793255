import numpy as np
import pytest
import yaml

from robustocr.boxes import quad_of
from robustocr.corruptions import corrupt, load_corruption
from robustocr.errors import RecipeError
from tests.corruption_page import TEXT_HEIGHT, text_page


def recipe(tmp_path, *steps, changes_frame=False):
    path = tmp_path / "foreign.yaml"
    data = {
        "name": "foreign",
        "description": "From elsewhere.",
        "degrades": True,
        "changes_frame": changes_frame,
    }
    path.write_text(yaml.safe_dump({**data, "steps": list(steps)}))
    return load_corruption(path)


def run(corruption, severity=3, page=None, **more):
    page = text_page() if page is None else page
    return corrupt(page, corruption, severity, seed=5, sample_id="s", text_height=TEXT_HEIGHT, **more)


def test_same_seed_same_bytes(tmp_path):
    corruption = recipe(tmp_path, {"albumentations": "ISONoise", "intensity": [0.5, 0.9]})
    first = run(corruption).pixels
    assert np.array_equal(first, run(corruption).pixels)
    other = corrupt(text_page(), corruption, 3, seed=6, sample_id="s", text_height=TEXT_HEIGHT).pixels
    assert not np.array_equal(first, other)


def test_a_list_of_five_is_a_ladder(tmp_path):
    ladder = [[10, 10], [20, 20], [30, 30], [40, 40], [50, 50]]
    corruption = recipe(tmp_path, {"albumentations": "ImageCompression", "quality_range": ladder[::-1]})
    assert corruption.strength(1) == {"ImageCompression.quality_range": [50, 50]}
    worst, best = (np.abs(run(corruption, at).pixels.astype(int) - text_page()).mean() for at in (5, 1))
    assert worst > best


def test_boxes_follow_as_keypoints(tmp_path):
    step = {"albumentations": "Affine", "rotate": [12, 12], "translate_px": 0, "scale": 1.0, "fill": 255}
    page = np.full((360, 300, 3), 255, dtype=np.uint8)
    page[140:150, 120:140] = (255, 0, 0)
    result = run(
        recipe(tmp_path, step, changes_frame=True), page=page, boxes={"total": ((110, 130, 150, 160),)}
    )
    red = np.argwhere(result.pixels[..., 2] < 100)[:, ::-1]
    quad = quad_of(result.boxes["total"][0])
    assert np.all(red >= quad.min(axis=0) - 1)
    assert np.all(red <= quad.max(axis=0) + 1)
    assert abs(np.degrees(np.arctan2(*(quad[1] - quad[0])[::-1]))) == pytest.approx(12, abs=0.5)


def test_cover_moves_along(tmp_path):
    steps = (
        {"effect": "occlusion", "reach": 0.6, "kind": "finger"},
        {"albumentations": "HorizontalFlip"},
    )
    boxes = {
        "items": tuple(
            (float(x), float(y), x + 50.0, y + 60.0) for x in range(0, 300, 50) for y in range(0, 360, 60)
        )
    }
    plain = run(recipe(tmp_path, steps[0]), boxes=boxes).coverage["items"]
    flipped = run(recipe(tmp_path, *steps, changes_frame=True), boxes=boxes).coverage["items"]
    assert max(plain) > 0.5
    assert flipped == pytest.approx(plain, abs=0.06)


def test_unknown_transform_and_wrong_parameters(tmp_path):
    with pytest.raises(
        RecipeError, match=r"unknown albumentations transform 'ISONoize'. Did you mean 'ISONoise'"
    ):
        recipe(tmp_path, {"albumentations": "ISONoize"})
    with pytest.raises(RecipeError, match=r"steps.0.: albumentations 'ISONoise' refuses .*loudness"):
        recipe(tmp_path, {"albumentations": "ISONoise", "loudness": 3})
    with pytest.raises(RecipeError, match=r"albumentations 'ImageCompression' refuses"):
        recipe(tmp_path, {"albumentations": "ImageCompression", "quality_range": [900, 1000]})


def test_a_transform_that_cannot_carry_boxes_is_refused(tmp_path):
    with pytest.raises(RecipeError, match=r"'OverlayElements' moves pixels but cannot carry boxes"):
        recipe(tmp_path, {"albumentations": "OverlayElements"}, changes_frame=True)


def test_hash_holds_the_version(tmp_path):
    corruption = recipe(tmp_path, {"albumentations": "HorizontalFlip"}, changes_frame=True)
    assert corruption.steps[0].meaning()["version"] == "albumentations 2.0.8"
