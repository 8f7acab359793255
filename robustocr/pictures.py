"""A case -> its picture, in any process: load the sample, corrupt it, say what is covered and where."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from robustocr.adapters.base import OcrPage, Picture, Pixels, pixels_sha256
from robustocr.adapters.rapidocr import RapidOcrAdapter
from robustocr.boxes import share_outside
from robustocr.fields import labelled_text, make_fields, text_in
from robustocr.images import load_image
from robustocr.legibility import LEGIBILITY_VERSION, corrupt_measured
from robustocr.legibility_probe import NO_PROBE, LegibilityProbe, prepare
from robustocr.loaders.locate import locate
from robustocr.recipes import Corruption
from robustocr.records import Box, Case, Sample, Word
from robustocr.text_height import estimate_text_height

_COVERED = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class MadePicture:
    """A case's picture with what the corruption did to it.

    ``coverage``: per field path the share (0..1) of each printed place that is covered; places that are
    not covered at all are left out. ``legibility``: per field path that of each printed place, None where it
    cannot be measured. ``boxes``: where the fields are in this picture, in pixels. ``edits``: field path ->
    what the corruption printed there instead, in canonical form; it is then the truth.
    """

    pixels: Pixels
    sha256: str
    text_height: float
    coverage: dict[str, tuple[float, ...]]
    boxes: dict[str, tuple[Box, ...]]
    legibility: dict[str, tuple[float | None, ...]] = field(default_factory=dict)
    edits: dict[str, str] = field(default_factory=dict)

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
            "legibility": {path: list(values) for path, values in self.legibility.items()},
            "edits": self.edits,
        }


@dataclass(frozen=True, slots=True)
class _Loaded:
    pixels: Pixels
    text_height: float
    boxes: dict[str, tuple[Box, ...]]
    texts: dict[str, tuple[str | None, ...]]


# The cases of one sample follow each other, so a process needs the last one or two.
@lru_cache(maxsize=2)
def _load(sample_json: str) -> _Loaded:
    sample = Sample.model_validate_json(sample_json)
    pixels = load_image(sample.image)
    page = None if sample.boxes or sample.words or sample.truth is None else _read_page(pixels)
    boxes = field_boxes(sample, page)
    return _Loaded(pixels, estimate_text_height(pixels), boxes, field_texts(sample, boxes, page))


@lru_cache(maxsize=1)
def _probe(sample_json: str) -> LegibilityProbe:
    loaded = _load(sample_json)
    measured = {path: boxes for path, boxes in loaded.boxes.items() if is_scored(path)}
    return prepare(loaded.pixels, make_fields(measured, loaded.texts), loaded.text_height)


def is_scored(path: str) -> bool:
    """Whether outcomes speak of a path: a single field, an amount or a quantity."""
    return "[" not in path or path.endswith((".amount", ".quantity"))


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


def field_texts(
    sample: Sample, boxes: Mapping[str, Sequence[Box]], page: OcrPage | None = None
) -> dict[str, tuple[str | None, ...]]:
    """Return what is printed in each box, as far as words say so; else the labelled amount or number."""
    read = tuple(Word(text=line.text, box=line.box) for line in page.lines) if page else ()
    words = sample.words or read
    return {
        path: tuple(text_in(box, words) or labelled_text(sample.truth, path) for box in places)
        for path, places in boxes.items()
    }


def make_picture(
    sample: Sample, case: Case, corruption: Corruption | None, *, with_legibility: bool = False
) -> MadePicture:
    """Return the case's picture; ``corruption`` is None for clean.

    Raises ImageError, RecipeError, and NoPlaceError where the corruption needs a place that is not known.
    """
    sample_json = sample.model_dump_json()
    loaded = _load(sample_json)
    if corruption is None:
        return MadePicture(
            pixels=loaded.pixels,
            sha256=pixels_sha256(loaded.pixels),
            text_height=loaded.text_height,
            coverage=_noticed(_off_picture(loaded), sample),
            boxes=loaded.boxes,
            legibility=sample.legibility,
        )

    made, legibility = corrupt_measured(
        loaded.pixels,
        make_fields(loaded.boxes, loaded.texts),
        corruption,
        case.severity,
        seed=case.seed,
        sample_id=sample.id,
        text_height=loaded.text_height,
        target=case.target,
        probe=_probe(sample_json) if with_legibility else NO_PROBE,
    )
    return MadePicture(
        pixels=made.pixels,
        sha256=pixels_sha256(made.pixels),
        text_height=made.text_height,
        coverage=_noticed(made.coverage, sample),
        boxes=made.boxes,
        legibility=_least(legibility, sample),
        edits=made.edits,
    )


def _off_picture(loaded: _Loaded) -> dict[str, tuple[float, ...]]:
    shape = loaded.pixels.shape
    return {path: tuple(share_outside(box, shape) for box in boxes) for path, boxes in loaded.boxes.items()}


def _noticed(coverage: Mapping[str, tuple[float, ...]], sample: Sample) -> dict[str, tuple[float, ...]]:
    """Return the coverage worth a mention; what was hidden before the corruption still is."""
    whole = {
        path: tuple(map(max, shares, sample.coverage.get(path, shares))) for path, shares in coverage.items()
    }
    return {path: shares for path, shares in whole.items() if max(shares, default=0) > _COVERED}


def _least(
    legibility: Mapping[str, tuple[float, ...]], sample: Sample
) -> dict[str, tuple[float | None, ...]]:
    """Return the legibility measured, None where not known; what could not be read before still cannot."""
    found = {path: tuple(_known(value) for value in values) for path, values in legibility.items()}
    before = sample.legibility
    return {path: tuple(map(_lesser, values, before.get(path, values))) for path, values in found.items()}


def _lesser(one: float | None, other: float | None) -> float | None:
    return min((value for value in (one, other) if value is not None), default=None)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 3)


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
        return make_picture(sample, case, corruption, with_legibility=True)


def pixel_versions() -> dict[str, str]:
    """Return the versions of everything that can change a picture's bytes or what is said of it."""
    return {"legibility": str(LEGIBILITY_VERSION)} | {
        name: version(name) for name in ("robustocr", "numpy", "opencv-python-headless", "pillow", "rapidocr")
    }
