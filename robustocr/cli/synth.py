"""Render receipts from a seed, with truth and boxes, as a dataset."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = "example: robustocr synth --n 100 --seed 7 --out rendered"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--n", metavar="N", type=int, required=True, help="how many receipts")
    parser.add_argument(
        "--seed", metavar="S", type=int, default=0, help="fixes every random choice (default: 0)"
    )
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="a new or empty folder")


def execute(args: argparse.Namespace) -> int:
    """Write the dataset."""
    from robustocr.synth.make import write_dataset

    folder = write_dataset(args.n, args.seed, args.out)
    print(f"{args.n} receipts in {folder}")
    return 0
