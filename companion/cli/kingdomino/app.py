"""`kingdomino app`: starts the web app."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  kingdomino app
  kingdomino app --port 8080 --no-browser
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `app` to the subcommands."""
    parser = subparsers.add_parser(
        "app",
        help="start the web app",
        description="Start the web app, for this computer and for phones in the same network, "
        "and open it in the browser.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=8501, help="port to serve at (default: 8501)")
    parser.add_argument("--no-browser", action="store_true", help="open no browser")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from streamlit.web.cli import main as streamlit

    command = ["run", str(script()), "--server.port", str(args.port)]
    if args.no_browser:
        command += ["--server.headless", "true"]
    streamlit(command, standalone_mode=False)
    return 0


def script() -> Path:
    """The entry of the web app: beside the packages in a checkout, else inside `companion`."""
    package = Path(__file__).resolve().parents[2]
    in_checkout = package.parent / "streamlit_app.py"
    return in_checkout if in_checkout.is_file() else package / "streamlit_app.py"
