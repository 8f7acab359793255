"""How many wrong values of a field are on the review list, and how many right ones: from run folders.

    robustocr run DATASET --suite phone --severities 2,4 --out runs/a
    python benchmarks/review.py runs/a [runs/b ...] [--field total]

Counts cases under corruptions (clean stands apart), pooled over the folders in the last line. Descriptive:
cases of one receipt are dependent, so these are no bounds.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd


def count(outcomes: pd.DataFrame) -> str:
    flagged = outcomes["flagged_by_reader"] | outcomes["flagged_by_rules"]
    wrong, right = outcomes["outcome"] == "wrong", outcomes["outcome"] == "correct"
    return (
        f"cases {len(outcomes)}, right {right.sum()} ({right.mean():.3f}); "
        f"wrong {wrong.sum()}, of them on the review list {(wrong & flagged).sum()}; "
        f"right ones on the review list {(right & flagged).sum()}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--field", default="total")
    args = parser.parse_args()
    tables = []
    for folder in args.folders:
        outcomes = pd.read_parquet(folder / "outcomes.parquet")
        of_field = outcomes[outcomes["field"] == args.field]
        corrupted = of_field[of_field["severity"] > 0]
        tables.append(corrupted)
        print(f"{folder}: {count(corrupted)}")
        for (corruption, severity), rows in corrupted.groupby(["corruption", "severity"]):
            print(f"  {corruption} {severity}: {count(rows)}")
        print(f"  clean: {count(of_field[of_field['severity'] == 0])}")
    print(f"all: {count(pd.concat(tables))}")


if __name__ == "__main__":
    main()
