"""The numbers of ``realism.json`` as a text to read, in the terminal or as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from robustocr.report.wording import NOTHING, condition_name, count, percent

_LIKE_SHOWN = 2
_HEADERS = ("condition", "receipts", "right", "predicted", "same", "by chance", "most like")


def realism_page(numbers: Mapping[str, Any]) -> str:
    """Return how well synthetic severities predict real failures: sentences, then a table of conditions."""
    receipts, conditions = numbers["receipts"], numbers["conditions"]
    lines = [
        f"# Real against synthetic: {numbers['adapter']} on {numbers['dataset']}",
        "",
        _what(numbers),
        "",
        f"**Which receipts fail.** {_said(receipts['rank_correlation'], 'receipt')} "
        f"{_baseline(receipts['clean_alone'])}",
        "",
        f"**Which conditions fail.** {_said(conditions['rank_correlation'], 'condition')}"
        f"{_error(conditions['mean_absolute_error'])}",
        "",
        *_table(conditions["rows"]),
        "",
        "Percent of fields. right: read right on the real photographs. predicted: read right under the",
        "synthetic condition most like it, chosen on one half of the receipts and judged on the other.",
        "same: both right or both failed; by chance: if they shared no more than their rates.",
        "most like: with the share of 40 choices that fell on it.",
    ]
    return "\n".join(lines) + "\n"


def _what(numbers: Mapping[str, Any]) -> str:
    failed = numbers["failed"]
    shares = ", ".join(
        f"{percent(failed[kind])} % {words}"
        for kind, words in (
            ("clean", "on clean pictures"),
            ("natural", "on real photographs"),
            ("synthetic", f"under {count(numbers['n_synthetic_conditions'], 'synthetic condition')}"),
        )
    )
    unpaired = int(numbers["n_receipts_unpaired"])
    left = f" {count(unpaired, 'receipt')} without both kinds of pictures left out." if unpaired else ""
    return (
        f"{count(numbers['n_receipts'], 'receipt')} with clean and other pictures; of "
        f"{', '.join(numbers['fields'])} fail: {shares}.{left}"
    )


def _said(correlation: Mapping[str, Any], noun: str) -> str:
    if correlation["estimate"] is None:
        return f"Nothing can be said: {correlation['reason']}."
    low, high = correlation["low"], correlation["high"]
    if low > 0:
        verdict = "Predicted"
    elif high < 0:
        verdict = "Predicted the wrong way round"
    else:
        verdict = f"Not shown, for want of more {noun}s or of agreement"
    return (
        f"{verdict}: rank correlation {correlation['estimate']:.2f} "
        f"({low:.2f} to {high:.2f} with {correlation['confidence'] * 100:.6g} % confidence, "
        f"{count(correlation['n'], noun)})."
    )


def _baseline(correlation: Mapping[str, Any]) -> str:
    if correlation["estimate"] is None:
        return f"By the clean pictures alone nothing can be said: {correlation['reason']}."
    return f"The clean pictures alone reach {correlation['estimate']:.2f}."


def _error(error: float | None) -> str:
    return "" if error is None else f" Predicted accuracy is off by {error * 100:.0f} points on average."


def _table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    cells = [_HEADERS, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(_HEADERS))]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    padded = [
        " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in cells
    ]
    lines = [f"| {line} |" for line in padded]
    return [lines[0], rule, *lines[1:]]


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    rates = (percent(row[name]) for name in ("observed", "predicted", "same", "same_by_chance"))
    like = ", ".join(
        f"{condition_name(one['corruption'], one['severity'], short=True)} ({percent(one['share'])} %)"
        for one in row["like"][:_LIKE_SHOWN]
    )
    name = condition_name(row["condition"], 0).replace("|", "/")
    return (name, str(row["n"]), *rates, like or NOTHING)
