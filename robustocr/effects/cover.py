"""What lies or is held over the page, each with its shading and its shadow."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask, quad_of
from robustocr.effects.finger import draw_finger
from robustocr.effects.objects import draw_coin, draw_key, draw_pen
from robustocr.effects.registry import Change, FieldName, Strength, effect
from robustocr.effects.scatter import MOST_THINGS, PrintedArea, printed_area, sizes_for, spread_places
from robustocr.effects.slips import LABEL_SIZE, NOTE_SIZE, draw_slip, draw_sticker, draw_strip
from robustocr.errors import NoPlaceError
from robustocr.fields import Fields, Layout

_MOST_FINGERS = 10
_FINGER_WIDTH = 7.0
_COIN_RADII = (3.4, 5.0)
_COIN_AREA, _KEY_AREA, _PEN_AREA = 56.0, 75.0, 105.0
_PEN_LENGTH, _PEN_SLIDE = 58.0, 30.0
_COUNTER_TURN = 0.35

Share = Annotated[float, Strength(0, 0.9, "share of the printed area")]


@effect(version=2)
def finger(
    pixels: Pixels,
    *,
    reach: Annotated[float, Strength(0, 1, "share of the page's width")],
    count: Annotated[float, Strength(1, _MOST_FINGERS, "fingers", whole=True)] = 1,
    text_height: float,
    rng: np.random.Generator,
) -> Change:
    """Hold the page with fingers that come in from its sides, seven text heights (about 17 mm) wide."""
    page, cover = pixels.copy(), np.zeros(pixels.shape[:2], dtype=np.uint8)
    _add_fingers(page, cover, reach, int(count), text_height, rng)
    return Change(pixels=page, cover=cover)


@effect(version=2)
def occlusion(
    pixels: Pixels,
    *,
    reach: Annotated[float, Strength(0, 1, "share of the page's width")],
    count: Annotated[float, Strength(1, _MOST_FINGERS, "fingers or coins", whole=True)] = 1,
    kind: Literal["finger", "coin", "pen", "drawn"] = "drawn",
    text_height: float,
    rng: np.random.Generator,
) -> Change:
    """Cover the page with fingers from its sides, or with a pen or coins that lie on it."""
    drawn = ("finger", "finger", "finger", "coin", "pen")[int(rng.integers(5))]
    chosen = drawn if kind == "drawn" else kind
    page, cover = pixels.copy(), np.zeros(pixels.shape[:2], dtype=np.uint8)
    add = {"finger": _add_fingers, "coin": _add_coins, "pen": _add_pen}[chosen]
    add(page, cover, reach, int(count), text_height, rng)
    return Change(pixels=page, cover=cover)


@effect(version=2)
def small_objects(
    pixels: Pixels, *, share: Share, text_height: float, rng: np.random.Generator, layout: Layout
) -> Change:
    """Leave coins, keys and pens on the page, spread over its print until they take ``share`` of it.

    Sizes are those of the real things if a text height is 2.4 mm; the last of them may be smaller.
    """
    area = printed_area(layout.pixels, text_height)
    places = spread_places(area, rng)
    kinds = rng.choice(3, MOST_THINGS, p=(0.7, 0.18, 0.12))
    turns, looks = rng.uniform(0, 2 * np.pi, MOST_THINGS), rng.integers(1 << 30, size=MOST_THINGS)
    radii = rng.uniform(*_COIN_RADII, MOST_THINGS)
    usual = np.array([_COIN_AREA, _KEY_AREA, _PEN_AREA])[kinds] * text_height**2
    page, cover = pixels.copy(), np.zeros(pixels.shape[:2], dtype=np.uint8)
    for index, size in enumerate(sizes_for(share, usual, area.width * area.height)):
        x, y, turn, look = (
            float(places[index, 0]),
            float(places[index, 1]),
            float(turns[index]),
            int(looks[index]),
        )
        if kinds[index] == 0:
            draw_coin(page, cover, (x, y), float(radii[index]) * size * text_height, text_height, look)
        elif kinds[index] == 1:
            draw_key(page, cover, (x, y), turn, float(size) * text_height, look)
        else:
            back = (1 - size) * _PEN_SLIDE * text_height
            tip = x - back * np.cos(turn), y - back * np.sin(turn)
            draw_pen(page, cover, tip, turn, _PEN_LENGTH * text_height, text_height, look)
    return Change(pixels=page, cover=cover)


@effect(version=2)
def sticker(
    pixels: Pixels, *, share: Share, text_height: float, rng: np.random.Generator, layout: Layout
) -> Change:
    """Stick price stickers and notes onto the page until they take ``share`` of its printed area.

    A sticker is 12 x 8 text heights (29 x 19 mm), every fourth is a note of 21 x 16; the last may be smaller.
    """
    area = printed_area(layout.pixels, text_height)
    places = spread_places(area, rng)
    is_note = rng.random(MOST_THINGS) < 0.25
    turns, looks = rng.normal(0, 0.22, MOST_THINGS), rng.integers(1 << 30, size=MOST_THINGS)
    is_note[0] = False
    usual = np.where(is_note, np.prod(NOTE_SIZE), np.prod(LABEL_SIZE)) * text_height**2
    page, cover = pixels.copy(), np.zeros(pixels.shape[:2], dtype=np.uint8)
    for index, size in enumerate(sizes_for(share, usual, area.width * area.height)):
        width, height = NOTE_SIZE if is_note[index] else LABEL_SIZE
        place = float(places[index, 0]), float(places[index, 1])
        unit = float(size) * text_height
        draw_sticker(page, cover, place, float(turns[index]), (width, height), unit, int(looks[index]))
    return Change(pixels=page, cover=cover)


@effect()
def other_receipt(
    pixels: Pixels, *, share: Share, text_height: float, rng: np.random.Generator, layout: Layout
) -> Change:
    """Lay another receipt over about ``share`` of the printed area; it comes in from one of the four sides.

    It is printed in letters of nearly the same size, lies slightly askew, and throws a shadow.
    """
    side, along, turn = int(rng.integers(4)), rng.uniform(0.3, 0.7), rng.uniform(-1, 1)
    extent, scale = rng.uniform(0.75, 1.1), rng.uniform(0.88, 1.12)
    flipped, look = rng.random() < 0.25, int(rng.integers(1 << 30))
    area = printed_area(layout.pixels, text_height)
    page, cover = pixels.copy(), np.zeros(pixels.shape[:2], dtype=np.uint8)
    across = side < 2
    ahead, beside = (area.width, area.height) if across else (area.height, area.width)
    wide = extent * beside
    reach = min(share * ahead / min(extent, 1.0), ahead)
    long = reach + 0.3 * ahead + 0.25 * wide + 4 * text_height
    lean = turn * min(_COUNTER_TURN, 0.5 * ahead / max(wide, 1.0)) * (0.5 if across else 1.0)
    middle = _slip_middle(area, side, along, reach - long / 2, extent)
    size = (long, wide) if across else (wide, long)
    unit = scale * text_height
    turned = lean + (np.pi if flipped else 0.0)
    draw_slip(page, cover, middle, turned, (size[0] / unit, size[1] / unit), unit, look)
    return Change(pixels=page, cover=cover)


def _slip_middle(
    area: PrintedArea, side: int, along: float, inwards: float, extent: float
) -> tuple[float, float]:
    """Return the middle of a slip that lies ``inwards`` pixels inside a side: left, right, top, bottom."""
    place = 0.5 + (along - 0.5) * max(1 - extent, 0.0) * 2
    x, y = area.x0 + place * area.width, area.y0 + place * area.height
    return (
        (area.x0 + inwards, y), (area.x1 - inwards, y), (x, area.y0 + inwards), (x, area.y1 - inwards)
    )[side]  # fmt: skip


@effect()
def occlude(
    pixels: Pixels,
    *,
    field: Annotated[str, FieldName()],
    share: Annotated[float, Strength(0, 1, "share of the field's width")],
    text_height: float,
    fields: Fields,
    rng: np.random.Generator,
) -> Change:
    """Cover ``share`` of the width of a field, from a drawn side, at every place where it is printed.

    The cover is a strip of correction tape or a piece of torn paper; at 1 nothing of the field is seen.
    Raises NoPlaceError where no place of the field is known.
    """
    places = fields.get(field, ())
    if not places:
        known = sorted(path for path, found in fields.items() if found)
        raise NoPlaceError(
            f"{field!r} has no known place in this picture to be covered; with a place: "
            f"{', '.join(known) or 'none'}"
        )
    from_left, look = rng.random() < 0.5, int(rng.integers(1 << 30))
    page, cover = pixels.copy(), np.zeros(pixels.shape[:2], dtype=np.uint8)
    for place in places if share > 0 else ():
        box = quad_of(place.box)
        width = max(float(np.hypot(*(box[1] - box[0]))), 1.0)
        over = 0.35 * text_height / width
        end = share + over * max(share - 0.9, 0.0) / 0.1
        span = (-over, end) if from_left else (1 - end, 1 + over)
        draw_strip(page, cover, box, span, text_height, look)
    return Change(pixels=page, cover=cover)


def _add_fingers(
    page: Pixels, cover: Mask, reach: float, count: int, text_height: float, rng: np.random.Generator
) -> None:
    """Draw a finger, one of the other hand, and then the neighbours of both, side by side."""
    height, width = page.shape[:2]
    sides, places = rng.permutation(3)[:2], rng.uniform(0.25, 0.9, 2)
    leans, lengths = rng.uniform(-0.4, 0.4, 2), (1.0, rng.uniform(0.6, 0.95))
    spread, skin = rng.uniform(-0.12, 0.12, _MOST_FINGERS), int(rng.integers(1 << 30))
    gap = rng.uniform(1.1, 1.7)
    next_to = np.where(places > 0.5, -gap, gap) * _FINGER_WIDTH * text_height
    for index in range(count):
        hand, neighbour = index % 2, index // 2
        side = sides[hand]
        along = places[hand] * (width if side == 2 else height) + neighbour * next_to[hand]
        entry = ((0.0, along), (width - 1.0, along), (along, height - 1.0))[side]
        direction = (0.0, np.pi, -np.pi / 2)[side] + leans[hand] + neighbour * spread[index]
        length = reach * lengths[hand] * (1 - 0.12 * min(neighbour, 3)) * width
        tip = entry[0] + length * np.cos(direction), entry[1] + length * np.sin(direction)
        half = _FINGER_WIDTH / 2 * text_height
        draw_finger(page, cover, tip, float(direction), half, length + 2.5 * half, skin)


def _add_coins(
    page: Pixels, cover: Mask, reach: float, count: int, text_height: float, rng: np.random.Generator
) -> None:
    height, width = page.shape[:2]
    places = rng.uniform(0.1, 0.9, (_MOST_FINGERS, 2))
    metals = rng.integers(1 << 30, size=_MOST_FINGERS)
    for index in range(count):
        centre = places[index, 0] * width, places[index, 1] * height
        radius = min(0.5 * reach * width, 5.0 * text_height) * (1.0, 0.85)[index % 2]
        draw_coin(page, cover, centre, radius, text_height, int(metals[index]))


def _add_pen(
    page: Pixels, cover: Mask, reach: float, count: int, text_height: float, rng: np.random.Generator
) -> None:
    """Lay one pen onto the page, whatever the ``count``."""
    height, width = page.shape[:2]
    side, place, lean = rng.choice([-1.0, 1.0]), rng.uniform(0.2, 0.8), rng.uniform(-0.6, 0.6)
    direction = lean if side < 0 else np.pi + lean
    entry = np.array([0.0 if side < 0 else width - 1.0, place * height])
    length = (0.25 + 1.3 * reach) * width
    tip = entry + length * np.array([np.cos(direction), np.sin(direction)])
    colour = int(rng.integers(1 << 30))
    length += 5 * text_height
    draw_pen(page, cover, (float(tip[0]), float(tip[1])), direction, length, text_height, colour)
