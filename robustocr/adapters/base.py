"""What an adapter is given, and what it must offer.

An adapter wraps one reading system. It is synchronous, picklable by name, and declares
``fingerprint``: everything that changes its answer.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from robustocr.records import Box, Extraction

Pixels = npt.NDArray[np.uint8]
"""An RGB picture, height x width x 3."""


def pixels_sha256(pixels: Pixels) -> str:
    """Return the sha256 (hex) of a picture: its shape and its RGB bytes."""
    digest = hashlib.sha256(f"{pixels.shape[0]}x{pixels.shape[1]}".encode())
    digest.update(np.ascontiguousarray(pixels).data)
    return digest.hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What an adapter reads: RGB pixels after the EXIF turn, and the encoded bytes where there are any."""

    pixels: Pixels
    sha256: str
    encoded: bytes | None = None
    key: str | None = None

    @classmethod
    def of(cls, pixels: Pixels, *, encoded: bytes | None = None, key: str | None = None) -> Picture:
        """Wrap an RGB array, computing its sha256."""
        return cls(pixels=pixels, sha256=pixels_sha256(pixels), encoded=encoded, key=key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is wanted of an adapter. ``crops`` maps field paths to boxes for a second look."""

    fields: tuple[str, ...] | None = None
    crops: tuple[tuple[str, Box], ...] = ()
    deadline: float | None = None
    repeat: int = 0
    purpose: Literal["extract", "reread", "verify"] = "extract"

    def cache_key(self) -> str:
        """A stable text of everything in the request that can change the answer (not the deadline)."""
        return repr((self.fields, self.crops, self.repeat, self.purpose))


@runtime_checkable
class Adapter(Protocol):
    """A reading system. ``where``: CPU-bound ones run in a process, services in a thread."""

    name: str
    fingerprint: str
    where: Literal["process", "thread"]
    max_in_flight: int

    def extract(self, picture: Picture, request: Request) -> Extraction:
        """Read one picture. Raises AdapterError (or anything) when there is no answer."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrLine:
    """One line as an OCR engine read it: text, its quad (8 numbers, pixels), and the engine's score 0..1."""

    text: str
    box: tuple[float, ...]
    score: float

    def to_json(self) -> list[Any]:
        """Return ``[text, box, score]`` for a cache."""
        return [self.text, [round(v, 1) for v in self.box], round(self.score, 4)]

    @classmethod
    def from_json(cls, row: list[Any]) -> OcrLine:
        """Rebuild a line from ``to_json``."""
        return cls(text=row[0], box=tuple(row[1]), score=row[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrPage:
    """All lines of one picture, with the picture's height and width in pixels."""

    lines: tuple[OcrLine, ...]
    height: int
    width: int


@runtime_checkable
class OcrAdapter(Adapter, Protocol):
    """An adapter in two steps, so that lines can be cached under ``engine_fingerprint`` and parsed again.

    ``extract(picture, request)`` equals ``parse(read(picture), request)``.
    """

    engine_fingerprint: str

    def read(self, picture: Picture) -> OcrPage:
        """Run the OCR engine on the whole picture."""
        ...

    def parse(self, page: OcrPage, request: Request) -> Extraction:
        """Turn the lines into a Receipt with Marks; needs no picture."""
        ...
