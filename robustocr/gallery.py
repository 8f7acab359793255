"""Pictures of the corruptions: contact sheets of whole pages, and strips of one place at rising severity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.boxes import bounds_of
from robustocr.errors import NoPlaceError, StoreError
from robustocr.loaders.registry import load
from robustocr.pictures import MadePicture, make_picture
from robustocr.recipes import SEVERITIES, Corruption
from robustocr.records import Case, Sample

SHEET_SEVERITIES = (0, *SEVERITIES)
STRIP_SEVERITIES = (1, 3, 5)

_SHOWN = "0004-blue-door-cafe"
_SEED = 2
_SHEET_HEIGHT = 480
_STRIP_HEIGHT = 230
_STRIP_TEXT = (19.0, 15.0)
_GAP = 6
_SHEET_QUALITY = 78
_STRIP_QUALITY = 62
_CHANGED = 60.0
_MUCH_PRINT = 0.08
_NEAR = (31, 31)

Progress = Callable[[str, int, int], None]
"""Called with (what is done, finished corruptions, all corruptions)."""


def shown_sample() -> Sample:
    """Return the bundled receipt that pictures of the corruptions are made of."""
    return next(sample for sample in load("sample").samples if sample.id == _SHOWN)


def draw_sheets(
    out: Path, corruptions: Sequence[Corruption], *, sample: Sample, progress: Progress | None = None
) -> tuple[dict[str, Path], dict[str, str]]:
    """Write one contact sheet per corruption, ``NAME.webp``: clean, then severities 1 to 5, left to right.

    Returns the paths by name, and why there is no sheet of the others: they need the place of a field that
    is not known of the sample. Raises StoreError where the folder cannot be written.
    """
    paths: dict[str, Path] = {}
    missing: dict[str, str] = {}
    for done, corruption in enumerate(corruptions, 1):
        try:
            pages = [_made(sample, corruption, severity).pixels for severity in SHEET_SEVERITIES]
        except NoPlaceError as error:
            missing[corruption.name] = str(error)
        else:
            sheet = _side_by_side([_scaled(page, _SHEET_HEIGHT) for page in pages])
            paths[corruption.name] = _write(out / f"{corruption.name}.webp", sheet, _SHEET_QUALITY)
        if progress is not None:
            progress("pictures", done, len(corruptions))
    return paths, missing


def draw_strip(path: Path, corruption: Corruption, *, sample: Sample) -> Path:
    """Write a strip of severities 1, 3 and 5 of one place where text and what happens to it can be seen.

    The place is the same in all three, or follows the total where the page moves. Raises StoreError where the
    file cannot be written, NoPlaceError where the corruption needs a place that the sample does not have.
    """
    clean = _made(sample, corruption, 0)
    width, height = (round(share * clean.text_height) for share in _STRIP_TEXT)
    worst = _made(sample, corruption, STRIP_SEVERITIES[-1])
    fixed = None if corruption.changes_frame else _telling_place(clean.pixels, worst.pixels, width, height)
    parts = []
    for severity in STRIP_SEVERITIES:
        made = _made(sample, corruption, severity)
        left, top = fixed if fixed is not None else _around_total(made, width, height)
        parts.append(_scaled(made.pixels[top : top + height, left : left + width], _STRIP_HEIGHT))
    return _write(path, _side_by_side(parts), _STRIP_QUALITY)


def _made(sample: Sample, corruption: Corruption, severity: int) -> MadePicture:
    case = Case(sample_id=sample.id, corruption=corruption.name, severity=severity, seed=_SEED)
    return make_picture(sample, case, corruption if severity else None)


def _telling_place(clean: Pixels, worst: Pixels, width: int, height: int) -> tuple[int, int]:
    """Return left and top of the window where about half has changed and much is printed."""
    size = (min(width, clean.shape[1]), min(height, clean.shape[0]))
    difference = cv2.absdiff(clean, worst).max(axis=2).astype(np.float32) / _CHANGED
    grey = cv2.cvtColor(clean, cv2.COLOR_RGB2GRAY)
    print_ = (grey < np.median(grey) * 0.7).astype(np.float32)
    faded = np.abs(_contrast(grey) - _contrast(cv2.cvtColor(worst, cv2.COLOR_RGB2GRAY))) / _CHANGED
    strength = (np.minimum(difference, 1) + 2 * np.minimum(faded, 1)) / 3
    changed = cv2.blur(strength, size)
    central = cv2.blur(strength, (size[0] // 2, size[1] // 2))
    printed = np.minimum(cv2.blur(print_, size), _MUCH_PRINT)
    score = changed * (1.1 - changed) * (0.2 + central) * (0.02 + printed)
    inside = score[size[1] // 2 : score.shape[0] - size[1] // 2, size[0] // 2 : score.shape[1] - size[0] // 2]
    top, left = np.unravel_index(int(inside.argmax()), inside.shape)
    return int(left), int(top)


def _contrast(grey: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return the spread of grey levels around each pixel."""
    values = grey.astype(np.float32)
    mean = cv2.blur(values, _NEAR)
    return np.asarray(np.sqrt(np.maximum(cv2.blur(values**2, _NEAR) - mean**2, 0)))


def _around_total(made: MadePicture, width: int, height: int) -> tuple[int, int]:
    """Return left and top of the window around the total, on the picture as far as it can be."""
    x0, y0, x1, y1 = bounds_of(made.boxes["total"][-1])
    rows, columns = made.pixels.shape[:2]
    left = min(max(round((x0 + x1 - 1.4 * width) / 2), 0), max(columns - width, 0))
    top = min(max(round((y0 + y1 - 1.2 * height) / 2), 0), max(rows - height, 0))
    return left, top


def _scaled(pixels: Pixels, height: int) -> Pixels:
    width = max(round(pixels.shape[1] * height / pixels.shape[0]), 1)
    way = cv2.INTER_AREA if height < pixels.shape[0] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=way), dtype=np.uint8)


def _side_by_side(pages: Sequence[Pixels]) -> Pixels:
    """Return pages of one height with white gaps between them."""
    gap = np.full((pages[0].shape[0], _GAP, 3), 255, dtype=np.uint8)
    return np.hstack([part for page in pages for part in (page, gap)][:-1])


def _write(path: Path, pixels: Pixels, quality: int) -> Path:
    bgr = cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR)
    done, encoded = cv2.imencode(".webp", bgr, [cv2.IMWRITE_WEBP_QUALITY, quality])
    if not done:
        raise StoreError(f"{path}: a picture of {pixels.shape} cannot be written as WebP")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encoded.tobytes())
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror}; choose another folder") from error
    return path
