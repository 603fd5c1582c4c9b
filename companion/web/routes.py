"""The addresses of the companion beside those of Streamlit: page, photos, icon, language."""

from __future__ import annotations

import json
import re
import threading
from http.cookies import SimpleCookie
from urllib.parse import urlsplit

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.languages import Language, language_of_locale, say
from companion.store import StoreError, new_id
from companion.store.exchange import Imported, export_games, import_games
from companion.store.history import results_csv
from companion.store.incoming import parsed
from companion.store.photos import game_of_photo, load_photo
from companion.web import live_view
from companion.web.game_pages import load_game_pages, pages_of
from companion.web.parts import refused_id
from companion.web.photo_cache import CachedPhoto
from companion.web.request import DEVICE_COOKIE, LANGUAGE_COOKIE, known_device, received
from companion.web.shared_state import SharedState, shared_state
from companion.web.shell import assets
from companion.web.shell.template import page_of
from vision.photo import PhotoError

__all__ = ["ROUTES", "language_of_request"]

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
    shared = _shared_state()

    async def put(data: bytes, device: str) -> Response:
        try:
            photo = await anyio.to_thread.run_sync(_put, shared, data, device)
        except PhotoError as error:
            # The words are made by the page, which knows the language; it asks by this id.
            return JSONResponse({"id": refused_id(error)})
        return JSONResponse({"id": photo.id})

    return await received(request, shared, shared.photos.settings.max_bytes_each, put)


def _put(shared: SharedState, data: bytes, device: str) -> CachedPhoto:
    with shared.reading_queue.waiting_place(device) as on_waiting:
        return shared.photos.put(data, device, on_waiting)


async def queue_place(request: Request) -> Response:
    """How many photos of others are read before the next of this device."""
    device = known_device(request.cookies.get(DEVICE_COOKIE)) or ""
    headers = {"Cache-Control": "no-store"}
    return JSONResponse({"before": _shared_state().reading_queue.place(device)}, headers=headers)


async def bring_games(request: Request) -> Response:
    """A file with games, as it was saved: how many are new, and how many were known."""
    shared = _shared_state()

    async def take_in(data: bytes, device: str) -> Response:
        try:
            found = await anyio.to_thread.run_sync(_import, shared, data, device)
        except (StoreError, ValueError, RecursionError):
            return PlainTextResponse("", 400)
        return PlainTextResponse(f"{found.new + found.continued + found.copied} {found.known}")

    return await received(request, shared, _MAX_IMPORT_BYTES, take_in)


_ONE_IMPORT = threading.Lock()


def _import(shared: SharedState, data: bytes, device: str) -> Imported:
    with _ONE_IMPORT:
        export = parsed(data, _MAX_IMPORT_BYTES, _MAX_IMPORT_VALUES)
        return import_games(shared.store, export, device)


async def photo(request: Request) -> Response:
    """A photo for those who may see it."""
    device = request.cookies.get(DEVICE_COOKIE, "")
    jpeg = await anyio.to_thread.run_sync(
        _photo, _shared_state(), request.path_params["photo"], device
    )
    if jpeg is None:
        return PlainTextResponse("", 404)
    headers = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(jpeg, media_type="image/jpeg", headers=headers)


def _photo(shared: SharedState, photo_id: str, device: str) -> bytes | None:
    if not _ID.fullmatch(photo_id) or not _ID.fullmatch(device):
        return None
    cached = shared.photos.get(photo_id)
    if cached is not None:
        own = cached.device == device
        return cached.jpeg if own or shared.may_see(cached.game or "", device) else None
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
    png = await anyio.to_thread.run_sync(_card, _shared_state(), game, device, Language(language))
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
    content = await anyio.to_thread.run_sync(_saved, _shared_state(), name, device)
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "private, no-store",
    }
    return Response(content, media_type=_SAVED[name], headers=headers)


_SAVED = {"companion.json": "application/json", "companion.csv": "text/csv; charset=utf-8"}


def _saved(shared: SharedState, name: str, device: str) -> bytes:
    if name.endswith(".csv"):
        return results_csv(shared.store, device=device).encode("utf-8-sig")
    data = export_games(shared.store, device=device)
    return json.dumps(data, ensure_ascii=False, indent=1).encode()


ROUTES = [
    Route("/saved", bring_games, methods=["POST"]),
    Route("/saved/{name}", saved),
    Route("/card/{game}/{language}", card),
    Route("/", page),
    Route("/language/{language}", set_language),
    Route("/photo", receive_photo, methods=["POST"]),
    Route("/turn", queue_place),
    Route("/photo/{photo}", photo),
    Route("/companion.webmanifest", manifest),
    assets.ROUTE,
    *live_view.ROUTES,
]


def language_of_request(request: Request) -> Language:
    """The language that was chosen on this device, else that of the browser."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    if chosen in list(Language):
        return Language(chosen)
    return language_of_locale(request.headers.get("accept-language", ""))


def _shared_state() -> SharedState:
    load_game_pages()
    return shared_state()


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
