"""The manifest of a private test set: what it was made of and by, and the sha256 of every file.

The same call gives the same bytes: there are no times, machines or absolute paths in it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from robustocr.conditions import Condition
from robustocr.effects import foreign
from robustocr.loaders.base import Dataset
from robustocr.pictures import pixel_versions
from robustocr.recipes import dump_corruption

MANIFEST = "manifest.json"
FORMAT = "robustocr test set"
VERSION = 1

_OWN_HASH = "sha256"


def build_manifest(
    dataset: Dataset,
    conditions: Sequence[Condition],
    *,
    suite: str | None,
    seed: int,
    target: str | None,
    sources: Mapping[str, tuple[Path, str]],
    left_out: Sequence[str],
    files: Mapping[str, tuple[str, int]],
) -> dict[str, Any]:
    """Return the manifest as JSON, with the sha256 of itself.

    ``sources``: sample id -> picture and its sha256; ``files``: name in the set -> sha256 and size in bytes.
    """
    recipes = {c.name: c.corruption for c in conditions if c.corruption is not None}
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "made_with": {**pixel_versions(), "albumentations": foreign.version().split()[-1]},
        "dataset": dataset.name,
        "suite": suite,
        "seed": seed,
        "target": target,
        "conditions": [[condition.name, condition.severity] for condition in conditions],
        "recipes": {
            name: {"sha256": recipe.recipe_hash, **dump_corruption(recipe)}
            for name, recipe in recipes.items()
        },
        "sources": {
            name: {"file": _relative(path, dataset.root), "sha256": sha256}
            for name, (path, sha256) in sources.items()
        },
        "left_out": list(left_out),
        "files": {name: {"sha256": sha256, "bytes": size} for name, (sha256, size) in files.items()},
    }
    return manifest | {_OWN_HASH: fingerprint(manifest)}


def fingerprint(manifest: Mapping[str, Any]) -> str:
    """Return the sha256 (hex) of all that a manifest says but its own sha256."""
    told = {key: value for key, value in manifest.items() if key != _OWN_HASH}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def manifest_text(manifest: Mapping[str, Any]) -> str:
    """Return a manifest as the text of its file."""
    return json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
