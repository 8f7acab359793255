"""Options that several commands share, and how their words are read."""

from __future__ import annotations

import argparse

EXIT_CODES = """exit codes: 0 done or passed; 1 a requirement failed; 2 wrong use or bad input;
3 not enough documents to decide"""


def severities(text: str) -> tuple[int, ...]:
    """Return the severities of ``1,3,5`` or ``1-5``."""
    found: list[int] = []
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdigit() or (dash and not high.isdigit()):
            raise argparse.ArgumentTypeError(f"{text!r} is not a list such as 1,3,5 or a range such as 1-5")
        found += range(int(low), int(high if dash else low) + 1)
    if not found or min(found) < 1 or max(found) > 5:
        raise argparse.ArgumentTypeError(f"{text!r}: severities go from 1 (mild) to 5 (severe)")
    return tuple(dict.fromkeys(found))


def names(text: str) -> tuple[str, ...]:
    """Return the names of ``total,date``."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def add_dataset(parser: argparse.ArgumentParser) -> None:
    """Add DATASET, --format and --strict."""
    parser.add_argument(
        "dataset", metavar="DATASET", help="a folder of receipts, or 'sample' for the bundled one"
    )
    parser.add_argument(
        "--format", metavar="NAME", help="dataset format; recognised from the content by default"
    )
    parser.add_argument("--strict", action="store_true", help="make the first bad sample an error")


def add_grid(parser: argparse.ArgumentParser, *, clean_only: bool) -> None:
    """Add the choice of corruptions and severities."""
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--suite", metavar="NAME", help="a named set of corruptions (default: phone)")
    choice.add_argument(
        "--corruption",
        metavar="NAME",
        action="append",
        default=[],
        help="one corruption, by name or as your own YAML file; may be repeated",
    )
    if clean_only:
        choice.add_argument("--clean-only", action="store_true", help="read the pictures as they are")
    parser.add_argument(
        "--severities",
        metavar="LIST",
        type=severities,
        help="for example 1,3,5 or 1-5 (default: the suite's)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="fixes every random choice (default: 0)"
    )
