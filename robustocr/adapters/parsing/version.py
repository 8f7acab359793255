"""The parser's version: a hash of its own source, so that a cached answer never outlives a change."""

from __future__ import annotations

import hashlib
from pathlib import Path

_FOLDER = Path(__file__).parent
_SHARED = ("convention.py", "currency.py", "dates.py", "money.py", "numeral.py")
"""Modules of robustocr that the parser's answers depend on."""


def parser_version() -> str:
    """Return ``parser-`` and 12 hex digits over the source of the parsing package and what it reads with."""
    files = sorted(_FOLDER.glob("*.py")) + [_FOLDER.parents[1] / name for name in _SHARED]
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.name.encode() + path.read_bytes())
    return f"parser-{digest.hexdigest()[:12]}"
