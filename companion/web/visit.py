"""Who looks at the companion now, at what, in which language, and when that page is drawn again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, ParamSpec
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from companion.languages import Language, language_of_locale, say
from companion.reading.decoding import decode_isolated
from companion.store import DATABASE_ERRORS, Actor, Game, Store, StoreError, new_id
from companion.web.photo_cache import PhotoCache
from companion.web.reading_queue import Sender
from companion.web.request import (
    DEVICE_COOKIE,
    KEEP_GAMES_COOKIE,
    KEEP_PHOTOS_COOKIE,
    KEEP_SQUARES_COOKIE,
    LANGUAGE_COOKIE,
    known_device,
)
from companion.web.shared_state import SharedState, shared_state
from companion.web.shell import Markup, go_link
from vision.photo import Photo, PhotoSettings

_KEY = "visit"
_LOG = logging.getLogger(__name__)
_Drawn = ParamSpec("_Drawn")


@dataclass(eq=False)
class Visit:
    """One visitor; lives as long as the browser's connection, so it is a cache, never the store.

    ``parameters`` are those of the address of the page. ``notice`` is a sentence shown once,
    ``undo`` what its button takes back, ``undo_name`` the code of its words. ``answered``
    counts the photos that were dealt with. ``page_state`` is for whatever the pages of a game want
    to remember; ``moved`` is set where more than a fragment has to be drawn again. ``keep_photos``,
    ``keep_squares`` and ``keep_games`` are what the person has agreed to, the last that copies of
    games stay on the phone; all are remembered on the device.
    ``address`` is that of the network connection.
    """

    shared: SharedState
    device: str
    language: Language
    parameters: dict[str, str] = field(default_factory=dict)
    notice: str = ""
    undo: Callable[[], None] | None = None
    undo_name: str = "page.undo"
    answered: int = 0
    page_state: dict[Any, Any] = field(default_factory=dict)
    moved: bool = False
    keep_photos: bool = False
    keep_squares: bool = False
    keep_games: bool = True
    address: str = ""

    @property
    def store(self) -> Store:
        """The store of all games."""
        return self.shared.store

    @property
    def photos(self) -> PhotoCache:
        """The photos that people work with."""
        return self.shared.photos

    @property
    def actor(self) -> Actor:
        """Who makes a change, for the store."""
        return Actor(self.device)

    @property
    def game_id(self) -> str:
        """The game of the address, "" without one."""
        return self.parameters.get("game", "")

    @property
    def view(self) -> str:
        """The page of the game or of the companion that the address names, "" for the first."""
        return self.parameters.get("view", "")

    def reading_slot(self) -> AbstractContextManager[None]:
        """Wait for a slot of the reading queue; the block runs in it.

        PhotoError ``gone`` where the page has been closed meanwhile.
        """
        sender = Sender(self.device, self.address)
        return self.shared.reading_queue.slot(sender, _page_closed())

    def decode(self, data: bytes, settings: PhotoSettings | None = None) -> Photo:
        """A photo decoded by a worker, in a slot of the reading queue. PhotoError where it can't.

        It is waited for even where the page has been closed: what was agreed to is done.
        """
        with self.shared.reading_queue.slot(Sender(self.device, self.address)):
            return decode_isolated(data, settings)

    def say(self, code: str, /, **values: object) -> str:
        """A sentence in the visitor's language."""
        return say(code, self.language, **values)

    def go(self, **parameters: str | int | None) -> None:
        """Go to the page of these parameters; the back button leads back. Used in callbacks."""
        self.parameters = {name: str(value) for name, value in parameters.items() if value}
        st.query_params.from_dict(self.parameters)
        self.moved = True

    def go_to_game(self, game_id: str, view: str = "", **more: str | int | None) -> None:
        """Go to a game, or to one of its pages."""
        self.go(game=game_id, view=view, **more)

    def joined_game(self) -> Game | None:
        """The game of the address, in this visitor's history from now on; None if there is none."""
        try:
            if not self.store.has_joined(self.game_id, self.device):
                return self.store.join(self.game_id, self.actor)
            return self.store.game(self.game_id)
        except StoreError:
            return None

    def notify(
        self,
        notice: str,
        undo: Callable[[], None] | None = None,
        undo_name: str = "page.undo",
    ) -> None:
        """Say something once at the foot of the page, with a button that takes it back.

        ``undo_name`` is the code of the button's words where it does something else instead.
        """
        self.notice, self.undo, self.undo_name = notice, undo, undo_name
        self.moved = True

    def drop_refusal(self) -> None:
        """Something else is done: what was refused before it is no news any more; an undo stays."""
        if self.notice and (self.undo is None or self.undo_name != "page.undo"):
            self.notice, self.undo = "", None
            self.moved = True

    def catch_up(self) -> None:
        """At the start of a fragment: draw the whole page where an act has led away from it."""
        if self.moved:
            self.moved = False
            st.rerun()


_CLOSED_FOR_S = 15.0
"""A phone that changes its network is back sooner."""


def _page_closed() -> Callable[[], bool]:
    """Whether the page that is drawn now has no connection, and had none for a while."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or not Runtime.exists():
        return lambda: False
    session, runtime, since = context.session_id, Runtime.instance(), [time.monotonic()]

    def closed() -> bool:
        if runtime.is_active_session(session):
            since[0] = time.monotonic()
        return time.monotonic() - since[0] > _CLOSED_FOR_S

    return closed


def address(**parameters: str | int | None) -> str:
    """The address of a page, for the ``href`` of a link with ``data-go``."""
    given = {name: str(value) for name, value in parameters.items() if value}
    return f"?{urlencode(given)}" if given else "./"


def chosen_language() -> Language:
    """The language that was chosen on this device, else that of the browser."""
    chosen = st.context.cookies.get(LANGUAGE_COOKIE, "")
    known = chosen in list(Language)
    return Language(chosen) if known else language_of_locale(st.context.locale)


def or_say_unreachable(draw: Callable[_Drawn, None]) -> Callable[_Drawn, None]:
    """A page, or a fragment of one, that says so where the database can't be reached.

    Why it can't is logged, as Streamlit logs what nobody deals with; it would tell people in
    English that there was an error. It deals with a fragment by itself, so each needs this.
    """

    @wraps(draw)
    def drawn(*args: _Drawn.args, **kwargs: _Drawn.kwargs) -> None:
        try:
            draw(*args, **kwargs)
        except (StoreError, *DATABASE_ERRORS):
            _LOG.exception("the page can't be shown")
            st.error(say("page.no_database", chosen_language()))

    return drawn


def current_visit() -> Visit:
    """The visit of the page that is drawn now."""
    visit: Visit | None = st.session_state.get(_KEY)
    if visit is None:
        cookies: Mapping[str, str] = st.context.cookies
        device = known_device(cookies.get(DEVICE_COOKIE)) or new_id()
        visit = Visit(shared_state(), device, chosen_language())
        visit.address = st.context.ip_address or "127.0.0.1"
        visit.keep_photos = cookies.get(KEEP_PHOTOS_COOKIE) == "true"
        visit.keep_squares = cookies.get(KEEP_SQUARES_COOKIE) == "true"
        visit.keep_games = cookies.get(KEEP_GAMES_COOKIE) != "false"
        visit.shared.add_page(visit)
        st.session_state[_KEY] = visit
    parameters = dict(st.query_params.to_dict())
    if parameters != visit.parameters:
        visit.drop_refusal()
    visit.parameters = parameters
    visit.moved = False
    return visit


def link(text: Markup | str, /, look: str = "", **parameters: str | int | None) -> Markup:
    """A link to another page of the companion."""
    return go_link(address(**parameters), text, look=look or None)


ASK_EVERY_S = 1.3


def rerun_on_changes(visit: Visit, game: Game) -> None:
    """Ask for changes as long as the page is open, and draw it again when there are some."""
    note_drawn(visit, game)
    look_for_changes(visit, game.id)


def note_drawn(visit: Visit, game: Game) -> None:
    """What the page shows is this state of the game; what comes later makes it be drawn again."""
    visit.page_state["seen", game.id] = game.sequence


@st.fragment(run_every=ASK_EVERY_S)
def look_for_changes(visit: Visit, game_id: str) -> None:
    """For pages of which a part draws itself, and calls ``note_drawn``."""
    visit.photos.keep_alive(game_id)
    seen = visit.page_state.get(("seen", game_id), 0)
    try:
        found = visit.store.changes_since(game_id, seen)
    except (StoreError, *DATABASE_ERRORS):
        return  # It is asked again in a moment.
    if found.sequence > seen:
        visit.page_state["seen", game_id] = found.sequence
        st.rerun()
