import base64
import io

import numpy as np
import pytest
from PIL import Image

from robustocr.report.pictures import field_crop, thumbnail


def decoded(shown) -> np.ndarray:
    head, _, data = shown.uri.partition(",")
    assert head == "data:image/webp;base64"
    picture = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))
    assert picture.shape[:2] == (shown.height, shown.width)
    return picture


def page(height: int = 900, width: int = 500) -> np.ndarray:
    pixels = np.full((height, width, 3), 250, np.uint8)
    pixels[600:620, 300:360] = (0, 0, 200)
    return pixels


@pytest.mark.parametrize("box", [(300, 600, 360, 620), (300, 600, 360, 600, 360, 620, 300, 620)])
def test_the_crop_shows_the_field_in_its_surroundings(box):
    picture = decoded(field_crop(page(), [box]))
    blue = (picture[..., 2] > picture[..., 0].astype(int) + 80).mean()
    assert blue == pytest.approx(60 * 20 / picture[..., 0].size, rel=0.25)
    assert picture.shape[0] < 150
    assert picture.shape[1] < 250


def test_the_places_of_a_list_are_shown_together():
    boxes = [(300, 600, 360, 620), (300, 200, 360, 220)]
    assert decoded(field_crop(page(), boxes)).shape[0] < 150
    assert decoded(field_crop(page(), boxes, together=True)).shape[0] == 420 + 2 * 2 * 20


def test_the_thumbnail_outlines_the_place():
    plain, marked = decoded(thumbnail(page())), decoded(thumbnail(page(), [(300, 600, 360, 620)]))
    assert plain.shape == marked.shape == (260, 144, 3)
    differs = np.abs(plain.astype(int) - marked).sum(axis=2) > 120
    rows, columns = np.nonzero(differs)
    assert rows.mean() == pytest.approx(610 * 260 / 900, abs=3)
    assert columns.mean() == pytest.approx(330 * 260 / 900, abs=3)


def test_a_huge_picture_stays_small_and_a_place_outside_falls_back_to_the_whole():
    big = page(4000, 3000)
    assert max(decoded(field_crop(big, [(0, 0, 3000, 4000)])).shape) <= 640
    assert decoded(field_crop(page(), [(5000, 5000, 5100, 5020)])).shape == (560, 311, 3)
