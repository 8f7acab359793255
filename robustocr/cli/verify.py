"""Check that a private test set is as it was made: no file changed, removed or added."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

EPILOG = """example: robustocr verify corrupted --sha256 3f2a...

The sha256 is the one that 'robustocr corrupt' printed; keep it elsewhere than the set.

exit codes: 0 as it was made; 1 something differs; 2 wrong use, or no test set"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("folder", metavar="DIR", type=Path, help="a folder that 'robustocr corrupt' wrote")
    parser.add_argument(
        "--sha256",
        metavar="HEX",
        help="what its manifest must have; finds out a set whose manifest was written anew",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object and nothing else on stdout"
    )


def execute(args: argparse.Namespace) -> int:
    """Print what differs."""
    from robustocr.verify import verify_set

    found = verify_set(args.folder, expected=args.sha256)
    if args.json:
        told = {"folder": str(found.folder), "intact": found.intact, "files": found.files}
        findings = [asdict(finding) for finding in found.findings]
        print(json.dumps({**told, "sha256": found.sha256, "findings": findings}, indent=1))
        return int(not found.intact)
    for finding in found.findings:
        print(finding)
    if found.intact:
        print(f"{found.folder}: {found.files} files are as they were made; sha256 {found.sha256}")
    else:
        count = len(found.findings)
        differing = "1 thing differs" if count == 1 else f"{count} things differ"
        print(f"robustocr: {found.folder}: {differing}", file=sys.stderr)
    return int(not found.intact)
