"""How much each severity of a corruption leaves legible.

A field is legible at a legibility of 0.5 or more. For corruptions that degrade, severity 1 is meant to leave
95 % of the fields legible and severity 5 between 35 and 65 %, whatever the size of the picture.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from multiprocessing import get_context
from typing import Any

import cv2
import numpy as np

from robustocr.adapters.base import Pixels
from robustocr.effects.registry import Strength, find_effect
from robustocr.errors import NoPlaceError
from robustocr.fields import Fields, make_fields
from robustocr.images import load_image
from robustocr.legibility import LEGIBLE, corrupt_measured
from robustocr.legibility_probe import LegibilityProbe, prepare
from robustocr.pictures import field_boxes, field_texts, is_scored
from robustocr.recipes import SEVERITIES, Corruption, Step
from robustocr.records import Sample
from robustocr.text_height import estimate_text_height

LEAST_AT_1, RANGE_AT_5 = 0.95, (0.35, 0.65)
"""What severity 1 must leave legible at least, and between what severity 5 must stay."""

LEAST_TEXT_HEIGHT = 10.0
"""Pages whose text is lower than this (pixels) are not counted: they are small, not corrupted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One receipt at one width (pixels) under one corruption: mean legibility, and share legible, 0..1."""

    corruption: str
    severity: float
    width: int
    sample_id: str
    n_fields: int
    legibility: float
    legible: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Means over receipts at severities 1 to 5, for one corruption at one width. ``n`` counts receipts."""

    corruption: str
    width: int
    n: int
    legibility: tuple[float, ...]
    legible: tuple[float, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not as meant of a corruption that degrades; empty where all is."""
        low, high = RANGE_AT_5
        found = []
        if self.legible[0] < LEAST_AT_1:
            found.append(f"severity 1 leaves {self.legible[0]:.0%} legible, not {LEAST_AT_1:.0%}")
        if not low <= self.legible[-1] <= high:
            found.append(f"severity 5 leaves {self.legible[-1]:.0%} legible, not {low:.0%} to {high:.0%}")
        if any(after > before + 0.02 for before, after in pairwise(self.legible)):
            found.append("a higher severity leaves more legible than a lower one")
        return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A clean receipt made ready: RGB pixels, where its fields are and what they say, and its probe."""

    sample_id: str
    width: int
    pixels: Pixels
    fields: Fields
    text_height: float
    probe: LegibilityProbe


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    sample: Sample
    corruptions: tuple[Corruption, ...]
    severities: tuple[float, ...]
    widths: tuple[int | None, ...]
    seed: int


def measure_corruptions(
    samples: Sequence[Sample],
    corruptions: Sequence[Corruption],
    *,
    severities: Sequence[float] = SEVERITIES,
    widths: Sequence[int | None] = (None,),
    seed: int = 0,
    workers: int | None = None,
    pool: Executor | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Measured]:
    """Return the legibility of every sample at every width under every corruption and severity.

    ``pool`` is one to use instead of new processes. ``widths`` are pixels; None keeps the picture's own.
    Severities between whole ones mix the neighbouring values of each ladder. Receipts without known
    places, with text below 10 pixels, or in which a corruption has no place do not come back.
    """
    tasks = [
        _Task(
            sample=sample,
            corruptions=tuple(corruptions),
            severities=tuple(severities),
            widths=tuple(widths),
            seed=seed,
        )
        for sample in samples
    ]
    found: list[Measured] = []
    with nullcontext(pool) if pool is not None else measuring_pool(workers) as processes:
        for done, rows in enumerate(processes.map(_measure_sample, tasks), start=1):
            found += rows
            progress(done, len(tasks))
    return found


def measuring_pool(workers: int | None = None) -> ProcessPoolExecutor:
    """Return processes, one per core unless said otherwise, for several calls of ``measure_corruptions``."""
    return ProcessPoolExecutor(workers or os.cpu_count() or 1, mp_context=get_context("spawn"))


def curves_of(rows: Iterable[Measured]) -> list[Curve]:
    """Return one curve per corruption and width, by name and width; needs severities 1 to 5."""
    grouped: dict[tuple[str, int], dict[float, list[Measured]]] = {}
    for row in rows:
        grouped.setdefault((row.corruption, row.width), {}).setdefault(row.severity, []).append(row)
    return [
        Curve(
            corruption=name,
            width=width,
            n=len(at[1]),
            legibility=tuple(float(np.mean([row.legibility for row in at[s]])) for s in SEVERITIES),
            legible=tuple(float(np.mean([row.legible for row in at[s]])) for s in SEVERITIES),
        )
        for (name, width), at in sorted(grouped.items())
    ]


def _measure_sample(task: _Task) -> list[Measured]:
    cv2.setNumThreads(1)
    rows = []
    for width in task.widths:
        page = _page_of(task.sample.model_dump_json(), width)
        if page is None or page.text_height < LEAST_TEXT_HEIGHT or not page.probe.places:
            continue
        for corruption in task.corruptions:
            for severity in task.severities:
                row = _measured(page, corruption, severity, task.seed)
                if row is not None:
                    rows.append(row)
    return rows


@lru_cache(maxsize=8)
def _page_of(sample_json: str, width: int | None) -> Page | None:
    return page_of(Sample.model_validate_json(sample_json), width)


def page_of(sample: Sample, width: int | None = None) -> Page | None:
    """Return a sample's page, scaled to ``width`` pixels or as it is; None where no field has a place."""
    pixels = load_image(sample.image)
    boxes = field_boxes(sample)
    if not boxes:
        return None
    factor = 1.0 if width is None else width / pixels.shape[1]
    if width is not None:
        size = width, max(round(pixels.shape[0] * factor), 1)
        how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
        scaled = np.asarray(cv2.resize(pixels, size, interpolation=how), dtype=np.uint8)
    else:
        scaled = pixels
    texts = field_texts(sample, boxes)
    moved = {
        path: [tuple(value * factor for value in box) for box in places] for path, places in boxes.items()
    }
    fields = make_fields(moved, texts)
    height = estimate_text_height(scaled)
    measured = {path: places for path, places in fields.items() if is_scored(path)}
    return Page(
        sample_id=sample.id,
        width=scaled.shape[1],
        pixels=scaled,
        fields=fields,
        text_height=height,
        probe=prepare(scaled, measured, height),
    )


def _measured(page: Page, corruption: Corruption, severity: float, seed: int) -> Measured | None:
    steps = tuple(stretched_step(step, [severity] * len(SEVERITIES)) for step in corruption.steps)
    try:
        _, legibility = corrupt_measured(
            page.pixels,
            page.fields,
            replace(corruption, steps=steps),
            1,
            seed=seed,
            sample_id=page.sample_id,
            text_height=page.text_height,
            probe=page.probe,
        )
    except NoPlaceError:
        return None
    if not legibility:
        return None
    best = np.array([np.nanmax(values) for values in legibility.values()])
    return Measured(
        corruption=corruption.name,
        severity=severity,
        width=page.width,
        sample_id=page.sample_id,
        n_fields=len(best),
        legibility=float(best.mean()),
        legible=float((best >= LEGIBLE).mean()),
    )


def stretched_step(step: Step, scale: Sequence[float]) -> Step:
    """Return a step whose severities have the values at ``scale``, numbers on the scale of its severities."""
    ladders = {
        name: tuple(_value_at(step, name, at) for at in scale) if name in step.varying else ladder
        for name, ladder in step.ladders.items()
    }
    return replace(step, ladders=ladders)


def _value_at(step: Step, name: str, at: float) -> Any:
    """Return a value of a ladder between or beyond its severities, within the effect's range."""
    ladder = step.ladders[name]
    kind = None if step.is_foreign else find_effect(step.name).parameters[name]
    if not isinstance(kind, Strength):
        return ladder[min(max(round(at), 1), len(ladder)) - 1]
    low = min(max(int(at), 1), len(ladder) - 1)
    slope = ladder[low] - ladder[low - 1]
    value = float(ladder[low - 1] + slope * (at - low))
    if at < 1:
        gentlest = kind.low if slope >= 0 else kind.high
        value = min(max(value, gentlest), ladder[0]) if slope >= 0 else max(min(value, gentlest), ladder[0])
    value = min(max(value, kind.low), kind.high)
    return round(value) if kind.whole else value
