"""Corrupt a dataset, have readers read it, and report lower bounds of their accuracy."""

from __future__ import annotations

import argparse
from pathlib import Path

from robustocr.cli.options import EXIT_CODES, add_dataset, add_grid, add_target, names

EPILOG = f"""examples:
  robustocr run sample --suite quick --out runs/first
  robustocr run my_receipts --adapter python:my_reader:read --require "total>=0.95" --out runs/mine
  robustocr run my_receipts --suite phone --target total --out runs/aimed

A dataset whose pictures were taken under conditions of their own (condition, and pair_id for the pictures
of one receipt) is run with those as the grid, unless corruptions are chosen.
The same command on the same --out goes on where it stopped. {EXIT_CODES}"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_dataset(parser)
    parser.add_argument("--out", metavar="DIR", required=True, type=Path, help="the run folder")
    parser.add_argument(
        "--adapter",
        metavar="NAME",
        action="append",
        help="a reader (default: rapidocr); may be repeated; see robustocr list adapters",
    )
    add_grid(parser, clean_only=True)
    add_target(parser, "pictures in which its place is not known count under clean alone")
    add_selection(parser)
    add_statistics(parser)
    add_effort(parser)
    add_cache(parser)


def add_selection(parser: argparse.ArgumentParser) -> None:
    """Add --fields and --limit."""
    parser.add_argument(
        "--fields", metavar="LIST", type=names, help="for example total,date (default: all labelled)"
    )
    parser.add_argument(
        "--limit", metavar="N", type=int, help="only the first N receipts of an order fixed by the seed"
    )


def add_effort(parser: argparse.ArgumentParser) -> None:
    """Add --workers and --timeout."""
    parser.add_argument(
        "--workers", metavar="N", type=int, help="reading processes, one thread each (default: cores)"
    )
    parser.add_argument(
        "--timeout", metavar="S", type=float, default=120.0, help="seconds per case (default: 120)"
    )


def add_statistics(parser: argparse.ArgumentParser) -> None:
    """Add --alpha and --require."""
    parser.add_argument(
        "--alpha",
        metavar="A",
        type=float,
        default=0.05,
        help="bounds hold with confidence 1 - A (default: 0.05)",
    )
    parser.add_argument(
        "--require",
        metavar="TEXT",
        action="append",
        default=[],
        help='a gate such as "total>=0.95" or "silent(total)<=0.02"; may be repeated',
    )


def add_cache(parser: argparse.ArgumentParser) -> None:
    """Add --cache."""
    parser.add_argument(
        "--cache", metavar="DIR", type=Path, help="shared by runs (default: the user's cache folder)"
    )


def execute(args: argparse.Namespace) -> int:
    """Run the benchmark and print its table."""
    from robustocr.adapters.registry import DEFAULT_ADAPTER
    from robustocr.benchmark import run_benchmark
    from robustocr.cli.progress import show_progress
    from robustocr.cli.result import print_result

    with show_progress() as progress:
        result = run_benchmark(
            args.dataset,
            out=args.out,
            adapters=tuple(args.adapter or [DEFAULT_ADAPTER]),
            suite=args.suite,
            corruptions=args.corruption,
            severities=args.severities,
            clean_only=args.clean_only,
            target=args.target,
            fields=args.fields,
            limit=args.limit,
            seed=args.seed,
            alpha=args.alpha,
            require=args.require,
            workers=args.workers,
            timeout=args.timeout,
            cache=args.cache,
            strict=args.strict,
            format=args.format,
            progress=progress,
        )
    print_result(result)
    return result.exit_code
