"""The files of the bar that is shown without a connection, and what the head says of it."""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

from companion.languages import Language, say

__all__ = ["STATIC", "connection_files", "connection_head"]

STATIC = Path(__file__).parent / "static"
_TYPES = {".mjs": "text/javascript", ".css": "text/css"}


@cache
def connection_files() -> dict[str, tuple[bytes, str]]:
    """The files by name, each with its media type."""
    return {
        path.name: (path.read_bytes(), _TYPES[path.suffix])
        for path in sorted(STATIC.iterdir())
        if path.suffix in _TYPES
    }


def connection_head(language: Language) -> str:
    """What stands in the head of the page: words, style and script."""
    words = escape(say("page.no_connection", language))
    return (
        f'<meta name="no-connection" content="{words}" />'
        '<link rel="stylesheet" href="./house/connection.css" />'
        '<script type="module" src="./house/connection.mjs"></script>'
    )
