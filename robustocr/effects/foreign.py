"""Albumentations transforms as steps of a recipe: any of them, by name, seeded from our stream."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version as installed_version
from typing import Any

import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.effects.registry import Change
from robustocr.errors import RecipeError, unknown_name
from robustocr.moves import Image, Points


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The move of an albumentations transform: the same transform with the same seed, on points or masks."""

    name: str
    values: Mapping[str, Any]
    seed: int
    pixels: Pixels

    def move_points(self, points: Points) -> Points:
        """Return where points of the old page lie on the new one, n x 2 pixels."""
        moved = self._run(image=self.pixels, keypoints=points.astype(np.float32))["keypoints"]
        return np.asarray(moved, dtype=np.float64)[:, :2]

    def move_image(self, image: Image) -> Image:
        """Return an old mask in the new frame."""
        return np.asarray(self._run(image=self.pixels, mask=image)["mask"])

    def run(self) -> Pixels:
        """Return the transformed pixels."""
        return np.asarray(self._run(image=self.pixels)["image"], dtype=np.uint8)

    def _run(self, **targets: Any) -> dict[str, Any]:
        library = _albumentations()
        carried = (
            library.KeypointParams(format="xy", remove_invisible=False) if "keypoints" in targets else None
        )
        transform = library.Compose([_built(self.name, self.values)], keypoint_params=carried, seed=self.seed)
        result: dict[str, Any] = transform(**targets)
        return result


def apply(name: str, values: Mapping[str, Any], pixels: Pixels, rng: np.random.Generator) -> Change:
    """Return what the transform ``name`` does to RGB pixels, with a seed drawn from ``rng``."""
    replay = Replay(name=name, values=values, seed=int(rng.integers(1 << 31)), pixels=pixels)
    return Change(pixels=np.ascontiguousarray(replay.run()), move=replay if moves(name) else None)


def check(name: str, values: Mapping[str, Any]) -> None:
    """Raise RecipeError for an unknown transform or parameters that it refuses."""
    if moves(name) and not any(target.name == "KEYPOINTS" for target in _class(name)._targets):
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
    return not issubclass(_class(name), _albumentations().ImageOnlyTransform)


def version() -> str:
    """Return the version of albumentations."""
    return f"albumentations {installed_version('albumentations')}"


def _albumentations() -> Any:
    os.environ["NO_ALBUMENTATIONS_UPDATE"] = "1"
    import albumentations

    return albumentations


def _class(name: str) -> Any:
    library = _albumentations()
    base = library.BasicTransform
    known = {
        key: value
        for key, value in vars(library).items()
        if isinstance(value, type) and issubclass(value, base) and not key.startswith(("Basic", "Base"))
    }
    if name not in known:
        raise RecipeError(unknown_name("albumentations transform", name, known))
    return known[name]


def _built(name: str, values: Mapping[str, Any]) -> Any:
    plain = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    return _class(name)(**{**plain, "p": 1.0})
