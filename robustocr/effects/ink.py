"""What happens to print: thermal paper that fades."""

from __future__ import annotations

from typing import Annotated

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.effects.noise import Noise, smooth_noise, smooth_step, white_noise
from robustocr.effects.paper import paper_colour
from robustocr.effects.registry import Strength, effect
from robustocr.strips import Stretched, stretched, strips

_FIBRE = 1.6


@effect()
def thermal_fade(
    pixels: Pixels,
    *,
    loss: Annotated[float, Strength(0, 1, "share of the paper-ink contrast lost")],
    unevenness: Annotated[float, Strength(0, 1, "share by which bands and patches differ")] = 0.5,
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Fade the ink unevenly: patches, bands across the feed, weak columns of the print head.

    The fibre of the paper (a noise of 1.6 levels) stays, so that print below it is truly lost.
    """
    height, width = pixels.shape[:2]
    small = max(height // 4, 2), max(width // 4, 2)
    per_text = 4 / text_height
    patches = smooth_noise(small, (int(small[0] * per_text / 9), int(small[1] * per_text / 9)), rng)
    bands = smooth_noise((small[0], 2), (int(small[0] * per_text / 1.6), 2), rng)[:, :1]
    columns = smooth_noise((2, small[1]), (2, int(small[1] * per_text / 0.7)), rng)[:1]
    fibre = white_noise(height, width, rng)
    uneven = unevenness * (0.55 * patches + 0.45 * bands + 0.35 * smooth_step(columns, 0.35, 0.9))
    kept = np.clip((1 - loss) * (1 - uneven) - 0.35 * loss * np.maximum(uneven, 0), 0, 1).astype(np.float32)
    return _faded(pixels, stretched(kept, height, width), fibre, text_height)


def _faded(pixels: Pixels, kept: Stretched, fibre: Noise, text_height: float) -> Pixels:
    """Return the page with ``kept`` of its contrast against the local paper colour, plus the fibre."""
    paper = paper_colour(pixels, text_height)
    faded = np.empty_like(pixels)
    for part in strips(*pixels.shape[:2]):
        ink = cv2.subtract(paper[part], pixels[part])
        share = kept.rows(part)
        lighter = cv2.multiply(ink, cv2.merge([share, share, share]), dtype=cv2.CV_32F)
        page = cv2.subtract(paper[part], lighter, dtype=cv2.CV_32F)
        page += np.float32(_FIBRE) * fibre.rows(part)[..., None]
        faded[part] = cv2.convertScaleAbs(np.maximum(page, 0, out=page))
    return faded
