"""Pictures and a table of the recipes, for the README of ``corruptions/``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.corruptions import corrupt, list_corruptions, load_corruption
from robustocr.effects.registry import Strength, find_effect
from robustocr.errors import StoreError
from robustocr.recipes import SEVERITIES, Corruption

_HEIGHT = 480
_GAP = 6
_QUALITY = 78


def draw_gallery(
    out: Path,
    pixels: Pixels,
    *,
    names: Sequence[str] | None = None,
    severities: Sequence[int] = SEVERITIES,
    seed: int = 0,
) -> tuple[Path, ...]:
    """Write one contact sheet per corruption, ``NAME.webp``, with the severities from left to right.

    Returns the paths, in the order of ``names`` (all bundled corruptions unless given). Raises StoreError
    where the folder cannot be written.
    """
    paths = []
    for name in names if names is not None else list_corruptions():
        corruption = load_corruption(name)
        pages = [corrupt(pixels, corruption, at, seed=seed, sample_id="gallery").pixels for at in severities]
        paths.append(_write(out / f"{corruption.name}.webp", _side_by_side(pages)))
    return tuple(paths)


def recipe_table() -> str:
    """Return a Markdown table of the bundled corruptions: name, physics, strength, unit, five values."""
    rows = [
        "| corruption | what happens | strength | unit | 1 | 2 | 3 | 4 | 5 |",
        "|---|---|---|---|" + "---|" * 5,
    ]
    for name in list_corruptions():
        rows.extend(_rows(load_corruption(name)))
    return "\n".join(rows)


def _rows(corruption: Corruption) -> list[str]:
    """Return a row for each parameter with a ladder; the description stands in the first."""
    rows: list[str] = []
    for step in corruption.steps:
        for parameter in sorted(step.varying):
            kind = None if step.is_foreign else find_effect(step.name).parameters[parameter]
            unit = kind.unit if isinstance(kind, Strength) else ""
            values = " | ".join(f"{value:g}" for value in step.ladders[parameter])
            head = f"`{corruption.name}` | {corruption.description.strip()}" if not rows else " | "
            rows.append(f"| {head} | {parameter.replace('_', ' ')} | {unit} | {values} |")
    return rows


def _side_by_side(pages: Sequence[Pixels]) -> Pixels:
    """Return the pages at one height, with white gaps between them."""
    gap = np.full((_HEIGHT, _GAP, 3), 255, dtype=np.uint8)
    parts: list[Pixels] = []
    for page in pages:
        width = max(round(page.shape[1] * _HEIGHT / page.shape[0]), 1)
        small = cv2.resize(page, (width, _HEIGHT), interpolation=cv2.INTER_AREA)
        parts += [np.asarray(small, dtype=np.uint8), gap]
    return np.hstack(parts[:-1])


def _write(path: Path, pixels: Pixels) -> Path:
    bgr = cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR)
    done, encoded = cv2.imencode(".webp", bgr, [cv2.IMWRITE_WEBP_QUALITY, _QUALITY])
    if not done:
        raise StoreError(f"{path}: a picture of {pixels.shape} cannot be written as WebP")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encoded.tobytes())
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror}; choose another folder") from error
    return path
