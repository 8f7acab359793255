"""What codecs do: JPEG, once or passed on from messenger to messenger."""

from __future__ import annotations

from typing import Annotated

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.effects.registry import Strength, effect
from robustocr.effects.sensor import enlarge, shrink

_PASS_SHRINKS = 0.94


@effect()
def jpeg(
    pixels: Pixels, *, quality: Annotated[float, Strength(1, 100, "JPEG quality", whole=True)]
) -> Pixels:
    """Encode as baseline JPEG (4:2:0) at ``quality`` and decode again."""
    done, encoded = cv2.imencode(
        ".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, int(quality)]
    )
    if not done:
        raise ValueError(f"a picture of {pixels.shape} cannot be encoded as JPEG")
    decoded: Pixels = np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR_RGB), dtype=np.uint8)
    return decoded


@effect()
def messenger(
    pixels: Pixels,
    *,
    text_pixels: Annotated[float, Strength(2, 400, "pixels of text height left")],
    quality: Annotated[float, Strength(1, 100, "JPEG quality", whole=True)],
    passes: Annotated[float, Strength(1, 12, "passes", whole=True)] = 1,
    text_height: float,
) -> Pixels:
    """Shrink until text is ``text_pixels`` high, encode as JPEG, pass on ``passes`` times, and enlarge again.

    Every further pass shrinks a little more, so that its blocks lie elsewhere on the text.
    """
    sent = jpeg(shrink(pixels, text_pixels / text_height), quality=quality)
    for _ in range(int(passes) - 1):
        sent = jpeg(shrink(sent, _PASS_SHRINKS), quality=quality)
    return enlarge(sent, pixels.shape)
