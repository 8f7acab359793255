"""What was run, as a list of facts for a reader."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from robustocr.report.grid import receipts_words
from robustocr.report.headline import confidence
from robustocr.report.results import RunResults
from robustocr.report.wording import condition_name, count


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """The facts of a run: name and text each, and the whole configuration as JSON text."""

    dataset: str
    facts: tuple[tuple[str, str], ...]
    left_out: tuple[str, ...]
    configuration: str


def about_run(results: RunResults) -> About:
    """Return what was run: data, readers, conditions, seed and versions. What is not known is left out."""
    summary, run = results.summary, results.run
    settings: Mapping[str, Any] = run["settings"]
    sure = confidence(float(summary["alpha"]))
    facts = {
        "Dataset": str(summary["dataset"]),
        "Receipts": _receipts(summary),
        "Readers": ", ".join(summary["adapters"]),
        "Suite": _text(settings.get("suite")),
        "Corruptions": _corruptions(summary),
        "Conditions": _own_conditions(summary),
        "Aimed at": _text(summary.get("target")),
        "Severities": _severities(summary),
        "Fields": _text(settings.get("fields")),
        "Seed": _text(settings.get("seed")),
        "Alpha": f"{summary['alpha']:g}, so bounds hold with {sure} % confidence",
        "Started": _started(run.get("started")),
        "Versions": _versions(run),
    }
    return About(
        dataset=str(summary["dataset"]),
        facts=tuple((name, text) for name, text in facts.items() if text),
        left_out=tuple(_left_out(entry) for entry in summary.get("left_out") or ()),
        configuration=json.dumps(run, indent=1, ensure_ascii=False, sort_keys=True),
    )


def _receipts(summary: Mapping[str, Any]) -> str:
    left_out = int(summary.get("n_left_out") or 0)
    return receipts_words(summary) + (f", and {left_out:,} left out" if left_out else "")


def _own_conditions(summary: Mapping[str, Any]) -> str:
    if not summary.get("natural"):
        return ""
    names = [condition_name(row["corruption"], 0) for row in summary["grid"]]
    return f"those the pictures were taken under: {', '.join(names)}"


def _corruptions(summary: Mapping[str, Any]) -> str:
    if summary.get("natural"):
        return ""
    if summary["clean_only"]:
        return "none: clean pictures only"
    names = dict.fromkeys(condition_name(row["corruption"], 0) for row in summary["grid"])
    return f"{', '.join(names)} ({count(len(summary['grid']), 'condition')}, and clean)"


def _severities(summary: Mapping[str, Any]) -> str:
    severities = {row["severity"] for row in summary["grid"]} - {0}
    return ", ".join(str(severity) for severity in sorted(severities))


def _versions(run: Mapping[str, Any]) -> str:
    versions = {"python": run.get("python"), **(run["settings"].get("versions") or {})}
    return ", ".join(f"{name} {version}" for name, version in versions.items() if version)


def _started(text: str | None) -> str:
    return f"{dt.datetime.fromisoformat(text).astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC" if text else ""


def _left_out(entry: Any) -> str:
    if not isinstance(entry, Mapping):
        return str(entry)
    place = ":".join(str(entry[name]) for name in ("file", "line") if entry.get(name) is not None)
    return f"{place}: {entry.get('reason', '')}" if place else str(entry.get("reason", ""))


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return ", ".join(str(part) for part in value)
    return str(value)
