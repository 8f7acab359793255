"""A child process that corrupts pictures with one library and says how long each took.

    python worker.py LIBRARY PICTURES.npy

It reads ``{"effect": name, "picture": index}`` a line and answers ``{"seconds": s}``; the first call of an
effect is made twice, so that nothing is compiled or loaded in the one that is timed. The first line it
writes are the names of its effects. Needs numpy and OpenCV alone, so it runs in any library's environment.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
import warnings
from pathlib import Path

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"))
os.environ["NO_ALBUMENTATIONS_UPDATE"] = "1"

import cv2
import numpy as np


def main(library: str, pictures_file: str) -> None:
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    warnings.simplefilter("ignore")
    cv2.setNumThreads(1)
    module = importlib.import_module(f"from_{library}")
    pictures = getattr(module, "load_receipts", np.load)(Path(pictures_file))
    effects = module.EFFECTS
    answers.write(json.dumps(list(effects)) + "\n")
    warm: set[str] = set()
    for line in sys.stdin:
        asked = json.loads(line)
        effect, picture = effects[asked["effect"]], pictures[asked["picture"]]
        if asked["effect"] not in warm:
            effect(picture)
            warm.add(asked["effect"])
        start = time.process_time()
        effect(picture)
        answers.write(json.dumps({"seconds": time.process_time() - start}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
