"""The case this tool exists for, told with a receipt we render ourselves.

A cafe's receipt prints subtotal 28.90. It is blurred at that field only, more and more. One reader is
the default one; the other says 23.90 with certainty, as a vision-language model did. The sums know better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from robustocr.adapters.base import Adapter, Picture, Pixels, Request
from robustocr.boxes import bounds_of
from robustocr.corruptions import corrupt, load_corruption
from robustocr.errors import StoreError
from robustocr.interactive import Reading, read_pixels
from robustocr.records import Extraction, Receipt
from robustocr.synth.make import Rendered, render_record
from robustocr.synth.shops import find_shop

TARGET = "subtotal"
MISREAD = "23.90"
_TEXT_WIDTH = 370
RECEIPT = Receipt.model_validate(
    {
        "merchant": "Blue Door Cafe",
        "date": "2026-03-14",
        "currency": "USD",
        "items": [
            {"name": "Flat white", "quantity": "2", "unit_price": "4.50", "amount": "9.00"},
            {"name": "Lunch plate", "quantity": "1", "unit_price": "19.90", "amount": "19.90"},
        ],
        "subtotal": "28.90",
        "discounts": [{"label": "Member", "amount": "-1.00"}],
        "taxes": [
            {"label": "Sales tax", "rate": "0.08", "base": "27.90", "amount": "2.23", "included": False}
        ],
        "total": "30.13",
        "payments": [{"label": "Cash", "amount": "40.00"}],
        "change": "9.87",
    }
)
"""28.90 less 1.00 is 27.90; 8 % of it is 2.23; together 30.13; paid 40.00, 9.87 back."""


class OverconfidentReader:
    """Reads everything right but the subtotal, and is certain of all of it."""

    name = "overconfident"
    fingerprint = "overconfident-1"
    where: Literal["process", "thread"] = "thread"
    max_in_flight = 1

    def extract(self, picture: Picture, request: Request) -> Extraction:
        """Return the story's receipt with subtotal 23.90 and no Mark, whatever the picture shows."""
        return Extraction(receipt=Receipt.model_validate(RECEIPT.to_json() | {TARGET: MISREAD}))


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryStep:
    """One severity: the picture, the part around the subtotal, and what the two readers made of it."""

    severity: int
    strength: str
    pixels: Pixels
    crop: Pixels
    reading: Reading
    overconfident: Reading


def tell_story(
    *,
    adapter: str | Adapter = "rapidocr",
    corruption: str = "defocus",
    seed: int = 0,
    out: Path | None = None,
) -> tuple[StoryStep, ...]:
    """Return the story at severities 0 to 5; with ``out``, also write its pictures as PNG.

    Raises StoreError when ``out`` cannot be written, and what the adapter raises.
    """
    rendered = render_record(RECEIPT, find_shop("blue-door-cafe"), np.random.default_rng(seed))
    recipe = load_corruption(corruption)
    steps = []
    for severity in range(6):
        made = corrupt(
            rendered.pixels,
            recipe,
            severity,
            seed=seed,
            sample_id="story",
            boxes=rendered.boxes,
            target=TARGET if severity else None,
        )
        strength = ", ".join(f"{name} {value:g}" for name, value in recipe.strength(severity).items())
        steps.append(
            StoryStep(
                severity=severity,
                strength=strength or "clean",
                pixels=made.pixels,
                crop=_around_target(rendered, made.pixels),
                reading=read_pixels(made.pixels, adapter=adapter, name=f"severity {severity}"),
                overconfident=read_pixels(made.pixels, adapter=OverconfidentReader()),
            )
        )
    if out is not None:
        _write(steps, out)
    return tuple(steps)


def _around_target(rendered: Rendered, pixels: Pixels) -> Pixels:
    """Return the subtotal's row with one row above and below, over the full width."""
    _, top, _, bottom = bounds_of(rendered.boxes[TARGET][0])
    line = bottom - top
    first, last = max(0, int(top - 1.2 * line)), int(bottom + 1.2 * line)
    return pixels[first:last]


def _write(steps: Sequence[StoryStep], out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
        for step in steps:
            Image.fromarray(step.pixels).save(out / f"severity-{step.severity}.png")
        draw_panel(steps).save(out / "story.png")
    except OSError as error:
        raise StoreError(f"cannot write to {out} ({error}); choose another --out") from error


def draw_panel(steps: Sequence[StoryStep]) -> Image.Image:
    """Return one picture: the print at each severity, and beside it what was read and what the sums say."""
    names = ["as printed", *(f"severity {step.severity}" for step in steps[1:])]
    rows = [_panel_row(name, step.crop, step.reading) for name, step in zip(names, steps, strict=True)]
    blurred = steps[len(steps) // 2]
    name = f"severity {blurred.severity}, another reader"
    rows.append(_panel_row(name, blurred.crop, blurred.overconfident))
    panel = Image.new("RGB", (rows[0].width, sum(row.height for row in rows)), "white")
    top = 0
    for row in rows:
        panel.paste(row, (0, top))
        top += row.height
    return panel


def _panel_row(name: str, pixels: Pixels, reading: Reading) -> Image.Image:
    crop = Image.fromarray(pixels)
    row = Image.new("RGB", (crop.width + _TEXT_WIDTH, max(crop.height, 76) + 6), "white")
    row.paste(crop, (0, 3))
    draw = ImageDraw.Draw(row)
    bold, plain = ImageFont.load_default(17), ImageFont.load_default(14)
    left = crop.width + 16
    draw.text((left, 6), name, fill="#555", font=plain)
    draw.text((left, 26), _what_was_read(reading), fill="#111", font=bold)
    colour = "#a33" if TARGET in reading.review else "#374"
    draw.text((left, 52), _what_sums_say(reading), fill=colour, font=plain)
    return row


def _what_was_read(reading: Reading) -> str:
    value = getattr(reading.extraction.receipt, TARGET)
    mark = reading.extraction.marks.get(TARGET)
    marker = mark.marker.value if mark else "certain"
    return "not read" if value is None else f"read {value}, {marker}"


def _what_sums_say(reading: Reading) -> str:
    proposed = [s.proposed for s in reading.verdict.suspects if s.field == TARGET and s.proposed]
    says = f", probably {proposed[0]}" if proposed else ""
    asked = "; on the review list" if TARGET in reading.review else ""
    return f"sums: {reading.verdict.status.value.replace('_', ' ')}{says}{asked}"
