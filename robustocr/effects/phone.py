"""What is left of a page in a screenshot of a phone that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.effects.codec import jpeg
from robustocr.effects.registry import Change, Strength, effect
from robustocr.effects.sensor import enlarge, shrink
from robustocr.moves import Homography

_STATUS, _TITLE, _BUTTONS = 0.06, 0.13, 0.12
_TALLEST = 19.5 / 9
_LETTERBOX = 0.3
_DARK, _LIGHT = (16, 17, 19), (236, 237, 239)
_SHARPENED = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bars:
    """What stands above and below the page, in pixels, and the width of the screen."""

    width: int
    above: int
    below: int


@effect(moves=True)
def screenshot(
    pixels: Pixels,
    *,
    text_pixels: Annotated[float, Strength(2, 400, "screen pixels of text height")],
    sharpen: Annotated[float, Strength(0, 3, "share of the detail that is added again")] = 0.5,
    quality: Annotated[float, Strength(1, 100, "JPEG quality", whole=True)] = 80,
    text_height: float,
    rng: np.random.Generator,
) -> Change:
    """Show the page on a phone so that text is ``text_pixels`` high, and take a screenshot of that.

    The viewer shrinks the picture to the screen and sharpens it, with its bars above and below the page;
    the screenshot is encoded as JPEG. It comes back at the size of the page, with the bars.
    """
    hour, minute, dark = int(rng.integers(24)), int(rng.integers(60)), bool(rng.random() < 0.5)
    height, width = pixels.shape[:2]
    small = _sharpened(shrink(pixels, text_pixels / text_height), sharpen)
    small = jpeg(small, quality=quality, text_height=text_height)
    bars = _bars(height, width)
    screen = np.empty((bars.above + height + bars.below, width, 3), dtype=np.uint8)
    screen[:] = _DARK if dark else _LIGHT
    screen[bars.above : bars.above + height] = enlarge(small, pixels.shape)
    _draw_status(screen, f"{hour}:{minute:02d}", _LIGHT if dark else _DARK)
    _draw_buttons(screen, bars, _LIGHT if dark else _DARK)
    matrix = np.array([[1, 0, 0], [0, 1, bars.above], [0, 0, 1]], dtype=np.float64)
    move = Homography(matrix=matrix, old=(width, height), new=(width, screen.shape[0]))
    return Change(pixels=screen, move=move)


def _sharpened(pixels: Pixels, amount: float) -> Pixels:
    """Return the picture with ``amount`` of its finest detail added (an unsharp mask)."""
    soft = cv2.GaussianBlur(pixels, (0, 0), _SHARPENED)
    return np.asarray(cv2.addWeighted(pixels, 1 + amount, soft, -amount, 0), dtype=np.uint8)


def _bars(height: int, width: int) -> _Bars:
    """Return the bars of a viewer that fits the page to the width, and centres it if the screen is taller."""
    free = width * _TALLEST - height - width * (_STATUS + _TITLE + _BUTTONS)
    letterbox = max(min(free / 2, _LETTERBOX * height), 0.0)
    above = round(width * (_STATUS + _TITLE) + letterbox)
    return _Bars(width=width, above=above, below=round(width * _BUTTONS + letterbox))


def _draw_status(screen: Pixels, clock: str, ink: tuple[int, int, int]) -> None:
    """Draw the clock, the signal, the battery, and below them the arrow that leads back."""
    unit = screen.shape[1] * _STATUS
    thick = max(round(unit / 14), 1)
    cv2.putText(
        screen, clock, _at(unit, 0.8, 0.72), cv2.FONT_HERSHEY_SIMPLEX, unit / 60, ink, thick, cv2.LINE_AA
    )
    right = screen.shape[1] / unit
    for step in range(4):
        x = right - 3.4 + 0.24 * step
        cv2.rectangle(screen, _at(unit, x, 0.6 - 0.1 * step), _at(unit, x + 0.14, 0.72), ink, -1)
    cv2.rectangle(screen, _at(unit, right - 2.0, 0.3), _at(unit, right - 1.0, 0.72), ink, thick)
    cv2.rectangle(screen, _at(unit, right - 1.9, 0.38), _at(unit, right - 1.4, 0.64), ink, -1)
    arrow = np.array([_at(unit, 1.4, 1.7), _at(unit, 0.9, 2.1), _at(unit, 1.4, 2.5)], dtype=np.int32)
    cv2.polylines(screen, [arrow], False, ink, thick, cv2.LINE_AA)


def _draw_buttons(screen: Pixels, bars: _Bars, ink: tuple[int, int, int]) -> None:
    """Draw four round buttons below the page, and the handle at the very bottom."""
    height, width = screen.shape[:2]
    unit = width * _STATUS
    thick = max(round(unit / 14), 1)
    top = (height - width * _BUTTONS) / unit
    for step in range(4):
        middle = _at(unit, (step + 0.5) * width / unit / 4, top + 0.8)
        cv2.circle(screen, middle, max(round(unit * 0.3), 1), ink, thick, cv2.LINE_AA)
    half = width / unit / 2
    cv2.rectangle(screen, _at(unit, half - 3, top + 1.7), _at(unit, half + 3, top + 1.8), ink, -1)


def _at(unit: float, x: float, y: float) -> tuple[int, int]:
    """Return whole pixels of a place given in units."""
    return round(x * unit), round(y * unit)
