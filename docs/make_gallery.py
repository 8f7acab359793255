"""Write again all that follows from the recipes and effects: ``python docs/make_gallery.py``.

That is the schemas for editors, the suite of all corruptions, the gallery in ``corruptions/README.md``, and
its pictures: those whose recipe has changed, or all with ``--all``.
"""

import json
import sys
from pathlib import Path

import yaml

from robustocr.corruptions import list_corruptions, load_corruption
from robustocr.gallery import draw_strip, shown_sample
from robustocr.gallery_page import recipes_markdown, suites_markdown
from robustocr.recipe_schema import schema_text

ROOT = Path(__file__).resolve().parents[1]
RECIPES = ROOT / "corruptions"
IMAGES = ROOT / "docs" / "images" / "corruptions"
HASHES = IMAGES / "recipes.json"


def write_suite_of_all() -> None:
    """Name every corruption in ``suites/all.yaml``."""
    path = RECIPES / "suites" / "all.yaml"
    suite = yaml.safe_load(path.read_text(encoding="utf-8"))
    suite["corruptions"] = list(list_corruptions())
    lines = [f"name: {suite['name']}", f"description: {suite['description']}", "corruptions:"]
    lines += [f"  - {name}" for name in suite["corruptions"]]
    lines += [f"severities: {suite['severities']}"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_readme() -> None:
    """Put the gallery and the table of suites between their marks in ``corruptions/README.md``."""
    path = RECIPES / "README.md"
    text = path.read_text(encoding="utf-8")
    for mark, content in (
        ("gallery", recipes_markdown("../docs/images/corruptions")),
        ("suites", suites_markdown()),
    ):
        start, end = f"<!-- {mark}: written by docs/make_gallery.py -->", f"<!-- end of {mark} -->"
        before, _, rest = text.partition(start)
        _, _, after = rest.partition(end)
        text = f"{before}{start}\n\n{content}\n\n{end}{after}"
    path.write_text(text, encoding="utf-8")


def draw_strips(*, everything: bool) -> None:
    """Draw the strips whose recipe has changed, and remove those of recipes that are gone."""
    hashes = {name: load_corruption(name).recipe_hash for name in list_corruptions()}
    known = json.loads(HASHES.read_text()) if HASHES.exists() and not everything else {}
    for name, recipe_hash in hashes.items():
        path = IMAGES / f"{name}.webp"
        if known.get(name) != recipe_hash or not path.exists():
            draw_strip(path, load_corruption(name), sample=shown_sample())
            print(path.relative_to(ROOT))
    for path in IMAGES.glob("*.webp"):
        if path.stem not in hashes:
            path.unlink()
    HASHES.write_text(json.dumps(hashes, indent=1) + "\n")


if __name__ == "__main__":
    (RECIPES / "schema.json").write_text(schema_text("recipe"), encoding="utf-8")
    (RECIPES / "suites" / "schema.json").write_text(schema_text("suite"), encoding="utf-8")
    write_suite_of_all()
    IMAGES.mkdir(parents=True, exist_ok=True)
    draw_strips(everything="--all" in sys.argv[1:])
    write_readme()
