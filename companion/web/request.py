"""What the companion reads from a request: its cookies, whose it is, and how much it may send."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import anyio
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from companion.web.shared_state import Full, SharedState

__all__ = [
    "DEVICE_COOKIE",
    "KEEP_PHOTOS_COOKIE",
    "KEEP_SQUARES_COOKIE",
    "LANGUAGE_COOKIE",
    "known_device",
    "received",
]

DEVICE_COOKIE = "companion-device"
LANGUAGE_COOKIE = "companion-language"
KEEP_PHOTOS_COOKIE = "companion-keep-photos"
KEEP_SQUARES_COOKIE = "companion-keep-squares"

_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")


def known_device(text: object) -> str | None:
    """The id of a device as its cookie has it; None for anything else that was sent."""
    return text if isinstance(text, str) and _ID.fullmatch(text) else None


_MAX_RECEIVE_S = 180


async def received(
    request: Request,
    shared: SharedState,
    most_bytes: int,
    deal_with: Callable[[bytes, str], Awaitable[Response]],
) -> Response:
    """What becomes of the body of a request that an open page of the companion has made.

    ``deal_with`` gets it with the device it comes from. 403 for anybody else, 413 for more than
    ``most_bytes``, 503 while too much is on its way, 408 where it takes too long.
    """
    site = request.headers.get("sec-fetch-site", "same-origin")
    device = known_device(request.cookies.get(DEVICE_COOKIE))
    if site not in ("same-origin", "none") or device is None or not shared.is_here(device):
        return PlainTextResponse("", 403)
    try:
        with shared.inbox.receiving(device) as take:
            data = bytearray()
            with anyio.fail_after(_MAX_RECEIVE_S):
                async for chunk in request.stream():
                    if len(data) + len(chunk) > most_bytes:
                        return PlainTextResponse("", 413)
                    take(len(chunk))
                    data += chunk
            return await deal_with(bytes(data), device)
    except Full:
        return PlainTextResponse("", 503, {"Retry-After": "2"})
    except TimeoutError:
        return PlainTextResponse("", 408)
