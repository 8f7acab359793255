"""What lies or is held over the page: fingers, a pen, coins, each with its shading and its shadow."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.boxes import Mask
from robustocr.effects.finger import draw_finger
from robustocr.effects.objects import draw_coin, draw_pen
from robustocr.effects.registry import Change, Strength, effect

_MOST = 6
_FINGER_WIDTH = 7.0


@effect()
def finger(
    pixels: Pixels,
    *,
    reach: Annotated[float, Strength(0, 1, "share of the page's width")],
    count: Annotated[float, Strength(1, _MOST, "fingers", whole=True)] = 1,
    text_height: float,
    rng: np.random.Generator,
) -> Change:
    """Hold the page with fingers that come in from its sides, seven text heights (about 17 mm) wide."""
    page, cover = pixels.copy(), np.zeros(pixels.shape[:2], dtype=np.uint8)
    _add_fingers(page, cover, reach, int(count), text_height, rng)
    return Change(pixels=page, cover=cover)


@effect()
def occlusion(
    pixels: Pixels,
    *,
    reach: Annotated[float, Strength(0, 1, "share of the page's width")],
    count: Annotated[float, Strength(1, _MOST, "fingers or coins", whole=True)] = 1,
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


def _add_fingers(
    page: Pixels, cover: Mask, reach: float, count: int, text_height: float, rng: np.random.Generator
) -> None:
    """Draw a finger, one of the other hand, and then the neighbours of both, side by side."""
    height, width = page.shape[:2]
    sides, places = rng.permutation(3)[:2], rng.uniform(0.25, 0.9, 2)
    leans, lengths = rng.uniform(-0.4, 0.4, 2), (1.0, rng.uniform(0.6, 0.95))
    spread, skin = rng.uniform(-0.12, 0.12, _MOST), int(rng.integers(1 << 30))
    next_to = np.where(places > 0.5, -1.12, 1.12) * _FINGER_WIDTH * text_height
    for index in range(count):
        hand, neighbour = index % 2, index // 2
        side = sides[hand]
        along = places[hand] * (width if side == 2 else height) + neighbour * next_to[hand]
        entry = ((0.0, along), (width - 1.0, along), (along, height - 1.0))[side]
        direction = (0.0, np.pi, -np.pi / 2)[side] + leans[hand] + neighbour * spread[index]
        length = reach * lengths[hand] * (1 - 0.15 * neighbour) * width
        tip = entry[0] + length * np.cos(direction), entry[1] + length * np.sin(direction)
        draw_finger(page, cover, tip, direction, _FINGER_WIDTH / 2 * text_height, text_height, skin)


def _add_coins(
    page: Pixels, cover: Mask, reach: float, count: int, text_height: float, rng: np.random.Generator
) -> None:
    height, width = page.shape[:2]
    places, metals = rng.uniform(0.1, 0.9, (_MOST, 2)), rng.integers(1 << 30, size=_MOST)
    for index in range(count):
        centre = places[index, 0] * width, places[index, 1] * height
        radius = min(0.5 * reach * width, 5.0 * text_height) * (1.0, 0.85)[index % 2]
        draw_coin(page, cover, centre, radius, text_height, int(metals[index]))


def _add_pen(
    page: Pixels, cover: Mask, reach: float, count: int, text_height: float, rng: np.random.Generator
) -> None:
    height, width = page.shape[:2]
    side, place, lean = rng.choice([-1.0, 1.0]), rng.uniform(0.2, 0.8), rng.uniform(-0.6, 0.6)
    direction = lean if side < 0 else np.pi + lean
    entry = np.array([0.0 if side < 0 else width - 1.0, place * height])
    tip = entry + (0.25 + 1.3 * reach) * width * np.array([np.cos(direction), np.sin(direction)])
    colour = int(rng.integers(1 << 30))
    draw_pen(page, cover, (float(tip[0]), float(tip[1])), direction, 1.6 * text_height, text_height, colour)
