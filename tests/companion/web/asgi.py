"""Requests to the companion's own addresses, without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette

from companion.web.middleware import Guard
from companion.web.routes import ROUTES


@dataclass
class Answer:
    """What came back; header names are in small letters."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


def ask(
    path: str,
    method: str = "GET",
    *,
    query: str = "",
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    scheme: str = "http",
    leaves_after_s: float | None = None,
) -> Answer:
    """The answer to one request."""
    return asyncio.run(
        asked(
            path,
            method,
            query=query,
            body=body,
            headers=headers,
            scheme=scheme,
            leaves_after_s=leaves_after_s,
        )
    )


async def asked(
    path: str,
    method: str = "GET",
    *,
    query: str = "",
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    scheme: str = "http",
    leaves_after_s: float | None = None,
) -> Answer:
    """The answer to one request, within an event loop; who asks may leave before."""
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": scheme,
        "server": ("127.0.0.1", 80),
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(k.lower().encode(), v.encode()) for k, v in (headers or {}).items()],
    }
    answer, sent, left = Answer(), asyncio.Event(), asyncio.Event()

    async def receive() -> dict[str, Any]:
        if sent.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(left.wait(), leaves_after_s)
            return {"type": "http.disconnect"}
        sent.set()
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {k.decode(): v.decode() for k, v in message["headers"]}
        else:
            answer.body += message.get("body", b"")

    await Guard(Starlette(routes=ROUTES))(scope, receive, send)
    return answer
