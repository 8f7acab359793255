"""Readers that tests run in worker processes. What they answer follows from the pixels alone."""

import os
import threading
import time

import numpy as np
from PIL import Image


def _shade(image: Image.Image) -> int:
    return int(np.asarray(image.convert("L"), dtype=np.int64).sum())


def steady(image: Image.Image) -> dict:
    """A total that depends on the picture, sometimes doubted."""
    shade = _shade(image)
    total = f"{shade % 3 + 1}.00"
    marker = "suspected" if shade % 2 else "certain"
    return {"receipt": {"total": total}, "marks": {"total": {"marker": marker, "score": 0.5}}}


def slow(image: Image.Image) -> dict:
    time.sleep(0.05)
    return steady(image)


def forking(image: Image.Image) -> dict:
    """Forks; the child comes back with another answer."""
    return {"total": "28.90" if os.fork() else "66.66"}


def meddling(image: Image.Image) -> dict:
    """Writes into whatever files are open."""
    for number in range(3, 12):
        try:
            os.write(number, b"\x80\x05K\x07.")
        except OSError:
            continue
    return {"total": "1.00"}


def leaving(image: Image.Image) -> dict:
    """Answers, and ends its process a little later."""
    threading.Timer(0.05, lambda: os._exit(3)).start()
    return {"total": "1.00"}


class OddError(Exception):
    kind = 5


def odd(image: Image.Image) -> dict:
    raise OddError("bad \udc80 text")


def faulty(image: Image.Image) -> object:
    """Raises, hangs, dies or answers nonsense, by the width of the picture."""
    width = image.size[0]
    if width == 201:
        raise ValueError("cannot read this one")
    if width == 202:
        time.sleep(60)
    if width == 203:
        os._exit(9)
    if width == 204:
        return "nonsense"
    return {"total": "1.00"}


def by_contrast(image: Image.Image) -> dict:
    """Says the page's width as total, and an item count, while the print stands out from the paper."""
    import cv2

    grey = np.asarray(image.convert("L"))
    paper = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    ink = (paper.astype(np.float32) - grey) / np.maximum(paper, 1)
    print_ = float(np.percentile(ink, 97))
    total = image.size[0] if print_ > 0.28 else 0
    return {"receipt": {"total": f"{total}.00", "item_count": 3 if print_ > 0.42 else 5}}
