"""What the receipts of a run were read under, in words, and what its numbers lack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from robustocr.report.wording import condition_name, count

_CASES_SHOWN = 3
_CONDITIONS_SHOWN = 6


def n_conditions(summary: Mapping[str, Any]) -> int:
    """Return how many conditions a run has beside clean."""
    return 0 if summary["clean_only"] else len(summary["grid"])


def has_clean(summary: Mapping[str, Any]) -> bool:
    """Return whether any picture was read clean; a dataset's own conditions may all be others."""
    return bool(summary["has_clean"])


def receipts_words(summary: Mapping[str, Any]) -> str:
    """Return ``24 receipts``, or ``24 receipts on 60 pictures`` where the dataset has several of one."""
    receipts, pictures = int(summary["n_receipts"]), int(summary["n_samples"])
    words = count(receipts, "receipt")
    return words if pictures <= receipts else f"{words} on {count(pictures, 'picture')}"


def grid_words(summary: Mapping[str, Any]) -> str:
    """Return what was run: ``clean and 24 conditions``, ``clean only``, ``3 conditions of its own``."""
    number = n_conditions(summary)
    if not number:
        return "clean only"
    conditions = count(number, "condition")
    if summary.get("natural"):
        conditions = f"{conditions} of its own"
    if summary.get("target"):
        conditions = f"{conditions} aimed at {summary['target']}"
    return f"clean and {conditions}" if has_clean(summary) else conditions


def grid_notes(summary: Mapping[str, Any]) -> tuple[str, ...]:
    """Return one sentence for each thing that a reader of the numbers must know of their conditions."""
    notes = (_already_bad(summary), _incomplete(summary), _cases_left_out(summary), _empty(summary))
    return tuple(note for note in notes if note)


def _already_bad(summary: Mapping[str, Any]) -> str:
    number = int(summary.get("n_already_bad") or 0)
    if not number:
        return ""
    on_top = ", and corrupted on top of it" if n_conditions(summary) else ""
    return (
        f"{count(number, 'picture')} taken under a condition of its own, counted as clean here{on_top}. "
        "Without --suite, --corruption and --clean-only those conditions are the grid."
    )


def _incomplete(summary: Mapping[str, Any]) -> str:
    rates = [
        field["all_conditions"]
        for adapter in summary["adapters"].values()
        for field in adapter["fields"].values()
        if field["all_conditions"].get("n_incomplete")
    ]
    if not rates:
        return ""
    fullest = max(rates, key=lambda rate: int(rate["n"]))
    whole = int(fullest["n"]) + int(fullest["n_incomplete"])
    return (
        f"Only {int(fullest['n']):,} of {count(whole, 'receipt')} have every condition; "
        "'all conditions' is counted over those, each single condition over the receipts that have it."
    )


def _cases_left_out(summary: Mapping[str, Any]) -> str:
    number = int(summary.get("n_cases_left_out") or 0)
    if not number:
        return ""
    entries = summary["cases_left_out"]
    files = len({entry["file"] for entry in entries})
    shown = "; ".join(f"{entry['file']}: {entry['reason']}" for entry in entries[:_CASES_SHOWN])
    more = "; ... (all of them in summary.json)" if len(entries) > _CASES_SHOWN else ""
    return (
        f"{count(number, 'case')} of {count(files, 'picture')} left out for every reader, because the place "
        f"of a field is not known: {shown}{more}."
    )


def _empty(summary: Mapping[str, Any]) -> str:
    missing = summary.get("conditions_left_out") or ()
    if not missing:
        return ""
    names = [condition_name(row["corruption"], row["severity"], short=True) for row in missing]
    more = ", ..." if len(names) > _CONDITIONS_SHOWN else ""
    shown = ", ".join(names[:_CONDITIONS_SHOWN])
    return f"No picture could be read under {count(len(names), 'condition')}: {shown}{more}."
