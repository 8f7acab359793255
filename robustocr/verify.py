"""Whether a private test set is still as it was made: every file, its labels and its manifest."""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from robustocr.errors import InputError
from robustocr.manifest import FORMAT, MANIFEST, VERSION, fingerprint, manifest_text

Problem = Literal["changed", "missing", "added", "unreadable"]

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One file that is not as it was made; its name within the set, and what is wrong with it."""

    file: str
    problem: Problem
    detail: str

    def __str__(self) -> str:
        """Return one line for a person."""
        return f"{self.file}: {self.problem}: {self.detail}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What is left of a test set: ``files`` that the manifest names, and all that is not as it was made.

    ``sha256`` is that of the manifest as it is now; None where it cannot be read.
    """

    folder: Path
    files: int
    sha256: str | None
    findings: tuple[Finding, ...]

    @property
    def intact(self) -> bool:
        """Whether every file is as it was made, and none was added."""
        return not self.findings


def verify_set(folder: str | Path, *, expected: str | None = None) -> Verification:
    """Return which files of a private test set were changed, removed or added since it was made.

    ``expected`` is the manifest's sha256 as it was told when the set was made: without it, someone who
    writes a whole new manifest is not found out. Raises InputError for a folder that is no test set.
    """
    root = Path(folder)
    try:
        text = (root / MANIFEST).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise InputError(
            f"{root} holds no {MANIFEST}: it was not written by 'robustocr corrupt', or the file was removed"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{root / MANIFEST} cannot be read: {error}") from error
    manifest = _parsed(text)
    if manifest is None:
        broken = Finding(file=MANIFEST, problem="changed", detail="it is no manifest any more")
        return Verification(folder=root, files=0, sha256=None, findings=(broken,))
    if manifest.get("format") != FORMAT or manifest.get("version") != VERSION:
        raise InputError(f"{root / MANIFEST} is not the manifest of a {FORMAT}, version {VERSION}")
    findings = (
        *_check_manifest(manifest, text, expected),
        *_check_files(root, manifest["files"]),
        *_check_added(root, manifest["files"]),
    )
    return Verification(
        folder=root, files=len(manifest["files"]), sha256=fingerprint(manifest), findings=findings
    )


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        manifest = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(manifest, dict):
        return None
    files = manifest.get("files", {})
    known = isinstance(files, dict) and all(isinstance(entry, dict) for entry in files.values())
    return manifest | {"files": files} if known else None


def _check_manifest(manifest: Mapping[str, Any], text: str, expected: str | None) -> Iterator[Finding]:
    found = fingerprint(manifest)
    if found != manifest.get("sha256"):
        detail = f"its content has the sha256 {found}, but it says {manifest.get('sha256')}"
        yield Finding(file=MANIFEST, problem="changed", detail=detail)
    elif text != manifest_text(manifest):
        yield Finding(file=MANIFEST, problem="changed", detail="it was written anew in another form")
    if expected is not None and found != expected.strip().lower():
        detail = f"its content has the sha256 {found}, but {expected} was expected"
        yield Finding(file=MANIFEST, problem="changed", detail=detail)


def _check_files(root: Path, files: Mapping[str, Mapping[str, Any]]) -> Iterator[Finding]:
    for name, told in files.items():
        if not _is_plain(name):
            detail = f"it names {name!r}, which is no file of this folder"
            yield Finding(file=MANIFEST, problem="changed", detail=detail)
            continue
        finding = _check_file(root, name, told)
        if finding is not None:
            yield finding


def _check_file(root: Path, name: str, told: Mapping[str, Any]) -> Finding | None:
    path = root / name
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):
            return Finding(file=name, problem="changed", detail="it is no plain file any more")
        if found.st_size != told.get("bytes"):
            detail = f"it has {found.st_size} bytes, and had {told.get('bytes')}"
            return Finding(file=name, problem="changed", detail=detail)
        sha256 = _sha256(path)
    except FileNotFoundError:
        return Finding(file=name, problem="missing", detail="it was removed or renamed")
    except OSError as error:
        return Finding(file=name, problem="unreadable", detail=str(error.strerror))
    if sha256 == told.get("sha256"):
        return None
    return Finding(
        file=name, problem="changed", detail=f"its sha256 is {sha256}, and was {told.get('sha256')}"
    )


def _check_added(root: Path, files: Mapping[str, object]) -> Iterator[Finding]:
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if name != MANIFEST and name not in files:
            kind = "folder" if path.is_dir() and not path.is_symlink() else "file"
            yield Finding(file=name, problem="added", detail=f"this {kind} is not in the manifest")


def _is_plain(name: str) -> bool:
    return PurePosixPath(name).name == name != ".." and not {"\\", "\0"} & set(name) and name != ""


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
