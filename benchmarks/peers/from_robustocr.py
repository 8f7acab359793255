"""Our effects at the strengths that all libraries are given, and our recipes at severity 3."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from strengths import ANGLE, LONG, QUALITY, RADIUS, SHORT, SHRINK, SIGMA, TEXT_HEIGHT

from robustocr.corruptions import corrupt, list_corruptions, load_corruption
from robustocr.effects.registry import find_effect
from robustocr.text_height import estimate_text_height

RECIPE = "recipe "
SEVERITY = 3

_KNOWN: dict[int, dict[str, Any]] = {}

_SHARED: dict[str, tuple[str, dict[str, Any]]] = {
    "Gaussian blur": ("gaussian_blur", {"sigma": SIGMA / TEXT_HEIGHT}),
    "motion blur, short": ("motion_blur", {"length": SHORT / TEXT_HEIGHT}),
    "motion blur, long": ("motion_blur", {"length": LONG / TEXT_HEIGHT}),
    "defocus": ("defocus", {"radius": RADIUS / TEXT_HEIGHT}),
    "Gaussian noise": ("low_light", {"stops": 8.0}),
    "shot noise": ("low_light", {"stops": 8.0}),
    "JPEG": ("jpeg", {"quality": QUALITY}),
    "downscale": ("downscale", {"text_pixels": SHRINK * TEXT_HEIGHT}),
    "brightness": ("exposure", {"stops": 1.0}),
    "shadow": ("cast_shadow", {"stops": 2.3}),
    "light": ("mixed_light", {"gap": 160.0}),
    "glare": ("glare", {"share": 0.14}),
    "lens flare": ("flash", {"share": 0.12}),
    "colour fringe": ("colour_fringe", {"lateral": 0.15}),
    "perspective": ("perspective", {"angle": 30.0}),
    "rotate": ("tilt", {"angle": ANGLE}),
    "fold": ("folds", {"count": 2, "shift": 0.3, "shade": 0.35, "wear": 0.3}),
    "quarter turn": ("sideways", {}),
}

_RECIPES = {
    "elastic, crumple": "crumple",
    "show-through": "show_through",
    "stain": "coffee",
    "moire": "screen_moire",
    "fax": "fax",
}


def _shared(name: str, values: dict[str, Any], pixels: Any) -> Any:
    rng = np.random.default_rng(0)
    return find_effect(name).apply(pixels, values, text_height=TEXT_HEIGHT, rng=rng)


def load_receipts(path: Path) -> Any:
    """Return a stack of pictures and keep in mind where their fields are."""
    pictures = np.load(path)
    for pixels, known in zip(pictures, json.loads(path.with_suffix(".json").read_text()), strict=True):
        _KNOWN[pixels.ctypes.data] = known
    return pictures


def recipe(name: str, pixels: Any) -> Any:
    """Return a picture of a loaded stack under a bundled recipe."""
    known = _KNOWN[pixels.ctypes.data]
    return corrupt(pixels, load_corruption(name), SEVERITY, seed=0, sample_id="timed", **known)


for _name, _values in _SHARED.values():
    find_effect(_name).check(_values)

EFFECTS = {
    **{shared: partial(_shared, name, values) for shared, (name, values) in _SHARED.items()},
    **{shared: partial(recipe, name) for shared, name in _RECIPES.items()},
    **{RECIPE + name: partial(recipe, name) for name in list_corruptions()},
    "estimate of the text height": estimate_text_height,
}
