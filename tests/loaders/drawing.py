import json

import numpy as np
from PIL import Image


def draw(path, width=60, height=90):
    """Write a small picture; its format follows from the name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shade = np.linspace(120, 255, width * height * 3).reshape(height, width, 3).astype(np.uint8)
    Image.fromarray(shade).save(path)


def write_lines(path, objects):
    """Write objects as JSON Lines; texts are written as they are."""
    lines = [line if isinstance(line, str) else json.dumps(line) for line in objects]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
