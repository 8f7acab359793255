"""Score predictions made elsewhere like a run."""

from __future__ import annotations

import argparse
from pathlib import Path

from robustocr.cli.options import EXIT_CODES, add_dataset, names
from robustocr.cli.run import add_cache, add_statistics

EPILOG = f"""example: robustocr score my_receipts answers.jsonl --out runs/answers

The conditions are those the predictions speak of. {EXIT_CODES}"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_dataset(parser)
    parser.add_argument("predictions", metavar="PREDICTIONS", type=Path, help="JSON Lines or CSV")
    parser.add_argument("--out", metavar="DIR", required=True, type=Path, help="the run folder")
    parser.add_argument(
        "--fields", metavar="LIST", type=names, help="for example total,date (default: all labelled)"
    )
    add_statistics(parser)
    add_cache(parser)


def execute(args: argparse.Namespace) -> int:
    """Score and print the table."""
    from robustocr.benchmark import score_predictions
    from robustocr.cli.progress import show_progress
    from robustocr.cli.result import print_result

    with show_progress() as progress:
        result = score_predictions(
            args.dataset,
            args.predictions,
            out=args.out,
            fields=args.fields,
            alpha=args.alpha,
            require=args.require,
            cache=args.cache,
            strict=args.strict,
            format=args.format,
            progress=progress,
        )
    print_result(result)
    return result.exit_code
