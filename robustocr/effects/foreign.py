"""Albumentations transforms as steps of a recipe: any of them, by name, seeded from our stream.

What a transform does to boxes is found by letting it carry marked things along with the picture: the points
of a grid for one that keeps lines straight, the coordinates of all pixels for one that bends them, a mask
for one that blots parts out. Its own way with key points loses those near each other or the edge.
"""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Mapping
from importlib.metadata import version as installed_version
from typing import Any, Literal

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.effects.registry import Change
from robustocr.errors import RecipeError, unknown_name
from robustocr.mapped_move import PixelMap
from robustocr.moves import Homography

_STILL = frozenset({"NoOp", "PixelDropout", "Morphological"})
_TEARS = frozenset({"RandomGridShuffle"})
_BENDS = frozenset({"GridElasticDeform"})
_STRAIGHT = 0.5
_GRID = (0.0, 0.5, 1.0)
_OFF_PAGE = -1.0

_Kind = Literal["still", "covers", "bends", "plane"]


def apply(name: str, values: Mapping[str, Any], pixels: Pixels, rng: np.random.Generator) -> Change:
    """Return what the transform ``name`` does to RGB pixels, with a seed drawn from ``rng``.

    Raises RecipeError where it fails on this picture, makes something else than RGB pixels of it, or moves
    points so that boxes cannot follow.
    """
    seed = int(rng.integers(1 << 31))
    match _kind(name):
        case "still":
            done = _run(name, values, seed, image=pixels)
            return Change(pixels=_rgb(name, done))
        case "covers":
            page = np.full(pixels.shape[:2], 255, dtype=np.uint8)
            done = _run(name, {**values, "fill_mask": 0}, seed, image=pixels, mask=page)
            return Change(pixels=_rgb(name, done), cover=255 - np.asarray(done["mask"], dtype=np.uint8))
        case "bends":
            return _bent(name, values, seed, pixels)
        case "plane":
            return _moved(name, values, seed, pixels)


def known_transforms() -> tuple[str, ...]:
    """Return the names of the transforms that can be a step, in alphabetical order."""
    return tuple(sorted(name for name in _classes() if _carries_boxes(name)))


def check(name: str, values: Mapping[str, Any]) -> None:
    """Raise RecipeError for an unknown transform or parameters that it refuses."""
    if not _carries_boxes(name):
        raise RecipeError(
            f"albumentations {name!r} moves pixels but cannot carry boxes along; choose another"
        )
    with warnings.catch_warnings():
        # Albumentations only warns about an argument it does not know, and goes on without it.
        warnings.simplefilter("error")
        try:
            _built(name, values)
        except Exception as error:
            reason = " ".join(str(error).split())
            raise RecipeError(f"albumentations {name!r} refuses {dict(values)!r}: {reason}") from error


def moves(name: str) -> bool:
    """Return whether a transform moves points of the page."""
    return _kind(name) in ("bends", "plane")


def version() -> str:
    """Return the version of albumentations."""
    return f"albumentations {installed_version('albumentations')}"


def _bent(name: str, values: Mapping[str, Any], seed: int, pixels: Pixels) -> Change:
    """Return what a transform does that bends lines: for every new pixel, where it was on the old page."""
    height, width = pixels.shape[:2]
    there = np.dstack(np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)))
    off_page = {} if name in _BENDS else {"fill_mask": _OFF_PAGE}
    done = _run(name, {**values, **off_page}, seed, image=pixels, mask=there)
    origin = np.array(done["mask"], dtype=np.float32)
    if origin.ndim != 3 or (shown := origin.min(axis=2) > _OFF_PAGE).sum() == 0:
        raise RecipeError(f"albumentations {name!r} moves points so that boxes cannot follow; choose another")
    origin[~shown] = np.nan
    return Change(pixels=_rgb(name, done), move=PixelMap(origin=origin))


def _moved(name: str, values: Mapping[str, Any], seed: int, pixels: Pixels) -> Change:
    """Return what a transform does that keeps lines straight: a homography, found from a grid of points."""
    height, width = pixels.shape[:2]
    old = np.array([(x * (width - 1), y * (height - 1)) for y in _GRID for x in _GRID], dtype=np.float32)
    done = _run(name, values, seed, image=pixels, keypoints=old)
    new = np.asarray(done["keypoints"], dtype=np.float32)[:, :2]
    result = _rgb(name, done)
    matrix = cv2.findHomography(old, new)[0] if new.shape == old.shape else None
    size = (width, height)
    move = None if matrix is None else Homography(matrix=matrix, old=size, new=result.shape[1::-1])
    if move is None or np.abs(move.move_points(old.astype(np.float64)) - new).max() > _STRAIGHT:
        raise RecipeError(f"albumentations {name!r} moves points so that boxes cannot follow; choose another")
    return Change(pixels=result, move=move)


def _run(name: str, values: Mapping[str, Any], seed: int, **targets: Any) -> dict[str, Any]:
    library = _albumentations()
    points = library.KeypointParams(format="xy", remove_invisible=False) if "keypoints" in targets else None
    try:
        transform = library.Compose([_built(name, values)], keypoint_params=points, seed=seed)
        result: dict[str, Any] = transform(**targets)
    except Exception as error:
        reason = " ".join(str(error).split())
        raise RecipeError(
            f"albumentations {name!r} fails on a picture of {targets['image'].shape}: {reason}"
        ) from error
    return result


def _rgb(name: str, done: Mapping[str, Any]) -> Pixels:
    pixels = np.asarray(done["image"])
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3:
        raise RecipeError(
            f"albumentations {name!r} makes {pixels.dtype} of shape {pixels.shape}, not RGB pixels of 8 "
            "bits; choose another"
        )
    return np.ascontiguousarray(pixels)


def _albumentations() -> Any:
    os.environ["NO_ALBUMENTATIONS_UPDATE"] = "1"
    import albumentations

    return albumentations


def _kind(name: str) -> _Kind:
    transform = _class(name)
    if issubclass(transform, _albumentations().ImageOnlyTransform) or name in _STILL:
        return "still"
    if any(base.__name__ == "BaseDropout" for base in transform.__mro__):
        return "covers"
    bends = name in _BENDS or "keypoint_remapping_method" in inspect.signature(transform).parameters
    return "bends" if bends else "plane"


def _carries_boxes(name: str) -> bool:
    return not moves(name) or ("KEYPOINTS" in _targets(_class(name)) and name not in _TEARS)


def _targets(transform: Any) -> set[str]:
    return {target.name for target in getattr(transform, "_targets", ())}


def _classes() -> dict[str, Any]:
    library = _albumentations()
    base = library.BasicTransform
    return {
        key: value
        for key, value in vars(library).items()
        if isinstance(value, type)
        and issubclass(value, base)
        and "IMAGE" in _targets(value)
        and value is not library.ImageOnlyTransform
    }


def _class(name: str) -> Any:
    known = _classes()
    if name not in known:
        raise RecipeError(unknown_name("albumentations transform", name, known))
    return known[name]


def _built(name: str, values: Mapping[str, Any]) -> Any:
    plain = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    return _class(name)(**{**plain, "p": 1.0})
