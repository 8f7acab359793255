"""``robustocr COMMAND``: parse the words, run the command, turn errors into messages and exit codes.

Exit codes: 0 done, passed or closes; 1 a requirement failed or the receipt contradicts itself;
2 wrong use or bad input; 3 cannot tell or not enough documents; 70 a mistake in robustocr itself
(``ROBUSTOCR_DEBUG=1`` shows the traceback); 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version

from robustocr.errors import RobustocrError

DEBUG_VARIABLE = "ROBUSTOCR_DEBUG"
"""Environment variable; set to 1, an unexpected error prints its traceback."""

COMMANDS = (
    "run", "corrupt", "verify", "extract", "check", "score", "realism", "report", "list", "schema",
    "calibrate", "synth", "story", "app",
)  # fmt: skip

_GO_ON = ("run", "score", "realism")


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"robustocr {version('robustocr')}")
        parser.exit()


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="robustocr",
        description="How often is a receipt reader right when the picture is bad, "
        "and how often is it wrong without saying so?",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in COMMANDS:
        module = import_module(f"robustocr.cli.{name}")
        about = (module.__doc__ or "").strip().splitlines()[0]
        command = commands.add_parser(
            name,
            help=about,
            description=about,
            epilog=module.EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(command=name, execute=module.execute)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    args = build_parser().parse_args(arguments)
    try:
        code: int = args.execute(args)
    except RobustocrError as error:
        print(f"robustocr: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        kept = " Finished cases are kept; the same command goes on from here."
        print(f"robustocr: stopped.{kept if args.command in _GO_ON else ''}", file=sys.stderr)
        return 130
    except Exception as error:
        return _unexpected(error)
    return code


def _unexpected(error: Exception) -> int:
    """Say what happened in one line, with the traceback where it was asked for; return exit code 70."""
    if os.environ.get(DEBUG_VARIABLE) == "1":
        traceback.print_exception(error)
    text = " ".join(str(error).split()) or "no message"
    print(
        f"robustocr: unexpected {type(error).__name__}: {text}. This is a mistake in robustocr: "
        f"please report it, with the command and what it prints under {DEBUG_VARIABLE}=1",
        file=sys.stderr,
    )
    return 70


if __name__ == "__main__":
    sys.exit(main())
