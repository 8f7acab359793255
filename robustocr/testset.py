"""A private test set: a dataset corrupted and written in the native format, with all that is known of it."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from robustocr.case_files import CaseFile, CaseLost, CaseTask, condition_of
from robustocr.case_pool import write_cases
from robustocr.conditions import DEFAULT_SUITE, Condition, choose_conditions
from robustocr.errors import InputError, StoreError
from robustocr.images import IMAGE_SUFFIXES
from robustocr.loaders.base import Dataset
from robustocr.loaders.native import METADATA
from robustocr.loaders.registry import load
from robustocr.manifest import MANIFEST, build_manifest, manifest_text
from robustocr.records import Sample

_CASES_WORTH_A_PROCESS = 8

Progress = Callable[[str, int, int], None]
"""Called with (what is done, finished cases, all cases)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorruptedSet:
    """A private test set on disk: its pictures, what was left out, and the sha256 that its manifest has."""

    folder: Path
    pictures: int
    clean: int
    left_out: tuple[str, ...]
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """What a test set is made of."""

    dataset: Dataset
    conditions: tuple[Condition, ...]
    suite: str | None
    seed: int
    target: str | None


def write_corrupted(
    dataset: str | Path,
    *,
    out: str | Path,
    suite: str | None = None,
    corruptions: Sequence[str | Path] = (),
    severities: Sequence[int] | None = None,
    seed: int = 0,
    target: str | None = None,
    with_clean: bool = True,
    strict: bool = False,
    format: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> CorruptedSet:
    """Write every corrupted picture as PNG, with ``metadata.jsonl`` and ``manifest.json``.

    ``dataset`` is a dataset or one image file. Beside its corrupted pictures stands each clean one (unless
    ``with_clean`` is false), so that the set can be run with its own conditions. The same arguments give the
    same bytes of every file, whatever ``workers`` (default: one per core). A case that cannot be made is left
    out (with ``strict`` an error). An error leaves nothing in ``out``. Raises InputError for a wrong
    ``target`` or when nothing could be made, RecipeError for a wrong recipe, StoreError for a bad ``out``.
    """
    job = _Job(
        conditions=choose_conditions(
            suite=suite, corruptions=corruptions, severities=severities, clean_only=False, target=target
        ),
        dataset=_load(dataset, format=format, strict=strict),
        suite=None if corruptions else suite or DEFAULT_SUITE,
        seed=seed,
        target=target,
    )
    workers = _worker_count(workers, len(job.dataset.samples) * len(job.conditions))
    with _new_folder(Path(out)) as folder:
        files, lost = _make(job, folder, with_clean=with_clean, strict=strict, workers=workers, show=progress)
        kept = _with_partner(folder, files)
        left_out = (*(str(entry) for entry in job.dataset.left_out), *_reasons(lost, job.dataset.samples))
        if not kept:
            raise InputError(f"nothing could be corrupted: {'; '.join(left_out[:3]) or 'no samples'}")
        own_sha256 = _write_labels(folder, job, kept, lost)
    clean = sum(file.case.severity == 0 for file in kept)
    return CorruptedSet(
        folder=Path(out), pictures=len(kept), clean=clean, left_out=left_out, sha256=own_sha256
    )


def _worker_count(wanted: int | None, cases: int) -> int:
    """Return how many workers to use: as wanted, else one per core, as far as there is work for them."""
    if wanted is None:
        return max(1, min(os.cpu_count() or 1, cases // _CASES_WORTH_A_PROCESS))
    if wanted < 1:
        raise InputError(f"--workers {wanted}: at least 1 is needed")
    return wanted


def _make(
    job: _Job, folder: Path, *, with_clean: bool, strict: bool, workers: int, show: Progress | None
) -> tuple[list[CaseFile], list[CaseLost]]:
    """Write all pictures; return those that were written and those that were not, in no order."""
    conditions = job.conditions if with_clean else job.conditions[1:]
    tasks = _tasks(job.dataset.samples, conditions, seed=job.seed, workers=workers)
    recipes = {c.name: c.corruption for c in conditions if c.corruption is not None}
    total = sum(len(task.cases) for task in tasks)
    files: list[CaseFile] = []
    lost: list[CaseLost] = []
    for results in write_cases(tasks, folder, recipes, workers=workers):
        files += [result for result in results if isinstance(result, CaseFile)]
        lost += [result for result in results if isinstance(result, CaseLost)]
        _check_lost(lost, strict=strict)
        if show is not None:
            show("corrupt", len(files) + len(lost), total)
    return files, lost


def _load(dataset: str | Path, *, format: str | None, strict: bool) -> Dataset:
    path = Path(dataset)
    if path.is_file() and path.suffix.lower() in IMAGE_SUFFIXES:
        sample = Sample(id=path.stem.encode("utf-8", "replace").decode(), image=path)
        return Dataset(name=path.name, format="image", root=path.parent, samples=(sample,), left_out=())
    return load(dataset, format=format, strict=strict)


def _tasks(
    samples: Sequence[Sample], conditions: Sequence[Condition], *, seed: int, workers: int
) -> tuple[CaseTask, ...]:
    """Return what to write: all cases of a sample together, or one by one when there are few samples."""
    tasks: list[CaseTask] = []
    number = 0
    for sample in samples:
        cases = []
        for condition in conditions:
            number += 1
            cases.append((number, condition.case(sample.id, seed)))
        together = len(samples) >= workers
        parts = [tuple(cases)] if together else [(case,) for case in cases]
        tasks += [CaseTask(sample=sample, cases=part) for part in parts]
    return tuple(tasks)


def _check_lost(lost: Sequence[CaseLost], *, strict: bool) -> None:
    """Raise the error of a case under ``strict``, and always one that would meet every case."""
    for entry in lost:
        if strict or isinstance(entry.error, StoreError):
            raise entry.error


def _with_partner(folder: Path, files: Sequence[CaseFile]) -> tuple[CaseFile, ...]:
    """Return the files in their order, and delete the clean pictures of which nothing corrupted was made."""
    corrupted = {file.case.sample_id for file in files if file.case.severity}
    for file in files:
        if file.case.sample_id not in corrupted:
            (folder / file.name).unlink()
    kept = [file for file in files if file.case.sample_id in corrupted]
    return tuple(sorted(kept, key=lambda file: file.number))


def _reasons(lost: Sequence[CaseLost], samples: Sequence[Sample]) -> tuple[str, ...]:
    """Return one line for each sample and reason, with the conditions that it was left out of."""
    pictures = {sample.id: sample.image for sample in samples}
    grouped: dict[tuple[str, str], list[str]] = defaultdict(list)
    for entry in sorted(lost, key=lambda entry: entry.number):
        grouped[entry.case.sample_id, str(entry.error)].append(condition_of(entry.case))
    return tuple(
        f"{pictures[sample_id]}: {reason} ({', '.join(names)})"
        for (sample_id, reason), names in grouped.items()
    )


def _write_labels(folder: Path, job: _Job, files: Sequence[CaseFile], lost: Sequence[CaseLost]) -> str:
    """Write ``metadata.jsonl`` and ``manifest.json``; return the manifest's sha256."""
    metadata = "".join(file.line for file in files).encode()
    labels = {METADATA: (hashlib.sha256(metadata).hexdigest(), len(metadata))}
    pictures = {sample.id: sample.image for sample in job.dataset.samples}
    manifest = build_manifest(
        job.dataset,
        job.conditions,
        suite=job.suite,
        seed=job.seed,
        target=job.target,
        sources={file.case.sample_id: (pictures[file.case.sample_id], file.source_sha256) for file in files},
        left_out=[
            *(
                entry.file if entry.line is None else f"{entry.file}, line {entry.line}"
                for entry in job.dataset.left_out
            ),
            *(entry.case.key for entry in sorted(lost, key=lambda entry: entry.number)),
        ],
        files={file.name: (file.sha256, file.size) for file in files} | labels,
    )
    for name, data in ((METADATA, metadata), (MANIFEST, manifest_text(manifest).encode())):
        try:
            (folder / name).write_bytes(data)
        except OSError as error:
            raise StoreError(f"cannot write to {folder.parent} ({error}); choose another --out") from error
    return str(manifest["sha256"])


@contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """Yield a place to write; its files come to ``folder``, the labels last, only when nothing went wrong."""
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise StoreError(f"{folder} is not empty; choose a new folder for --out")
        work = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=folder))
    except OSError as error:
        raise StoreError(f"cannot write to {folder} ({error}); choose another --out") from error
    try:
        yield work
        for path in sorted(work.iterdir(), key=lambda path: path.name in (METADATA, MANIFEST)):
            path.rename(folder / path.name)
    finally:
        shutil.rmtree(work, ignore_errors=True)
        if is_new and not any(folder.iterdir()):
            folder.rmdir()
