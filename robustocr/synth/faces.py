"""Type faces of receipt printers: a text becomes a bitmap in printer dots."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from robustocr.errors import InputError, MissingExtraError, unknown_name
from robustocr.synth.glyphs import PIN_COLUMNS, PIN_ROWS, Dots, Zero, pin_glyph, stroke_glyph


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """A face and its cell in dots. ``pen`` is the stroke's width in dots; ``file`` a font of matplotlib's.

    ``proportional`` faces have no cell grid: columns stay where they are, texts are as wide as they are.
    ``impact`` faces are struck by pins, the others burnt by a heated head.
    """

    name: str
    kind: Literal["strokes", "pins", "font"]
    cell_width: int
    cell_height: int
    pen: float = 2.0
    file: str | None = None
    bold_file: str | None = None
    size: int = 0
    proportional: bool = False
    impact: bool = False


FACES = {
    face.name: face
    for face in (
        Face(name="thermal", kind="strokes", cell_width=12, cell_height=24),
        Face(name="thermal_narrow", kind="strokes", cell_width=11, cell_height=24),
        Face(name="thermal_tall", kind="strokes", cell_width=12, cell_height=28),
        Face(name="thermal_wide", kind="strokes", cell_width=14, cell_height=24),
        Face(name="pins", kind="pins", cell_width=7, cell_height=11, impact=True),
        Face(name="pins_bold", kind="pins", cell_width=6, cell_height=12, impact=True),
        Face(name="pins_tall", kind="strokes", cell_width=9, cell_height=15, pen=1.0, impact=True),
        Face(
            name="mono", kind="font", cell_width=12, cell_height=25, size=20,
            file="DejaVuSansMono.ttf", bold_file="DejaVuSansMono-Bold.ttf",
        ),
        Face(
            name="mono_small", kind="font", cell_width=11, cell_height=22, size=18,
            file="DejaVuSansMono-Bold.ttf", bold_file="DejaVuSansMono-Bold.ttf",
        ),
        Face(name="mono_light", kind="font", cell_width=11, cell_height=24, size=21, file="cmtt10.ttf"),
        Face(
            name="sans", kind="font", cell_width=12, cell_height=24, size=19, proportional=True,
            file="DejaVuSans.ttf", bold_file="DejaVuSans-Bold.ttf",
        ),
        Face(
            name="sans_light", kind="font", cell_width=11, cell_height=24, size=18, proportional=True,
            file="DejaVuSans.ttf", bold_file="DejaVuSans-Bold.ttf",
        ),
    )
}  # fmt: skip


def find_face(name: str) -> Face:
    """Return the face of this name. Raises InputError naming the known ones."""
    if name not in FACES:
        raise InputError(unknown_name("face", name, FACES))
    return FACES[name]


@cache
def _open_font(file: str, size: int) -> ImageFont.FreeTypeFont:
    spec = find_spec("matplotlib")
    if spec is None or spec.origin is None:
        raise MissingExtraError(
            f"the open font {file} comes with matplotlib, which is not installed: "
            "pip install 'robustocr[synth]'"
        )
    path = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf" / file
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


def _font(face: Face, *, bold: bool) -> ImageFont.FreeTypeFont:
    file = face.bold_file if bold and face.bold_file else face.file
    if file is None:
        raise InputError(f"the face {face.name!r} names no font file")
    return _open_font(file, face.size)


@cache
def _has_glyph(font: ImageFont.FreeTypeFont, char: str) -> bool:
    """Whether a font draws this character. What it lacks it draws like U+FFFF, which is no character."""
    drawn, lacking = (font.getmask(one, mode="1") for one in (char, "\uffff"))
    return (drawn.size, bytes(drawn)) != (lacking.size, bytes(lacking))


def _check_glyphs(face: Face, text: str, font: ImageFont.FreeTypeFont) -> None:
    for char in text.replace(" ", ""):
        if not _has_glyph(font, char):
            raise InputError(
                f"no glyph for {char!r} (U+{ord(char):04X}) in the font {face.file} "
                f"of the face {face.name!r}; print with another shop"
            )


@lru_cache(maxsize=4096)
def _font_glyph(face: Face, char: str, bold: bool) -> Dots:
    """One glyph, or a whole text of a proportional face, without grey levels, as printer drivers do."""
    width = text_width(face, char, bold=bold)
    image = Image.new("1", (width, face.cell_height), 0)
    font = _font(face, bold=bold)
    _check_glyphs(face, char, font)
    ascent = font.getmetrics()[0]
    ImageDraw.Draw(image).text(
        (0, min(ascent, round(face.cell_height * 0.8))), char, fill=1, font=font, anchor="ls"
    )
    return np.array(image, dtype=bool)


def text_width(face: Face, text: str, *, bold: bool = False) -> int:
    """Return the width of a text in dots, before any doubling."""
    if face.proportional:
        return int(np.ceil(_font(face, bold=bold).getlength(text)))
    return len(text) * face.cell_width


def _glyph(face: Face, char: str, *, bold: bool, zero: Zero) -> Dots:
    if face.kind == "font":
        return _font_glyph(face, char, bold)
    if face.kind == "strokes":
        pen = face.pen * 1.5 if bold and not face.impact else face.pen
        return stroke_glyph(char, width=face.cell_width, height=face.cell_height, pen=pen, zero=zero)
    cell = np.zeros((face.cell_height, face.cell_width), dtype=bool)
    cell[1 : 1 + PIN_ROWS, :PIN_COLUMNS] = pin_glyph(char, zero=zero)
    return cell


def text_dots(face: Face, text: str, *, bold: bool = False, zero: Zero = "plain") -> Dots:
    """Return a text as dots, ``face.cell_height`` high. Raises InputError for a character without a glyph."""
    if face.proportional:
        return _font_glyph(face, text, bold)
    if not text:
        return np.zeros((face.cell_height, 0), dtype=bool)
    return np.hstack([_glyph(face, char, bold=bold, zero=zero) for char in text])
