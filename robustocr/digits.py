"""Digits put in the place of others, as the same printer would have printed them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from robustocr.adapters.base import Pixels
from robustocr.errors import NoPlaceError
from robustocr.fields import Fields, PrintedField
from robustocr.glyph_cells import Bounds, GlyphCell, PrintedText, find_glyphs
from robustocr.strips import Field

LOOK_ALIKES: Mapping[str, str] = {
    "0": "8", "1": "7", "2": "7", "3": "8", "4": "9", "5": "6", "6": "5", "7": "1", "8": "3", "9": "8",
}  # fmt: skip
"""The digit that each digit is most easily taken for."""

_ALIKE_HEIGHT = 2.2
_NARROWEST = 0.2
_SOFT_EDGE = 0.08
_RENDERED = 64
_MOST_PER_DIGIT = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyph:
    """A printed or rendered character: ink 0 (paper) to 1 (print), height x width.

    ``digit_width`` is the usual width in pixels of a digit in the same print.
    """

    ink: Field
    digit_width: float

    @property
    def height(self) -> int:
        """Height in pixels."""
        return int(self.ink.shape[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class GlyphBook:
    """Digits as they are printed on one page, by character."""

    glyphs: Mapping[str, tuple[Glyph, ...]]

    def glyph(self, char: str, height: int) -> Glyph:
        """Return a character for print of ``height`` pixels, cut from the page or else rendered.

        From the page it is the one nearest in height, if not more than 2.2 times higher or lower, as double
        height print is. It is not yet scaled.
        """
        found = [glyph for glyph in self.glyphs.get(char, ()) if _alike(glyph.height, height)]
        return min(found, key=lambda glyph: abs(glyph.height - height)) if found else _rendered(char)


def collect_glyphs(texts: Iterable[PrintedText]) -> GlyphBook:
    """Return the digits of printed texts, the first dozen of each."""
    found: dict[str, list[Glyph]] = {}
    for text in texts:
        for cell in text.cells:
            if cell.char is not None and cell.char.isdigit() and _is_whole(cell, text):
                same = found.setdefault(cell.char, [])
                if len(same) < _MOST_PER_DIGIT:
                    same.append(Glyph(ink=text.ink_of(cell), digit_width=text.digit_width))
    return GlyphBook(glyphs={char: tuple(same) for char, same in found.items()})


def glyphs_of_page(pixels: Pixels, fields: Fields) -> GlyphBook:
    """Return the digits found at all known places of RGB ``pixels``."""
    places = (place for known in fields.values() for place in known if place.text)
    found = (find_glyphs(pixels, place) for place in places)
    return collect_glyphs(text for text in found if text is not None)


def replaced(text: PrintedText, cell: GlyphCell, glyph: Glyph) -> tuple[Bounds, Field]:
    """Return where a character is printed anew, and the ink 0..1 there, with ``glyph`` in its place.

    The glyph gets the height of what it replaces and the width of its print, stands on its middle, and is
    narrowed where its neighbours leave no room. The bounds hold the old ink, its soft edge, and the new.
    """
    x0, y0, x1, y1 = cell.bounds
    left_end, right_end = _room(text, cell)
    middle = (x0 + x1) / 2
    wanted = glyph.ink.shape[1] * text.digit_width / glyph.digit_width
    wide = max(round(min(wanted, 2 * (middle - left_end), 2 * (right_end - middle))), 1)
    wide = min(wide, text.bounds[2] - text.bounds[0])
    how = cv2.INTER_AREA if glyph.height > cell.height else cv2.INTER_LINEAR
    new = cv2.resize(glyph.ink, (wide, cell.height), interpolation=how)
    left = min(max(round(middle - wide / 2), text.bounds[0]), text.bounds[2] - wide)
    edge = max(round(_SOFT_EDGE * cell.height), 1)
    low = min(left, max(x0 - edge, left_end)), max(y0 - edge, text.bounds[1])
    high = max(left + wide, min(x1 + edge, right_end)), min(y1 + edge, text.bounds[3])
    ink = np.zeros((high[1] - low[1], high[0] - low[0]), dtype=np.float32)
    ink[y0 - low[1] : y1 - low[1], left - low[0] : left - low[0] + wide] = new
    return (*low, *high), ink


def paint(pixels: Pixels, text: PrintedText, bounds: Bounds, ink: Field) -> None:
    """Print ink 0..1 on the paper of a printed text, in place; ``bounds`` are in pixels of the page."""
    x0, y0, x1, y1 = bounds
    colour = text.paper + (text.print - text.paper) * ink[..., None]
    pixels[y0:y1, x0:x1] = np.clip(np.round(colour), 0, 255).astype(np.uint8)


def overprint(pixels: Pixels, place: PrintedField, new: str, book: GlyphBook) -> str:
    """Print other digits over those of a field, in place, and return the text that now stands there.

    ``new`` gives the digits in order; points, signs and currency stay. Raises NoPlaceError where the digits
    there are not as many as in ``new``, or cannot be told apart.
    """
    text = find_glyphs(pixels, place)
    cells = [cell for cell in text.cells if cell.char and cell.char.isdigit()] if text else []
    digits = [char for char in new if char.isdigit()]
    if text is None or len(cells) != len(digits):
        raise NoPlaceError(
            f"{len(cells)} digits are found in {place.text!r}, {len(digits)} are to be printed"
        )
    for cell, digit in zip(cells, digits, strict=True):
        if cell.char != digit:
            paint(pixels, text, *replaced(text, cell, book.glyph(digit, cell.height)))
    rest = iter(digits)
    return "".join(next(rest) if char.isdigit() else char for char in place.text or "")


def _alike(one: int, other: int) -> bool:
    return max(one, other) <= _ALIKE_HEIGHT * min(one, other)


def _is_whole(cell: GlyphCell, text: PrintedText) -> bool:
    """Whether the cell has the shape of its digit: not one that lost a part, nor two that touch."""
    tallest = max(other.height for other in text.cells)
    narrowest = (0.06 if cell.char == "1" else _NARROWEST) * cell.height
    return cell.height >= 0.8 * tallest and narrowest <= cell.width <= 1.1 * cell.height


def _room(text: PrintedText, cell: GlyphCell) -> tuple[int, int]:
    """Return the columns between the neighbours' ink, in pixels of the page."""
    before = [other.bounds[2] for other in text.cells if other.bounds[2] <= cell.bounds[0]]
    after = [other.bounds[0] for other in text.cells if other.bounds[0] >= cell.bounds[2]]
    return max(before, default=text.bounds[0]), min(after, default=text.bounds[2])


@lru_cache(maxsize=64)
def _rendered(char: str) -> Glyph:
    """Return a character in the font that Pillow carries (Aileron, CC0), trimmed to its ink."""
    font = ImageFont.load_default(_RENDERED)
    canvas = Image.new("L", (2 * _RENDERED, 2 * _RENDERED), 0)
    ImageDraw.Draw(canvas).text((_RENDERED // 2, _RENDERED // 4), char, fill=255, font=font)
    box = canvas.getbbox()
    ink = np.asarray(canvas.crop(box), dtype=np.float32) / 255
    soft = np.asarray(cv2.GaussianBlur(ink, (0, 0), 0.04 * ink.shape[0]), dtype=np.float32)
    return Glyph(ink=soft, digit_width=soft.shape[1] if char != "1" else 0.72 * soft.shape[0])
