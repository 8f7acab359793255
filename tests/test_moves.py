import cv2
import numpy as np

from robustocr.moves import Displacement, Homography

SIZE = (120, 160)


def waves():
    grid = np.stack(np.meshgrid(np.arange(30), np.arange(40)), axis=-1)
    return Displacement(field=(3 * np.sin(grid / 4)).astype(np.float32), size=SIZE)


def spotted(points):
    page = np.zeros((160, 120), dtype=np.uint8)
    for x, y in points:
        cv2.circle(page, (int(x), int(y)), 2, 255, -1)
    return page


def middles(page):
    _, _, stats, centres = cv2.connectedComponentsWithStats((page > 100).astype(np.uint8))
    return centres[1:][stats[1:, 4] > 3]


def test_points_go_where_the_picture_shows_them():
    points = np.array([[20.0, 30.0], [80.0, 50.0], [60.0, 120.0], [100.0, 140.0]])
    tip = np.array([[1.1, 0.1, 5], [-0.05, 0.9, 12], [0.0004, 0.0002, 1]])
    for move in (waves(), Homography(matrix=tip, old=SIZE, new=(160, 180))):
        moved = move.move_points(points)
        seen = middles(move.move_image(spotted(points)))
        distance = np.linalg.norm(seen[:, None] - moved[None], axis=2)
        assert len(seen) == 4
        assert distance.min(axis=0).max() < 0.7


def test_restore_undoes_move():
    rng = np.random.default_rng(0)
    page = cv2.GaussianBlur(rng.integers(0, 256, (160, 120, 3), dtype=np.uint8), (0, 0), 4)
    turn = np.vstack([cv2.getRotationMatrix2D((60, 80), 8, 1.0), [0, 0, 1]])
    turn[:2, 2] += 25
    for move in (waves(), Homography(matrix=turn, old=SIZE, new=(180, 220))):
        back = move.restore_image(move.move_image(page))
        assert back.shape == page.shape
        assert np.abs(back.astype(int) - page)[12:-12, 12:-12].max() <= 6


def test_displacement_of_no_points():
    assert waves().move_points(np.zeros((0, 2))).shape == (0, 2)
