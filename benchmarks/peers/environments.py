"""An environment of its own for each peer, made once and kept."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

_PINS = Path(__file__).parent


def python_of(library: str, envs: Path) -> Path:
    """Return the interpreter that has a library: this one, or that of an environment made under ``envs``.

    A library with a list of pinned versions beside this file gets an environment, named after the hash of
    the list, so that a changed list makes a new one.
    """
    pins = _PINS / f"{library}.txt"
    if not pins.is_file():
        return Path(sys.executable)
    digest = hashlib.sha256(pins.read_bytes() + sys.version.encode()).hexdigest()[:8]
    folder = envs / f"{library}-{digest}"
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    done = folder / "done"
    if not done.exists():
        print(f"making {folder}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--requirement", pins], check=True)
        done.touch()
    return python
