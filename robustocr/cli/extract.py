"""Read one picture: the receipt, how sure the reader is, what the rules say, and what to check by hand."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from pathlib import Path

EPILOG = "example: robustocr extract receipt.jpg --json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("image", metavar="IMAGE", type=Path)
    parser.add_argument(
        "--adapter", metavar="NAME", default="rapidocr", help="the reader (default: rapidocr)"
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object and nothing else on stdout"
    )


def execute(args: argparse.Namespace) -> int:
    """Print what was read."""
    from robustocr.interactive import read_image, reading_as_json
    from robustocr.report.reading import print_reading

    with contextlib.redirect_stdout(sys.stderr):  # a reader may print, and stdout is for the answer
        reading = read_image(args.image, adapter=args.adapter)
    if args.json:
        print(json.dumps(reading_as_json(reading), ensure_ascii=False, indent=1))
    else:
        print_reading(reading)
    return 0
