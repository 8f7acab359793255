"""How well the default reader reads real receipts: figures by condition, run by hand.

    python benchmarks/reading.py --data DIR --cache DIR [--conditions clean,tilt6,glare@4] [--half tune|held]

A condition is one of those below, or a bundled corruption at a severity (``glare@4``).
DIR holds ``SROIE2019/train`` (with ``items.jsonl``) and ``german``. OCR lines are kept in the cache folder
under the engine's fingerprint, so that a changed parser is measured in seconds.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

import cv2
import numpy as np

from robustocr.adapters.base import OcrLine, OcrPage, Picture, Pixels, Request
from robustocr.adapters.rapidocr import RapidOcrAdapter
from robustocr.dates import parse_date
from robustocr.images import load_image
from robustocr.records import Extraction, Marker
from robustocr.rules.check import check
from robustocr.text_height import estimate_text_height

Degrade = Callable[[Pixels, float], Pixels]


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What is known of one receipt. ``amounts`` is None where no items are labelled."""

    id: str
    image: Path
    total: Decimal
    day: date | None
    text_height: float | None = None
    amounts: Counter[Decimal] | None = None
    item_count: int | None = None


def load_sroie(root: Path) -> Iterator[Truth]:
    base = root / "SROIE2019" / "train"
    for line in (base / "items.jsonl").read_text(encoding="utf8").splitlines():
        row = json.loads(line)
        entity = json.loads((base / "entities" / f"{row['id']}.txt").read_text(encoding="utf8"))
        yield Truth(
            id=row["id"],
            image=base / "img" / f"{row['id']}.jpg",
            total=Decimal(re.sub(r"[^\d.]", "", entity["total"])),
            day=parse_date(entity["date"], day_first=True).value,
            text_height=_label_height(base / "box" / f"{row['id']}.txt"),
            amounts=Counter(Decimal(item["line_total"]) for item in row["items"]),
        )


def load_german(root: Path) -> Iterator[Truth]:
    for image in sorted((root / "german").glob("*.jpg")):
        _, day, count, cents = image.stem.rsplit("_", 3)
        printed = parse_date(f"{day[:2]}.{day[2:4]}.{day[4:]}", day_first=True).value
        yield Truth(
            id=image.stem,
            image=image,
            total=Decimal(int(cents)) / 100,
            day=printed,
            item_count=int(count),
        )


def _label_height(path: Path) -> float:
    rows = [line.split(",", 8) for line in path.read_text(encoding="utf8").splitlines() if line.strip()]
    return float(np.median([int(row[7]) - int(row[1]) for row in rows]))


def blur(sigma: float) -> Degrade:
    return lambda pixels, height: np.asarray(cv2.GaussianBlur(pixels, (0, 0), sigma * height), np.uint8)


def tilt(pixels: Pixels, _: float, degrees: float = 6.0) -> Pixels:
    height, width = pixels.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    cos, sin = abs(matrix[0, 0]), abs(matrix[0, 1])
    size = (int(height * sin + width * cos) + 1, int(height * cos + width * sin) + 1)
    matrix[:, 2] += np.array(size) / 2 - np.array((width / 2, height / 2))
    return np.asarray(cv2.warpAffine(pixels, matrix, size, borderValue=(255, 255, 255)), np.uint8)


def recompress(pixels: Pixels, _: float) -> Pixels:
    height, width = pixels.shape[:2]
    small = cv2.resize(pixels, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    _, code = cv2.imencode(".jpg", small[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, 8])
    back = cv2.resize(cv2.imdecode(code, cv2.IMREAD_COLOR), (width, height), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(back[:, :, ::-1])


CONDITIONS: dict[str, Degrade] = {
    "clean": lambda pixels, _: pixels,
    "tilt6": tilt,
    "blur.06": blur(0.06),
    "blur.09": blur(0.09),
    "blur.12": blur(0.12),
    "blur.18": blur(0.18),
    "half_jpeg8": recompress,
}


def bundled_condition(name: str, sample_id: str) -> Degrade:
    """``defocus@2``: a bundled corruption at a severity."""
    from robustocr.corruptions import corrupt, load_corruption

    recipe, severity = name.split("@")
    corruption = load_corruption(recipe)
    return lambda pixels, _: corrupt(pixels, corruption, int(severity), seed=0, sample_id=sample_id).pixels


def read_page(adapter: RapidOcrAdapter, truth: Truth, condition: str, cache: Path) -> OcrPage:
    stored = cache / adapter.engine_fingerprint / condition / f"{truth.id}.json"
    if stored.is_file():
        data = json.loads(stored.read_text())
        lines = tuple(OcrLine.from_json(row) for row in data["lines"])
        return OcrPage(lines=lines, height=data["height"], width=data["width"])
    degrade = CONDITIONS.get(condition) or bundled_condition(condition, truth.id)
    pixels = load_image(truth.image)
    page = adapter.read(Picture.of(degrade(pixels, truth.text_height or estimate_text_height(pixels))))
    stored.parent.mkdir(parents=True, exist_ok=True)
    rows = [line.to_json() for line in page.lines]
    stored.write_text(json.dumps({"height": page.height, "width": page.width, "lines": rows}))
    return page


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One receipt under one condition, read and compared."""

    truth: Truth
    extraction: Extraction
    flagged: bool

    @property
    def right(self) -> bool:
        return self.extraction.receipt.total == self.truth.total

    @property
    def score(self) -> float:
        mark = self.extraction.marks.get("total")
        return mark.score if mark and mark.score is not None else 0.0

    @property
    def certain(self) -> bool:
        mark = self.extraction.marks.get("total")
        return mark is not None and mark.marker == Marker.CERTAIN


def compare(truth: Truth, extraction: Extraction) -> Row:
    suspects = {suspect.field for suspect in check(extraction.receipt).suspects}
    mark = extraction.marks.get("total")
    return Row(
        truth=truth,
        extraction=extraction,
        flagged=mark is None or mark.marker != Marker.CERTAIN or "total" in suspects,
    )


def item_f1(rows: list[Row]) -> float:
    both = found = wanted = 0
    for row in rows:
        if row.truth.amounts is None:
            continue
        amounts = Counter(item.amount for item in row.extraction.receipt.items)
        truth = row.truth.amounts
        both += sum((amounts & truth).values())
        found += sum(amounts.values())
        wanted += sum(truth.values())
    return 2 * both / max(found + wanted, 1)


def auroc(rows: list[Row]) -> float:
    """Probability that a right total scores higher than a wrong one, ties half."""
    right = [row.score for row in rows if row.right]
    wrong = [row.score for row in rows if not row.right]
    wins = sum((a > b) + 0.5 * (a == b) for a in right for b in wrong)
    return wins / (len(right) * len(wrong)) if right and wrong else float("nan")


def report(name: str, rows: list[Row]) -> None:
    read = [row for row in rows if row.extraction.receipt.total is not None]
    wrong = [row for row in read if not row.right]
    right = [row for row in read if row.right]
    days = sum(row.extraction.receipt.date == row.truth.day for row in rows)
    line = f"{name:28} n={len(rows):3} total={len(right):3} date={days:3}"
    if rows[0].truth.amounts is not None:
        line += f" itemsF1={item_f1(rows):.3f}"
    if rows[0].truth.item_count is not None:
        counts = sum(len(row.extraction.receipt.items) == row.truth.item_count for row in rows)
        line += f" itemcount={counts}"
    unmarked, unflagged = sum(row.certain for row in wrong), sum(not row.flagged for row in wrong)
    line += f" wrong={len(wrong)} unmarked={unmarked} unflagged={unflagged}"
    flagged = sum(row.flagged for row in right)
    print(f"{line} right_flagged={flagged} auroc={auroc(read):.3f}", flush=True)


def half_of(sample_id: str) -> str:
    return "tune" if hashlib.sha256(sample_id.encode()).digest()[0] % 2 else "held"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--conditions", default=",".join(CONDITIONS))
    parser.add_argument("--set", choices=("sroie", "german", "both"), default="both")
    parser.add_argument("--half", choices=("tune", "held"))
    options = parser.parse_args()
    cv2.setNumThreads(1)
    adapter = RapidOcrAdapter()
    sets = {"sroie": list(load_sroie(options.data)), "german": list(load_german(options.data))}
    pooled: list[Row] = []
    for name, truths in sets.items():
        if options.set not in (name, "both"):
            continue
        chosen = [truth for truth in truths if options.half in (None, half_of(truth.id))]
        for condition in options.conditions.split(","):
            if name == "german" and condition in CONDITIONS and condition != "clean":
                continue
            pages = ((truth, read_page(adapter, truth, condition, options.cache)) for truth in chosen)
            rows = [compare(truth, adapter.parse(page, Request())) for truth, page in pages]
            report(f"{name} {condition}", rows)
            pooled += rows
    report("pooled", pooled)


if __name__ == "__main__":
    main()
