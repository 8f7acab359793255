"""One picture at a time: for the command line, the app and notebooks."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from robustocr.adapters.base import Adapter, Picture, Pixels, Request
from robustocr.adapters.registry import make_adapter
from robustocr.errors import AdapterError, InputError, RobustocrError
from robustocr.images import load_image
from robustocr.records import Extraction, Usage, Verdict
from robustocr.review import review_list
from robustocr.rules.check import check


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one reader made of one picture, what the rules say of it, and what a person should check."""

    name: str
    adapter: str
    extraction: Extraction
    verdict: Verdict

    @property
    def review(self) -> tuple[str, ...]:
        """Field paths a person must look at."""
        return review_list(self.extraction, self.verdict)


def read_pixels(pixels: Pixels, *, adapter: str | Adapter = "rapidocr", name: str = "picture") -> Reading:
    """Read an RGB picture (height x width x 3, uint8) with all cores.

    Raises AdapterError when the reader fails or ends by ``sys.exit``, InputError when there is no such reader
    or a module that it needs cannot be imported, MissingExtraError when a package or program is missing.
    """
    reader = _make_reader(adapter) if isinstance(adapter, str) else adapter
    start = time.perf_counter()
    try:
        extraction = reader.extract(Picture.of(pixels), Request())
    except RobustocrError:
        raise
    except ImportError as error:
        raise _not_importable(reader.name, error) from error
    except (Exception, SystemExit) as error:
        raise AdapterError(f"{reader.name} failed on {name}: {type(error).__name__}: {error}") from error
    seconds = round(time.perf_counter() - start, 4)
    usage = extraction.usage.model_copy(update={"seconds": seconds, "calls": extraction.usage.calls or 1})
    extraction = extraction.model_copy(update={"usage": Usage.model_validate(usage)})
    return Reading(name=name, adapter=reader.name, extraction=extraction, verdict=check(extraction.receipt))


def _make_reader(adapter: str) -> Adapter:
    try:
        return make_adapter(adapter, threads=os.cpu_count() or 1)
    except RobustocrError:
        raise
    except ImportError as error:
        raise _not_importable(adapter, error) from error
    except (Exception, SystemExit) as error:
        raise InputError(
            f"adapter {adapter!r} cannot be set up: {type(error).__name__}: {error}; mend its module"
        ) from error


def _not_importable(adapter: str, error: ImportError) -> InputError:
    module = f"module {error.name!r}" if error.name else "a module"
    return InputError(f"{adapter}: {module} cannot be imported: {error}; install it, or mend the import")


def read_image(path: Path, *, adapter: str | Adapter = "rapidocr") -> Reading:
    """Read a picture file; see ``read_pixels``. Raises ImageError when it cannot be decoded."""
    return read_pixels(load_image(path), adapter=adapter, name=str(path))


def reading_as_json(reading: Reading) -> dict[str, Any]:
    """Return the Extraction's JSON with the verdict and the review list."""
    data: dict[str, Any] = reading.extraction.model_dump(mode="json", exclude_unset=True)
    data["receipt"] = reading.extraction.receipt.to_json()
    return data | {
        "adapter": reading.adapter,
        "review": list(reading.review),
        "verdict": reading.verdict.model_dump(mode="json"),
    }
