"""Our effects at the strengths that all libraries are given, and our recipes at severity 3."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from strengths import ANGLE, LONG, QUALITY, RADIUS, SHORT, SHRINK, SIGMA, TEXT_HEIGHT

from robustocr.corruptions import corrupt, list_corruptions, load_corruption
from robustocr.effects.registry import find_effect
from robustocr.text_height import estimate_text_height

RECIPE = "recipe "
SEVERITY = 3

_SHARED: dict[str, tuple[str, dict[str, Any]]] = {
    "Gaussian blur": ("gaussian_blur", {"sigma": SIGMA / TEXT_HEIGHT}),
    "motion blur, short": ("motion_blur", {"length": SHORT / TEXT_HEIGHT}),
    "motion blur, long": ("motion_blur", {"length": LONG / TEXT_HEIGHT}),
    "defocus": ("defocus", {"radius": RADIUS / TEXT_HEIGHT}),
    "Gaussian noise": ("low_light", {"stops": 8.0}),
    "shot noise": ("low_light", {"stops": 8.0}),
    "JPEG": ("jpeg", {"quality": QUALITY}),
    "downscale": ("downscale", {"text_pixels": SHRINK * TEXT_HEIGHT}),
    "brightness": ("overexposure", {"stops": 1.0}),
    "shadow": ("cast_shadow", {"stops": 2.3}),
    "light": ("mixed_light", {"gap": 160.0}),
    "glare": ("glare", {"share": 0.14}),
    "lens flare": ("flash", {"share": 0.12}),
    "colour fringe": ("colour_fringe", {"lateral": 0.15}),
    "perspective": ("perspective", {"angle": 30.0}),
    "rotate": ("tilt", {"angle": ANGLE}),
    "quarter turn": ("sideways", {}),
    "elastic, crumple": ("crumple", {"shift": 0.4, "shade": 0.42}),
    "fold": ("crumple", {"shift": 0.4, "shade": 0.42}),
    "show-through": ("show_through", {"strength": 0.28}),
    "stain": ("stain", {"radius": 7.0, "density": 0.6}),
    "moire": ("screen_moire", {"text_pixels": 9.5}),
    "fax": ("fax", {"lines": 11.0}),
}


def _shared(name: str, values: dict[str, Any], pixels: Any) -> Any:
    rng = np.random.default_rng(0)
    return find_effect(name).apply(pixels, values, text_height=TEXT_HEIGHT, rng=rng)


def recipe(name: str, pixels: Any) -> Any:
    """Return a picture under a bundled recipe; its text is as high as the page's width makes it."""
    height = TEXT_HEIGHT * pixels.shape[1] / 910
    return corrupt(pixels, load_corruption(name), SEVERITY, seed=0, sample_id="timed", text_height=height)


EFFECTS = {
    **{shared: partial(_shared, name, values) for shared, (name, values) in _SHARED.items()},
    **{RECIPE + name: partial(recipe, name) for name in list_corruptions()},
    "estimate of the text height": estimate_text_height,
}
