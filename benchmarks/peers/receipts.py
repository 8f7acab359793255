"""Receipts of the bundled sample at any size, with the places of their fields, in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from robustocr import load
from robustocr.images import load_image
from robustocr.pictures import field_boxes, field_texts
from robustocr.text_height import estimate_text_height


def save_receipts(path: Path, size: tuple[int, int], count: int) -> None:
    """Write ``count`` receipts of ``size`` (width, height), those of the closest shape, as one stack.

    What ``corrupt()`` may be told of each goes to a JSON file beside it.
    """
    loaded = [(sample, load_image(sample.image)) for sample in load("sample").samples]
    loaded.sort(key=lambda pair: abs(pair[1].shape[1] / pair[1].shape[0] - size[0] / size[1]))
    made = [_resized(sample, pixels, size) for sample, pixels in loaded[:count]]
    np.save(path, np.stack([pixels for pixels, _ in made]))
    path.with_suffix(".json").write_text(json.dumps([known for _, known in made]))


def _resized(sample: Any, pixels: Any, size: tuple[int, int]) -> tuple[Any, dict[str, Any]]:
    scale = size[0] / pixels.shape[1], size[1] / pixels.shape[0]
    boxes = field_boxes(sample)
    resized = cv2.resize(pixels, size, interpolation=cv2.INTER_CUBIC if scale[0] > 1 else cv2.INTER_AREA)
    scaled = {
        path: [tuple(value * scale[at % 2] for at, value in enumerate(box)) for box in places]
        for path, places in boxes.items()
    }
    height = estimate_text_height(resized)
    return resized, {"boxes": scaled, "texts": field_texts(sample, boxes), "text_height": height}
