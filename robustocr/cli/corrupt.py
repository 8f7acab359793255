"""Corrupt a dataset or one image and write the pictures, with truth and boxes that follow."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from robustocr.cli.options import add_dataset, add_grid

EPILOG = """examples:
  robustocr corrupt my_receipts --suite phone --severities 1-5 --out corrupted
  robustocr corrupt receipt.jpg --corruption defocus --severities 3 --out corrupted

The output is a dataset in the native format: pictures (the clean ones beside the corrupted), metadata.jsonl
with truth, boxes, coverage and legibility, and manifest.json. The same call writes the same bytes;
'robustocr verify' says whether they still are."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_dataset(parser)
    add_grid(parser, clean_only=False)
    parser.add_argument(
        "--target",
        metavar="FIELD",
        help="confine the corruption to this field (total, items[0].amount), one of its digits (total:digit, "
        "total:digit[0]) or its row (total:row); pictures in which its place is not known are left out",
    )
    parser.add_argument("--no-clean", action="store_true", help="leave out the clean pictures")
    parser.add_argument(
        "--workers", metavar="N", type=int, help="processes, one thread each (default: cores)"
    )
    parser.add_argument("--out", metavar="DIR", required=True, type=Path, help="a new or empty folder")


def execute(args: argparse.Namespace) -> int:
    """Write the corrupted dataset."""
    from robustocr.cli.progress import show_progress
    from robustocr.testset import write_corrupted

    with show_progress() as progress:
        made = write_corrupted(
            args.dataset,
            out=args.out,
            suite=args.suite,
            corruptions=args.corruption,
            severities=args.severities,
            seed=args.seed,
            target=args.target,
            with_clean=not args.no_clean,
            strict=args.strict,
            format=args.format,
            workers=args.workers,
            progress=progress,
        )
    for reason in made.left_out:
        print(f"robustocr: left out: {reason}", file=sys.stderr)
    told = f"{made.clean} of them clean, {len(made.left_out)} left out"
    print(f"{made.pictures} pictures in {made.folder}, {told}")
    print(f"sha256 {made.sha256}")
    return 0
