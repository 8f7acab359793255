"""The run folder: settings, the journal of finished cases, and who may write to it.

``run.json`` says how to run it again, ``journal.jsonl`` has one line per finished case, written and
flushed as it finishes. Everything else in the folder is rebuilt from those two.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from filelock import FileLock, Timeout

from robustocr.errors import StoreError

RUN_FILE, JOURNAL_FILE, SUMMARY_FILE = "run.json", "journal.jsonl", "summary.json"
CASES_FILE, OUTCOMES_FILE, REPORT_FILE = "cases.parquet", "outcomes.parquet", "report.html"


def write_text_atomically(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old or the new one, never a half."""
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def to_json(value: Any) -> str:
    """Return readable JSON with a final newline; NaN is refused."""
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


class RunFolder:
    """A run folder held by one process. ``settings`` must equal those of the run it holds already.

    Raises StoreError when the folder cannot be written, is in use, or holds a run with other settings.
    """

    def __init__(self, folder: Path, settings: dict[str, Any], about: dict[str, Any]) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(folder / ".lock")
            self._lock.acquire(timeout=0)
        except Timeout as error:
            raise StoreError(
                f"{folder} is in use by another run; wait for it or choose another --out"
            ) from error
        except OSError as error:
            raise StoreError(f"cannot write to {folder} ({error}); choose another --out") from error
        try:
            self._claim(settings, about)
            self.journal = Journal(folder / JOURNAL_FILE)
        except BaseException:
            self._lock.release()
            raise

    def _claim(self, settings: dict[str, Any], about: dict[str, Any]) -> None:
        path, journal = self.folder / RUN_FILE, self.folder / JOURNAL_FILE
        if path.exists() and journal.exists() and journal.stat().st_size:
            differing = _differences(read_run(self.folder)["settings"], json.loads(to_json(settings)))
            if differing:
                raise StoreError(
                    f"{self.folder} holds a run with other settings: {'; '.join(differing)}. "
                    "Choose another --out (the cache makes what is the same cheap), or delete the folder"
                )
            return
        ours = (".lock", RUN_FILE, JOURNAL_FILE)  # left by a run that finished no case
        others = [entry.name for entry in self.folder.iterdir() if entry.name not in ours]
        if others:
            raise StoreError(f"{self.folder} is not empty and holds no {RUN_FILE}; choose another --out")
        write_text_atomically(path, to_json({**about, "settings": settings}))

    def close(self) -> None:
        """Close the journal and let others use the folder."""
        self.journal.close()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_run(folder: Path) -> dict[str, Any]:
    """Return run.json of a run folder. Raises StoreError when it is not one."""
    path = folder / RUN_FILE
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
        run["settings"]
    except FileNotFoundError as error:
        raise StoreError(f"{folder} is not a run folder: it has no {RUN_FILE}") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{path} cannot be read ({error})") from error
    loaded: dict[str, Any] = run
    return loaded


def _differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    return [
        f"{name} was {_short(old.get(name))}, now {_short(new.get(name))}"
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else text[:157] + "..."


class Journal:
    """An append-only file of JSON lines. A line cut off by a crash is dropped when it is opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        _drop_torn_end(path)
        self._file = path.open("ab")

    def append(self, entry: dict[str, Any]) -> None:
        """Write one line and flush it. Raises StoreError when it cannot be written (a full disk, say)."""
        line = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
        try:
            self._file.write(line.encode("utf-8", "replace") + b"\n")
            self._file.flush()
        except OSError as error:
            raise StoreError(
                f"cannot write {self.path} ({error}); make room, then the same command goes on from here"
            ) from error

    def close(self) -> None:
        """Close the file; a last line that could not be written is lost with it."""
        with contextlib.suppress(OSError):
            self._file.close()


def _drop_torn_end(path: Path) -> None:
    if not path.exists():
        return
    with path.open("rb+") as file:
        end = file.seek(0, os.SEEK_END)
        keep = end
        while keep > 0:
            start = max(0, keep - 65536)
            file.seek(start)
            position = file.read(keep - start).rfind(b"\n")
            if position >= 0:
                keep = start + position + 1
                break
            keep = start
        if keep < end:
            file.truncate(keep)


def read_journal(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (byte offset, entry) for each complete line. Raises StoreError naming a broken line."""
    if not path.exists():
        return
    with path.open("rb") as file:
        offset = 0
        for number, line in enumerate(file, 1):
            if line.endswith(b"\n"):
                try:
                    yield offset, json.loads(line)
                except ValueError as error:
                    raise StoreError(
                        f"{path}:{number}: broken line ({error}); restore or delete it"
                    ) from error
            offset += len(line)


def entries_at(path: Path, offsets: Iterator[int]) -> Iterator[dict[str, Any]]:
    """Yield the journal entries that start at these byte offsets, one at a time."""
    with path.open("rb") as file:
        for offset in offsets:
            file.seek(offset)
            entry: dict[str, Any] = json.loads(file.readline())
            yield entry
