import cv2
import numpy as np
import pytest

from robustocr.strips import stretched, strips


@pytest.mark.parametrize(
    ("height", "width", "multiple"), [(1000, 700, 1), (1000, 700, 7), (3, 5, 4), (5, 10**6, 2)]
)
def test_strips_cover_every_row_once(height, width, multiple):
    parts = list(strips(height, width, multiple))
    assert [row for part in parts for row in range(part.start, part.stop)] == list(range(height))
    assert all((part.stop - part.start) % multiple == 0 for part in parts[:-1])


@pytest.mark.parametrize("shape", [(7, 5), (40, 30), (7, 5, 3), (1, 1)])
def test_rows_are_those_of_a_resized_field(shape):
    field = np.random.default_rng(0).uniform(0, 1, shape).astype(np.float32)
    whole = cv2.resize(field, (64, 90), interpolation=cv2.INTER_LINEAR)
    rows = stretched(field, 90, 64)
    together = np.concatenate([rows.rows(slice(start, start + 30)) for start in (0, 30, 60)])
    assert together.shape == whole.shape
    assert np.abs(together - whole).max() < 1e-5
