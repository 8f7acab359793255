"""Find the data that travels with the package: recipes, the bundled sample, dataset cards, the app."""

from __future__ import annotations

from pathlib import Path

from robustocr.errors import StoreError

_PACKAGE = Path(__file__).resolve().parent


def asset(name: str) -> Path:
    """Return the path of a bundled folder or file, for example ``corruptions`` or ``datasets/sample``.

    Looks in the installed wheel's ``_bundled`` first, else in the checkout. Raises StoreError when absent.
    """
    for root in (_PACKAGE / "_bundled", _PACKAGE.parent):
        if (root / name).exists():
            return root / name
    raise StoreError(f"the bundled {name!r} is missing from this installation; install robustocr again")
