"""The table of dataset formats, and ``load``, which recognises the format and checks every sample."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from robustocr.assets import asset
from robustocr.errors import DatasetError, ImageError, unknown_name
from robustocr.images import image_size
from robustocr.loaders.base import Dataset, Entry, Format, LeftOut
from robustocr.loaders.cord import CORD
from robustocr.loaders.csv_table import CSV
from robustocr.loaders.donut import DONUT
from robustocr.loaders.files import relative
from robustocr.loaders.folder import FOLDER, unread_labels
from robustocr.loaders.native import NATIVE
from robustocr.loaders.sroie import SROIE
from robustocr.records import Sample

FORMATS: tuple[Format, ...] = (NATIVE, DONUT, CORD, SROIE, CSV, FOLDER)
"""Every format, in the order in which they are tried. A new one is a file beside this and an entry here."""

BUNDLED = "sample"
"""The name that stands for the bundled dataset instead of a folder."""


def list_formats() -> tuple[str, ...]:
    """Return the names of all dataset formats, in the order in which they are tried."""
    return tuple(known.name for known in FORMATS)


def load(dataset: str | Path, *, format: str | None = None, strict: bool = False) -> Dataset:
    """Return the samples of a folder, or of the bundled dataset for ``sample``.

    The format is recognised from the content unless given. A bad label or picture is left out and stands
    in ``left_out`` with file, line and reason; with ``strict`` it raises DatasetError instead. Files that
    look like labels are told the same way where no format with labels recognises the folder, but are no
    error when ``folder`` was asked for. Pictures are checked by their headers only. Raises DatasetError when
    there is no such folder or format, or nothing in it can be used.
    """
    root = asset("datasets/sample") if dataset == BUNDLED else Path(dataset)
    _check_folder(root)
    chosen = _format(root, format)
    samples: list[Sample] = []
    left_out = list(unread_labels(root)) if chosen is FOLDER and _recognised(root) is FOLDER else []
    if strict and format is None and left_out:
        raise DatasetError(f"{root}: {left_out[0]}")
    for entry in _checked(chosen.read(root), root):
        if isinstance(entry, Sample):
            samples.append(entry)
        elif strict:
            raise DatasetError(f"{root}: {entry}")
        else:
            left_out.append(entry)
    if not samples:
        raise DatasetError(_nothing(root, chosen, left_out))
    return Dataset(
        name=BUNDLED if dataset == BUNDLED else root.resolve().name,
        format=chosen.name,
        root=root,
        samples=tuple(samples),
        left_out=tuple(left_out),
    )


def _check_folder(root: Path) -> None:
    if root.is_dir():
        return
    if root.exists():
        raise DatasetError(f"{root} is a file; a dataset is a folder: give {root.parent} instead")
    raise DatasetError(f"no folder {root}; give a folder of receipts, or {BUNDLED!r} for the bundled ones")


def _format(root: Path, name: str | None) -> Format:
    if name is not None:
        for known in FORMATS:
            if known.name == name:
                return known
        raise DatasetError(unknown_name("dataset format", name, list_formats()))
    found = _recognised(root)
    if found is not None:
        return found
    layouts = "; ".join(f"{known.name}: {known.layout}" for known in FORMATS)
    raise DatasetError(f"{root} holds no receipts in a known format. Known: {layouts}")


def _recognised(root: Path) -> Format | None:
    try:
        return next((known for known in FORMATS if known.recognises(root)), None)
    except OSError as error:
        raise DatasetError(f"cannot list {root}: {error.strerror}; check its permissions") from error


def _checked(entries: Iterable[Entry], root: Path) -> Iterator[Sample | LeftOut]:
    """Turn samples without a readable picture, and repeated ids, into what is left out."""
    first: dict[str, Path] = {}
    for entry in entries:
        if isinstance(entry, LeftOut):
            yield entry
            continue
        sample = entry.sample
        problem = _problem(sample, first.get(sample.id), root)
        if problem is None:
            first[sample.id] = sample.image
            yield sample
        else:
            yield LeftOut(file=entry.file, line=entry.line, reason=problem)


def _problem(sample: Sample, same_id: Path | None, root: Path) -> str | None:
    if same_id is not None:
        other = relative(same_id, root)
        return f"id {sample.id!r} is already that of {other}; give each label its own id"
    try:
        image_size(sample.image)
    except ImageError as error:
        return str(error)
    return None


def _nothing(root: Path, chosen: Format, left_out: list[LeftOut]) -> str:
    if not left_out:
        return f"{root} is empty for format {chosen.name!r} ({chosen.layout})"
    first = "; ".join(str(entry) for entry in left_out[:3])
    return f"{root}: nothing can be used of format {chosen.name!r}, {len(left_out)} left out: {first}"
