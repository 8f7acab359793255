"""Open the exploration app in a browser."""

from __future__ import annotations

import argparse

EPILOG = "example: robustocr app --port 8501"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--port", metavar="N", type=int, default=8501, help="on this machine only (default: 8501)"
    )


def execute(args: argparse.Namespace) -> int:
    """Start Streamlit on the bundled page."""
    import subprocess
    import sys
    from importlib.util import find_spec

    from robustocr.assets import asset
    from robustocr.errors import MissingExtraError

    if find_spec("streamlit") is None:
        raise MissingExtraError("the app needs Streamlit: pip install 'robustocr[app]'")
    options = ["--server.address", "localhost", "--server.port", str(args.port)]
    quiet = ["--browser.gatherUsageStats", "false"]
    page = str(asset("app/explore.py"))
    return subprocess.call([sys.executable, "-m", "streamlit", "run", page, *options, *quiet])
