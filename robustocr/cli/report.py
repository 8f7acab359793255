"""Build tables, summary and report.html of a run folder again from its journal."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = "example: robustocr report runs/first"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("folder", metavar="DIR", type=Path, help="a run folder")


def execute(args: argparse.Namespace) -> int:
    """Rebuild and print the table."""
    from robustocr.benchmark import rebuild
    from robustocr.cli.result import print_result

    result = rebuild(args.folder)
    print_result(result)
    return result.exit_code
