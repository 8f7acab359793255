"""Effects of albumentations 2.0.8, called without ``Compose``.

Its perspective is as strong as makes canvases as large as ours (1.47 megapixels on average), since that is
what decides the time.
"""

from __future__ import annotations

from typing import Any

import albumentations as al
import cv2
from strengths import ANGLE, BRIGHTER, LONG, NOISE, QUALITY, RADIUS, SHORT, SHRINK, SIGMA

_RESIZING = {"downscale": cv2.INTER_AREA, "upscale": cv2.INTER_CUBIC}


def _applied(transform: Any) -> Any:
    return lambda pixels: transform(image=pixels)["image"]


EFFECTS = {
    name: _applied(transform)
    for name, transform in {
        "Gaussian blur": al.GaussianBlur(blur_limit=0, sigma_limit=(SIGMA, SIGMA), p=1),
        "motion blur, short": al.MotionBlur(blur_limit=(SHORT, SHORT), p=1),
        "motion blur, long": al.MotionBlur(blur_limit=(LONG, LONG), p=1),
        "defocus": al.Defocus(radius=(RADIUS, RADIUS), alias_blur=(0.5, 0.5), p=1),
        "Gaussian noise": al.GaussNoise(std_range=(NOISE, NOISE), p=1),
        "shot noise": al.ShotNoise(scale_range=(0.1, 0.1), p=1),
        "JPEG": al.ImageCompression(quality_range=(QUALITY, QUALITY), p=1),
        "downscale": al.Downscale(scale_range=(SHRINK, SHRINK), interpolation_pair=_RESIZING, p=1),
        "brightness": al.RandomBrightnessContrast((BRIGHTER, BRIGHTER), (0, 0), p=1),
        "shadow": al.RandomShadow(p=1),
        "light": al.Illumination(p=1),
        "glare": al.RandomSunFlare(p=1),
        "lens flare": al.RandomSunFlare(method="physics_based", p=1),
        "colour fringe": al.ChromaticAberration(p=1),
        "perspective": al.Perspective(scale=(0.027, 0.027), fit_output=True, keep_size=False, p=1),
        "rotate": al.Affine(rotate=(ANGLE, ANGLE), scale=1, fit_output=True, p=1),
        "quarter turn": al.RandomRotate90(p=1),
        "elastic, crumple": al.ElasticTransform(alpha=40, sigma=12, p=1),
    }.items()
}
