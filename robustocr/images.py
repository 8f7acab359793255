"""Pictures from files: always RGB, 8 bits, upright, whatever the format and colour mode.

JPEG, PNG, WebP, TIFF, GIF, BMP, AVIF and what else Pillow decodes; of several pages or frames the first.
"""

from __future__ import annotations

import hashlib
import io
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import ExifTags, Image, ImageChops, ImageOps, UnidentifiedImageError

from robustocr.adapters.base import Pixels
from robustocr.errors import ImageError

MAX_PIXELS_VARIABLE = "ROBUSTOCR_MAX_PIXELS"
"""Environment variable that raises or lowers the largest picture accepted, in pixels."""

IMAGE_SUFFIXES = frozenset(
    ".jpg .jpeg .jpe .jfif .png .webp .tif .tiff .bmp .gif .avif .jp2 .heic .heif .pdf".split()  # noqa: SIM905
)
"""File name endings that are taken for pictures (HEIC and PDF so that they are named, not passed over)."""

_ADVICE = (
    (b"%PDF", "it is a PDF; render its pages to PNG first (for example with pdftoppm -r 300 -png)"),
    (b"version https://git-lfs", "it is a Git LFS pointer; run git lfs pull to fetch the picture"),
    (b"<", "it is a text or web page, probably an error page saved in place of the picture; fetch it again"),
)
_HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
_TURNED = (5, 6, 7, 8)
_DECODER_ERRORS = (
    OSError, SyntaxError, ValueError, EOFError, LookupError, RuntimeError, TypeError, ArithmeticError,
    struct.error, MemoryError,
)  # fmt: skip
"""What Pillow's decoders were seen to raise on damaged files, and their like."""


def load_image(path: str | Path) -> Pixels:
    """Return a picture as RGB uint8, height x width x 3, after the EXIF turn, transparency laid on white.

    Raises ImageError naming the file and the cause: missing, empty, truncated, not a picture, or more pixels
    than allowed (Pillow's limit of 89 million; the variable ROBUSTOCR_MAX_PIXELS changes it).
    """
    return decode_image(read_bytes(path), str(path))


def decode_image(data: bytes, name: str) -> Pixels:
    """Return an encoded picture as ``load_image`` does; ``name`` stands for it in errors."""
    with _opened(data, name) as image, _decoding(name):
        image.load()
        upright = ImageOps.exif_transpose(image)
        if image.mode == "CMYK" and image.format == "JPEG" and "adobe" not in image.info:
            # Pillow takes every CMYK JPEG for one of Adobe's, which store inverted ink.
            upright = ImageChops.invert(upright)
        return np.array(_to_rgb(upright, name), dtype=np.uint8, order="C")


def image_size(path: str | Path) -> tuple[int, int]:
    """Return height and width in pixels after the EXIF turn, from the header alone.

    Raises ImageError as ``load_image`` does, save for damage behind the header.
    """
    path = Path(path)
    try:
        stream = path.open("rb")
        start = stream.read(64)
    except OSError as error:
        raise _unreadable(path, error) from error
    with stream:
        stream.seek(0)
        with _opened(start, str(path), stream) as image, _decoding(str(path)):
            width, height = image.size
            turned = image.format != "TIFF" and _orientation(image) in _TURNED
    return (width, height) if turned else (height, width)


def file_sha256(path: str | Path) -> str:
    """Return the sha256 (hex) of a file's bytes. Raises ImageError when it cannot be read."""
    return hashlib.sha256(read_bytes(path)).hexdigest()


def read_bytes(path: str | Path) -> bytes:
    """Return a file's bytes. Raises ImageError naming the file when it cannot be read."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise _unreadable(Path(path), error) from error


@contextmanager
def _decoding(name: str) -> Iterator[None]:
    """Turn what decoders raise on damaged files into an ImageError."""
    try:
        yield
    except _DECODER_ERRORS as error:
        raise ImageError(
            f"cannot decode {name}: {error}; the file is truncated, damaged or of an unusual kind: "
            "fetch it again, or save it as PNG"
        ) from error


def _unreadable(path: Path, error: OSError) -> ImageError:
    if isinstance(error, FileNotFoundError):
        return ImageError(f"picture {path} does not exist; check its name")
    if isinstance(error, IsADirectoryError):
        return ImageError(f"{path} is a folder, not a picture; give the name of a file in it")
    return ImageError(f"cannot read picture {path}: {error.strerror or error}; check its permissions")


def _opened(data: bytes, name: str, stream: io.BufferedReader | None = None) -> Image.Image:
    if not data:
        raise ImageError(f"picture {name} is empty (0 bytes); fetch it again")
    limit = _limit(name)
    try:
        image = Image.open(stream or io.BytesIO(data))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ImageError(f"{name} is too large: {error} {_raise_limit(limit)}") from error
    except UnidentifiedImageError as error:
        raise ImageError(f"cannot read {name} as a picture: {_advice(data)}") from error
    except _DECODER_ERRORS as error:
        raise ImageError(f"cannot read {name}: {error}; the file is damaged, fetch it again") from error
    width, height = image.size
    if not width or not height:
        raise ImageError(f"picture {name} has no pixels ({width} x {height}); make it again")
    if limit is not None and width * height > limit:
        raise ImageError(f"{name} is too large: {width} x {height} pixels, {_raise_limit(limit)}")
    return image


def _limit(name: str) -> int | None:
    """The most pixels accepted; an own limit is handed to Pillow, which checks more than the size."""
    given = os.environ.get(MAX_PIXELS_VARIABLE)
    if given is None:
        return Image.MAX_IMAGE_PIXELS
    if not given.isdecimal() or not int(given):
        raise ImageError(
            f"cannot read {name}: {MAX_PIXELS_VARIABLE}={given!r} is not a number of pixels; "
            "set it to a whole number such as 200000000, or unset it"
        )
    Image.MAX_IMAGE_PIXELS = int(given)
    return int(given)


def _raise_limit(limit: int | None) -> str:
    return f"the limit is {limit}; make it smaller, or set {MAX_PIXELS_VARIABLE} to accept more"


def _advice(data: bytes) -> str:
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS:
        return "it is HEIC, which is not decoded here; convert it to JPEG (for example with heif-convert)"
    for start, advice in _ADVICE:
        if data.lstrip().startswith(start):
            return advice
    return "its content is no picture format known here; convert it to JPEG or PNG"


def _orientation(image: Image.Image) -> int:
    return int(image.getexif().get(ExifTags.Base.Orientation, 1))


def _to_rgb(image: Image.Image, name: str) -> Image.Image:
    if image.mode.startswith("I"):
        return _from_deep_grey(image, name)
    if image.mode == "F":
        raise ImageError(f"{name} holds floating-point grey values; convert it to 8 or 16 bits")
    if image.has_transparency_data:
        image = image.convert("RGBA")
        ground = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(ground, image)
    return image.convert("RGB")


def _from_deep_grey(image: Image.Image, name: str) -> Image.Image:
    """Sixteen-bit grey values to eight bits."""
    values = np.asarray(image).astype(np.int64)
    if values.min() < 0 or values.max() > 65535:
        raise ImageError(f"{name} holds 32-bit grey values; convert it to 8 or 16 bits")
    grey = ((values + 128) // 257).astype(np.uint8)
    return Image.fromarray(grey).convert("RGB")


def check_pixels(pixels: Pixels) -> None:
    """Raise ImageError unless pixels are 8-bit RGB or grey, and at least one."""
    if pixels.dtype != np.uint8 or pixels.ndim not in (2, 3) or (pixels.ndim == 3 and pixels.shape[2] != 3):
        raise ImageError(
            f"pixels must be 8-bit RGB (height x width x 3) or grey (height x width), not {pixels.dtype} of "
            f"shape {pixels.shape}; load pictures with robustocr.images.load_image"
        )
    if 0 in pixels.shape:
        raise ImageError(f"a picture of shape {pixels.shape} has no pixels")
