"""The memory that paper has of its roll: both ends of the page stand up and roll in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.bent_moves import Roll, Row
from robustocr.boxes import Mask
from robustocr.effects.registry import Change, Strength, effect
from robustocr.effects.surroundings import surroundings_beside
from robustocr.effects.tone import to_light, to_pixels
from robustocr.strips import strips

Rows = npt.NDArray[np.bool_]

_CAMERA = 1.4
_MARGIN = 0.8
_AMBIENT = 0.38
_GAP = 0.5
_BACK = 0.93
_SHADOW = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sheet:
    """The bent page, per row: place over the table, height above it, and angle to it (radians)."""

    ground: Row
    height: Row
    angle: Row
    radius: float


@effect(moves=True, version=2)
def curl(
    pixels: Pixels,
    *,
    rolled: Annotated[float, Strength(0, 1, "share of the page's length in the rolls of both ends")],
    radius: Annotated[float, Strength(1, 20, "text heights")] = 4.0,
    text_height: float,
    rng: np.random.Generator,
) -> Change:
    """Roll up the ends of the page about cylinders, and look at it from above with a pinhole camera.

    What stands up is foreshortened and shaded by its slope; beyond a quarter of a turn the white back of
    the roll hides what is in it and beneath it. The camera is 1.4 times the longer side of the page away.
    """
    height, width = pixels.shape[:2]
    part = rng.uniform(0.3, 0.7)
    lamp = rng.uniform(0.15, 0.55) * rng.choice([-1.0, 1.0])
    sheet = _sheet(height, rolled * height * np.array([part, 1 - part]), radius * text_height)
    move, light, back = _seen(sheet, (width, height), _CAMERA * max(width, height), text_height, lamp)
    page = _page_mask(move, move.shows > -0.5)
    canvas = surroundings_beside(page, "table", text_height, rng, _SHADOW)
    _lay_out(canvas, pixels, page, move, light, back)
    return Change(pixels=canvas, move=move, cover=_page_mask(move, back))


def _sheet(height: int, ends: Row, radius: float) -> _Sheet:
    """Return the page of ``height`` rows of which ``ends`` pixels at the top and bottom are rolled up."""
    rows = np.arange(height, dtype=np.float64)
    radius = max(min(radius, 0.2 * height), 0.5)
    top = np.maximum(ends[0] - 0.5 - rows, 0) / radius
    bottom = np.maximum(rows - (height - ends[1] - 0.5), 0) / radius
    flat = np.clip(rows, ends[0] - 0.5, height - ends[1] - 0.5)
    angle = bottom - top
    return _Sheet(
        ground=flat + radius * np.sin(angle), height=radius * (1 - np.cos(angle)), angle=angle, radius=radius
    )


def _seen(
    sheet: _Sheet, size: tuple[int, int], camera: float, text_height: float, lamp: float
) -> tuple[Roll, Row, Rows]:
    """Return the move, and for each row of the new picture its light and whether it shows the back."""
    width, height = size
    scale = camera / (camera - np.minimum(sheet.height, 0.6 * camera))
    lies = (sheet.ground - (height - 1) / 2) * scale + (height - 1) / 2
    margin = _MARGIN * text_height
    lies += np.ceil(margin - lies.min())
    aside = int(np.ceil(width * (scale.max() - 1) / 2 + margin))
    new = width + 2 * aside, int(np.ceil(lies.max() + margin)) + 1
    y, rows = np.arange(new[1], dtype=np.float64), np.arange(height)
    outer = np.where(np.abs(sheet.angle) <= np.pi, lies, np.median(lies))
    first, last = int(outer.argmin()), int(outer.argmax())
    shows = np.interp(y, np.maximum.accumulate(lies[first : last + 1]), rows[first : last + 1])
    light = _shade(np.interp(shows, rows, sheet.angle), lamp)
    back = np.zeros(new[1], dtype=bool)
    for end, inwards in ((rows[last:], -1.0), (rows[first::-1], 1.0)):
        over, beneath = _overhang(lies[end] * inwards, y * inwards)
        if not over.any():
            continue
        light *= 1 - _GAP * np.exp(-np.maximum(_beyond(over, y, inwards), 0) / (0.6 * sheet.radius))
        shows = np.where(over, end[0] - inwards * beneath, shows)
        turned = np.interp(shows, rows, sheet.angle) + inwards * np.pi
        light, back = np.where(over, _BACK * _shade(turned, lamp), light), back | over
    move = Roll(
        old=size,
        new=new,
        lies=lies,
        scale=scale,
        shows=np.where((y < lies.min() - 0.5) | (y > lies.max() + 0.5), -1.0, shows),
        shown_scale=np.interp(shows, rows, scale),
    )
    return move, light, back


def _overhang(path: Row, y: Row) -> tuple[Rows, Row]:
    """Return where a roll hides the rows ``y``, and which of its own steps from the outermost one is there.

    ``path`` is how far inwards each step of the page lies, from the outermost one to the page's end.
    """
    length = int(path.argmax()) + 1
    inner = np.maximum.accumulate(path[:length])
    over = (y >= inner[0] - 0.5) & (y <= inner[-1]) & (length > 1)
    return over, np.interp(y, inner, np.arange(length))


def _beyond(over: Rows, y: Row, inwards: float) -> Row:
    """Return how far rows lie further inwards than the edge of the roll, in pixels; far for other rows."""
    edge = float((y[over] * inwards).max())
    gap = y * inwards - edge
    return np.where(gap >= 0, gap, np.inf)


def _shade(angle: Row, lamp: float) -> Row:
    """Return the light on rows at an angle (radians) to the table, 1 on the flat: Lambert, and the sky."""
    direct = np.maximum(np.cos(angle - lamp), 0) / np.cos(lamp)
    return np.asarray(_AMBIENT + (1 - _AMBIENT) * direct)


def _page_mask(move: Roll, rows: Rows) -> Mask:
    """Return 255 where the page or its back is in the picture, on those rows alone."""
    width, height = move.new
    x = np.abs(np.arange(width) - (width - 1) / 2)
    mask = np.empty((height, width), dtype=np.uint8)
    for part in strips(height, width):
        reach = np.where(rows[part], move.shown_scale[part] * move.old[0] / 2, -1.0)
        mask[part] = (x[None] <= reach[:, None]) * np.uint8(255)
    return mask


def _lay_out(canvas: Pixels, pixels: Pixels, page: Mask, move: Roll, light: Row, back: Rows) -> None:
    """Draw the bent page onto the table, in place: its front, and the white back of its rolls."""
    small = cv2.resize(pixels, (32, 32), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    white = to_light(np.percentile(small, 85, axis=0).astype(np.uint8)[None, None])
    for part in strips(*canvas.shape[:2]):
        across, down = move.source(part)
        front = cv2.remap(pixels, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        seen = to_light(np.asarray(front, dtype=np.uint8))
        seen[back[part]] = white
        seen *= light[part, None, None].astype(np.float32)
        cv2.copyTo(to_pixels(seen), page[part], canvas[part])
