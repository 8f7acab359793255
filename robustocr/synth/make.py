"""Render receipts with their truth: one at a time, or a whole dataset in the native format."""

from __future__ import annotations

import json
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from robustocr.adapters.base import Pixels
from robustocr.errors import InputError, StoreError
from robustocr.records import Box, Receipt, Word
from robustocr.synth.bill import Bill, draw_bill
from robustocr.synth.faces import Face, text_dots
from robustocr.synth.frame_rows import foot_blocks, head_blocks
from robustocr.synth.glyphs import Zero
from robustocr.synth.graphics import back_mark
from robustocr.synth.ink import Kind, draw_wear, press
from robustocr.synth.item_rows import item_blocks
from robustocr.synth.page import Block, Gap, Graphic, Sheet, set_sheet
from robustocr.synth.paper import draw_stock, lay_on_glass, moved_box
from robustocr.synth.shops import Shop, all_shops
from robustocr.synth.till import Till, rule
from robustocr.synth.total_rows import total_blocks

JPEG_QUALITY = 82
PROVENANCE = "rendered by robustocr synth"
LICENCE = "CC0-1.0"
_ZEROS: tuple[Zero, ...] = ("plain", "plain", "slashed", "dotted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A rendered receipt: RGB pixels, the truth, every printed place of each field path, and all words."""

    pixels: Pixels
    truth: Receipt
    boxes: dict[str, tuple[Box, ...]]
    words: tuple[Word, ...]
    shop: str


def sample_rng(seed: int, index: int) -> np.random.Generator:
    """Return the random stream of receipt ``index`` of a dataset, independent of how many there are."""
    return np.random.default_rng([seed, index])


def draw_truth(shop: Shop, rng: np.random.Generator) -> Bill:
    """Return the bill that ``render`` prints from the same ``rng``, without making pixels."""
    return draw_bill(shop, rng.spawn(3)[0])


def lay_out(shop: Shop, bill: Bill, rng: np.random.Generator) -> Sheet:
    """Return the slip in printer dots."""
    till = Till.of(shop, bill, rng)
    blocks = [*head_blocks(till), *item_blocks(till), *rule(till), *total_blocks(till), *foot_blocks(till)]
    blocks = _single_rules(blocks)
    leading = shop.choose("leading", 3) if till.face.impact else 1 + 2 * shop.choose("leading", 4)
    zero = _ZEROS[shop.choose("zero", len(_ZEROS))]
    return set_sheet(blocks, till.face, columns=shop.columns, leading=leading, zero=zero)


def _single_rules(blocks: list[Block]) -> list[Block]:
    """Drop a separator that follows another one with nothing but white between them."""
    kept: list[Block] = []
    for block in blocks:
        printed = [one for one in kept if not isinstance(one, Gap)]
        if isinstance(block, Graphic) and printed and _is_rule(printed[-1], block):
            continue
        kept.append(block)
    return kept


def _is_rule(before: Block, block: Graphic) -> bool:
    return isinstance(before, Graphic) and before.dots.shape == block.dots.shape


def _scale(shop: Shop, sheet: Sheet, face: Face, rng: np.random.Generator) -> float:
    """Pixels per dot: capitals 15 to 20 pixels high, but no slip wider than 640 pixels."""
    capital = int(text_dots(face, "H").any(axis=1).sum())
    wanted = (15.5 + 0.8 * shop.choose("height", 6)) * float(rng.uniform(0.96, 1.04))
    return float(min(wanted / capital, 640 / sheet.dots.shape[1]))


def _paint(shop: Shop, bill: Bill, sheet: Sheet, rng: np.random.Generator) -> Rendered:
    till = Till.of(shop, bill, rng)
    kind: Kind = "pins" if till.face.impact else "heat"
    wear, stock = draw_wear(kind, rng), draw_stock(pins=till.face.impact, rng=rng)
    scale = _scale(shop, sheet, till.face, rng)
    ink = press(sheet.dots, kind=kind, scale=scale, wear=wear, rng=rng)
    pixels, matrix = lay_on_glass(ink, stock, back_mark(shop), rng)
    across, down = ink.shape[1] / sheet.dots.shape[1], ink.shape[0] / sheet.dots.shape[0]

    def place(box: tuple[int, int, int, int]) -> Box:
        return moved_box((box[0] * across, box[1] * down, box[2] * across, box[3] * down), matrix)

    return Rendered(
        pixels=pixels,
        truth=bill.receipt,
        boxes={path: tuple(place(box) for box in boxes) for path, boxes in sorted(sheet.boxes.items())},
        words=tuple(Word(text=content, box=place(box)) for content, box in sheet.words),
        shop=shop.id,
    )


def render_bill(bill: Bill, shop: Shop, rng: np.random.Generator) -> Rendered:
    """Print a bill as this shop would; the truth decides what is printed."""
    _, layout, paint = rng.spawn(3)
    return _paint(shop, bill, lay_out(shop, bill, layout), paint)


def render_record(receipt: Receipt, shop: Shop, rng: np.random.Generator) -> Rendered:
    """Print a given receipt in this shop's layout, and nothing that the receipt does not state.

    Raises InputError for a character that the shop's printer has no glyph for.
    """
    extras = frozenset({"currency"} if receipt.currency == shop.custom.currency else ())
    return render_bill(Bill(receipt=receipt, extras=extras), shop, rng)


def render(rng: np.random.Generator, shop: Shop | None = None) -> Rendered:
    """Return one receipt drawn and printed from ``rng``; of any shop where none is given."""
    if shop is None:
        shop = all_shops()[int(rng.integers(len(all_shops())))]
    bill_rng, layout, paint = rng.spawn(3)
    bill = draw_bill(shop, bill_rng)
    return _paint(shop, bill, lay_out(shop, bill, layout), paint)


def sample_shop(index: int) -> Shop:
    """Return the shop of receipt ``index``: a dataset visits all shops in turn."""
    return all_shops()[index % len(all_shops())]


def sample_id(index: int) -> str:
    """Return the id of receipt ``index``, which is also its file's stem."""
    return f"{index:04d}-{sample_shop(index).id}"


def metadata_line(index: int, rendered: Rendered) -> str:
    """Return one line of ``metadata.jsonl``."""
    record = {
        "file_name": f"{sample_id(index)}.jpg",
        "id": sample_id(index),
        "group": rendered.shop,
        "receipt": rendered.truth.to_json(),
        "boxes": {path: [list(box) for box in boxes] for path, boxes in rendered.boxes.items()},
        "words": [{"text": word.text, "box": list(word.box)} for word in rendered.words],
        "provenance": PROVENANCE,
        "licence": LICENCE,
    }
    return json.dumps(record, ensure_ascii=False)


def encode(pixels: Pixels) -> bytes:
    """Return the JPEG bytes that a dataset stores for a picture."""
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", quality=JPEG_QUALITY, subsampling=2, optimize=True)
    return buffer.getvalue()


def write_dataset(n: int, seed: int, out: Path) -> Path:
    """Write ``n`` receipts to the folder ``out`` in the native format and return it.

    Receipt i depends on ``seed`` and i alone, so a longer dataset begins with the shorter one. Raises
    InputError when ``n`` is not positive or ``seed`` is negative, StoreError when ``out`` cannot be
    written or holds a dataset already.
    """
    if n < 1:
        raise InputError(f"n must be at least 1, not {n}")
    if seed < 0:
        raise InputError(f"seed must be 0 or more, not {seed}")
    if (out / "metadata.jsonl").exists():
        raise StoreError(f"{out} holds a dataset already (metadata.jsonl); choose a new folder, or delete it")
    try:
        out.mkdir(parents=True, exist_ok=True)
        _write_samples(n, seed, out)
    except OSError as error:
        raise StoreError(
            f"cannot write to {out}: {error.strerror or error}; choose another folder"
        ) from error
    return out


def _write_samples(n: int, seed: int, out: Path) -> None:
    lines = []
    for index in range(n):
        rendered = render(sample_rng(seed, index), sample_shop(index))
        (out / f"{sample_id(index)}.jpg").write_bytes(encode(rendered.pixels))
        lines.append(metadata_line(index, rendered))
    (out / "metadata.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
