"""What is found in the picture of the rear camera while somebody is aiming."""

from __future__ import annotations

import threading

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from companion.web.game_pages import Outlines
from companion.web.games import pages_of
from companion.web.photo_cache import Spooled
from companion.web.request import received
from companion.web.shared_state import shared_state
from vision.photo import PhotoError

__all__ = ["MAX_FRAME_BYTES", "ROUTES", "aim"]

MAX_FRAME_BYTES = 300_000
_JPEG = b"\xff\xd8\xff"
# One look at a time: whoever comes meanwhile asks again with a newer picture.
_LOOKING = threading.Lock()


async def aim(request: Request) -> Response:
    """The outlines in a small picture: ``{"outlines": [[[x, y], …], …]}`` as shares of its sides.

    429 while another picture is looked at or photos are read, 404 for a game that finds none.
    """
    pages = pages_of(request.path_params["kind"])
    if pages is None or pages.outlines is None:
        return PlainTextResponse("", 404)
    outlines = pages.outlines

    shared = shared_state()

    async def look(body: Spooled) -> Response:
        data = body.read()
        # The camera's own pictures only.
        if not data.startswith(_JPEG):
            return PlainTextResponse("", 400)
        with shared.reading_queue.slot_now(body.sender) as free:
            if not free or not _LOOKING.acquire(blocking=False):
                return PlainTextResponse("", 429)
            try:
                found = await anyio.to_thread.run_sync(
                    _look, outlines, data, limiter=shared.upload_threads
                )
            except PhotoError:
                return PlainTextResponse("", 400)
            finally:
                _LOOKING.release()
        return JSONResponse({"outlines": found})

    return await received(request, shared, MAX_FRAME_BYTES, look)


def _look(outlines: Outlines, data: bytes) -> list[list[list[float]]]:
    return [[[round(x, 4), round(y, 4)] for x, y in each] for each in outlines(data)]


ROUTES = [Route("/aim/{kind}", aim, methods=["POST"])]
