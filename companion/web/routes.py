"""The addresses of the companion beside those of Streamlit: page, photos, what the camera sees,
copies of games, icon, language.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import AsyncIterator, Iterator
from functools import partial
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import anyio.to_thread
import streamlit
from anyio import CapacityLimiter
from pydantic import Field, TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import (
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from companion.languages import Language, language_of_locale, say
from companion.reading.decoding import Costly
from companion.store import DATABASE_ERRORS, Game, Json, StoreError, new_id
from companion.store.exchange import (
    MAX_COPIES,
    Imported,
    compare_copies,
    export_games,
    export_text,
    import_games,
)
from companion.store.history import results_csv, summary_of
from companion.store.incoming import GameId, parsed
from companion.store.photos import game_of_photo, load_photo
from companion.web.game_pages import Glance
from companion.web.games import pages_of
from companion.web.parts import day, headline, is_winner_open, refused_id
from companion.web.photo_cache import CachedPhoto, Spooled
from companion.web.request import DEVICE_COOKIE, LANGUAGE_COOKIE, known_device, received
from companion.web.shared_state import SharedState, shared_state
from companion.web.shell import assets
from companion.web.shell.template import (
    needed_without_connection,
    page_of,
    page_without_connection,
)
from vision.photo import PhotoError

_MAX_IMPORT_BYTES = 30_000_000
_MAX_IMPORT_VALUES = 2_000_000
_YEAR_S = 365 * 24 * 3600
_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")


async def page(request: Request) -> Response:
    """The page, and an id for a device that has none."""
    language = language_of_request(request)
    answer = Response(page_of(language), media_type="text/html")
    answer.headers["Cache-Control"] = "no-cache"
    device = known_device(request.cookies.get(DEVICE_COOKIE)) or new_id()
    _set_cookie(answer, request, DEVICE_COOKIE, device, httponly=True)
    return answer


async def without_connection(request: Request) -> Response:
    """The page that phones keep for when the server does not answer."""
    page = page_without_connection(language_of_request(request))
    return Response(page, media_type="text/html", headers={"Cache-Control": "no-cache"})


async def service_worker(_: Request) -> Response:
    """The script that shows it then; it stands beside the page, so that it may answer for it."""
    files = json.dumps(["./without-connection", *needed_without_connection()])
    script = assets.FILES["shell/static/worker.mjs"].decode()
    text = f"const VERSION = {json.dumps(assets.VERSION)};\nconst FILES = {files};\n{script}"
    return Response(text, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


async def set_language(request: Request) -> Response:
    """Keep the language that was chosen, and go back to the page."""
    query = urlsplit(str(request.query_params.get("back", ""))).query
    answer = RedirectResponse(f"../?{query}" if query else "../", status_code=303)
    chosen = request.path_params["language"]
    if chosen in list(Language):
        _set_cookie(answer, request, LANGUAGE_COOKIE, chosen)
    return answer


async def receive_photo(request: Request) -> Response:
    """A photo of a visitor who has a page open, for a short time in memory; gives its id."""
    shared = shared_state()

    async def put(body: Spooled) -> Response:
        async def taken_in(only_ordinary: bool) -> CachedPhoto:
            take_in = partial(shared.photos.take_in, body, only_ordinary=only_ordinary)
            async with shared.reading_queue.slot_of_request(body.sender):
                return await anyio.to_thread.run_sync(take_in, limiter=shared.upload_threads)

        try:
            try:
                photo = await taken_in(only_ordinary=True)
            except Costly:
                shared.reading_queue.charge(body.sender)
                photo = await taken_in(only_ordinary=False)
        except PhotoError as error:
            # The words are made by the page, which knows the language; it asks by this id.
            return JSONResponse({"id": refused_id(error)})
        return JSONResponse({"id": photo.id})

    return await received(request, shared, shared.photos.settings.max_bytes_each, put)


async def queue_place(request: Request) -> Response:
    """How many photos of others are read before the next of this device."""
    device = known_device(request.cookies.get(DEVICE_COOKIE)) or ""
    headers = {"Cache-Control": "no-store"}
    return JSONResponse({"before": shared_state().reading_queue.place(device)}, headers=headers)


async def bring_games(request: Request) -> Response:
    """A file with games, as it was saved: how many are new, and how many were known.

    Where it is refused, a JSON object with the code and the details of the StoreError; the page
    makes the words.
    """
    shared = shared_state()

    async def take_in(body: Spooled) -> Response:
        try:
            found = await anyio.to_thread.run_sync(
                _import, shared, body, limiter=shared.slow_threads
            )
        except StoreError as error:
            return _refused_games(error)
        except (ValueError, RecursionError) as error:
            fault = type(error).__name__
            return _refused_games(StoreError("bad_import", place="$", reason=fault))
        return PlainTextResponse(f"{found.new + found.continued + found.copied} {found.known}")

    return await received(request, shared, _MAX_IMPORT_BYTES, take_in)


def _refused_games(error: StoreError) -> Response:
    details = {name: str(value)[:_MAX_DETAIL] for name, value in error.details.items()}
    return JSONResponse({"code": error.code, "details": details}, 400)


_MAX_DETAIL = 200
_ONE_IMPORT = threading.Lock()


def _import(shared: SharedState, body: Spooled) -> Imported:
    with _ONE_IMPORT:
        export = parsed(body.read(), _MAX_IMPORT_BYTES, _MAX_IMPORT_VALUES)
        return import_games(shared.store, export, body.sender.device)


async def photo(request: Request) -> Response:
    """A photo for those who may see it."""
    shared = shared_state()
    device = request.cookies.get(DEVICE_COOKIE, "")
    jpeg = await anyio.to_thread.run_sync(_photo, shared, request.path_params["photo"], device)
    if jpeg is None:
        return PlainTextResponse("", 404)
    headers = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(jpeg, media_type="image/jpeg", headers=headers)


def _photo(shared: SharedState, photo_id: str, device: str) -> bytes | None:
    if not _ID.fullmatch(photo_id) or not _ID.fullmatch(device):
        return None
    cached = shared.photos.get(photo_id)
    if cached is not None:
        game = cached.game
        allowed = shared.may_see(game, device) if game else cached.device == device
        return cached.jpeg if allowed else None
    game = game_of_photo(shared.store, photo_id)
    if game is None or not shared.may_see(game, device):
        return None
    try:
        return load_photo(shared.store, photo_id)
    except StoreError:
        return None


async def manifest(request: Request) -> Response:
    """The web manifest, so that phones put the companion on their home screen."""
    language = language_of_request(request)
    content = {
        "name": say("page.title", language),
        "short_name": say("page.title_short", language),
        "lang": language.value,
        "start_url": "./",
        "display": "standalone",
        "background_color": "#efe2cb",
        "theme_color": "#8a5a33",
        "icons": [
            _icon("icon.svg", "any", "image/svg+xml"),
            _icon("icon-512.png", "512x512", "image/png"),
        ],
    }
    return Response(json.dumps(content, ensure_ascii=False), media_type="application/manifest+json")


def _icon(name: str, sizes: str, media_type: str) -> dict[str, str]:
    address = assets.asset_address(f"shell/static/{name}")
    return {"src": address, "sizes": sizes, "type": media_type}


async def card(request: Request) -> Response:
    """The result of a game as a picture, for those who may see the game."""
    device = request.cookies.get(DEVICE_COOKIE, "")
    language = request.path_params["language"]
    game = request.path_params["game"]
    if language not in list(Language) or not _ID.fullmatch(game) or not _ID.fullmatch(device):
        return PlainTextResponse("", 404)
    shared = shared_state()
    png = await anyio.to_thread.run_sync(
        _card, shared, game, device, Language(language), limiter=shared.slow_threads
    )
    if png is None:
        return PlainTextResponse("", 404)
    headers = {"Cache-Control": "private, no-cache"}
    return Response(png, media_type="image/png", headers=headers)


def _card(shared: SharedState, game: str, device: str, language: Language) -> bytes | None:
    if not shared.may_see(game, device):
        return None
    found = shared.store.game(game)
    pages = pages_of(found.kind)
    if pages is None or pages.card is None:
        return None
    try:
        return pages.card(found, language)
    except ValueError:
        return None


async def saved(request: Request) -> Response:
    """The games of this device as a file: everything as JSON, or the results as a table."""
    device = request.cookies.get(DEVICE_COOKIE, "")
    name = request.path_params["name"]
    if not _ID.fullmatch(device) or name not in _SAVED:
        return PlainTextResponse("", 404)
    shared = shared_state()
    is_table = name.endswith(".csv")
    pieces = (results_csv if is_table else export_text)(shared.store, device=device)
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "private, no-store",
    }
    content = _encoded(pieces, "\ufeff" if is_table else "", shared.slow_threads)
    return StreamingResponse(content, media_type=_SAVED[name], headers=headers)


_SAVED = {"companion.json": "application/json", "companion.csv": "text/csv; charset=utf-8"}


async def _encoded(
    pieces: Iterator[str], first: str, limiter: CapacityLimiter
) -> AsyncIterator[bytes]:
    """The pieces as bytes, each made by a thread that others may have in between."""
    yield first.encode()
    while (piece := await anyio.to_thread.run_sync(next, pieces, "", limiter=limiter)) != "":
        yield piece.encode()


HEALTH_WITHIN_S = 2.0


async def health(_: Request) -> Response:
    """Whether pages get what they need in time: a thread, a file of Streamlit, and the store."""
    try:
        with anyio.fail_after(HEALTH_WITHIN_S):
            fine = await anyio.to_thread.run_sync(_serves, abandon_on_cancel=True)
    except (TimeoutError, OSError, StoreError, *DATABASE_ERRORS):
        fine = False
    return PlainTextResponse("ok" if fine else "", 200 if fine else 503)


def _serves() -> bool:
    (Path(streamlit.__file__).parent / "static" / "index.html").read_bytes()
    return shared_state().store.answers()


def language_of_request(request: Request) -> Language:
    """The language that was chosen on this device, else that of the browser."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    if chosen in list(Language):
        return Language(chosen)
    return language_of_locale(request.headers.get("accept-language", ""))


def _set_cookie(
    answer: Response, request: Request, name: str, value: str, *, httponly: bool = False
) -> None:
    cookie: SimpleCookie = SimpleCookie({name: value})
    cookie[name].update({"path": "/", "max-age": str(_YEAR_S), "samesite": "Lax"})
    if httponly:
        cookie[name]["httponly"] = True
    if request.url.scheme == "https":
        cookie[name]["secure"] = True
    answer.headers.append("Set-Cookie", cookie[name].OutputString())


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
    is_open = is_winner_open(shared.store, summary, pages)
    has_card = summary.complete and not is_open and pages.card
    exported = export_games(shared.store, device=device, game_ids=[game])
    return {
        "id": game,
        "sequence": len(exported["games"][0]["changes"]),
        "changed": summary.changed_at.isoformat(),
        "said": headline(summary, language, is_open=is_open),
        "when": "  ·  ".join(
            filter(None, [day(summary.played_at, language), pages.title(language), summary.title])
        ),
        "players": [[each.name, each.points] for each in summary.players],
        "card": f"card/{game}/{language.value}" if has_card else None,
        "saved": exported,
    }


ROUTES = [
    Route("/health", health),
    Route("/saved", bring_games, methods=["POST"]),
    Route("/saved/{name}", saved),
    Route("/card/{game}/{language}", card),
    Route("/", page),
    Route("/sw.js", service_worker),
    Route("/without-connection", without_connection),
    Route("/language/{language}", set_language),
    Route("/photo", receive_photo, methods=["POST"]),
    Route("/turn", queue_place),
    Route("/photo/{photo}", photo),
    Route("/companion.webmanifest", manifest),
    assets.ROUTE,
    Route("/aim/{kind}", aim, methods=["POST"]),
    Route("/copies", compare, methods=["POST"]),
    Route("/copies/{game}/{language}", copy),
]


def routes_below(base: str) -> list[Route]:
    """The routes, and these again below the path where a proxy shows the server, "" for none.

    A proxy may take the path away or pass it on; the page's own addresses are relative.
    """
    path = base.strip("/")
    if not path:
        return ROUTES
    below = [Route(f"/{path}{each.path}", each.endpoint, methods=each.methods) for each in ROUTES]
    return [*below, *ROUTES]
