"""Label files and picture names, read with care: encodings, broken JSON, paths that lead elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from robustocr.errors import DatasetError
from robustocr.images import IMAGE_SUFFIXES
from robustocr.loaders.base import LabelError

_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


def raw_lines(path: Path) -> list[tuple[int, bytes]]:
    """Return the lines of a label file that are not blank, with their numbers from 1.

    A byte order mark and carriage returns are dropped. Raises LabelError when the file cannot be read, is
    empty, or is UTF-16.
    """
    lines = ((number, line.strip()) for number, line in enumerate(_read(path).split(b"\n"), 1))
    return [(number, line) for number, line in lines if line]


def decoded(line: bytes, number: int | None = None) -> str:
    """Return bytes as text. Raises LabelError naming the byte when they are not UTF-8."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = line[error.start]
        raise LabelError(
            f"not UTF-8: byte 0x{byte:02x} at position {error.start + 1}; save the file as UTF-8", number
        ) from error


def read_text(path: Path) -> str:
    """Return a label file's text without byte order mark. Raises LabelError as ``raw_lines`` does."""
    data = _read(path)
    try:
        return decoded(data)
    except LabelError:
        for number, line in enumerate(data.split(b"\n"), 1):
            decoded(line, number)
        raise


def json_object(text: str) -> dict[str, Any]:
    """Return one JSON object. Raises LabelError for other JSON, NaN, infinities and repeated keys."""
    try:
        value = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique_keys)
    except json.JSONDecodeError as error:
        raise LabelError(
            f"broken JSON at character {error.pos + 1}: {error.msg}; write one complete JSON object",
            None if "\n" not in text else error.lineno,
        ) from error
    if not isinstance(value, dict):
        raise LabelError(f"the label is {text[:40]!r}, not a JSON object such as {{...}}")
    return value


def listing(folder: Path, suffixes: frozenset[str]) -> list[Path]:
    """Return the files of a folder with these endings (any case), sorted by name; none when it is absent."""
    if not folder.is_dir():
        return []
    try:
        names = [path for path in folder.iterdir() if path.suffix.lower() in suffixes]
    except OSError as error:
        raise DatasetError(f"cannot list {folder}: {error.strerror}; check its permissions") from error
    files = [path for path in names if not path.name.startswith(".") and not path.is_dir()]
    return sorted(files, key=lambda path: path.name)


def pictures_in(folder: Path) -> list[Path]:
    """Return the pictures of a folder, by their endings, sorted by name."""
    return listing(folder, IMAGE_SUFFIXES)


def subfolders(root: Path) -> Iterator[Path]:
    """Yield the folder itself, then the folders in it, sorted by name, hidden ones left out."""
    yield root
    yield from sorted(
        (path for path in root.iterdir() if path.is_dir() and not path.name.startswith(".")),
        key=lambda path: path.name,
    )


def label_files(root: Path, name: str) -> list[Path]:
    """Return the label files of this name: the one in the folder, else those one level below, sorted."""
    if (root / name).is_file():
        return [root / name]
    return [folder / name for folder in subfolders(root) if (folder / name).is_file()]


def picture_path(name: object, folder: Path, root: Path) -> Path:
    """Return the path of a picture that a label names, relative to the label file's folder.

    Raises LabelError when the name is no text, or leads out of the dataset (by ``..``, an absolute path or
    a symbolic link): a dataset must not read other files.
    """
    if not isinstance(name, str) or not name.strip() or "\x00" in name:
        raise LabelError(f"file_name is {name!r}, not the name of a picture")
    path = folder / name
    try:
        inside = path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError) as error:
        raise LabelError(f"cannot follow file_name {name!r}: {error}") from error
    if not inside:
        raise LabelError(
            f"file_name {name!r} leads out of the dataset's folder {root}; copy the picture into the folder"
        )
    return path


def relative(path: Path, root: Path) -> str:
    """Return a path as a person names it within its dataset, with forward slashes."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


def _read(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LabelError(f"cannot read the label file: {error.strerror or error}") from error
    if data.startswith(_UTF16_BOMS):
        raise LabelError("the file is UTF-16; save it as UTF-8")
    data = data.removeprefix(_UTF8_BOM)
    if not data.strip():
        raise LabelError("the file is empty; write its labels, or remove it")
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise LabelError(f"{name} is not a value of a receipt; write a number, or null when nothing is printed")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise LabelError(f"key {key!r} stands twice in one object; keep one")
        found[key] = value
    return found
