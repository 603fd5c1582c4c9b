"""Streamlit's scripts and styles, sent compressed: each is compressed once and kept."""

from __future__ import annotations

import gzip
import re
from functools import lru_cache
from pathlib import Path

import streamlit
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["CompressedAssets"]

_FOLDER = Path(streamlit.__file__).parent / "static"
_ASSET = re.compile(r"/static/(?:js|css)/([A-Za-z0-9_.-]+\.(js|css))")
_TYPES = {"js": "text/javascript", "css": "text/css"}
_KEPT = 200


class CompressedAssets:
    """Answers for hashed assets whose names never come back with another content."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let Streamlit do it."""
        found = _ASSET.fullmatch(scope["path"]) if scope["type"] == "http" else None
        accepted = Headers(scope=scope).get("accept-encoding", "") if found else ""
        if found is None or scope["method"] != "GET" or "gzip" not in accepted:
            await self.app(scope, receive, send)
            return
        content = _compressed(scope["path"])
        if content is None:
            await self.app(scope, receive, send)
            return
        headers = {
            "Content-Encoding": "gzip",
            "Vary": "Accept-Encoding",
            "Cache-Control": "public, immutable, max-age=31536000",
            "X-Content-Type-Options": "nosniff",
        }
        await Response(content, media_type=_TYPES[found[2]], headers=headers)(scope, receive, send)


@lru_cache(_KEPT)
def _compressed(path: str) -> bytes | None:
    file = _FOLDER / path.lstrip("/")
    return gzip.compress(file.read_bytes(), 6, mtime=0) if file.is_file() else None
