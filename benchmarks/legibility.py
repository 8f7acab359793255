"""Does legibility tell which crops OCR engines fail on? Two engines read enlarged crops of corrupted fields.

    python benchmarks/legibility.py [DATASET ...] [--crops 600] [--seed 1] [--out crops.csv]

For every crop a receipt, a corruption that degrades, a severity and a field of two digits or more are
drawn. The crop is cut with a margin of 0.3 text heights, its grey levels are stretched (1st to 99th
percentile) and it is enlarged to text of 48 pixels. RapidOCR's recogniser and Tesseract (--psm 7) read it; a
crop counts as read when the digits are the printed ones, in order. Printed: Spearman's rank correlation of
legibility with being read, over crops and over conditions, the area under the ROC curve, and the share read
by legibility.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pandas as pd
import pytesseract
from PIL import Image
from scipy.stats import spearmanr

from robustocr.adapters.base import Pixels
from robustocr.adapters.rapidocr import _load_engine
from robustocr.boxes import bounds_of
from robustocr.calibration import page_of
from robustocr.corruptions import list_corruptions, load_corruption
from robustocr.legibility import corrupt_measured
from robustocr.loaders.registry import load

ENGINES = ("rapidocr", "tesseract")


def digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())


def enlarged(pixels: Pixels, box: tuple[float, ...], text_height: float) -> Pixels | None:
    x0, y0, x1, y1 = bounds_of(box)
    margin = 0.3 * text_height
    crop = pixels[max(int(y0 - margin), 0) : int(y1 + margin), max(int(x0 - margin), 0) : int(x1 + margin)]
    if crop.size == 0:
        return None
    scale = 48 / text_height
    large = cv2.resize(crop, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    low, high = np.percentile(large, (1, 99))
    return np.clip((large.astype(np.float32) - low) / max(high - low, 1) * 255, 0, 255).astype(np.uint8)


def draw(datasets: list[str], crops: int, seed: int) -> Iterator[tuple[dict[str, Any], Pixels]]:
    rng = np.random.default_rng(seed)
    samples = [sample for name in datasets for sample in load(name).samples]
    recipes = [load_corruption(name) for name in list_corruptions()]
    recipes = [recipe for recipe in recipes if recipe.degrades and not recipe.changes_frame]
    made = 0
    while made < crops:
        page = page_of(samples[int(rng.integers(len(samples)))], None)
        if page is None or page.text_height < 10:
            continue
        for recipe in rng.choice(np.array(recipes, dtype=object), 5, replace=False):
            severity = int(rng.integers(1, 6))
            picture, legibility = corrupt_measured(
                page.pixels, page.fields, recipe, severity,
                seed=seed, sample_id=page.sample_id, text_height=page.text_height, probe=page.probe,
            )  # fmt: skip
            paths = [
                path
                for path in legibility
                if len(digits(page.fields[path][0].text or "")) >= 2
                and len(page.fields[path][0].text or "") < 16
            ]
            for path in rng.permutation(paths)[:2]:
                crop = enlarged(picture.pixels, picture.boxes[path][0], page.text_height)
                if crop is not None and not np.isnan(legibility[path][0]):
                    made += 1
                    yield (
                        {
                            "sample": page.sample_id,
                            "corruption": recipe.name,
                            "severity": severity,
                            "field": path,
                            "printed": page.fields[path][0].text,
                            "legibility": legibility[path][0],
                        },
                        crop,
                    )


def read(engine: Any, crop: Pixels) -> dict[str, str]:
    texts = engine.recognize_txt([np.ascontiguousarray(crop[..., ::-1])]).txts
    return {
        "rapidocr": texts[0] if texts else "",
        "tesseract": pytesseract.image_to_string(Image.fromarray(crop), config="--psm 7").strip(),
    }


def auroc(score: pd.Series, right: pd.Series) -> float:
    ranks = score.rank()
    n, m = int(right.sum()), int((~right).sum())
    return float((ranks[right].sum() - n * (n + 1) / 2) / (n * m)) if n and m else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("datasets", nargs="*", default=["sample"])
    parser.add_argument("--crops", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out")
    args = parser.parse_args()
    engine = _load_engine(1)
    rows = []
    for row, crop in draw(args.datasets or ["sample"], args.crops, args.seed):
        texts = read(engine, crop)
        rows.append(row | texts | {f"{e}_right": digits(texts[e]) == digits(row["printed"]) for e in ENGINES})
    table = pd.DataFrame(rows)
    if args.out:
        table.to_csv(args.out, index=False)
    bands = pd.cut(table["legibility"], [-0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0])
    print(f"{len(table)} crops of {table['sample'].nunique()} receipts")
    for name in ENGINES:
        right = table[f"{name}_right"]
        conditions = table.groupby(["corruption", "severity"])[["legibility", f"{name}_right"]].mean()
        print(
            f"{name}: Spearman over crops {spearmanr(table['legibility'], right).statistic:.3f}, over "
            f"{len(conditions)} conditions {spearmanr(*conditions.to_numpy().T).statistic:.3f}, "
            f"AUROC {auroc(table['legibility'], right):.3f}"
        )
        print(right.groupby(bands, observed=True).agg(["mean", "size"]).round(3).to_string())


if __name__ == "__main__":
    main()
