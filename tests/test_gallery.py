import cv2
import pytest

from robustocr.assets import asset
from robustocr.corruptions import list_corruptions, list_suites, load_corruption, load_suite
from robustocr.errors import StoreError
from robustocr.gallery import draw_gallery, recipe_table
from tests.corruption_page import text_page


def test_one_small_sheet_per_corruption(tmp_path):
    paths = draw_gallery(tmp_path / "new", text_page(), names=["tilt", "defocus"], severities=(1, 5))
    assert [path.name for path in paths] == ["tilt.webp", "defocus.webp"]
    for path in paths:
        sheet = cv2.imread(str(path))
        assert sheet.shape[0] == 480
        assert sheet.shape[1] > 700
        assert path.stat().st_size < 150_000


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="choose another folder"):
        draw_gallery(tmp_path / "file", text_page(), names=["tilt"], severities=(1,))


def test_table_holds_every_ladder():
    rows = recipe_table().splitlines()
    for name in list_corruptions():
        assert any(
            row.startswith(f"| `{name}` | {load_corruption(name).description.strip()} |") for row in rows
        )
    angles = " | ".join(f"{value:g}" for value in load_corruption("tilt").steps[0].ladders["angle"])
    assert any(row.startswith("| `tilt`") and row.endswith(f"| angle | degrees | {angles} |") for row in rows)


def test_readme_is_true_to_the_recipes():
    readme = (asset("corruptions") / "README.md").read_text()
    assert recipe_table() in readme, "write robustocr.gallery.recipe_table() into corruptions/README.md again"
    for name in list_suites():
        suite = load_suite(name)
        assert f"| `{name}` | {suite.description} |" in readme
