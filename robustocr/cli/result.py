"""What a finished run prints."""

from __future__ import annotations

import sys

from robustocr.finish import RunResult
from robustocr.report.table import print_table


def print_result(result: RunResult) -> None:
    """Print the table, requirements and report's path to stdout, and how much was read to stderr."""
    for name, adapter in result.summary["adapters"].items():
        usage = adapter["usage"]
        busy = usage["adapter_share"]
        share = "" if busy is None else f"; reading workers were inside the reader {busy:.1%} of the time"
        print(f"{name}: {usage['calls']} read, {usage['cached']} from the cache{share}", file=sys.stderr)
    print_table(
        result.summary,
        result.summary["gates"],
        report=result.report,
        first_failures=result.first_failures(),
    )
