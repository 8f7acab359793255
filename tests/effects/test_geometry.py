import numpy as np
import pytest

from robustocr.effects import surroundings
from robustocr.effects.geometry import perspective, tilt
from tests.corruption_page import text_page


@pytest.mark.parametrize(("shape", "text_height"), [((300, 211), 20.0), ((31, 30), 8.0)])
@pytest.mark.parametrize(
    ("effect", "angle"),
    [(tilt, 0), (tilt, 3), (tilt, 45), (perspective, 0), (perspective, 24), (perspective, 60)],
)
def test_what_is_not_drawn_lies_under_the_page(effect, angle, shape, text_height, monkeypatch):
    """The same picture comes out where the surroundings are drawn under all of the page as well."""
    page = text_page(*shape)

    def seen(seed):
        return effect(page, angle=angle, text_height=text_height, rng=np.random.default_rng(seed)).pixels

    sparing = [seen(seed) for seed in range(4)]
    monkeypatch.setattr(surroundings, "_under", lambda edge, rows: (0, 0))
    for seed, picture in enumerate(sparing):
        assert np.array_equal(picture, seen(seed))


def test_most_of_the_surroundings_under_a_large_page_are_not_drawn():
    corners = [(60.0, 10.0), (940.0, 10.0), (940.0, 1990.0), (60.0, 1990.0)]
    assert surroundings._under(corners, slice(512, 640)) == (68, 936)
    assert surroundings._under(corners, slice(0, 128)) == (0, 0)


@pytest.mark.parametrize("angle", [3, 26])
def test_a_tilted_page_is_where_its_points_are(angle):
    """A dark square of 7 pixels is found where its middle is said to have gone."""
    page = np.full((400, 300, 3), 255, dtype=np.uint8)
    page[97:104, 197:204] = 0
    change = tilt(page, angle=angle, text_height=20.0, rng=np.random.default_rng(1))
    y, x = np.nonzero(change.pixels[..., 0] < 60)
    assert (x.mean(), y.mean()) == pytest.approx(
        change.move.move_points(np.array([[200.0, 100.0]]))[0], abs=0.3
    )
