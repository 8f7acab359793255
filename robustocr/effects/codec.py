"""What codecs do: JPEG, WebP and AVIF once, or JPEG passed on from messenger to messenger."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal

import cv2
import numpy as np
from PIL import Image

from robustocr.adapters.base import Pixels
from robustocr.effects.registry import Strength, effect
from robustocr.effects.sensor import enlarge, shrink

Subsampling = Literal["444", "422", "420"]

_PASS_SHRINKS = 0.94
_WEBP_EFFORT = 2
_AVIF_SPEED = 9
_LONGEST_JPEG = 65500
_LONGEST_WEBP = 16383
_LONGEST_AVIF = 16384
_SAMPLING = {
    "444": cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
    "422": cv2.IMWRITE_JPEG_SAMPLING_FACTOR_422,
    "420": cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420,
}


@effect()
def jpeg(
    pixels: Pixels,
    *,
    quality: Annotated[float, Strength(1, 100, "JPEG quality", whole=True)],
    subsampling: Subsampling = "420",
    text_pixels: Annotated[float, Strength(2, 400, "pixels of text height left")] = 400,
    text_height: float,
) -> Pixels:
    """Shrink until text is ``text_pixels`` high, encode as baseline JPEG, and enlarge again.

    ``subsampling`` says how coarsely colour is kept: at every pixel (444), at half of the columns (422), or
    at half of the rows as well (420).
    """
    once = partial(_jpeg_once, quality=int(quality), subsampling=subsampling)
    return _sent(pixels, text_pixels / text_height, once, _LONGEST_JPEG)


@effect()
def webp(
    pixels: Pixels,
    *,
    quality: Annotated[float, Strength(0, 100, "WebP quality", whole=True)],
    text_pixels: Annotated[float, Strength(2, 400, "pixels of text height left")] = 400,
    text_height: float,
) -> Pixels:
    """Shrink until text is ``text_pixels`` high, encode as lossy WebP (always 4:2:0), and enlarge again."""

    def once(part: Pixels) -> Pixels:
        stream = io.BytesIO()
        Image.fromarray(part).save(stream, "WEBP", quality=int(quality), method=_WEBP_EFFORT)
        return _decoded(np.frombuffer(stream.getbuffer(), dtype=np.uint8))

    return _sent(pixels, text_pixels / text_height, once, _LONGEST_WEBP)


@effect()
def avif(
    pixels: Pixels,
    *,
    quality: Annotated[float, Strength(0, 100, "AVIF quality", whole=True)],
    text_pixels: Annotated[float, Strength(2, 400, "pixels of text height left")] = 400,
    text_height: float,
) -> Pixels:
    """Shrink until text is ``text_pixels`` high, encode as AVIF (one AV1 key frame), and enlarge again.

    The encoder runs at the speed that phones can afford; at this one its bytes do not depend on threads.
    """

    def once(part: Pixels) -> Pixels:
        options = [cv2.IMWRITE_AVIF_QUALITY, int(quality), cv2.IMWRITE_AVIF_SPEED, _AVIF_SPEED]
        return _through(part, ".avif", options)

    return _sent(pixels, text_pixels / text_height, once, _LONGEST_AVIF)


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
    once = partial(_jpeg_once, quality=int(quality), subsampling="420")
    sent = _in_parts(shrink(pixels, text_pixels / text_height), once, _LONGEST_JPEG)
    for _ in range(int(passes) - 1):
        sent = _in_parts(shrink(sent, _PASS_SHRINKS), once, _LONGEST_JPEG)
    return enlarge(sent, pixels.shape)


def _sent(pixels: Pixels, factor: float, once: Callable[[Pixels], Pixels], longest: int) -> Pixels:
    """Return pixels shrunk by ``factor``, put through a codec, and enlarged again."""
    return enlarge(_in_parts(shrink(pixels, factor), once, longest), pixels.shape)


def _jpeg_once(pixels: Pixels, quality: int, subsampling: Subsampling) -> Pixels:
    """Return pixels after one encoding as JPEG, whose sides are 65500 pixels at most."""
    options = [
        cv2.IMWRITE_JPEG_QUALITY,
        quality,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR,
        _SAMPLING[subsampling],
    ]
    return _through(pixels, ".jpg", options)


def _through(pixels: Pixels, ending: str, options: list[int]) -> Pixels:
    """Return pixels encoded and decoded by OpenCV."""
    done, encoded = cv2.imencode(ending, cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), options)
    if not done:
        raise ValueError(f"a picture of {pixels.shape} cannot be encoded as {ending}")
    return _decoded(encoded)


def _decoded(encoded: Pixels) -> Pixels:
    return np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR_RGB), dtype=np.uint8)


def _in_parts(pixels: Pixels, once: Callable[[Pixels], Pixels], longest: int) -> Pixels:
    """Return pixels after a codec whose pictures have sides of ``longest`` pixels at most, halved to fit."""
    axis = int(np.argmax(pixels.shape[:2]))
    if pixels.shape[axis] <= longest:
        return once(np.ascontiguousarray(pixels))
    halves = np.array_split(pixels, 2, axis=axis)
    return np.concatenate([_in_parts(half, once, longest) for half in halves], axis=axis)
