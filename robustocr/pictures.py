"""A case -> its picture, in any process: load the sample, corrupt it, say what is covered and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from robustocr.adapters.base import OcrPage, Picture, Pixels, pixels_sha256
from robustocr.adapters.rapidocr import RapidOcrAdapter
from robustocr.corruptions import corrupt
from robustocr.images import load_image
from robustocr.loaders.locate import locate
from robustocr.recipes import Corruption
from robustocr.records import Box, Case, Sample
from robustocr.text_height import estimate_text_height

_COVERED = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class MadePicture:
    """A case's picture with what the corruption did to it.

    ``coverage``: per field path the share (0..1) of each printed place that is covered; places that are
    not covered at all are left out. ``boxes``: where the fields are in this picture, in pixels.
    """

    pixels: Pixels
    sha256: str
    text_height: float
    coverage: dict[str, tuple[float, ...]]
    boxes: dict[str, tuple[Box, ...]]

    def facts(self) -> dict[str, Any]:
        """Return everything but the pixels, as JSON for a cache."""
        return {
            "sha256": self.sha256,
            "text_height": round(self.text_height, 2),
            "coverage": {
                path: [round(share, 4) for share in shares] for path, shares in self.coverage.items()
            },
            "boxes": {
                path: [[round(value, 1) for value in box] for box in boxes]
                for path, boxes in self.boxes.items()
            },
        }


@dataclass(frozen=True, slots=True)
class _Loaded:
    pixels: Pixels
    text_height: float
    boxes: dict[str, tuple[Box, ...]]


# The cases of one sample follow each other, so a process needs the last one or two.
@lru_cache(maxsize=2)
def _load(sample_json: str) -> _Loaded:
    sample = Sample.model_validate_json(sample_json)
    pixels = load_image(sample.image)
    page = None if sample.boxes or sample.words or sample.truth is None else _read_page(pixels)
    return _Loaded(pixels, estimate_text_height(pixels), field_boxes(sample, page))


@lru_cache(maxsize=1)
def _fixed_ocr() -> RapidOcrAdapter:
    return RapidOcrAdapter(threads=1)


def _read_page(pixels: Pixels) -> OcrPage:
    """Read the clean picture of a sample whose labels say nothing of places, whatever reader is tested."""
    return _fixed_ocr().read(Picture.of(pixels))


def field_boxes(sample: Sample, page: OcrPage | None = None) -> dict[str, tuple[Box, ...]]:
    """Return every known place of every field: the labels' boxes, else found among the labelled words.

    ``page`` is one fixed OCR of the clean picture, for samples that have neither.
    """
    places = locate(sample, page=page).places
    return {path: tuple(place.box for place in found) for path, found in places.items() if found}


def make_picture(sample: Sample, case: Case, corruption: Corruption | None) -> MadePicture:
    """Return the case's picture; ``corruption`` is None for clean. Raises ImageError, RecipeError."""
    loaded = _load(sample.model_dump_json())
    if corruption is None:
        return MadePicture(
            pixels=loaded.pixels,
            sha256=pixels_sha256(loaded.pixels),
            text_height=loaded.text_height,
            coverage={},
            boxes=loaded.boxes,
        )
    made = corrupt(
        loaded.pixels,
        corruption,
        case.severity,
        seed=case.seed,
        sample_id=sample.id,
        boxes=loaded.boxes,
        target=case.target,
        text_height=loaded.text_height,
    )
    return MadePicture(
        pixels=made.pixels,
        sha256=pixels_sha256(made.pixels),
        text_height=made.text_height,
        coverage={
            path: shares for path, shares in made.coverage.items() if max(shares, default=0) > _COVERED
        },
        boxes=made.boxes,
    )


class PictureMaker:
    """The handler of a corrupting worker: (sample, case) -> MadePicture."""

    def __init__(self, corruptions: Mapping[str, Corruption]) -> None:
        import cv2

        cv2.setNumThreads(1)
        self._corruptions = corruptions

    def __call__(self, task: tuple[Sample, Case]) -> MadePicture:
        """Make one picture."""
        sample, case = task
        corruption = None if case.severity == 0 else self._corruptions[case.corruption]
        return make_picture(sample, case, corruption)


def pixel_versions() -> dict[str, str]:
    """Return the versions of everything that can change a picture's bytes."""
    return {
        name: version(name) for name in ("robustocr", "numpy", "opencv-python-headless", "pillow", "rapidocr")
    }
