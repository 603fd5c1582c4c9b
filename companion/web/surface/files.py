"""The files of the pages themselves, and what the head of the page says of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion.web.board.bundle import STATIC as BOARD_STATIC

__all__ = ["STATIC", "surface_files", "surface_head"]

STATIC = Path(__file__).parent / "static"
_TYPES = {
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


@cache
def surface_files() -> dict[str, tuple[bytes, str]]:
    """The files by name, each with its media type."""
    paths = [*sorted(STATIC.iterdir()), BOARD_STATIC / "dom.mjs"]
    return {
        path.name: (path.read_bytes(), _TYPES[path.suffix])
        for path in paths
        if path.suffix in _TYPES
    }


def surface_head() -> str:
    """What stands in the head of the page: icons, colours, style and script."""
    return (
        '<link rel="icon" href="./house/icon.svg" type="image/svg+xml" />'
        '<link rel="apple-touch-icon" href="./house/icon-512.png" />'
        '<link rel="manifest" href="./companion.webmanifest" />'
        '<meta name="theme-color" content="#efe2cb" media="(prefers-color-scheme: light)" />'
        '<meta name="theme-color" content="#1b1510" media="(prefers-color-scheme: dark)" />'
        '<meta name="color-scheme" content="light dark" />'
        '<link rel="stylesheet" href="./house/house.css" />'
        '<script type="module" src="./house/house.mjs"></script>'
    )
