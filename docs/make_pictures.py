"""Draw the README's pictures again: ``python docs/make_pictures.py``."""

from pathlib import Path

import numpy as np
from PIL import Image

import robustocr
from robustocr.corruptions import corrupt, load_corruption, load_suite
from robustocr.story import draw_panel, tell_story

IMAGES = Path(__file__).parent / "images"
SAMPLE, HEIGHT, PER_ROW = "0004-blue-door-cafe", 430, 4


def draw_suite(suite: str, severity: int) -> Image.Image:
    """Return one bundled receipt under each corruption of a suite, four in a row."""
    (sample,) = [entry for entry in robustocr.load("sample").samples if entry.id == SAMPLE]
    pixels = robustocr.load_image(sample.image)
    pages = [
        corrupt(pixels, load_corruption(name), severity, seed=2, sample_id=SAMPLE).pixels
        for name in load_suite(suite).corruptions
    ]
    thumbnails = [Image.fromarray(page) for page in pages]
    for thumbnail in thumbnails:
        thumbnail.thumbnail((HEIGHT, HEIGHT), Image.Resampling.LANCZOS)
    width = max(thumbnail.width for thumbnail in thumbnails)
    rows = -(-len(thumbnails) // PER_ROW)
    sheet = np.full((rows * (HEIGHT + 8), PER_ROW * (width + 8), 3), 255, np.uint8)
    picture = Image.fromarray(sheet)
    for number, thumbnail in enumerate(thumbnails):
        row, column = divmod(number, PER_ROW)
        left = column * (width + 8) + (width - thumbnail.width) // 2
        picture.paste(thumbnail, (left, row * (HEIGHT + 8) + (HEIGHT - thumbnail.height) // 2))
    return picture


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    draw_suite("phone", 3).save(IMAGES / "corruptions.jpg", quality=82)
    draw_panel(tell_story()).save(IMAGES / "story.png")
