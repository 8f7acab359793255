"""What runs share: pictures already made (by their sha256), answers already given, lines already read.

One SQLite file in the cache folder, safe for several runs at once. Keys are hashes, so the file names
no receipt; values hold what was read from them, and stay on this machine.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import platformdirs

from robustocr.errors import StoreError

Kind = Literal["picture", "extraction", "page"]
_FILE = "robustocr-1.sqlite"


def default_folder() -> Path:
    """Return the user's cache folder for robustocr."""
    return Path(platformdirs.user_cache_dir("robustocr"))


def cache_key(*parts: object) -> str:
    """Return a sha256 over the JSON of all parts."""
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()


def _open(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=60, isolation_level=None)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute(
            "CREATE TABLE IF NOT EXISTS entries (kind TEXT, key TEXT, value TEXT, PRIMARY KEY (kind, key))"
        )
    except sqlite3.Error:
        database.close()
        raise
    return database


class Cache:
    """A persistent mapping from (kind, key) to JSON values; StoreError when the folder cannot be used."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or default_folder()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._db = _open(self.folder / _FILE)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"the cache in {self.folder} cannot be used ({error}); "
                "delete its file or name another folder with --cache"
            ) from error

    def get(self, kind: Kind, key: str) -> Any | None:
        """Return the stored value, or None."""
        row = self._execute("SELECT value FROM entries WHERE kind = ? AND key = ?", (kind, key)).fetchone()
        try:
            return json.loads(row[0]) if row else None
        except ValueError:  # a damaged entry is as good as none
            return None

    def put(self, kind: Kind, key: str, value: Any) -> None:
        """Store a value; a later one replaces an earlier one."""
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        self._execute("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", (kind, key, text))

    def _execute(self, statement: str, parameters: tuple[str, ...]) -> sqlite3.Cursor:
        try:
            return self._db.execute(statement, parameters)
        except sqlite3.Error as error:
            raise StoreError(
                f"the cache {self.folder / _FILE} failed ({error}); delete it or use --cache"
            ) from error

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
