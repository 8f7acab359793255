"""Pictures for the report: the place of a field cut out, and a thumbnail of the whole, as data URIs."""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from robustocr.adapters.base import Pixels
from robustocr.records import Box

CROP_SIDE = 640
THUMBNAIL_SIDE = 260
WHOLE_SIDE = 560
_QUALITY = 72
_GAP, _SMALL = 3, 10
_OUTLINE = (213, 94, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One embedded picture: a WebP data URI and its size in pixels."""

    uri: str
    width: int
    height: int


def field_crop(pixels: Pixels, boxes: Sequence[Box], *, together: bool = False) -> Shown:
    """Return the first place of a field with its surroundings, outlined, at most 640 pixels a side.

    ``together`` shows all places instead of the first. A place outside the picture gives the whole picture.
    """
    first = _bounds(boxes[0])
    line = max(first[3] - first[1], 8.0)
    left, top, right, bottom = _hull(boxes) if together else first
    across = max(2.5 * line, (9 * line - (right - left)) / 2)
    height, width = pixels.shape[:2]
    x0, x1 = _clip(left - across, width), _clip(right + across, width)
    y0, y1 = _clip(top - 2 * line, height), _clip(bottom + 2 * line, height)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return thumbnail(pixels, boxes, side=WHOLE_SIDE)
    inside = [tuple(v - (x0, y0)[i % 2] for i, v in enumerate(box)) for box in boxes]
    return _encode(pixels[y0:y1, x0:x1], inside, CROP_SIDE)


def thumbnail(pixels: Pixels, boxes: Sequence[Box] = (), *, side: int = THUMBNAIL_SIDE) -> Shown:
    """Return the whole picture at most ``side`` pixels a side, with every place of the field outlined."""
    return _encode(pixels, boxes, side)


def _encode(pixels: Pixels, boxes: Sequence[Box], side: int) -> Shown:
    picture = Image.fromarray(pixels)
    scale = min(1.0, side / max(picture.size))
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    picture = picture.resize(size, Image.Resampling.LANCZOS) if scale < 1 else picture
    draw = ImageDraw.Draw(picture)
    for box in boxes:
        placed = tuple(v * scale for v in box)
        small = max(placed[1::2]) - min(placed[1::2]) < _SMALL
        draw.polygon(_around(placed, 1 if small else _GAP), outline=_OUTLINE, width=1 if small else 2)
    buffer = io.BytesIO()
    picture.save(buffer, format="WEBP", quality=_QUALITY, method=4)
    uri = "data:image/webp;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
    return Shown(uri=uri, width=picture.width, height=picture.height)


def _around(box: Box, gap: float) -> list[float]:
    """Corners of a box pushed out by ``gap`` pixels, so that its outline does not cover the print."""
    left, top, right, bottom = _bounds(box)
    corners = box if len(box) == 8 else (left, top, right, top, right, bottom, left, bottom)
    centre = ((left + right) / 2, (top + bottom) / 2)
    return [v + math.copysign(gap, v - centre[i % 2]) for i, v in enumerate(corners)]


def _bounds(box: Box) -> tuple[float, float, float, float]:
    return min(box[0::2]), min(box[1::2]), max(box[0::2]), max(box[1::2])


def _hull(boxes: Sequence[Box]) -> tuple[float, float, float, float]:
    left, top, right, bottom = zip(*map(_bounds, boxes), strict=True)
    return min(left), min(top), max(right), max(bottom)


def _clip(value: float, size: int) -> int:
    return int(min(max(round(value), 0), size))
