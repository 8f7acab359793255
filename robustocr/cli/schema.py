"""Print the JSON schema of recipes or suites, so that an editor completes and checks your own."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

EPILOG = """example: robustocr schema recipe --out schema.json

Then write as the first line of a recipe beside it:
  # yaml-language-server: $schema=schema.json"""

KINDS = ("recipe", "suite")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("kind", metavar="KIND", choices=KINDS, help=", ".join(KINDS))
    parser.add_argument("--out", metavar="FILE", type=Path, help="write it here, not to standard output")


def execute(args: argparse.Namespace) -> int:
    """Print or write the schema."""
    from robustocr.errors import StoreError
    from robustocr.recipe_schema import schema_text

    text = schema_text(args.kind)
    if args.out is None:
        sys.stdout.write(text)
        return 0
    try:
        args.out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{args.out}: cannot be written: {error.strerror}; choose another file") from error
    print(f"{args.out}")
    return 0
