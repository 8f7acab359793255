"""What dyes and liquids do to a page: they filter its light, and they dissolve print."""

from __future__ import annotations

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.effects.patch import Patch
from robustocr.effects.tone import to_light, to_pixels
from robustocr.strips import Field, Stretched, strips

_OPAQUE = 0.10


def lit(pixels: Pixels, light: Stretched) -> Pixels:
    """Return the page under a light (1 is unchanged) given for all channels or for each."""
    done = np.empty_like(pixels)
    for part in strips(*pixels.shape[:2]):
        lamp = light.rows(part)
        each = cv2.merge([lamp] * 3) if lamp.ndim == 2 else lamp
        done[part] = to_pixels(cv2.multiply(to_light(pixels[part]), each))
    return done


def without_print(pixels: Pixels, paper: Pixels, lost: Field) -> Pixels:
    """Return pixels with a share ``lost`` (height x width, 0..1) of their contrast to the paper gone."""
    share = cv2.merge([lost] * 3)
    gone = cv2.multiply(cv2.subtract(paper, pixels, dtype=cv2.CV_32F), share)
    return np.asarray(cv2.add(gone, pixels, dtype=cv2.CV_8U), dtype=np.uint8)


def passed_by(density: Field, tint: Field) -> Field:
    """Return the light that a dye passes: 10 to the minus density times tint (Beer and Lambert)."""
    return np.asarray(np.exp(-np.log(10) * density[..., None] * tint), dtype=np.float32)


def soak(
    page: Pixels,
    cover: Mask,
    paper: Pixels,
    patch: Patch,
    passed: Field,
    lost: Field,
    veil: Field | None = None,
) -> None:
    """Dissolve print and filter the light under a patch, in place, and mark what can no longer be seen.

    ``passed`` (grid x 3) is the share of the light that passes, ``lost`` (grid) that of the print that is
    gone, ``veil`` (grid x 3) light that is added, 1 being white. Where less than a tenth of the light
    passes or of the print is left, the page counts as covered.
    """
    under, beneath, hidden = patch.of(page), patch.of(paper), patch.of(cover)
    filters, losses = patch.full(passed), patch.full(lost)
    added = None if veil is None else patch.full(veil)
    for part in patch.strips():
        through, gone = filters.rows(part), losses.rows(part)
        light = cv2.multiply(to_light(without_print(under[part], beneath[part], gone)), through)
        if added is not None:
            light += added.rows(part)
        under[part] = to_pixels(light)
        hidden[part][(through.mean(axis=2) < _OPAQUE) | (gone > 1 - _OPAQUE)] = 255
