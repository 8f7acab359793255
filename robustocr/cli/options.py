"""Options that several commands share, and how their words are read."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

EXIT_CODES = """exit codes: 0 done or passed; 1 a requirement failed; 2 wrong use or bad input;
3 not enough documents to decide"""


def severities(text: str) -> tuple[int, ...]:
    """Return the severities of ``1,3,5`` or ``1-5``."""
    found: list[int] = []
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()):
            raise argparse.ArgumentTypeError(f"{text!r} is not a list such as 1,3,5 or a range such as 1-5")
        first, last = int(low), int(high if dash else low)
        if not 1 <= first <= last <= 5:
            raise argparse.ArgumentTypeError(f"{text!r}: severities go from 1 (mild) to 5 (severe)")
        found += range(first, last + 1)
    return tuple(dict.fromkeys(found))


def names(text: str) -> tuple[str, ...]:
    """Return the names of ``total,date``; at least one."""
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} names nothing; write for example total,date")
    return found


class _NoSeverities(argparse.Action):
    """``--clean-only``, which leaves no severity to choose."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        if getattr(namespace, "severities", None) is not None:
            raise argparse.ArgumentError(self, "not allowed with argument --severities")
        setattr(namespace, self.dest, True)


class _Severities(argparse.Action):
    """``--severities``, refused beside ``--clean-only``."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        if getattr(namespace, "clean_only", False):
            raise argparse.ArgumentError(self, "not allowed with argument --clean-only")
        setattr(namespace, self.dest, values)


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
        choice.add_argument(
            "--clean-only", action=_NoSeverities, nargs=0, default=False, help="read the pictures as they are"
        )
    parser.add_argument(
        "--severities",
        metavar="LIST",
        action=_Severities,
        type=severities,
        help="for example 1,3,5 or 1-5 (default: the suite's)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="fixes every random choice (default: 0)"
    )


def add_target(parser: argparse.ArgumentParser, otherwise: str) -> None:
    """Add --target; ``otherwise`` says what becomes of pictures in which the field has no known place."""
    parser.add_argument(
        "--target",
        metavar="FIELD",
        help="confine the corruptions to this field, for example total or items[0].amount, to one of its "
        f"digits (total:digit) or to its row (total:row); {otherwise}",
    )
