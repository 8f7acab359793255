"""How often a receipt reader is right when the picture is bad, and how often wrong without saying so.

Everything here is imported on first use, so that importing the package is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robustocr.adapters.base import Adapter, Picture, Request
    from robustocr.adapters.registry import make_adapter
    from robustocr.benchmark import run_benchmark, score_predictions
    from robustocr.calibration import measure_corruptions
    from robustocr.corruptions import corrupt, load_corruption, load_suite
    from robustocr.errors import RobustocrError
    from robustocr.finish import RunResult
    from robustocr.gate import judge, parse_requirement
    from robustocr.images import load_image
    from robustocr.interactive import Reading, read_image, read_pixels
    from robustocr.legibility import corrupt_measured
    from robustocr.loaders.base import Dataset
    from robustocr.loaders.registry import load
    from robustocr.occlusion import occlude
    from robustocr.realism import measure_realism
    from robustocr.recipes import Corruption, Suite
    from robustocr.records import (
        Case,
        Extraction,
        Item,
        Mark,
        Marker,
        Outcome,
        Receipt,
        Sample,
        Verdict,
    )
    from robustocr.review import review_list
    from robustocr.rules.check import check
    from robustocr.scoring import score
    from robustocr.testset import write_corrupted
    from robustocr.verify import verify_set

_HOMES = {
    "robustocr.adapters.base": ("Adapter", "Picture", "Request"),
    "robustocr.adapters.registry": ("make_adapter",),
    "robustocr.benchmark": ("run_benchmark", "score_predictions"),
    "robustocr.calibration": ("measure_corruptions",),
    "robustocr.corruptions": ("corrupt", "load_corruption", "load_suite"),
    "robustocr.errors": ("RobustocrError",),
    "robustocr.finish": ("RunResult",),
    "robustocr.gate": ("judge", "parse_requirement"),
    "robustocr.images": ("load_image",),
    "robustocr.interactive": ("Reading", "read_image", "read_pixels"),
    "robustocr.legibility": ("corrupt_measured",),
    "robustocr.loaders.base": ("Dataset",),
    "robustocr.loaders.registry": ("load",),
    "robustocr.occlusion": ("occlude",),
    "robustocr.realism": ("measure_realism",),
    "robustocr.recipes": ("Corruption", "Suite"),
    "robustocr.records": (
        "Case", "Extraction", "Item", "Mark", "Marker", "Outcome", "Receipt", "Sample", "Verdict",
    ),
    "robustocr.review": ("review_list",),
    "robustocr.rules.check": ("check",),
    "robustocr.scoring": ("score",),
    "robustocr.testset": ("write_corrupted",),
    "robustocr.verify": ("verify_set",),
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Adapter",
    "Case",
    "Corruption",
    "Dataset",
    "Extraction",
    "Item",
    "Mark",
    "Marker",
    "Outcome",
    "Picture",
    "Reading",
    "Receipt",
    "Request",
    "RobustocrError",
    "RunResult",
    "Sample",
    "Suite",
    "Verdict",
    "check",
    "corrupt",
    "corrupt_measured",
    "judge",
    "load",
    "load_corruption",
    "load_image",
    "load_suite",
    "make_adapter",
    "measure_corruptions",
    "measure_realism",
    "occlude",
    "parse_requirement",
    "read_image",
    "read_pixels",
    "review_list",
    "run_benchmark",
    "score",
    "score_predictions",
    "verify_set",
    "write_corrupted",
]


def __getattr__(name: str) -> object:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'robustocr' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
