"""Show the case this tool exists for: 28.90 blurred, read as 23.90, and found by the sums."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = "example: robustocr story --out story"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--out", metavar="DIR", type=Path, help="also write the pictures into this folder")
    parser.add_argument(
        "--adapter", metavar="NAME", default="rapidocr", help="the reader (default: rapidocr)"
    )


def execute(args: argparse.Namespace) -> int:
    """Tell the story."""
    from robustocr.report.reading import print_story
    from robustocr.story import tell_story

    print_story(tell_story(adapter=args.adapter, out=args.out))
    return 0
