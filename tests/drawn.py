"""Small datasets that tests draw."""

import json
from pathlib import Path

import cv2
import numpy as np


def draw_receipt(text: str, *, width: int = 200, height: int = 260) -> np.ndarray:
    """Return a grey page with a few printed rows, RGB."""
    page = np.full((height, width, 3), 235, np.uint8)
    for row, line in enumerate(("SHOP", "Tea 1.00", f"TOTAL {text}", "Thank you")):
        cv2.putText(page, line, (12, 50 + 50 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (40, 40, 40), 2)
    return page


def draw_dataset(folder: Path, n: int, *, widths: tuple[int, ...] = (200,)) -> Path:
    """Write ``n`` receipts in the native format; all say total 1.00."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for number in range(n):
        name = f"r{number:03d}.png"
        page = draw_receipt(f"1.0{number % 10}", width=widths[number % len(widths)])
        cv2.imwrite(str(folder / name), page)
        rows.append(
            {"file_name": name, "receipt": {"total": "1.00"}, "boxes": {"total": [[10, 130, 160, 155]]}}
        )
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder
