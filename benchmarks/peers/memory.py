"""How much memory a recipe takes at its peak, in a fresh process.

    python memory.py RECIPE PICTURE.npy TINY.npy

Prints the growth of the peak resident memory (``ru_maxrss``) over what was there with all code loaded and
warm (by TINY) and the picture in memory, as a multiple of the picture's bytes. The result is a part of it.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import cv2
from from_robustocr import load_receipts, recipe


def main(name: str, pictures_file: str, tiny_file: str) -> None:
    cv2.setNumThreads(1)
    recipe(name, load_receipts(Path(tiny_file))[0])
    picture = load_receipts(Path(pictures_file))[0]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    recipe(name, picture)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(grown * (1 if sys.platform == "darwin" else 1024) / picture.nbytes)


if __name__ == "__main__":
    main(*sys.argv[1:])
