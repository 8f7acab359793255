"""Speed and memory of corruptions, beside other libraries in their own environments. Run by hand:

    python benchmarks/corruptions.py [--envs DIR] [--out FILE.json] [--runs 20] [--only shared,recipes,memory]

All work on the same receipts of 910 x 1430 pixels (1.3 megapixels) from the bundled sample, one thread each,
in turn: a busy machine slows all alike. Figures are medians; ratios are what to look at. The first run
makes the environments of imagecorruptions and Augraphy (Python 3.11 or 3.12). The tables of
benchmarks/README.md are written anew; the figures go to --out as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from robustocr.corruptions import list_corruptions

_HERE = Path(__file__).parent
_PEERS = _HERE / "peers"
sys.path.insert(0, str(_PEERS))

from receipts import save_receipts  # noqa: E402
from tables import OURS, PEERS, recipe_table, replaced, shared_table  # noqa: E402
from timing import medians, running  # noqa: E402

_README = _HERE / "README.md"
_PICTURES = 4
_TINY, _SMALL, _LARGE = (182, 286), (910, 1430), (3908, 6142)
_YARDSTICK = "yardstick"
_RECIPE = "recipe "
_PARTS = ("shared", "recipes", "large", "memory")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--envs", type=Path, default=Path("build/envs"), help="where environments are kept")
    parser.add_argument("--out", type=Path, default=Path("build/corruptions.json"))
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--large-runs", type=int, default=3, help="runs of 24 megapixels")
    parser.add_argument("--patience", type=float, default=30.0, help="seconds for one slow effect of a peer")
    parser.add_argument("--only", default=",".join(_PARTS), help=f"parts to measure: {', '.join(_PARTS)}")
    parser.add_argument("--recipes", default="", help="these recipes only, with commas between")
    options = parser.parse_args()
    recipes = options.recipes.split(",") if options.recipes else list(list_corruptions())
    figures = json.loads(options.out.read_text()) if options.out.exists() else {}
    with TemporaryDirectory() as folder:
        for part in options.only.split(","):
            figures[part] = _measured(part, options, recipes, Path(folder))
    figures["machine"] = f"{platform.processor() or platform.machine()}, Python {platform.python_version()}"
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(figures, indent=2))
    _publish(figures)


def _measured(part: str, options: argparse.Namespace, recipes: list[str], folder: Path) -> Any:
    small, large, tiny = folder / "small.npy", folder / "large.npy", folder / "tiny.npy"
    save_receipts(small, _SMALL, _PICTURES)
    if part in {"large", "memory"}:
        save_receipts(large, _LARGE, 1)
    if part == "memory":
        save_receipts(tiny, _TINY, 1)
        return _memory(recipes, large, tiny)
    effects = [_YARDSTICK, *[_RECIPE + name for name in recipes]]
    if part == "large":
        with running(["opencv", OURS], options.envs, large) as libraries:
            return medians(libraries, effects, runs=options.large_runs, patience=60, pictures=1)
    names = ["opencv", OURS, *PEERS] if part == "shared" else ["opencv", OURS]
    with running(names, options.envs, small) as libraries:
        if part == "shared":
            known = [name for library in libraries.values() for name in library.effects]
            effects = [name for name in dict.fromkeys(known) if not name.startswith(_RECIPE)]
        return medians(libraries, effects, runs=options.runs, patience=options.patience, pictures=_PICTURES)


def _memory(recipes: list[str], large: Path, tiny: Path) -> dict[str, float]:
    """Return peak memory per recipe at 24 megapixels, in pictures."""
    taken = {}
    for name in recipes:
        done = subprocess.run(
            [sys.executable, str(_PEERS / "memory.py"), name, str(large), str(tiny)],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        taken[name] = float(done.stdout)
    return taken


def _publish(figures: dict[str, Any]) -> None:
    """Print the tables and write them into the README beside this file."""
    text = _README.read_text(encoding="utf-8")
    if "shared" in figures:
        table = shared_table(figures["shared"])
        print(table)
        text = replaced(text, "shared effects", table)
    if "recipes" in figures:
        table = recipe_table(
            _recipes(figures["recipes"]),
            figures["recipes"][_YARDSTICK]["opencv"],
            _recipes(figures.get("large", {})),
            figures.get("memory", {}),
        )
        print(table)
        text = replaced(text, "recipes", table)
    _README.write_text(text, encoding="utf-8")


def _recipes(part: dict[str, dict[str, float]]) -> dict[str, float]:
    return {name.removeprefix(_RECIPE): taken[OURS] for name, taken in part.items() if OURS in taken}


if __name__ == "__main__":
    main()
