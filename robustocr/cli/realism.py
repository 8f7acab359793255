"""Say how well synthetic severities predict which pictures really taken badly fail."""

from __future__ import annotations

import argparse
from pathlib import Path

from robustocr.cli.options import add_dataset, add_grid
from robustocr.cli.run import add_cache, add_effort, add_selection

EPILOG = """example: robustocr realism my_photographs --suite phone --severities 1-5 --out runs/realism

The dataset has, of each receipt (pair_id), a clean picture and others under their own conditions.
The same command on the same --out goes on where it stopped.
exit codes: 0 done; 2 wrong use or bad input; 3 too few receipts or conditions to say anything"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_dataset(parser)
    parser.add_argument("--out", metavar="DIR", required=True, type=Path, help="folder of both runs")
    parser.add_argument("--adapter", metavar="NAME", default="rapidocr", help="a reader (default: rapidocr)")
    add_grid(parser, clean_only=False)
    add_selection(parser)
    parser.add_argument(
        "--alpha",
        metavar="A",
        type=float,
        default=0.05,
        help="intervals hold with confidence 1 - A (default: 0.05)",
    )
    add_effort(parser)
    add_cache(parser)


def execute(args: argparse.Namespace) -> int:
    """Measure and print what was found."""
    from robustocr.cli.progress import show_progress
    from robustocr.realism import measure_realism

    with show_progress() as progress:
        result = measure_realism(
            args.dataset,
            out=args.out,
            adapter=args.adapter,
            suite=args.suite,
            corruptions=args.corruption,
            severities=args.severities,
            fields=args.fields,
            limit=args.limit,
            seed=args.seed,
            alpha=args.alpha,
            workers=args.workers,
            timeout=args.timeout,
            cache=args.cache,
            strict=args.strict,
            format=args.format,
            progress=progress,
        )
    print(result.page)
    print(f"Numbers: {result.folder / 'realism.json'}")
    return result.exit_code
