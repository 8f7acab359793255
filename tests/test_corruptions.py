import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from robustocr.adapters.base import pixels_sha256
from robustocr.boxes import quad_of
from robustocr.corruptions import (
    corrupt,
    list_corruptions,
    list_suites,
    load_corruption,
    load_suite,
    random_stream,
)
from robustocr.errors import ImageError, RecipeError
from tests.corruption_page import SUBTOTAL, TEXT_HEIGHT, TOTAL, text_page

ROOT = Path(__file__).resolve().parents[1]
NAMES = list_corruptions()
DEGRADING = [name for name in NAMES if load_corruption(name).degrades]
AIMED = [
    name
    for name in NAMES
    if not load_corruption(name).changes_frame and load_corruption(name).nominal != "content"
]
WITHOUT_DIGITS = [name for name in NAMES if name != "wrong_total"]
"""Corruptions that need no digits on the page."""

BOXES = {"total": (TOTAL,), "subtotal": (SUBTOTAL,)}
TEXTS = {"total": ("108.70",), "subtotal": ("78.40",)}


def made(name, severity, *, seed=0, page=None, **more):
    page = text_page() if page is None else page
    given = {"boxes": BOXES, **more}
    if given["boxes"] == BOXES:
        given["texts"] = TEXTS
    return corrupt(
        page, load_corruption(name), severity, seed=seed, sample_id="s", text_height=TEXT_HEIGHT, **given
    )


def hashes(order):
    return {f"{name}/{at}": pixels_sha256(made(name, at).pixels) for name, at in order}


def test_there_are_the_twelve_corruptions_and_four_suites():
    assert set(NAMES) >= {
        "defocus", "motion_blur", "tilt", "perspective", "glare", "cast_shadow", "low_light", "thermal_fade",
        "crumple", "occlusion", "stain", "messenger",
    }  # fmt: skip
    assert set(list_suites()) >= {"phone", "scanner", "quick", "all"}
    assert len(load_suite("phone").corruptions) == 8
    assert load_suite("quick").severities == (3,)
    assert len(load_suite("quick").corruptions) == 3
    assert set(load_suite("all").corruptions) == set(NAMES)
    assert load_suite("all").severities == (1, 2, 3, 4, 5)


@pytest.mark.parametrize("severity", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("name", NAMES)
def test_contract(name, severity):
    page = text_page()
    before = page.copy()
    result = made(name, severity, page=page, boxes=BOXES)
    assert np.array_equal(page, before), "the input was touched"
    assert result.pixels.dtype == np.uint8
    assert result.pixels.ndim == 3
    assert result.pixels.shape[2] == 3
    assert result.pixels.flags.c_contiguous
    assert not np.shares_memory(result.pixels, page)
    assert not np.array_equal(result.pixels, page)
    corruption = load_corruption(name)
    if not corruption.changes_frame:
        assert result.pixels.shape == page.shape
        assert result.boxes == {"total": (TOTAL,), "subtotal": (SUBTOTAL,)}
    others = (made(name, severity, seed=seed).pixels for seed in range(1, 9))
    assert any(not np.array_equal(other, result.pixels) for other in others) == corruption.random


def test_same_bytes_in_another_order_and_in_another_process():
    order = [(name, at) for name in NAMES for at in (2, 5)]
    here = hashes(order)
    assert hashes(order[::-1]) == here
    script = (
        "import json; from tests.test_corruptions import hashes, NAMES;"
        "print(json.dumps(hashes([(n, a) for a in (5, 2) for n in NAMES])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert json.loads(done.stdout) == here


@pytest.mark.parametrize("name", NAMES)
def test_number_of_threads_changes_nothing(name):
    page = text_page(700, 640)
    threads = cv2.getNumThreads()
    try:
        pages = []
        for count in (1, 2):
            cv2.setNumThreads(count)
            pages.append(made(name, 4, page=page).pixels)
    finally:
        cv2.setNumThreads(threads)
    assert np.array_equal(*pages)


@pytest.mark.parametrize("name", NAMES)
def test_severity_0_and_no_corruption_are_the_identity(name):
    page = text_page()
    for corruption in (load_corruption(name), None):
        severity = 0 if corruption else 3
        result = corrupt(page, corruption, severity, seed=0, sample_id="s", boxes=BOXES, target="total")
        assert np.array_equal(result.pixels, page)
        assert result.boxes == BOXES
        assert result.coverage == {"total": (0.0,), "subtotal": (0.0,)}


@pytest.mark.parametrize("name", [name for name in DEGRADING if name != "cut_off"])
def test_ladder_is_nested(name):
    """Where a mild severity changes the page much, a severe one of the same seed does too."""
    page = text_page()
    changes = []
    for severity in (1, 3, 5):
        result = made(name, severity)
        pixels = result.pixels
        for move in result.moves[::-1]:
            pixels = move.restore_image(pixels)
        changes.append(cv2.blur(np.abs(pixels.astype(float) - page).mean(axis=2), (24, 24)))
    mild, middle, severe = changes
    assert severe.mean() > mild.mean()
    strongest = mild >= np.quantile(mild, 0.95)
    for worse in (middle, severe):
        assert worse[strongest].mean() > 0.6 * mild[strongest].mean()


@pytest.mark.parametrize("severity", [1, 3, 5])
@pytest.mark.parametrize("name", [name for name in NAMES if load_corruption(name).changes_frame])
def test_marked_point_in_a_box_stays_in_the_moved_box(name, severity):
    rng = np.random.default_rng(3)
    for seed in range(3):
        page = np.full((360, 300, 3), 255, dtype=np.uint8)
        x, y = rng.integers(30, 220), rng.integers(30, 300)
        box = (float(x), float(y), float(x + 50), float(y + 22))
        mark = np.array([rng.uniform(x + 3, x + 47), rng.uniform(y + 3, y + 19)])
        without = made(name, severity, seed=seed, page=page.copy(), boxes={"total": (box,)})
        cv2.circle(page, tuple(np.round(mark).astype(int)), 2, (255, 0, 0), -1)
        result = made(name, severity, seed=seed, page=page, boxes={"total": (box,)})
        if result.coverage["total"][0] > 0:
            continue
        change = cv2.GaussianBlur(cv2.absdiff(result.pixels, without.pixels).sum(axis=2) * 1.0, (0, 0), 1.5)
        seen = np.argwhere(change > 0.6 * change.max()).mean(axis=0)[::-1]
        quad = quad_of(result.boxes["total"][0]).astype(np.float32)
        assert cv2.pointPolygonTest(quad, (float(seen[0]), float(seen[1])), True) > -0.5
        assert cv2.contourArea(quad) < 2.2 * 50 * 22


@pytest.mark.parametrize("name", NAMES)
def test_grey_pages_stay_grey(name):
    grey = cv2.cvtColor(text_page(), cv2.COLOR_RGB2GRAY)
    result = made(name, 3, page=grey)
    assert result.pixels.ndim == 2
    assert result.pixels.dtype == np.uint8


@pytest.mark.parametrize("name", WITHOUT_DIGITS)
@pytest.mark.parametrize("shape", [(30, 30), (1, 1), (5, 400)])
def test_tiny_pages(name, shape):
    page = np.full((*shape, 3), 200, dtype=np.uint8)
    for severity in (1, 5):
        boxes = {"total": ((0.0, 0.0, float(shape[1]), float(shape[0])),)}
        result = corrupt(page, load_corruption(name), severity, seed=2, sample_id="s", boxes=boxes)
        assert result.pixels.size > 0


@pytest.mark.parametrize("name", WITHOUT_DIGITS)
def test_long_pages(name):
    page = np.full((8000, 600, 3), 235, dtype=np.uint8)
    page[::40, 50:550] = 30
    boxes = {"total": ((400.0, 7000.0, 500.0, 7024.0),)}
    result = corrupt(page, load_corruption(name), 3, seed=0, sample_id="s", text_height=24.0, boxes=boxes)
    assert max(result.pixels.shape) > 4000


@pytest.mark.parametrize("severity", [2, 4])
def test_coverage_is_the_share_that_cannot_be_seen(severity):
    """Black and white pages under the same finger look alike exactly where it is opaque."""
    boxes = {
        "items": tuple(
            (float(x), float(y), x + 60.0, y + 40.0) for x in range(0, 300, 60) for y in range(0, 360, 40)
        )
    }
    for seed in range(4):
        black, white = (
            made("occlusion", severity, seed=seed, page=np.full((360, 300, 3), level, np.uint8), boxes=boxes)
            for level in (0, 255)
        )
        hidden = np.abs(white.pixels.astype(int) - black.pixels).max(axis=2) < 20
        for (x0, y0, x1, y1), share in zip(boxes["items"], white.coverage["items"], strict=True):
            actual = hidden[int(y0) : int(y1), int(x0) : int(x1)].mean()
            assert abs(share - actual) < 0.12
        assert max(white.coverage["items"]) > 0.3


@pytest.mark.parametrize("name", AIMED)
def test_aim_confines_to_every_place_of_the_field(name):
    page = text_page()
    boxes = {"total": (TOTAL, (190.0, 8.0, 270.0, 28.0)), "subtotal": (SUBTOTAL,)}
    result = made(name, 5, boxes=boxes, target="total")
    changed = np.abs(result.pixels.astype(int) - page).max(axis=2)
    allowed = np.zeros(changed.shape, dtype=bool)
    feather = int(np.ceil(TEXT_HEIGHT / 3)) + 1
    for x0, y0, x1, y1 in boxes["total"]:
        assert changed[int(y0) : int(y1), int(x0) : int(x1)].max() > 10
        allowed[
            max(int(y0) - feather, 0) : int(y1) + feather + 1, int(x0) - feather : int(x1) + feather + 1
        ] = True
    assert changed[~allowed].max() == 0
    assert result.coverage["subtotal"] == (0.0,)
    assert result.boxes["total"] == boxes["total"]


def test_aimed_cover_counts_as_coverage():
    shares = [
        made("occlusion", 5, seed=seed, boxes=BOXES, target="total").coverage["total"][0] for seed in range(6)
    ]
    assert max(shares) > 0.5


def test_what_lies_off_the_picture_is_hidden_whatever_the_corruption():
    width = text_page().shape[1]
    boxes = {
        "total": (TOTAL,),
        "subtotal": ((width + 5.0, 10.0, width + 60.0, 30.0),),
        "tip": ((width - 20.0, 10.0, width + 20.0, 30.0),),
    }
    for name in ("defocus", "glare", "occlusion"):
        found = made(name, 1, boxes=boxes).coverage
        assert found["subtotal"] == (1.0,)
        assert 0.4 < found["tip"][0] < 0.6


def test_what_was_cut_off_stays_hidden_when_the_page_moves_again():
    cut, turned = load_corruption("cut_off"), load_corruption("tilt")
    both = replace(cut, name="both", steps=(*cut.steps, *turned.steps))
    boxes = {
        f"items[{index}].amount": ((190.0, 8.0 + 30 * index, 270.0, 28.0 + 30 * index),)
        for index in range(11)
    }
    boxes |= {
        f"items[{index}].name": ((12.0, 8.0 + 30 * index, 90.0, 28.0 + 30 * index),) for index in range(11)
    }
    for seed in range(4):
        alone, then = (
            corrupt(text_page(), recipe, 5, seed=seed, sample_id="s", boxes=boxes, text_height=TEXT_HEIGHT)
            for recipe in (cut, replace(both, name="cut_off"))
        )
        assert max(max(shares) for shares in alone.coverage.values()) > 0.9
        for path, shares in alone.coverage.items():
            assert abs(shares[0] - then.coverage[path][0]) < 0.12


@pytest.mark.parametrize("severity", [6, -1, 2.5, True, "3"])
def test_unknown_severity_names_the_range(severity):
    with pytest.raises(RecipeError, match=r"is not one of 0 .clean., 1, 2, 3, 4, 5"):
        made("defocus", severity)


@pytest.mark.parametrize(
    "page", [np.zeros((4, 4, 4), np.uint8), np.zeros((4, 4, 3), np.float32), np.zeros((0, 4, 3), np.uint8)]
)
def test_wrong_pixels_are_refused(page):
    with pytest.raises(ImageError, match=r"shape"):
        made("defocus", 1, page=page)


def test_unknown_names_are_answered_with_the_known_ones():
    with pytest.raises(RecipeError, match=r"unknown corruption 'defocsu'. Did you mean 'defocus'.*tilt"):
        load_corruption("defocsu")
    with pytest.raises(
        RecipeError, match=r"unknown suite 'fone'.*Did you mean 'phone'.*all, compound, phone, quick, scanner"
    ):
        load_suite("fone")


def test_streams_depend_on_each_part_and_are_fixed():
    first = random_stream(0, "a", "tilt", 0).integers(1 << 62)
    others = [
        random_stream(*parts).integers(1 << 62)
        for parts in ((1, "a", "tilt", 0), (0, "b", "tilt", 0), (0, "a", "glare", 0), (0, "a", "tilt", 1))
    ]
    assert first not in others
    assert random_stream(0, "a", "tilt", 0).integers(1 << 62) == first
    assert int(random_stream(7, "receipt-1", "tilt", 0).integers(1000)) == 537
