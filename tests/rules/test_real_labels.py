"""False alarms and power on real labels, through the functions of benchmarks/rules.py."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from robustocr.rules.check import check

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "benchmarks" / "rules.py"
    spec = importlib.util.spec_from_file_location("benchmark_of_rules", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def sets(bench: ModuleType, real_data: Path):
    return bench.load_sets(real_data)


@pytest.mark.parametrize(("name", "count", "closes"), [("sroie", 83, 80), ("cord test", 80, 76)])
def test_correct_labels_close_and_do_not_contradict(sets, name, count, closes):
    verdicts = [check(receipt) for _, receipt in sets[name]]
    assert len(verdicts) == count
    assert sum(verdict.status == "closes" for verdict in verdicts) >= closes
    assert sum(verdict.status == "contradicts" for verdict in verdicts) <= 1


@pytest.mark.parametrize("name", ["sroie", "cord test"])
@pytest.mark.parametrize(("kind", "least"), [("total", 0.97), ("subtotal", 0.97), ("item amount", 0.95)])
def test_a_misread_digit_contradicts_and_the_field_is_named(bench, sets, name, kind, least):
    rng = np.random.default_rng(5)
    closing = [receipt for _, receipt in sets[name] if check(receipt).status == "closes"]
    found = [bench.misread_digit(receipt, kind, rng, True) for receipt in closing * 3]
    misread = [one for one in found if one is not None]
    verdicts = [(check(receipt), path) for receipt, path, _ in misread]
    assert len(verdicts) > 100
    assert sum(verdict.status == "contradicts" for verdict, _ in verdicts) >= least * len(verdicts)
    named = sum(path in [one.field for one in verdict.suspects] for verdict, path in verdicts)
    first = sum(verdict.suspects[0].field == path for verdict, path in verdicts if verdict.suspects)
    assert named >= 0.9 * len(verdicts)
    assert first >= 0.7 * len(verdicts)
