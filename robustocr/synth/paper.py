"""Paper and scanner: tone, texture, folds, cut edges, margins, the glass around the slip, a slight skew."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.records import Box
from robustocr.synth.glyphs import Dots
from robustocr.synth.ink import Ink, smooth_field

Colour = tuple[float, float, float]
_PAPERS: tuple[Colour, ...] = (
    (250, 250, 248), (246, 246, 246), (242, 241, 236), (238, 236, 228), (235, 238, 242), (244, 240, 240),
    (228, 228, 226), (247, 243, 225),
)  # fmt: skip
_HEAT_INKS: tuple[Colour, ...] = (
    (38, 38, 42),
    (52, 50, 54),
    (30, 30, 34),
    (58, 62, 92),
    (44, 52, 110),
    (78, 74, 74),
)
_PIN_INKS: tuple[Colour, ...] = ((52, 48, 62), (70, 62, 84), (44, 44, 48), (84, 78, 92), (62, 66, 104))
_GLASS: tuple[Colour, ...] = (
    (254, 254, 254),
    (252, 252, 250),
    (236, 236, 236),
    (214, 214, 216),
    (40, 40, 42),
)
_PATTERNS: tuple[Colour, ...] = ((200, 214, 238), (240, 208, 214), (214, 226, 214))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """One slip of paper on one scanner. Lengths are pixels, ``angle`` degrees, ``texture`` grey levels.

    ``margins`` are left, top, right, bottom; ``border`` is the glass around the slip; ``teeth`` is the depth
    of a cut zigzag edge; ``folds`` counts creases; ``pattern`` is the colour of print on the back, if any.
    """

    paper: Colour
    ink: Colour
    glass: Colour
    margins: tuple[int, int, int, int]
    border: int
    teeth: int
    folds: int
    texture: float
    angle: float
    blur: float
    pattern: Colour | None


def draw_stock(*, pins: bool, rng: np.random.Generator) -> Stock:
    """Return the paper and scanner of one receipt."""
    inks = _PIN_INKS if pins else _HEAT_INKS
    papers = _PAPERS[2:] if pins else _PAPERS
    side, skewed, patterned = rng.integers(14, 46, 2), rng.random() < 0.45, rng.random() < 0.18
    tops = rng.integers(18, 70, 2)
    return Stock(
        paper=papers[int(rng.integers(len(papers)))],
        ink=inks[int(rng.integers(len(inks)))],
        glass=_GLASS[int(rng.integers(len(_GLASS)))],
        margins=(int(side[0]), int(tops[0]), int(side[1]), int(tops[1])),
        border=int(rng.choice([0, 4, 8, 14, 22])),
        teeth=int(rng.choice([0, 3, 4, 6])),
        folds=int(rng.choice([0, 0, 0, 1, 2])),
        texture=float(rng.uniform(0.8, 2.2)),
        angle=float(rng.uniform(-0.6, 0.6)) if skewed else 0.0,
        blur=float(rng.uniform(0.35, 0.7)),
        pattern=_PATTERNS[int(rng.integers(len(_PATTERNS)))] if patterned else None,
    )


def _tint(shape: tuple[int, int], colour: Colour) -> npt.NDArray[np.float32]:
    return np.broadcast_to(np.array(colour, dtype=np.float32), (*shape, 3)).copy()


def _print_back(sheet: npt.NDArray[np.float32], colour: Colour, mark: Dots, rng: np.random.Generator) -> None:
    """Let the tiled marks on the back of the paper show through, faint and blurred."""
    height, width = sheet.shape[:2]
    up, left = (int(shift) for shift in rng.integers(0, 60, 2))
    times = (height + up) // mark.shape[0] + 1, (width + left) // mark.shape[1] + 1
    tiled = np.tile(mark, times)[up : up + height, left : left + width].astype(np.float32)
    cover = cv2.GaussianBlur(tiled, (0, 0), 2.2)[:, :, None] * np.float32(rng.uniform(0.35, 0.7))
    sheet *= 1 - cover * (1 - np.array(colour, dtype=np.float32) / 255)


def _fold(sheet: npt.NDArray[np.float32], count: int, rng: np.random.Generator) -> None:
    """Creases across the slip: a bright ridge beside a soft shadow."""
    height = sheet.shape[0]
    y = np.arange(height, dtype=np.float32)
    for place, depth in zip(rng.uniform(0.15, 0.9, 3)[:count], rng.uniform(5, 14, 3)[:count], strict=True):
        distance = y - place * height
        profile = depth * (0.6 * np.exp(-((distance / 1.2) ** 2)) - np.exp(-(((distance - 5) / 7) ** 2)))
        sheet += profile[:, None, None]


def _paper(
    height: int, width: int, stock: Stock, mark: Dots, rng: np.random.Generator
) -> npt.NDArray[np.float32]:
    sheet = _tint((height, width), stock.paper)
    shade = 2.2 * smooth_field(height, width, 260, rng)
    grain = cv2.GaussianBlur(rng.standard_normal((height, width), dtype=np.float32), (0, 0), 0.8)
    if stock.pattern:
        _print_back(sheet, stock.pattern, mark, rng)
    sheet += (shade + 2.4 * stock.texture * grain)[:, :, None]
    _fold(sheet, stock.folds, rng)
    return sheet


def _edge(width: int, teeth: int, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """The depth of the cut at every column: saw teeth, slightly irregular."""
    if not teeth:
        return np.zeros(width, dtype=np.float32)
    period = float(rng.uniform(7, 13))
    phase = (np.arange(width) / period) % 1
    return (teeth * np.abs(phase * 2 - 1) + rng.normal(0, 0.3, width)).astype(np.float32)


def _cover(height: int, width: int, teeth: int, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Share of paper at each pixel of the slip's rectangle: 0 outside a toothed edge."""
    y = np.arange(height, dtype=np.float32)[:, None]
    top, bottom = _edge(width, teeth, rng), _edge(width, teeth, rng)
    share: npt.NDArray[np.float32] = np.clip(y - top + 1, 0, 1) * np.clip(height - bottom - y, 0, 1)
    return share


def lay_on_glass(
    ink: Ink, stock: Stock, mark: Dots, rng: np.random.Generator
) -> tuple[Pixels, npt.NDArray[np.float64]]:
    """Return RGB pixels, and the 2 x 3 matrix that takes a point of ``ink`` (pixels) to its place in them.

    ``mark`` is one tile of what is printed on the back of patterned paper.
    """
    left, top, right, bottom = stock.margins
    height, width = ink.shape[0] + top + bottom, ink.shape[1] + left + right
    sheet = _paper(height, width, stock, mark, rng)
    covered = np.zeros((height, width, 1), dtype=np.float32)
    covered[top : top + ink.shape[0], left : left + ink.shape[1], 0] = ink
    sheet += covered * (np.array(stock.ink, dtype=np.float32) - sheet)
    border = stock.border
    scene = _tint((height + 2 * border, width + 2 * border), stock.glass)
    paper = np.zeros(scene.shape[:2], dtype=np.float32)
    paper[border : border + height, border : border + width] = _cover(height, width, stock.teeth, rng)
    scene *= (1 - 0.25 * np.clip(cv2.GaussianBlur(paper, (0, 0), 3) - paper, 0, 1))[:, :, None]
    inner = scene[border : border + height, border : border + width]
    inner += paper[border : border + height, border : border + width, None] * (sheet - inner)
    matrix = np.array([[1.0, 0.0, left + border], [0.0, 1.0, top + border]])
    return _scan(scene, stock, matrix)


def _scan(
    scene: npt.NDArray[np.float32], stock: Stock, matrix: npt.NDArray[np.float64]
) -> tuple[Pixels, npt.NDArray[np.float64]]:
    """Blur a little, turn by the skew about the middle, and round to bytes."""
    height, width = scene.shape[:2]
    pixels = np.clip(cv2.GaussianBlur(scene, (0, 0), stock.blur), 0, 255).round().astype(np.uint8)
    if not stock.angle:
        return pixels, matrix
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), stock.angle, 1.0)
    turned = cv2.warpAffine(
        pixels,
        turn,
        (width, height),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=stock.glass,
    )
    return turned.astype(np.uint8), turn @ np.vstack([matrix, [0.0, 0.0, 1.0]])


def moved_box(box: tuple[float, float, float, float], matrix: npt.NDArray[np.float64]) -> Box:
    """Return the upright box around a moved one, to a tenth of a pixel."""
    x0, y0, x1, y1 = box
    corners = matrix @ np.array([[x0, x1, x1, x0], [y0, y0, y1, y1], [1.0, 1.0, 1.0, 1.0]])
    return tuple(round(float(edge), 1) for edge in (*corners.min(axis=1), *corners.max(axis=1)))
