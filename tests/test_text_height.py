import time

import cv2
import numpy as np
import pytest
from PIL import Image

from robustocr.effects.geometry import tilt
from robustocr.loaders.registry import load
from robustocr.text_height import estimate_text_height
from tests.corruption_page import text_page


def receipts(root):
    for path in sorted((root / "SROIE2019/train/img").glob("*.jpg")):
        label = root / "SROIE2019/train/box" / f"{path.stem}.txt"
        rows = [
            row.split(",")[:8]
            for row in label.read_text(errors="replace").splitlines()
            if row.count(",") >= 8
        ]
        heights = [max(map(int, row[1::2])) - min(map(int, row[1::2])) for row in rows]
        yield cv2.imread(str(path)), float(np.median(heights))


def test_a_drawn_page():
    """Capitals of this font at this size are 13 pixels high and their strokes 2 pixels wide."""
    assert 14 <= estimate_text_height(text_page()) <= 19


@pytest.mark.parametrize("factor", [0.5, 0.75, 2.0, 3.0])
def test_it_grows_with_the_picture(factor):
    page = text_page(700, 600)
    method = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    resized = cv2.resize(page, None, fx=factor, fy=factor, interpolation=method)
    assert estimate_text_height(resized) == pytest.approx(factor * estimate_text_height(page), rel=0.15)


@pytest.mark.parametrize("angle", [3, 6, 10])
def test_turned_pages(angle):
    page = text_page(700, 600)
    height = estimate_text_height(page)
    for seed in range(2):
        turned = tilt(page, angle=angle, text_height=height, rng=np.random.default_rng(seed)).pixels
        assert estimate_text_height(turned) == pytest.approx(height, rel=0.15)


def test_grey_gives_the_same():
    page = text_page()
    assert estimate_text_height(cv2.cvtColor(page, cv2.COLOR_RGB2GRAY)) == estimate_text_height(page)


@pytest.mark.parametrize(
    ("shape", "height"),
    [((800, 600), 20.0), ((4000, 300), 100.0), ((200, 100), 8.0), ((5, 9), 5.0), ((1, 1), 1.0)],
)
def test_blank_pages_fall_back_to_a_share_of_the_page(shape, height):
    assert estimate_text_height(np.full((*shape, 3), 255, dtype=np.uint8)) == height
    assert estimate_text_height(np.zeros((*shape, 3), dtype=np.uint8)) == height


@pytest.mark.data
def test_within_15_percent_of_labelled_lines(real_data):
    ratios, seconds = [], []
    for page, labelled in receipts(real_data):
        start = time.perf_counter()
        ratios.append(estimate_text_height(page) / labelled)
        seconds.append((time.perf_counter() - start) / page[..., 0].size * 1.3e6)
    assert len(ratios) == 83
    assert np.mean(np.abs(np.array(ratios) - 1) < 0.15) >= 0.9
    assert np.percentile(seconds, 10) < 0.05, "50 ms at 1.3 megapixels on an idle machine"


@pytest.mark.data
def test_scans_at_half_and_double_size(real_data):
    for page, _ in list(receipts(real_data))[::8]:
        height = estimate_text_height(page)
        half = cv2.resize(page, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        double = cv2.resize(page, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        assert 2 * estimate_text_height(half) == pytest.approx(height, rel=0.15)
        assert estimate_text_height(double) / 2 == pytest.approx(height, rel=0.15)


@pytest.mark.parametrize("number", [0, 1, 9, 11])
def test_receipts_stretched_beyond_all_reason_still_have_a_height(number):
    with Image.open(load("sample").samples[number].image) as receipt:
        page = np.array(receipt.convert("RGB").resize((8000, 600)))
    assert 8 <= estimate_text_height(page) <= 600
