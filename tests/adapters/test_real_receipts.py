"""The default reader on real scans: the totals, and that every value's digits are printed."""

import json
import re
from decimal import Decimal

import cv2
import numpy as np
import pytest

from robustocr.adapters.base import Picture, Request
from robustocr.adapters.rapidocr import RapidOcrAdapter
from robustocr.images import load_image

pytestmark = pytest.mark.data

QUICK = ("X51007225398", "X51006335547", "toom_06042020_01_04999")
SROIE = ("X00016469669", "X51005568884", "X51005806703", "X51006466778", "X51007391372", "X51007339095")
GERMAN = ("aldi_25042020_12_01090", "real_21042020_04_01207", "lidl_02032020_02_00716")


@pytest.fixture(scope="module")
def adapter():
    return RapidOcrAdapter()


def scan(real_data, name):
    """The picture and the true total of one receipt."""
    if name.startswith("X"):
        base = real_data / "SROIE2019" / "train"
        entity = json.loads((base / "entities" / f"{name}.txt").read_text(encoding="utf8"))
        return load_image(base / "img" / f"{name}.jpg"), Decimal(re.sub(r"[^\d.]", "", entity["total"]))
    return load_image(real_data / "german" / f"{name}.jpg"), Decimal(int(name.rsplit("_", 1)[1])) / 100


def check_total(adapter, pixels, total):
    extraction = adapter.extract(Picture.of(pixels), Request())
    receipt = extraction.receipt
    assert receipt.total == total
    printed = "|".join(re.sub(r"\D", "", line) for line in receipt.lines)
    rows = [*receipt.items, *receipt.taxes, *receipt.payments, *receipt.discounts, *receipt.charges]
    singles = [receipt.subtotal, receipt.rounding, receipt.total, receipt.change, receipt.service]
    for value in (*singles, *(row.amount for row in rows)):
        assert value is None or re.sub(r"\D", "", str(value)) in printed
    assert set(extraction.marks) >= {"total", "merchant"}


@pytest.mark.parametrize("name", QUICK)
def test_total_of_a_scan(adapter, real_data, name):
    check_total(adapter, *scan(real_data, name))


@pytest.mark.slow
@pytest.mark.parametrize("name", SROIE + GERMAN)
def test_total_of_more_scans(adapter, real_data, name):
    check_total(adapter, *scan(real_data, name))


@pytest.mark.slow
def test_total_of_a_tilted_scan(adapter, real_data):
    pixels, total = scan(real_data, QUICK[0])
    height, width = pixels.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 6, 0.85)
    tilted = cv2.warpAffine(pixels, matrix, (width, height), borderValue=(255, 255, 255))
    check_total(adapter, np.asarray(tilted, np.uint8), total)
