"""A small page of text, drawn here, on which corruptions are tried."""

import cv2
import numpy as np

from robustocr.adapters.base import Pixels

TEXT_HEIGHT = 16.0
TOTAL = (190.0, 218.0, 270.0, 238.0)
SUBTOTAL = (190.0, 128.0, 270.0, 148.0)


def text_page(height: int = 360, width: int = 300) -> Pixels:
    """A pale page with a line of printed digits every 30 pixels."""
    page = np.full((height, width, 3), (246, 244, 238), dtype=np.uint8)
    for row, y in enumerate(range(24, height - 8, 30)):
        cv2.putText(page, f"ITEM {row}", (12, y), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (40, 38, 44), 2)
        cv2.putText(page, f"{row + 3}8.{row}0", (190, y), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (40, 38, 44), 2)
    return page
