import json

import cv2
import numpy as np
import pytest

from robustocr.assets import asset
from robustocr.corruptions import list_corruptions, list_suites, load_corruption, load_suite
from robustocr.errors import StoreError
from robustocr.gallery import draw_sheets, draw_strip, shown_sample
from robustocr.gallery_page import by_family, recipes_markdown, strength_rows, suites_markdown, write_page
from robustocr.images import load_image
from robustocr.recipes import FAMILIES
from robustocr.records import Sample
from tests.corruption_page import text_page

README = asset("corruptions") / "README.md"
IMAGES = README.parents[1] / "docs" / "images" / "corruptions"
AGAIN = "run: python docs/make_gallery.py"


def loaded(*names):
    return [load_corruption(name) for name in names]


@pytest.fixture
def picture(tmp_path):
    path = tmp_path / "page.png"
    cv2.imwrite(str(path), text_page())
    return Sample(id="page", image=path)


def test_one_sheet_per_corruption_clean_first(tmp_path, picture):
    seen = []
    out = tmp_path / "new"
    paths, missing = draw_sheets(
        out, loaded("coloured_paper", "defocus"), sample=picture, progress=lambda *now: seen.append(now)
    )
    assert {name: path.name for name, path in paths.items()} == {
        "coloured_paper": "coloured_paper.webp",
        "defocus": "defocus.webp",
    }
    assert missing == {}
    assert seen == [("pictures", 1, 2), ("pictures", 2, 2)]
    sheet = cv2.imread(str(paths["coloured_paper"]))
    assert sheet.shape == (480, 6 * 400 + 5 * 6, 3)
    colours = [sheet[:, x : x + 400].reshape(-1, 3).std(axis=1).mean() for x in range(0, 2430, 406)]
    assert max(colours[:2]) < colours[3] < colours[5]
    assert all(path.stat().st_size < 200_000 for path in paths.values())


def test_what_needs_an_unknown_place_is_named_on_the_page(tmp_path, picture):
    chosen = loaded("total_covered", "defocus")
    paths, missing = draw_sheets(tmp_path / "out", chosen, sample=picture)
    assert set(paths) == {"defocus"}
    assert "total" in missing["total_covered"]
    page = write_page(tmp_path / "out", chosen, paths, missing)
    html = page.read_text()
    assert page.name == "index.html"
    assert '<img src="defocus.webp"' in html
    assert "No picture: " in html
    assert load_corruption("defocus").source in html
    assert html.index(">optics<") < html.index(">cover<")


def test_the_page_escapes_what_recipes_say(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(
        "name: mine\ndescription: <script>1</script>\ndegrades: true\nchanges_frame: false\n"
        "steps: [{effect: defocus, radius: 1}]\n"
    )
    html = write_page(tmp_path, [load_corruption(path)], {}, {"mine": "<b>no</b>"}).read_text()
    assert "<script>" not in html
    assert "<b>" not in html


def test_a_folder_that_cannot_be_written(tmp_path, picture):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="choose another folder"):
        draw_sheets(tmp_path / "file", loaded("jpeg"), sample=picture)
    with pytest.raises(StoreError, match="choose another folder"):
        write_page(tmp_path / "file", [], {}, {})


def test_a_strip_shows_where_it_happens(tmp_path):
    sample = shown_sample()
    path = draw_strip(tmp_path / "strip.webp", load_corruption("coffee"), sample=sample)
    strip = cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB).astype(int)
    assert strip.shape[0] == 230
    assert strip.shape[1] > 600
    brown = (strip[..., 0] - strip[..., 2]) > 30
    thirds = np.array_split(brown, 3, axis=1)
    assert thirds[0].mean() < thirds[1].mean() < thirds[2].mean()
    assert thirds[2].mean() > 0.15


def test_a_strip_follows_the_total_where_the_page_moves(tmp_path):
    sample = shown_sample()
    path = draw_strip(tmp_path / "strip.webp", load_corruption("sideways"), sample=sample)
    grey = cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2GRAY)
    assert (grey < 110).mean() > 0.02
    assert load_image(sample.image).shape[0] > 230


def test_rows_of_strengths():
    assert strength_rows(load_corruption("tilt")) == (
        (
            "angle",
            "degrees",
            tuple(f"{angle:g}" for angle in load_corruption("tilt").steps[0].ladders["angle"]),
        ),
    )
    parts = strength_rows(load_corruption("old_receipt"))
    assert parts[0][:2] == ("`thermal_fade`", "severity of it")
    assert len(parts) == len(load_corruption("old_receipt").includes)


def test_families_come_in_their_order_and_hold_everything():
    families = by_family(loaded(*list_corruptions()))
    assert [family for family, _ in families] == [f for f in FAMILIES if f in dict(families)]
    assert sorted(member.name for _, members in families for member in members) == list(list_corruptions())


def test_every_recipe_has_its_row_and_its_picture_in_the_readme():
    readme = README.read_text(encoding="utf-8")
    assert recipes_markdown("../docs/images/corruptions") in readme, AGAIN
    assert suites_markdown() in readme, AGAIN
    for name in list_corruptions():
        assert f"| `{name}` | " in readme, AGAIN
        assert f"](../docs/images/corruptions/{name}.webp)" in readme, AGAIN


def test_every_picture_is_there_small_and_of_the_recipe_as_it_is():
    assert sorted(path.stem for path in IMAGES.glob("*.webp")) == list(list_corruptions()), AGAIN
    for path in IMAGES.glob("*.webp"):
        assert path.stat().st_size < 60_000, path
        assert cv2.imread(str(path)).shape[0] == 230
    hashes = json.loads((IMAGES / "recipes.json").read_text())
    assert hashes == {name: load_corruption(name).recipe_hash for name in list_corruptions()}, AGAIN


def test_the_suite_of_all_names_every_corruption():
    assert load_suite("all").corruptions == list_corruptions(), AGAIN
    assert {name for suite in list_suites() for name in load_suite(suite).corruptions} <= set(
        list_corruptions()
    )
