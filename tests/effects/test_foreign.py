import cv2
import numpy as np
import pytest
import yaml

from robustocr.boxes import quad_of
from robustocr.corruptions import corrupt, load_corruption
from robustocr.effects import foreign
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


WHITE = [255, 255, 255]
MOVERS = {
    "Affine": {"rotate": [8, 8], "shear": [6, 6], "scale": 0.9, "fill": WHITE},
    "Perspective": {"scale": [0.08, 0.08], "fit_output": True, "fill": WHITE},
    "Rotate": {"limit": [10, 10], "fill": WHITE},
    "SafeRotate": {"limit": [20, 20], "fill": WHITE},
    "ElasticTransform": {"alpha": 200, "sigma": 12, "fill": WHITE},
    "GridDistortion": {"distort_limit": [-0.3, 0.3], "normalized": False, "fill": WHITE},
    "OpticalDistortion": {"distort_limit": [0.3, 0.3], "fill": WHITE},
    "ThinPlateSpline": {"scale_range": [0.1, 0.1], "fill": WHITE},
    "D4": {},
    "HorizontalFlip": {},
    "Transpose": {},
    "RandomScale": {"scale_limit": [0.4, 0.4]},
    "Resize": {"height": 500, "width": 220},
    "Pad": {"padding": [20, 40], "fill": WHITE},
    "Crop": {"x_min": 40, "y_min": 30, "x_max": 290, "y_max": 350},
}


@pytest.mark.parametrize("name", MOVERS)
def test_what_is_in_a_box_stays_in_it(tmp_path, name):
    corruption = recipe(tmp_path, {"albumentations": name, **MOVERS[name]}, changes_frame=True)
    moved_at_all = False
    for x, y in ((70, 60), (130, 170), (190, 260)):
        page = np.full((360, 300, 3), 255, dtype=np.uint8)
        page[y : y + 20, x : x + 60] = (255, 0, 0)
        box = (float(x), float(y), x + 60.0, y + 20.0)
        for seed in range(3):
            result = corrupt(page, corruption, 1, seed=seed, sample_id="s", boxes={"total": (box,)})
            quad = quad_of(result.boxes["total"][0]).astype(np.float32)
            red = np.argwhere(result.pixels[..., 2] < 128)[:, ::-1]
            assert len(red) > 600
            outline = cv2.convexHull(red.astype(np.float32)).reshape(-1, 2)
            distances = [cv2.pointPolygonTest(quad, (float(u), float(v)), True) for u, v in outline]
            assert min(distances) > -1.6
            assert cv2.contourArea(quad) < 1.5 * len(red)
            moved_at_all = moved_at_all or np.abs(quad - quad_of(box)).max() > 2
    assert moved_at_all


def test_points_that_leave_the_picture_lie_outside_of_it(tmp_path):
    step = {"albumentations": "OpticalDistortion", "distort_limit": [-0.6, -0.6]}
    corner = {"total": ((0.0, 0.0, 6.0, 6.0),)}
    quad = quad_of(run(recipe(tmp_path, step, changes_frame=True), boxes=corner).boxes["total"][0])
    assert quad.max() < 6
    assert quad.min() < -5


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("CoarseDropout", {"num_holes_range": [6, 6], "hole_height_range": [0.2, 0.2], "fill": 255}),
        ("GridDropout", {"ratio": 0.6, "fill": 0}),
    ],
)
def test_what_blots_out_says_how_much_of_a_box(tmp_path, name, values):
    page = np.full((360, 300, 3), 90, dtype=np.uint8)
    boxes = {
        "items": tuple((x, y, x + 50.0, y + 40.0) for x in (20.0, 120.0, 220.0) for y in (20.0, 160.0, 300.0))
    }
    result = run(recipe(tmp_path, {"albumentations": name, **values}), page=page, boxes=boxes)
    blotted = (result.pixels != 90).any(axis=2)
    shares = [
        blotted[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1].mean() for x0, y0, x1, y1 in boxes["items"]
    ]
    assert result.coverage["items"] == pytest.approx(shares, abs=0.01)
    assert max(shares) > 0.3
    assert result.boxes["items"] == boxes["items"]


def test_boxes_change_nothing_about_the_pixels(tmp_path):
    for name in ("ElasticTransform", "Perspective", "D4"):
        corruption = recipe(tmp_path, {"albumentations": name}, changes_frame=True)
        with_boxes = run(corruption, boxes={"total": ((10.0, 10.0, 50.0, 30.0),)}).pixels
        assert np.array_equal(with_boxes, run(corruption).pixels)


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
    for name in ("OverlayElements", "RandomGridShuffle"):
        with pytest.raises(RecipeError, match=f"'{name}' moves pixels but cannot carry boxes"):
            recipe(tmp_path, {"albumentations": name}, changes_frame=True)


def test_a_transform_that_fails_on_the_picture_says_so(tmp_path):
    with pytest.raises(RecipeError, match=r"'MaskDropout' fails on a picture of \(360, 300, 3\): .*mask"):
        run(recipe(tmp_path, {"albumentations": "MaskDropout"}, changes_frame=True))
    with pytest.raises(RecipeError, match=r"'ToFloat' makes float32 .* not RGB pixels of 8 bits"):
        run(recipe(tmp_path, {"albumentations": "ToFloat"}))


def test_every_known_transform_is_a_kind_of_step():
    known = foreign.known_transforms()
    assert len(known) > 80
    assert {"Affine", "ISONoise", "CoarseDropout", "NoOp"} <= set(known)
    assert not {"DualTransform", "ImageOnlyTransform", "RandomGridShuffle", "Pad3D"} & set(known)
    assert [foreign.moves(name) for name in ("Affine", "CoarseDropout", "NoOp", "Blur")] == [
        True,
        False,
        False,
        False,
    ]


def test_hash_holds_the_version(tmp_path):
    corruption = recipe(tmp_path, {"albumentations": "HorizontalFlip"}, changes_frame=True)
    assert corruption.steps[0].meaning()["version"] == "albumentations 2.0.8"
