"""The command `app`, which starts the web app: `companion app` and `kingdomino app`."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from companion.cli.parser import Commands, number_between
from companion.cli.terminal import Exit, WrongUse, show
from companion.languages import Language, say


def add_app(commands: Commands) -> None:
    """Add `app` to the subcommands."""
    parser = commands.add_parser(
        "app",
        run_app,
        help="start the web app",
        description="Start the web app, for this computer and for phones in the same network, "
        "print its address and a QR code of it, and open it in the browser.",
        examples=[
            f"{commands.program} app{options}"
            for options in ("", " --port 8080 --no-browser", " --https")
        ],
    )
    parser.add_argument(
        "--port",
        type=number_between(1, 65535),
        default=8501,
        help="port to serve at (default: 8501)",
    )
    parser.add_argument("--no-browser", action="store_true", help="open no browser")
    parser.add_argument(
        "--https",
        action="store_true",
        help="serve by HTTPS with a certificate of this computer's own, so that phones can show "
        "a live camera view",
    )


def run_app(args: argparse.Namespace) -> int:
    """Serve until interrupted. WrongUse for a port that can't be served at."""
    if not _is_free(args.port):
        raise WrongUse(say("app.port_taken", args.language, port=str(args.port)))
    from streamlit.web.cli import main as streamlit

    from companion.web.network import SHOWN_ADDRESS, network_address, terminal_code

    address = network_address(args.port, "https" if args.https else "http")
    os.environ[SHOWN_ADDRESS] = address
    show(say("app.address", args.language, address=address))
    print(terminal_code(address), flush=True)
    command = ["run", str(script()), "--server.port", str(args.port)]
    # What it says is said above, and to say more it would ask a server outside for an address.
    command += ["--logger.hideWelcomeMessage", "true"]
    if args.https:
        command += _https(address, args.language)
    if args.no_browser:
        command += ["--server.headless", "true"]
    streamlit(command, standalone_mode=False)
    return Exit.DONE


def _https(address: str, language: Language) -> list[str]:
    """Options for the server; says what the phone will ask, and how to recognise the answer."""
    from urllib.parse import urlsplit

    from companion.store.database import data_folder

    try:
        from companion.web.certificate import names_of_this_computer, own_certificate
    except ImportError as error:
        raise WrongUse(say("app.https_needs", language)) from error

    names = names_of_this_computer(urlsplit(address).hostname or "localhost")
    own = own_certificate(data_folder(), names)
    print(say("app.https_hint", language, fingerprint=own.fingerprint), flush=True)
    return ["--server.sslCertFile", str(own.certificate), "--server.sslKeyFile", str(own.key)]


def _is_free(port: int) -> bool:
    import socket

    with socket.socket() as listener:
        # A port that was served at a moment ago is free, though the system remembers it.
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("", port))
        except OSError:
            return False
    return True


def script() -> Path:
    """The script of the web app: beside the packages in a checkout, or inside `companion`."""
    package = Path(__file__).resolve().parents[1]
    in_checkout = package.parent / "streamlit_app.py"
    return in_checkout if in_checkout.is_file() else package / "streamlit_app.py"
