"""Effects of imagecorruptions 1.1.2. Its severities 3 are the strengths that all libraries are given."""

from __future__ import annotations

from functools import partial
from typing import Any

from imagecorruptions import corrupt, corruptions


def _gaussian(*image_and_sigma: Any, multichannel: bool = False, **values: Any) -> Any:
    """Say ``channel_axis`` for ``multichannel``, which scikit-image no longer knows."""
    return _of_skimage(*image_and_sigma, channel_axis=-1 if multichannel else None, **values)


_of_skimage = corruptions.gaussian
corruptions.gaussian = _gaussian

EFFECTS = {
    ours: partial(corrupt, severity=3, corruption_name=theirs)
    for ours, theirs in {
        "Gaussian blur": "gaussian_blur",
        "motion blur, long": "motion_blur",
        "defocus": "defocus_blur",
        "Gaussian noise": "gaussian_noise",
        "shot noise": "shot_noise",
        "JPEG": "jpeg_compression",
        "downscale": "pixelate",
        "brightness": "brightness",
        "elastic, crumple": "elastic_transform",
    }.items()
}
