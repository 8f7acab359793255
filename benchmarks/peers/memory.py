"""How much memory a recipe takes at its peak, in a fresh process.

    python memory.py RECIPE PICTURE.npy

Prints the growth of the peak resident memory (``ru_maxrss``) over what was there with all code loaded and
warm and the picture in memory, as a multiple of the picture's bytes. The result is a part of it.
"""

from __future__ import annotations

import resource
import sys

import cv2
import numpy as np
from from_robustocr import recipe


def main(name: str, picture_file: str) -> None:
    cv2.setNumThreads(1)
    recipe(name, np.full((300, 200, 3), 230, dtype=np.uint8))
    picture = np.load(picture_file)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    recipe(name, picture)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(grown * (1 if sys.platform == "darwin" else 1024) / picture.nbytes)


if __name__ == "__main__":
    main(*sys.argv[1:])
