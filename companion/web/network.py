"""The address of this server in the home network, as text and as a QR code."""

from __future__ import annotations

import os
import socket
from io import BytesIO, StringIO
from urllib.parse import urlsplit

import segno

from companion.web.shell.markup import Markup

__all__ = ["SHOWN_ADDRESS", "network_address", "qr_code", "shown_address", "terminal_code"]

SHOWN_ADDRESS = "COMPANION_SHOWN_ADDRESS"
"""The environment variable in which ``companion app`` hands the address to the pages."""

_ANYWHERE = ("192.0.2.1", 9)


def network_address(port: int, scheme: str = "http") -> str:
    """The address at which other devices in the network reach this machine.

    No packet is sent: the system is only asked which of its addresses it would send from.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(_ANYWHERE)
            host = str(asking.getsockname()[0])
        except OSError:
            host = "localhost"
    return f"{scheme}://{host}:{port}/"


def shown_address() -> str | None:
    """The address that ``companion app`` has printed; None where something else started it."""
    text = os.environ.get(SHOWN_ADDRESS, "")
    return text if urlsplit(text).scheme in ("http", "https") else None


def qr_code(text: str) -> Markup:
    """A QR code as SVG."""
    file = BytesIO()
    segno.make(text, micro=False).save(
        file, kind="svg", xmldecl=False, svgns=True, border=1, dark="#2b2116", omitsize=True
    )
    return Markup(file.getvalue().decode())


def terminal_code(text: str) -> str:
    """A QR code of block characters, for a terminal."""
    file = StringIO()
    segno.make(text, micro=False).terminal(file, compact=True)
    return file.getvalue()
