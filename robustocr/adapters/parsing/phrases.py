"""Tables of phrases, written as text with commas, as regular expressions."""

from __future__ import annotations

import re


def split_phrases(text: str) -> list[str]:
    """Return the phrases of a table, blanks at the ends and line breaks gone."""
    return [" ".join(phrase.split()) for phrase in text.split(",") if phrase.strip()]


def any_of(text: str) -> str:
    """Return a pattern (no groups) that matches any of the phrases, the longest first."""
    return "(?:" + "|".join(sorted(split_phrases(text), key=len, reverse=True)) + ")"


def anywhere(text: str) -> re.Pattern[str]:
    """Return an expression that finds any of the phrases as whole words."""
    return re.compile(rf"\b{any_of(text)}\b")
