"""Effects of Augraphy 8.2.6, at its own default strengths where it takes none of ours."""

from __future__ import annotations

from typing import Any

import augraphy
from strengths import ANGLE, BRIGHTER, QUALITY


def _forced(name: str, **values: Any) -> Any:
    transform = getattr(augraphy, name)(p=1, **values)
    return lambda pixels: transform(pixels, force=True)


EFFECTS = {
    "defocus": _forced("DepthSimulatedBlur"),
    "Gaussian noise": _forced("SubtleNoise"),
    "shot noise": _forced("LowLightNoise"),
    "JPEG": _forced("Jpeg", quality_range=(QUALITY, QUALITY)),
    "brightness": _forced("Brightness", brightness_range=(1 + BRIGHTER, 1 + BRIGHTER)),
    "shadow": _forced("ShadowCast"),
    "light": _forced("LightingGradient"),
    "glare": _forced("ReflectedLight"),
    "lens flare": _forced("LensFlare"),
    "rotate": _forced("Geometric", rotate_range=(round(ANGLE), round(ANGLE)), randomize=0),
    "fold": _forced("Folding"),
    "show-through": _forced("BleedThrough"),
    "stain": _forced("Stains"),
    "moire": _forced("Moire"),
    "fax": _forced("Faxify", monochrome=1, halftone=0),
}
