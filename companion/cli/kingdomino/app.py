"""`kingdomino app`: starts the web app."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.parser import Commands

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  kingdomino app
  kingdomino app --port 8080 --no-browser
"""


def add_parser(commands: Commands) -> None:
    """Add `app` to the subcommands."""
    parser = commands.add_parser(
        "app",
        help="start the web app",
        description="Start the web app, for this computer and for phones in the same network, "
        "and open it in the browser.",
        epilog=EXAMPLES,
    )
    parser.add_argument("--port", type=_port, default=8501, help="port to serve at (default: 8501)")
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


def _port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 65535, got {text}")
    return int(text)


def script() -> Path:
    """The entry of the web app: beside the packages in a checkout, else inside `companion`."""
    package = Path(__file__).resolve().parents[2]
    in_checkout = package.parent / "streamlit_app.py"
    return in_checkout if in_checkout.is_file() else package / "streamlit_app.py"
