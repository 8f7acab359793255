"""How well synthetic severities predict which pictures really taken badly fail: ``measure_realism``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from robustocr.adapters.registry import DEFAULT_ADAPTER
from robustocr.benchmark import DEFAULT_TIMEOUT, run_benchmark
from robustocr.conditions import DEFAULT_SUITE
from robustocr.correlation import Correlation, rank_correlation, unknown
from robustocr.errors import InputError, StoreError
from robustocr.failures import Failures, failures_of
from robustocr.finish import RunResult
from robustocr.likeness import Likeness, condition_correlation, find_alike
from robustocr.loaders.base import Dataset
from robustocr.loaders.registry import load
from robustocr.natural import CLEAN, receipt_of, take_part
from robustocr.rates import named
from robustocr.recipes import Corruption
from robustocr.report.realism import realism_page
from robustocr.runner import Progress
from robustocr.store import to_json, write_text_atomically

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = 1
FEWEST_RECEIPTS = 10
"""With fewer, a half of the receipts is too small to choose on."""
FEWEST_CONDITIONS = 4
"""With three, a perfect order comes by chance once in six times; with four, once in 24."""

NUMBERS_FILE, PAGE_FILE = "realism.json", "realism.md"
NATURAL_FOLDER, SYNTHETIC_FOLDER = "natural", "synthetic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Realism:
    """What was found: ``numbers`` is the content of ``realism.json``; the two runs it came from."""

    folder: Path
    numbers: dict[str, Any]
    natural: RunResult
    synthetic: RunResult

    @property
    def page(self) -> str:
        """The numbers as text for a reader (Markdown)."""
        return realism_page(self.numbers)

    @property
    def exit_code(self) -> int:
        """0, or 3 where there is too little to say anything."""
        found = (self.numbers[part]["rank_correlation"]["estimate"] for part in ("receipts", "conditions"))
        return 0 if any(estimate is not None for estimate in found) else 3


def measure_realism(
    dataset: str | Path | Dataset,
    *,
    out: str | Path,
    adapter: str = DEFAULT_ADAPTER,
    suite: str | None = None,
    corruptions: Sequence[str | Path | Corruption] = (),
    severities: Sequence[int] | None = None,
    fields: Sequence[str] | None = None,
    limit: int | None = None,
    seed: int = 0,
    alpha: float = 0.05,
    workers: int | None = None,
    timeout: float | None = DEFAULT_TIMEOUT,
    cache: str | Path | None = None,
    strict: bool = False,
    format: str | None = None,
    progress: Progress | None = None,
) -> Realism:
    """Compare failures on pictures really taken badly with those on corrupted clean pictures of the same.

    Uses the receipts (``pair_id``) that have a clean picture and one under another condition. Two runs, which
    resume like any: ``out/natural`` reads all their pictures as they are, ``out/synthetic`` the clean ones
    under a suite (default ``phone``) or ``corruptions``. From their outcomes it computes which receipts and
    which real conditions fail, and how well the synthetic grid predicts both: see :func:`compare_failures`.
    Writes ``realism.json`` and ``realism.md`` into ``out``. Options are those of ``run_benchmark``; ``alpha``
    gives two-sided intervals here. Raises DatasetError without such receipts, InputError as a run does.
    """
    folder = _own_folder(Path(out))
    loaded = dataset if isinstance(dataset, Dataset) else load(dataset, format=format, strict=strict)
    shared: dict[str, Any] = {
        "adapters": (adapter,), "fields": fields, "limit": limit, "seed": seed, "alpha": alpha,
        "workers": workers, "timeout": timeout, "cache": cache, "strict": strict,
    }  # fmt: skip
    shared |= {"progress": progress} if progress else {}
    photos, clean = take_part(loaded, "paired_photos"), take_part(loaded, "paired_clean")
    natural = run_benchmark(photos, out=folder / NATURAL_FOLDER, **shared)
    synthetic = run_benchmark(
        clean,
        out=folder / SYNTHETIC_FOLDER,
        suite=None if corruptions and not suite else (suite or DEFAULT_SUITE),
        corruptions=corruptions,
        severities=severities,
        **shared,
    )
    unpaired = {receipt_of(s) for s in loaded.samples} - {receipt_of(s) for s in clean.samples}
    numbers = {
        "schema": SCHEMA,
        "dataset": loaded.name,
        "adapter": next(iter(natural.summary["adapters"])),
        "synthetic": synthetic.summary["grid"],
        "seed": seed,
        "n_receipts_unpaired": len(unpaired),
        **compare_failures(natural.outcomes(), synthetic.outcomes(), fields=fields, seed=seed, alpha=alpha),
    }
    result = Realism(folder=folder, numbers=numbers, natural=natural, synthetic=synthetic)
    write_text_atomically(folder / NUMBERS_FILE, to_json(numbers))
    write_text_atomically(folder / PAGE_FILE, result.page)
    return result


def compare_failures(
    natural: pd.DataFrame,
    synthetic: pd.DataFrame,
    *,
    fields: Sequence[str] | None = None,
    seed: int = 0,
    alpha: float = 0.05,
) -> dict[str, Any]:
    """Return the numbers of ``realism.json`` from the outcomes of one reader on both kinds of pictures.

    ``receipts``: the rank correlation over receipts of how much more often they fail than others do under the
    same conditions, really and synthetically; ``clean_alone`` is the same with the clean pictures in place of
    the corrupted ones. ``conditions``: the accuracy under each real condition as predicted by the synthetic
    one most like it (``robustocr.likeness``), and the rank correlation over conditions with what was seen.
    Only receipts and fields in both tables count; ``document`` does not, as its fields do. Raises InputError
    where there are none.
    """
    real, made = _in_common(failures_of(natural), failures_of(synthetic), fields)
    rng = np.random.default_rng(seed)
    bad = real.under(CLEAN, kept=False)
    corrupted, clean = made.under(CLEAN, kept=False), made.under(CLEAN, kept=True)
    found = find_alike(bad, made, rng=rng)
    return {
        "alpha": alpha,
        "n_receipts": len(real.receipts),
        "fields": list(real.fields),
        "n_synthetic_conditions": len(corrupted.conditions),
        "failed": {"natural": bad.share, "synthetic": corrupted.share, "clean": clean.share},
        "receipts": {
            "rank_correlation": _over_receipts(bad, corrupted, rng, alpha).to_json(),
            "clean_alone": _over_receipts(bad, clean, rng, alpha).to_json(),
        },
        "conditions": {
            "rank_correlation": _over_conditions(found, bad, made, rng, alpha).to_json(),
            "mean_absolute_error": _mean_error(found),
            "rows": [_row(one) for one in found],
        },
    }


def _in_common(
    natural: Failures, synthetic: Failures, chosen: Sequence[str] | None
) -> tuple[Failures, Failures]:
    receipts = [receipt for receipt in natural.receipts if receipt in set(synthetic.receipts)]
    fields = [name for name in natural.fields if name in (chosen or synthetic.fields)]
    if not receipts or not fields:
        what = "receipt" if not receipts else "field with a truth"
        raise InputError(f"no {what} was read both on real photographs and on corrupted pictures")
    return natural.of(receipts, fields), synthetic.of(receipts, fields)


def _over_receipts(bad: Failures, predictor: Failures, rng: np.random.Generator, alpha: float) -> Correlation:
    real, made = bad.excess(), predictor.excess()
    counted = ~(np.isnan(real) | np.isnan(made))
    n = int(counted.sum())
    if n < FEWEST_RECEIPTS:
        return unknown(n, f"{n} receipts are too few; {FEWEST_RECEIPTS} are needed", alpha)
    for side, what in ((real, "on the real photographs"), (made, "on the other pictures")):
        if np.ptp(np.round(side[counted], 9)) == 0:
            return unknown(n, f"all receipts fail equally often {what}", alpha)
    return rank_correlation(real[counted], made[counted], rng=rng, alpha=alpha)


def _over_conditions(
    found: Sequence[Likeness], bad: Failures, made: Failures, rng: np.random.Generator, alpha: float
) -> Correlation:
    n = len(bad.receipts)
    if n < FEWEST_RECEIPTS:
        return unknown(len(found), f"{n} receipts are too few; {FEWEST_RECEIPTS} are needed", alpha)
    if len(found) < FEWEST_CONDITIONS:
        reason = f"{len(found)} real conditions are too few to rank; {FEWEST_CONDITIONS} are needed"
        return unknown(len(found), reason, alpha)
    return condition_correlation(found, bad, made, rng=rng, alpha=alpha)


def _mean_error(found: Sequence[Likeness]) -> float | None:
    errors = [
        abs(one.observed - one.predicted)
        for one in found
        if one.observed is not None and one.predicted is not None
    ]
    return float(np.mean(errors)) if errors else None


def _row(one: Likeness) -> dict[str, Any]:
    return {
        "condition": one.condition[0],
        "n": one.n,
        "observed": one.observed,
        "predicted": one.predicted,
        "like": [named(condition) | {"share": share} for condition, share in one.chosen],
        "same": one.same,
        "same_by_chance": one.same_by_chance,
    }


def _own_folder(folder: Path) -> Path:
    """Make the folder, or take it up again. Raises StoreError where it holds anything else."""
    ours = {NUMBERS_FILE, PAGE_FILE, NATURAL_FOLDER, SYNTHETIC_FOLDER}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        others = sorted(entry.name for entry in folder.iterdir() if entry.name not in ours)
    except OSError as error:
        raise StoreError(f"cannot write to {folder} ({error}); choose another --out") from error
    if others:
        raise StoreError(f"{folder} holds {others[0]}, which is not from here; choose another --out")
    return folder
