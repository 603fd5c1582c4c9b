"""The files of the camera view, and what the head of the page says of it."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from pathlib import Path

from companion.languages import Language, say

__all__ = ["STATIC", "camera_files", "camera_head"]

STATIC = Path(__file__).parent / "static"
_WORDS = ("title", "aim", "manual", "still", "sharp", "shoot", "choose", "close", "refused")


@cache
def camera_files() -> dict[str, tuple[bytes, str]]:
    """The files by name, each with its media type."""
    types = {".mjs": "text/javascript", ".css": "text/css"}
    return {
        path.name: (path.read_bytes(), types[path.suffix])
        for path in sorted(STATIC.iterdir())
        if path.suffix in types
    }


def camera_head(language: Language) -> str:
    """What stands in the head of the page: words, style and script."""
    words = {word: say(f"camera.{word}", language) for word in _WORDS}
    content = escape(json.dumps(words, ensure_ascii=False))
    return (
        f'<meta name="camera-words" content="{content}" />'
        '<link rel="stylesheet" href="./house/camera.css" />'
        '<script type="module" src="./house/camera.mjs"></script>'
    )
