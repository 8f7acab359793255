import os
from pathlib import Path

import pytest

_DEFAULT_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real receipts (SROIE2019/, german/, labels/); skips where it is absent."""
    root = Path(os.environ.get("ROBUSTOCR_DATA", _DEFAULT_DATA))
    if not (root / "SROIE2019").is_dir():
        pytest.skip(f"no real receipts at {root}: set ROBUSTOCR_DATA to a folder with SROIE2019/ and german/")
    return root
