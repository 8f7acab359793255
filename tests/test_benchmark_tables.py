import importlib.util
import sys
from pathlib import Path

import pytest

FILE = Path(__file__).parents[1] / "benchmarks" / "peers" / "tables.py"

pytestmark = pytest.mark.skipif(not FILE.is_file(), reason="benchmarks are in the checkout, not in the sdist")


@pytest.fixture(scope="module")
def tables():
    spec = importlib.util.spec_from_file_location("benchmark_tables", FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def cells(row):
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_peers_are_multiples_of_ours_and_what_misses_its_limit_is_marked(tables):
    taken = {
        "JPEG": {"robustocr": 0.010, "albumentations": 0.0095, "imagecorruptions": 0.012, "augraphy": 0.025},
        "shadow": {"robustocr": 0.010, "albumentations": 0.005, "augraphy": 0.25},
        "unknown here": {"albumentations": 0.005},
    }
    rows = [cells(row) for row in tables.shared_table(taken).splitlines()[2:]]
    assert rows == [
        ["JPEG", "10.0", "0.95 (0.91)", "1.2 (1.3) **!**", "2.5 (2)"],
        ["shadow", "10.0", "0.5 (0.91) **!**", "", "25 (20)"],
    ]


def test_recipes_are_multiples_of_the_yardstick(tables):
    small = {"a": 0.01, "b": 0.02, "c": 0.40}
    table = tables.recipe_table(small, 0.01, large={"a": 0.31, "b": 0.4}, memory={"a": 8.5, "b": 2.0})
    assert [cells(row) for row in table.splitlines()[2:]] == [
        ["`a`", "10", "1.0", "31.0 **!**", "8.5 **!**"],
        ["`b`", "20", "2.0", "20.0", "2.0"],
        ["`c`", "400", "40.0 **!**", "", ""],
        ["median", "20", "2.0", "", ""],
    ]


def test_only_what_stands_between_the_marks_is_replaced(tables):
    text = "before\n<!-- recipes -->\nold\n<!-- end of recipes -->\nafter\n"
    new = tables.replaced(text, "recipes", "| new |")
    assert new == "before\n<!-- recipes -->\n| new |\n<!-- end of recipes -->\nafter\n"
    assert tables.replaced(new, "recipes", "| new |") == new
    with pytest.raises(ValueError, match="no marks <!-- shared"):
        tables.replaced(text, "shared", "")
