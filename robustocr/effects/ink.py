"""What happens to print: paper that fades, a ribbon that runs dry, dead dots of the print head."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.effects.noise import Noise, grainy_noise, smooth_noise, smooth_step
from robustocr.effects.paper import paper_colour
from robustocr.effects.registry import Strength, effect
from robustocr.strips import Field, Stretched, stretched, strips

_FIBRE = 1.6
_FIBRES_PER_TEXT = 20.0
_DOTS_PER_TEXT = 24
_WEAVE = 0.09


@effect(version=2)
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
    fibre = _fibre(height, width, text_height, rng)
    uneven = unevenness * (0.55 * patches + 0.45 * bands + 0.35 * smooth_step(columns, 0.35, 0.9))
    kept = np.clip((1 - loss) * (1 - uneven) - 0.35 * loss * np.maximum(uneven, 0), 0, 1).astype(np.float32)
    return _faded(pixels, stretched(kept, height, width).rows, fibre, text_height)


@effect(version=2)
def faint_ribbon(
    pixels: Pixels,
    *,
    dryness: Annotated[float, Strength(0, 1, "share of the ink that the ribbon has lost")],
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Print with a ribbon that runs dry: ink is left on the high threads of its weave, here more, there less.

    The density varies along characters and from one end of a line to the other; a drier ribbon loses
    first what was faint before.
    """
    height, width = pixels.shape[:2]
    small = max(height // 4, 2), max(width // 4, 2)
    per_text = 4 / text_height
    along = smooth_noise(small, (int(small[0] * per_text / 0.7), int(small[1] * per_text / 2.2)), rng)
    drift = smooth_noise(small, (int(small[0] * per_text / 1.4), int(small[1] * per_text / 14)), rng)
    supply = stretched((0.26 * along + 0.22 * drift).astype(np.float32), height, width)
    weave = _weave(height, width, text_height, rng)
    fibre = _fibre(height, width, text_height, rng)
    level = 1.45 * dryness - 0.45

    def kept(part: slice) -> Field:
        thread = weave.rows(part)
        thread *= np.float32(0.16)
        thread += supply.rows(part)
        return smooth_step(thread, level - 0.5, level + 0.5) * np.float32(1 - 0.6 * dryness)

    return _faded(pixels, kept, fibre, text_height)


def _weave(height: int, width: int, text_height: float, rng: np.random.Generator) -> Noise | Stretched:
    """Return normal noise with grains as wide as the threads of a ribbon."""
    return grainy_noise(height, width, max(_WEAVE * text_height, 1.0 + 1e-6), rng)


def _fibre(height: int, width: int, text_height: float, rng: np.random.Generator) -> Noise | Stretched:
    """Return normal noise with grains as wide as the fibres of paper, a twentieth of a text height."""
    return grainy_noise(height, width, text_height / _FIBRES_PER_TEXT, rng)


@effect(version=2)
def dead_dots(
    pixels: Pixels,
    *,
    dead: Annotated[float, Strength(0, 1, "share of the print head's elements")],
    text_height: float,
    rng: np.random.Generator,
) -> Pixels:
    """Leave white lines along the feed where heating elements of a thermal print head are dead.

    Elements are an eighth of a millimetre wide (203 dpi: 24 to a text height of font A) and die in
    groups, for dirt and scratches are wider than one. A worse head has the same dead ones and more.
    """
    height, width = pixels.shape[:2]
    elements = max(round(width * _DOTS_PER_TEXT / text_height), 1)
    order = smooth_noise((2, elements), (2, elements // 7), rng)[0] + 0.8 * rng.uniform(-1, 1, elements)
    rank = np.argsort(np.argsort(order, kind="stable"), kind="stable")
    gone = (rank < round(dead * elements)).astype(np.float32)[None]
    finer = cv2.INTER_AREA if elements > width else cv2.INTER_NEAREST
    lost = np.asarray(cv2.resize(gone, (width, 1), interpolation=finer), dtype=np.float32)
    fibre = _fibre(height, width, text_height, rng)
    return _faded(
        pixels, lambda part: np.repeat(1 - lost, part.stop - part.start, axis=0), fibre, text_height
    )


def _faded(
    pixels: Pixels, kept: Callable[[slice], Field], fibre: Noise | Stretched, text_height: float
) -> Pixels:
    """Return the page with ``kept`` of its contrast against the local paper colour, plus the fibre."""
    paper = paper_colour(pixels, text_height)
    faded, rough = np.empty_like(pixels), np.float32(_FIBRE * min(text_height / _FIBRES_PER_TEXT, 1.0))
    for part in strips(*pixels.shape[:2]):
        ink = cv2.subtract(paper[part], pixels[part])
        share = kept(part)
        lighter = cv2.multiply(ink, cv2.merge([share, share, share]), dtype=cv2.CV_32F)
        page = cv2.subtract(paper[part], lighter, dtype=cv2.CV_32F)
        page += rough * fibre.rows(part)[..., None]
        faded[part] = cv2.convertScaleAbs(np.maximum(page, 0, out=page))
    return faded
