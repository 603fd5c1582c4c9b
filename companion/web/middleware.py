"""What stands around every answer of the server: its policy, and compression."""

from __future__ import annotations

import gzip
import re
from collections.abc import Set
from functools import lru_cache
from pathlib import Path

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.web.network import HOST_NAMES, is_own_name

# Streamlit starts components from blobs and styles elements one by one; nothing foreign loads.
_POLICY = (
    "default-src 'self'; script-src 'self' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' {sockets}data: blob:; "
    "worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_HOST = re.compile(r"[A-Za-z0-9.-]+(?::\d{1,5})?|\[[0-9A-Fa-f:.]+\](?::\d{1,5})?")

# Photos come by an address of the companion's own; nobody is asked for files in Streamlit's way,
# and how busy the server is concerns nobody outside.
_UNUSED = re.compile(r".*/_stcore/+(?:upload_file|agent|metrics)(?:/.*)?", re.S)
_READING = ("GET", "HEAD")


def security_headers(host: str) -> dict[str, str]:
    """The headers of every answer to a browser that asked at this host."""
    # Not every browser counts the websockets of a page among 'self'.
    sockets = f"ws://{host} wss://{host} " if _HOST.fullmatch(host) else ""
    return {
        "Content-Security-Policy": _POLICY.format(sockets=sockets),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }


def is_foreign(scope: Scope) -> bool:
    """Whether a page of another site asks, by what browsers say of it.

    Streamlit would compare the origin of a websocket with its own addresses, and ask a server
    outside for one of them.
    """
    headers = Headers(scope=scope)
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin == "null":  # Also of a page that says nothing of where it comes from.
        return scope["type"] == "websocket" or site != "same-origin"
    if origin is not None:
        return origin.partition("://")[2].lower() != headers.get("host", "").lower()
    reads = scope["type"] == "http" and scope["method"] in _READING
    return not reads and site not in (None, "same-origin", "none")


_STRANGE = f"This computer does not know the name that it was asked under: see {HOST_NAMES}.\n"


class Guard:
    """Refuses who comes from another site, and what Streamlit offers and no page uses.

    Puts the policy on every answer. Only who asks under one of the ``names`` is answered, see
    ``own_names``.
    """

    def __init__(self, app: ASGIApp, names: Set[str] | None = None) -> None:
        self.app = app
        self.names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let the app do it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        host = Headers(scope=scope).get("host", "")
        is_strange = not is_own_name(host, self.names)
        if scope["type"] == "websocket":
            if is_strange or is_foreign(scope):
                await receive()
                await send({"type": "websocket.close", "code": 1008})
            else:
                await self.app(scope, receive, send)
            return

        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in security_headers(host).items():
                    headers.setdefault(name, value)
            await send(message)

        if is_strange:
            await PlainTextResponse(_STRANGE, 421)(scope, receive, send_with_policy)
            return
        if is_foreign(scope):
            await PlainTextResponse("", 403)(scope, receive, send_with_policy)
            return
        if _UNUSED.fullmatch(scope["path"]):
            await PlainTextResponse("", 404)(scope, receive, send_with_policy)
            return
        await self.app(scope, receive, send_with_policy)


_FOLDER = Path(streamlit.__file__).parent / "static"
_ASSET = re.compile(r"(?:/[^/]+)*(/static/(?:js|css)/[A-Za-z0-9_.-]+\.(js|css))")
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
        content = _compressed(found[1])
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
