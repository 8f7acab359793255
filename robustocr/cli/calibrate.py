"""Draw how much each severity of a corruption leaves legible, or fit its ladders to even steps."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

EPILOG = """examples:
  robustocr calibrate --out curves
  robustocr calibrate my_receipts --corruption ./my_blur.yaml --widths 600,1200,2400 --out curves
  robustocr calibrate --corruption ./my_blur.yaml --fit

Writes curves.html, curves.csv (a row per receipt, width, corruption and severity) and says which corruptions
that degrade do not leave 95 % of the fields legible at severity 1 and 35 to 65 % at severity 5.
--fit prints ladders that do; nothing is changed.

exit codes: 0 all as meant; 1 some are not; 2 wrong use or bad input"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "dataset", metavar="DATASET", nargs="?", default="sample", help="labelled receipts (default: sample)"
    )
    parser.add_argument(
        "--corruption",
        metavar="NAME",
        action="append",
        default=[],
        help="a corruption, or the path of your own; repeatable (default: all that degrade)",
    )
    parser.add_argument("--limit", metavar="N", type=int, default=20, help="receipts to use (default: 20)")
    parser.add_argument(
        "--widths", metavar="W,W", default="", help="also scale the pictures to these widths in pixels"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of all draws (default: 0)")
    parser.add_argument("--workers", metavar="N", type=int, help="processes (default: one per core)")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", metavar="DIR", type=Path, help="write the curves here")
    what.add_argument("--fit", action="store_true", help="print fitted ladders instead")


def execute(args: argparse.Namespace) -> int:
    """Measure and write the curves, or print fitted ladders."""
    from robustocr.calibration import measure_corruptions
    from robustocr.corruptions import list_corruptions, load_corruption
    from robustocr.errors import InputError
    from robustocr.loaders.registry import load
    from robustocr.plan import choose_samples
    from robustocr.report.curves import describe_fit, judge, write_curves

    samples = choose_samples(load(args.dataset), limit=args.limit, seed=args.seed)
    known = [load_corruption(name) for name in args.corruption or list_corruptions()]
    chosen = [corruption for corruption in known if corruption.degrades or args.corruption]
    if args.fit:
        for corruption in chosen:
            print(describe_fit(samples, corruption, seed=args.seed, workers=args.workers), flush=True)
        return 0
    widths = _widths(args.widths)
    rows = measure_corruptions(
        samples, chosen, widths=widths, seed=args.seed, workers=args.workers, progress=_progress
    )
    if not rows:
        raise InputError(
            f"{args.dataset}: no receipt has fields with a known place and text of 10 pixels; "
            "give boxes or words in its labels"
        )
    problems, report = judge(rows, chosen, widths=widths)
    written = write_curves(args.out, rows, chosen, widths=widths)
    print(report)
    print(f"Curves: {written}")
    return 1 if problems else 0


def _widths(text: str) -> tuple[int | None, ...]:
    from robustocr.errors import InputError

    parts = [part.strip() for part in text.split(",") if part.strip()]
    if any(not part.isdecimal() or not 50 <= int(part) <= 20000 for part in parts):
        raise InputError(f"--widths {text!r}: give widths in pixels between 50 and 20000, such as 600,1200")
    return tuple(int(part) for part in parts) or (None,)


def _progress(done: int, total: int) -> None:
    print(f"\r{done} of {total} receipts", end="\n" if done == total else "", file=sys.stderr, flush=True)
