"""The main job: corrupt receipts, have them read, check, score, and report lower bounds."""

from __future__ import annotations

import datetime as dt
import math
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from robustocr.adapters.base import Adapter
from robustocr.adapters.predictions import PredictionsAdapter
from robustocr.adapters.registry import DEFAULT_ADAPTER, make_adapter
from robustocr.cache import Cache
from robustocr.conditions import DEFAULT_SUITE, Condition, choose_conditions, conditions_of, own_conditions
from robustocr.errors import InputError, StoreError
from robustocr.finish import RunResult, finish_run
from robustocr.loaders.base import Dataset
from robustocr.loaders.registry import BUNDLED, load
from robustocr.natural import has_own_conditions, take_part
from robustocr.plan import Plan, choose_samples, make_plan
from robustocr.recipes import Corruption, dump_corruption, parse_corruption
from robustocr.runner import CaseRunner, Effort, Progress
from robustocr.store import JOURNAL_FILE, RunFolder, read_run
from robustocr.tables import JournalIndex

DEFAULT_TIMEOUT = 120.0


def _no_progress(adapter: str, finished: int, total: int) -> None:
    pass


def run_benchmark(
    dataset: str | Path | Dataset,
    *,
    out: str | Path,
    adapters: Sequence[str] = (DEFAULT_ADAPTER,),
    suite: str | None = None,
    corruptions: Sequence[str | Path | Corruption] = (),
    severities: Sequence[int] | None = None,
    clean_only: bool = False,
    target: str | None = None,
    fields: Sequence[str] | None = None,
    limit: int | None = None,
    seed: int = 0,
    alpha: float = 0.05,
    require: Sequence[str] = (),
    workers: int | None = None,
    timeout: float | None = DEFAULT_TIMEOUT,
    cache: str | Path | None = None,
    strict: bool = False,
    format: str | None = None,
    progress: Progress = _no_progress,
) -> RunResult:
    """Run readers over a dataset, clean and under every condition, and write the run folder ``out``.

    The same call on the same folder resumes; with other settings it raises StoreError. The default grid
    is the conditions the pictures were taken under where the dataset names any, else the suite ``phone`` at
    severities 1, 3, 5. ``target`` aims all corruptions at a field (``total``, ``total:digit``,
    ``total:row``). ``limit`` counts receipts, ``timeout`` is seconds per case. Raises InputError for anything
    that cannot be run; one bad receipt or answer is recorded, never raised, unless ``strict``.
    """
    if workers is not None and workers < 1:
        raise InputError(f"--workers {workers}: at least 1 is needed")
    if timeout is not None and not (math.isfinite(timeout) and timeout > 0):
        raise InputError(f"--timeout {timeout:g}: seconds must be above 0, and a number")
    loaded = dataset if isinstance(dataset, Dataset) else load(dataset, format=format, strict=strict)
    made = {spec: make_adapter(spec) for spec in adapters}
    natural = not (suite or corruptions or clean_only) and has_own_conditions(loaded.samples)
    if natural:
        _check_natural(loaded, severities, target)
        conditions = own_conditions(choose_samples(loaded, limit=limit, seed=seed))
    else:
        conditions = choose_conditions(
            suite=suite, corruptions=corruptions, severities=severities, clean_only=clean_only, target=target
        )
    plan = make_plan(
        loaded,
        list(made.values()),
        conditions=conditions,
        suite=None if natural or clean_only or corruptions else (suite or DEFAULT_SUITE),
        fields=fields,
        limit=limit,
        seed=seed,
        alpha=alpha,
        require=require,
        timeout=timeout,
    )
    effort = Effort(workers=workers or os.cpu_count() or 1, timeout=timeout, strict=strict)
    return _run(plan, made, Path(out), cache=cache, effort=effort, progress=progress)


def _check_natural(dataset: Dataset, severities: Sequence[int] | None, target: str | None) -> None:
    given = [f"--severities {','.join(map(str, severities))}"] if severities else []
    given += [f"--target {target}"] if target is not None else []
    if given:
        raise InputError(
            f"{dataset.root} has conditions of its own, which are the grid when none is chosen; "
            f"{given[0]} is about corruptions: name them with --suite or --corruption, or leave it out"
        )


def score_predictions(
    dataset: str | Path | Dataset,
    predictions: str | Path,
    *,
    out: str | Path,
    fields: Sequence[str] | None = None,
    alpha: float = 0.05,
    require: Sequence[str] = (),
    cache: str | Path | None = None,
    strict: bool = False,
    format: str | None = None,
    progress: Progress = _no_progress,
) -> RunResult:
    """Score answers made elsewhere, under the conditions they speak of, like a run; see ``run_benchmark``.

    Where they are for pictures as they are and the dataset names conditions, those are the grid. A receipt
    without an answer under a condition counts as failed there.
    """
    loaded = dataset if isinstance(dataset, Dataset) else load(dataset, format=format, strict=strict)
    adapter = PredictionsAdapter(str(predictions))
    known = {sample.id for sample in loaded.samples}
    strangers = [case.sample_id for case in adapter.cases if case.sample_id not in known]
    if strangers:
        raise InputError(
            f"{predictions}: {len(strangers)} predictions are for receipts that {loaded.root} does not have, "
            f"the first for {strangers[0]!r}; ids there are such as {loaded.samples[0].id!r}"
        )
    plan = make_plan(
        loaded,
        [adapter],
        conditions=conditions_of(adapter.cases, loaded.samples),
        fields=fields,
        seed=adapter.cases[0].seed,
        alpha=alpha,
        require=require,
    )
    effort = Effort(workers=1, timeout=DEFAULT_TIMEOUT, strict=strict)
    made: dict[str, Adapter] = {f"predictions:{predictions}": adapter}
    return _run(plan, made, Path(out), cache=cache, effort=effort, progress=progress)


def rebuild(folder: str | Path) -> RunResult:
    """Build tables, summary and report of a run folder again from its journal and its dataset.

    Raises StoreError when it is no run folder, or when the dataset is no longer what was read.
    """
    folder = Path(folder)
    run = read_run(folder)
    settings = run["settings"]
    recipes = {name: parse_corruption(data) for name, data in run["recipes"].items()}
    changed = [name for name, recipe in recipes.items() if recipe.recipe_hash != settings["recipes"][name]]
    if changed:
        raise StoreError(
            f"{', '.join(changed)} would make other pictures now than in the run of {folder}, "
            "because an effect has changed; run again into a new --out"
        )
    loaded = load(BUNDLED if settings["bundled"] else settings["dataset"], format=settings["format"])
    if settings["part"]:
        loaded = take_part(loaded, settings["part"])
    plan = make_plan(
        loaded,
        (),
        conditions=_conditions(settings, recipes),
        suite=settings["suite"],
        fields=settings["fields"],
        limit=settings["limit"],
        seed=settings["seed"],
        alpha=settings["alpha"],
        require=settings["require"],
        timeout=settings["timeout"],
    )
    if plan.settings["samples"] != settings["samples"]:
        raise StoreError(f"{loaded.root} has changed since the run in {folder}; run again into a new --out")
    with RunFolder(folder, settings, run):
        return finish_run(plan, tuple(settings["adapters"]), folder)


def _conditions(settings: Mapping[str, Any], recipes: Mapping[str, Corruption]) -> tuple[Condition, ...]:
    return tuple(
        Condition(
            name=name,
            severity=severity,
            corruption=recipes[name] if severity else None,
            target=settings["target"] if severity else None,
            natural=settings["natural"],
        )
        for name, severity in settings["conditions"]
    )


def _run(
    plan: Plan,
    made: Mapping[str, Adapter],
    folder: Path,
    *,
    cache: str | Path | None,
    effort: Effort,
    progress: Progress,
) -> RunResult:
    if not made:
        raise InputError("name at least one adapter")
    with (
        Cache(Path(cache) if cache else None) as shared,
        RunFolder(folder, plan.settings, _about(plan)) as run,
    ):
        for spec, adapter in made.items():
            runner = CaseRunner(plan, adapter, spec=spec, journal=run.journal, cache=shared, effort=effort)
            index = JournalIndex(folder / JOURNAL_FILE)
            runner.run(index.keys(adapter.name), index.left_out.keys(), index.not_made.keys(), progress)
        return finish_run(plan, [adapter.name for adapter in made.values()], folder)


def _about(plan: Plan) -> dict[str, Any]:
    return {
        "tool": "robustocr",
        "started": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "recipes": {name: dump_corruption(recipe) for name, recipe in plan.corruptions.items()},
    }
