"""What a person must look at."""

from __future__ import annotations

from robustocr.records import Extraction, Marker, Verdict


def review_list(extraction: Extraction, verdict: Verdict | None) -> tuple[str, ...]:
    """Return the field paths a person must look at: marked below ``certain``, or suspect by a rule."""
    marked = [path for path, mark in extraction.marks.items() if mark.marker != Marker.CERTAIN]
    suspects = [suspect.field for suspect in verdict.suspects] if verdict else []
    return tuple(dict.fromkeys([*marked, *extraction.review, *suspects]))
