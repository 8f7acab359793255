"""Corrupt a dataset or one image and write the pictures, with truth and boxes that follow."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from robustocr.cli.options import add_dataset, add_grid

EPILOG = """examples:
  robustocr corrupt my_receipts --suite phone --severities 1-5 --out corrupted
  robustocr corrupt receipt.jpg --corruption defocus --severities 3 --out corrupted

The output is a dataset in the native format (pictures and metadata.jsonl)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_dataset(parser)
    add_grid(parser, clean_only=False)
    parser.add_argument(
        "--target",
        metavar="FIELD",
        help="confine the corruption to this field, for example total or items[0].amount; pictures in which "
        "its place is not known are left out",
    )
    parser.add_argument("--out", metavar="DIR", required=True, type=Path, help="a new or empty folder")


def execute(args: argparse.Namespace) -> int:
    """Write the corrupted dataset."""
    from robustocr.testset import write_corrupted

    written, skipped = write_corrupted(
        args.dataset,
        out=args.out,
        suite=args.suite,
        corruptions=args.corruption,
        severities=args.severities,
        seed=args.seed,
        target=args.target,
        strict=args.strict,
        format=args.format,
    )
    for reason in skipped:
        print(f"robustocr: left out: {reason}", file=sys.stderr)
    print(f"{written} pictures in {args.out}, {len(skipped)} left out")
    return 0
