"""What the companion reads from a request: its cookies, whose it is, and how much it may send."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import anyio
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from companion.web.photo_cache import Full, Spooled
from companion.web.reading_queue import Sender
from companion.web.shared_state import SharedState

DEVICE_COOKIE = "companion-device"
LANGUAGE_COOKIE = "companion-language"
KEEP_GAMES_COOKIE = "companion-keep-games"
KEEP_PHOTOS_COOKIE = "companion-keep-photos"
KEEP_SQUARES_COOKIE = "companion-keep-squares"

_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")


def known_device(text: object) -> str | None:
    """The id of a device as its cookie has it; None for anything else that was sent."""
    return text if isinstance(text, str) and _ID.fullmatch(text) else None


_MAX_RECEIVE_S = 180
_WRITTEN_BYTES = 1_000_000


async def received(
    request: Request,
    shared: SharedState,
    most_bytes: int,
    deal_with: Callable[[Spooled], Awaitable[Response]],
) -> Response:
    """What becomes of the body of a request that an open page of the companion has made.

    ``deal_with`` gets it with the sender; it is cancelled where that one leaves. 403 for anybody
    else, 413 for more than ``most_bytes``, 503 while too much is on its way, 408 where it takes
    too long.
    """
    device = known_device(request.cookies.get(DEVICE_COOKIE))
    if device is None or not shared.is_here(device):
        return PlainTextResponse("", 403)
    if int(request.headers.get("content-length", "0")) > most_bytes:
        return PlainTextResponse("", 413)
    sender = Sender(device, request.client.host if request.client else "")
    try:
        async with shared.inbox.receiving(device):
            with anyio.fail_after(_MAX_RECEIVE_S):
                body = await _spooled(request, shared, sender, most_bytes)
            if body is None:
                return PlainTextResponse("", 413)
            return await _while_connected(request, deal_with(body))
    except Full:
        return _full()
    except TimeoutError:
        return PlainTextResponse("", 408)


async def _spooled(
    request: Request, shared: SharedState, sender: Sender, most_bytes: int
) -> Spooled | None:
    """The body of a request; None where it is too long."""
    body, data, size = shared.photos.spool.open(sender), bytearray(), 0
    body.reserve(int(request.headers.get("content-length", "0")))
    async for chunk in request.stream():
        size += len(chunk)
        if size > most_bytes:
            return None
        data += chunk
        if len(data) >= _WRITTEN_BYTES:
            await to_thread.run_sync(body.write, data, limiter=shared.spool_threads)
            data = bytearray()
    await to_thread.run_sync(body.write, data, limiter=shared.spool_threads)
    return body


def _full() -> Response:
    return PlainTextResponse("", 503, {"Retry-After": "2"})


async def _while_connected(request: Request, answering: Awaitable[Response]) -> Response:
    """The answer, given up where nobody waits for it any more."""
    answer: Response = PlainTextResponse("", 499)
    async with anyio.create_task_group() as tasks:

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            tasks.cancel_scope.cancel()

        tasks.start_soon(watch)
        try:
            answer = await answering
        except Full:  # What leaves the group would come as a group of errors.
            answer = _full()
        tasks.cancel_scope.cancel()
    return answer
