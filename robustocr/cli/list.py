"""List what there is: corruptions, suites, adapters, formats, fields, effects."""

from __future__ import annotations

import argparse

EPILOG = "example: robustocr list corruptions"

KINDS = ("corruptions", "suites", "adapters", "formats", "fields", "effects")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("kind", metavar="KIND", choices=KINDS, help=", ".join(KINDS))


def execute(args: argparse.Namespace) -> int:
    """Print one line per thing."""
    from robustocr.catalogue import catalogue

    rows = catalogue(args.kind)
    width = max(len(name) for name, _ in rows)
    for name, about in rows:
        print(f"{name:<{width}}  {about}".rstrip())
    return 0
