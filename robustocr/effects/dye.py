"""What dyes and liquids do to a page: they filter its light, and they dissolve print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
        done[part] = to_pixels(cv2.multiply(to_light(pixels[part]), _each_channel(light.rows(part))))
    return done


def without_print(pixels: Pixels, paper: Pixels, lost: Field) -> Pixels:
    """Return pixels with a share ``lost`` (height x width, 0..1) of their contrast to the paper gone."""
    share = cv2.merge([lost] * 3)
    gone = cv2.multiply(cv2.subtract(paper, pixels, dtype=cv2.CV_32F), share)
    return np.asarray(cv2.add(gone, pixels, dtype=cv2.CV_8U), dtype=np.uint8)


def passed_by(density: Field, tint: Field) -> Field:
    """Return the light that a dye passes: 10 to the minus density times tint (Beer and Lambert)."""
    return np.asarray(np.exp(-np.log(10) * density[..., None] * tint), dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """What lies on a patch: a share ``passed`` of the light passes, a share ``lost`` of the print is gone.

    ``passed`` is a grid, or a grid x 3 channels; ``lost`` is a grid; ``veil``, a grid, is light that is
    added to all channels, 1 being white.
    """

    patch: Patch
    passed: Field
    lost: Field
    veil: Field | None = None


def soak(page: Pixels, cover: Mask, paper: Pixels, layers: Sequence[Layer]) -> None:
    """Dissolve print and filter the light under layers, in place, and mark what can no longer be seen.

    Where less than a tenth of the light passes or of the print is left, the page counts as covered.
    """
    for layer in layers:
        _dissolve(layer.patch.of(page), layer.patch.of(cover), layer.patch.of(paper), layer)
    for layer in layers:
        _filter(layer.patch.of(page), layer.patch.of(cover), layer)


def _dissolve(under: Pixels, hidden: Mask, paper: Pixels, layer: Layer) -> None:
    if not layer.lost.any():
        return
    losses = layer.patch.full(layer.lost)
    for part in layer.patch.strips():
        lost = losses.rows(part)
        under[part] = without_print(under[part], paper[part], lost)
        hidden[part][lost > 1 - _OPAQUE] = 255


def _filter(under: Pixels, hidden: Mask, layer: Layer) -> None:
    filters = layer.patch.full(layer.passed)
    veils = None if layer.veil is None else layer.patch.full(layer.veil)
    dim = layer.passed if layer.passed.ndim == 2 else layer.passed.mean(axis=2)
    dims = layer.patch.full(dim) if float(dim.min()) < _OPAQUE else None
    for part in layer.patch.strips():
        light = cv2.multiply(to_light(under[part]), _each_channel(filters.rows(part)))
        if veils is not None:
            light = cv2.add(light, _each_channel(veils.rows(part)))
        under[part] = to_pixels(light)
        if dims is not None:
            hidden[part][dims.rows(part) < _OPAQUE] = 255


def _each_channel(field: Field) -> Field:
    return np.asarray(cv2.merge([field] * 3), dtype=np.float32) if field.ndim == 2 else field
