"""What is found in the picture of the rear camera while somebody is aiming."""

from __future__ import annotations

import threading

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from companion.store import Game, Json
from companion.web.game_pages import Glance
from companion.web.games import pages_of
from companion.web.photo_cache import Spooled
from companion.web.request import known_device, received
from companion.web.shared_state import shared_state
from vision.photo import PhotoError

__all__ = ["MAX_FRAME_BYTES", "ROUTES", "aim"]

MAX_FRAME_BYTES = 300_000
_JPEG = b"\xff\xd8\xff"
# One look at a time: whoever comes meanwhile asks again with a newer picture.
_LOOKING = threading.Lock()


async def aim(request: Request) -> Response:
    """What a small picture shows, ``{"found": [{"outline", "open", "points"}, …]}``.

    See ``GamePages.glance``; ``game=`` names the game by whose rules points are counted, where this
    device may see it. 429 while another picture is looked at or photos are read, 404 for a game
    that finds none.
    """
    pages = pages_of(request.path_params["kind"])
    if pages is None or pages.glance is None:
        return PlainTextResponse("", 404)
    glance, shared = pages.glance, shared_state()
    named = request.query_params.get("game", "")

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
                    _look, glance, data, named, body.sender.device, limiter=shared.upload_threads
                )
            except PhotoError:
                return PlainTextResponse("", 400)
            finally:
                _LOOKING.release()
        return JSONResponse({"found": found})

    return await received(request, shared, MAX_FRAME_BYTES, look)


def _look(glance: Glance, data: bytes, named: str, device: str) -> Json:
    shared = shared_state()
    game: Game | None = None
    if known_device(named) and shared.may_see(named, device):
        game = shared.store.game(named)
    return glance(data, game)


ROUTES = [Route("/aim/{kind}", aim, methods=["POST"])]
