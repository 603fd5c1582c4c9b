"""The address of this server in the home network, as text and as a QR code."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Set
from io import BytesIO, StringIO
from urllib.parse import urlsplit

import segno

from companion.web.shell.markup import Markup

SHOWN_ADDRESS = "COMPANION_SHOWN_ADDRESS"
"""The environment variable in which ``companion app`` hands the address to the pages."""

HOST_NAMES = "COMPANION_HOST_NAMES"
"""The environment variable with further names of this computer, or * where a proxy knows them."""

_ANYWHERE = ("192.0.2.1", 9)
_AT_HOME = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain", ".fritz.box")


def own_names() -> Set[str] | None:
    """The names under which this computer may be asked, beside its addresses; None for any.

    Its own name with the endings that networks at home give, and those of ``HOST_NAMES``.
    """
    given = os.environ.get(HOST_NAMES, "").lower().replace(",", " ").split()
    if "*" in given:
        return None
    own = socket.gethostname().lower().partition(".")[0]
    return {"localhost", *given, *(own + ending for ending in _AT_HOME if own)}


def is_own_name(host: str, names: Set[str] | None) -> bool:
    """Whether a Host header (RFC 9110, section 7.2) has an address or one of the names.

    A page of another site can have its own name lead to an address in the home network, and would
    be taken for a page of this server then (DNS rebinding); a browser still says that name.
    """
    if names is None:
        return True
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.rstrip(".") in names
    return True


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
