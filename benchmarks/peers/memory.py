"""How much memory a recipe takes at its peak, in a fresh process.

    python memory.py RECIPE PICTURE.npy TINY.npy

Prints how far the resident memory grew, at its peak, over what was there with all code loaded and warm (by
TINY) and the picture in memory, as a multiple of the picture's bytes. The result is a part of it. Linux only:
the peak is ``VmHWM`` of /proc, set back by /proc/self/clear_refs just before.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import cv2
from from_robustocr import load_receipts, recipe

_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def _resident(what: str) -> int:
    """Return bytes of resident memory: VmRSS is now, VmHWM the peak."""
    found = re.search(rf"^{what}:\s+(\d+) kB$", _STATUS.read_text(), re.MULTILINE)
    assert found is not None
    return 1024 * int(found[1])


def main(name: str, pictures_file: str, tiny_file: str) -> None:
    cv2.setNumThreads(1)
    recipe(name, load_receipts(Path(tiny_file))[0])
    picture = load_receipts(Path(pictures_file))[0]
    _CLEAR.write_text("5")
    before = _resident("VmRSS")
    recipe(name, picture)
    print((_resident("VmHWM") - before) / picture.nbytes)


if __name__ == "__main__":
    main(*sys.argv[1:])
