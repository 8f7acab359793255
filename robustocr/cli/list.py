"""List what there is: corruptions, suites, adapters, formats, fields, effects."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

EPILOG = """examples:
  robustocr list corruptions
  robustocr list corruptions --pictures gallery                   then open gallery/index.html
  robustocr list corruptions --pictures gallery --on receipt.jpg"""

KINDS = ("corruptions", "suites", "adapters", "formats", "fields", "effects")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("kind", metavar="KIND", choices=KINDS, help=", ".join(KINDS))
    parser.add_argument(
        "--pictures",
        metavar="DIR",
        type=Path,
        help="of corruptions: also write a contact sheet of each, and a page to open",
    )
    parser.add_argument(
        "--on", metavar="IMAGE", type=Path, help="draw them on this picture, not on a bundled receipt"
    )


def execute(args: argparse.Namespace) -> int:
    """Print one line per thing, and draw pictures where they are asked for."""
    from robustocr.catalogue import catalogue, corruptions_by_family
    from robustocr.errors import InputError

    if args.pictures is not None and args.kind != "corruptions":
        raise InputError(f"--pictures shows corruptions, and there are none of {args.kind}")
    if args.on is not None and args.pictures is None:
        raise InputError(f"--on {args.on} says what to draw on; say with --pictures DIR where to draw")
    if args.kind == "corruptions":
        for family, rows in corruptions_by_family():
            print(f"{family}:")
            _print_rows([(f"  {name}", about) for name, about in rows])
    else:
        _print_rows(catalogue(args.kind))
    if args.pictures is not None:
        print(_draw(args.pictures, args.on), file=sys.stderr)
    return 0


def _print_rows(rows: list[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in rows)
    for name, about in rows:
        print(f"{name:<{width}}  {about}".rstrip())


def _draw(out: Path, image: Path | None) -> str:
    """Write the contact sheets and their page, and return a line that says where."""
    from robustocr.cli.progress import show_progress
    from robustocr.corruptions import list_corruptions, load_corruption
    from robustocr.gallery import draw_sheets, shown_sample
    from robustocr.gallery_page import write_page
    from robustocr.records import Sample

    sample = shown_sample() if image is None else Sample(id=image.stem, image=image)
    corruptions = [load_corruption(name) for name in list_corruptions()]
    with show_progress() as progress:
        sheets, missing = draw_sheets(out, corruptions, sample=sample, progress=progress)
    page = write_page(out, corruptions, sheets, missing)
    return f"{len(sheets)} contact sheets, {page}"
