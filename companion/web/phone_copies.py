"""The copies of games that a phone keeps: compared with what is here, and handed out to be kept."""

from __future__ import annotations

from typing import Annotated

import anyio.to_thread
from pydantic import Field, TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from companion.languages import Language
from companion.store import Json
from companion.store.exchange import MAX_COPIES, compare_copies, export_games
from companion.store.history import summary_of
from companion.store.incoming import GameId
from companion.web.games import pages_of
from companion.web.parts import day, headline
from companion.web.photo_cache import Spooled
from companion.web.request import DEVICE_COOKIE, known_device, received
from companion.web.shared_state import SharedState, shared_state

__all__ = ["ROUTES", "compare", "copy"]

_MAX_BYTES = 100_000
_HELD = TypeAdapter(
    Annotated[
        dict[GameId, Annotated[int, Field(ge=0, le=1_000_000, strict=True)]],
        Field(max_length=2 * MAX_COPIES),
    ]
)


async def compare(request: Request) -> Response:
    """What a phone should fetch, drop and give back: ``{"newer": […], "gone": […], …}``.

    The body has the number of the last change of each copy that it holds, by the id of the game.
    """
    shared = shared_state()

    async def answer(body: Spooled) -> Response:
        try:
            held = _HELD.validate_json(body.read())
        except ValidationError:
            return PlainTextResponse("", 400)
        found = await anyio.to_thread.run_sync(
            compare_copies, shared.store, body.sender.device, held
        )
        lists = {"newer": found.newer, "gone": found.gone, "lacking": found.lacking}
        return JSONResponse(lists, headers={"Cache-Control": "no-store"})

    return await received(request, shared, _MAX_BYTES, answer)


async def copy(request: Request) -> Response:
    """A game of this device to be kept: as it is exported, and what is shown of it."""
    shared = shared_state()
    device = known_device(request.cookies.get(DEVICE_COOKIE)) or ""
    language, game = request.path_params["language"], request.path_params["game"]
    if language not in list(Language) or not device:
        return PlainTextResponse("", 404)
    found = await anyio.to_thread.run_sync(
        _copy, shared, game, device, Language(language), limiter=shared.slow_threads
    )
    if found is None:
        return PlainTextResponse("", 404)
    return JSONResponse(found, headers={"Cache-Control": "private, no-store"})


def _copy(shared: SharedState, game: str, device: str, language: Language) -> Json:
    if not shared.may_see(game, device):
        return None
    summary = summary_of(shared.store, game)
    pages = pages_of(summary.kind)
    if pages is None:
        return None
    exported = export_games(shared.store, device=device, game_ids=[game])
    return {
        "id": game,
        "sequence": len(exported["games"][0]["changes"]),
        "changed": summary.changed_at.isoformat(),
        "said": headline(summary, language),
        "when": "  ·  ".join(
            filter(None, [day(summary.played_at, language), pages.title(language), summary.title])
        ),
        "players": [[each.name, each.points] for each in summary.players],
        "card": f"card/{game}/{language.value}" if summary.complete and pages.card else None,
        "saved": exported,
    }


ROUTES = [
    Route("/copies", compare, methods=["POST"]),
    Route("/copies/{game}/{language}", copy),
]
