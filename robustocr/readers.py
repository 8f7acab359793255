"""Adapters at work: in worker processes (CPU-bound engines) or threads (services), with their lines kept."""

from __future__ import annotations

import queue
from dataclasses import dataclass
from typing import Any

from robustocr.adapters.base import Adapter, OcrAdapter, OcrLine, OcrPage, Picture, Pixels, Request
from robustocr.adapters.registry import make_adapter
from robustocr.records import Extraction
from robustocr.workers import Answer, Pool, WorkerProcess, WorkerThread


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTask:
    """One picture to be read."""

    pixels: Pixels
    sha256: str
    key: str
    request: Request


class Reader:
    """The handler of a reading worker: ReadTask -> (Extraction as JSON, OCR page as JSON or None)."""

    def __init__(self, name: str, threads: int) -> None:
        self._adapter = make_adapter(name, threads=threads)
        load = getattr(self._adapter, "load", None)
        if load is not None:
            load()

    def __call__(self, task: ReadTask) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """Read one picture."""
        picture = Picture(pixels=task.pixels, sha256=task.sha256, key=task.key)
        if isinstance(self._adapter, OcrAdapter):
            page = self._adapter.read(picture)
            return dump_extraction(self._adapter.parse(page, task.request)), dump_page(page)
        return dump_extraction(self._adapter.extract(picture, task.request)), None


def dump_extraction(extraction: Extraction) -> dict[str, Any]:
    """Return the JSON of an Extraction without what is left at its default."""
    return extraction.model_dump(mode="json", exclude_defaults=True)


def dump_page(page: OcrPage) -> dict[str, Any]:
    """Return an OCR page as JSON."""
    return {"height": page.height, "width": page.width, "lines": [line.to_json() for line in page.lines]}


def load_page(data: dict[str, Any]) -> OcrPage:
    """Rebuild an OCR page from ``dump_page``."""
    lines = tuple(OcrLine.from_json(row) for row in data["lines"])
    return OcrPage(lines=lines, height=data["height"], width=data["width"])


def reading_pool(
    adapter: Adapter,
    *,
    spec: str,
    workers: int,
    events: queue.SimpleQueue[tuple[str, Answer]],
    timeout: float | None,
) -> Pool:
    """Return a pool of readers, one thread each, so that answers do not depend on how many there are."""
    if adapter.where == "thread":
        handler = _ThreadReader(adapter)
        size = max(1, min(workers, adapter.max_in_flight)) if adapter.max_in_flight else workers
        return Pool("read", lambda: WorkerThread(handler), size=size, events=events, timeout=timeout)
    return Pool(
        "read",
        lambda: WorkerProcess("robustocr.readers:Reader", (spec, 1), threads=1),
        size=workers,
        events=events,
        timeout=timeout,
    )


class _ThreadReader:
    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter

    def __call__(self, task: ReadTask) -> tuple[dict[str, Any], dict[str, Any] | None]:
        picture = Picture(pixels=task.pixels, sha256=task.sha256, key=task.key)
        return dump_extraction(self._adapter.extract(picture, task.request)), None
