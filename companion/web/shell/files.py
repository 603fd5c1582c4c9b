"""The files of the pages themselves, and what the head of the page says of them."""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

from companion.languages import Language, say
from companion.web.board.bundle import STATIC as BOARD_STATIC

__all__ = ["STATIC", "connection_files", "connection_head", "page_files", "page_head"]

STATIC = Path(__file__).parent / "static"
_CONNECTION_TYPES = {".mjs": "text/javascript", ".css": "text/css"}


@cache
def connection_files() -> dict[str, tuple[bytes, str]]:
    """The files by name, each with its media type."""
    return {
        path.name: (path.read_bytes(), _CONNECTION_TYPES[path.suffix])
        for path in sorted(STATIC.iterdir())
        if path.suffix in _CONNECTION_TYPES
    }


def connection_head(language: Language) -> str:
    """What stands in the head of the page: words, style and script."""
    words = escape(say("page.no_connection", language))
    return (
        f'<meta name="no-connection" content="{words}" />'
        '<link rel="stylesheet" href="./assets/connection.css" />'
        '<script type="module" src="./assets/connection.mjs"></script>'
    )


_TYPES = {
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


@cache
def page_files() -> dict[str, tuple[bytes, str]]:
    """The files by name, each with its media type."""
    paths = [*sorted(STATIC.iterdir()), BOARD_STATIC / "dom.mjs"]
    return {
        path.name: (path.read_bytes(), _TYPES[path.suffix])
        for path in paths
        if path.suffix in _TYPES
    }


def page_head() -> str:
    """What stands in the head of the page: icons, colours, style and script."""
    return (
        '<link rel="icon" href="./assets/icon.svg" type="image/svg+xml" />'
        '<link rel="apple-touch-icon" href="./assets/icon-512.png" />'
        '<link rel="manifest" href="./companion.webmanifest" />'
        '<meta name="theme-color" content="#efe2cb" media="(prefers-color-scheme: light)" />'
        '<meta name="theme-color" content="#1b1510" media="(prefers-color-scheme: dark)" />'
        '<meta name="color-scheme" content="light dark" />'
        '<link rel="stylesheet" href="./assets/page.css" />'
        '<script type="module" src="./assets/page.mjs"></script>'
    )
