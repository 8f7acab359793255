"""Check whether a receipt's numbers can all be true; name the suspect and what it probably says."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

EPILOG = """example: robustocr check receipt.json   (or - for standard input)

exit codes: 0 closes; 1 contradicts itself; 2 wrong use or bad input; 3 cannot tell"""

_EXIT_CODES = {"closes": 0, "contradicts": 1, "cannot_tell": 3}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "receipt", metavar="RECEIPT.json", help="a receipt or an extraction as JSON; - reads stdin"
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object and nothing else on stdout"
    )


def execute(args: argparse.Namespace) -> int:
    """Print the verdict."""
    from robustocr.adapters.answers import extraction_of
    from robustocr.errors import AdapterError, InputError
    from robustocr.loaders.base import explain
    from robustocr.report.reading import print_verdict
    from robustocr.rules.check import check

    name = "standard input" if args.receipt == "-" else args.receipt
    try:
        text = sys.stdin.read() if args.receipt == "-" else Path(args.receipt).read_text(encoding="utf-8-sig")
        receipt = extraction_of(json.loads(text), what="it holds").receipt
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror}") from error
    except (ValueError, RecursionError, AdapterError) as error:
        raise InputError(f"{name}: {explain(error)}") from error
    verdict = check(receipt)
    if args.json:
        print(json.dumps(verdict.model_dump(mode="json"), ensure_ascii=False, indent=1))
    else:
        print_verdict(verdict)
    return _EXIT_CODES[verdict.status.value]
