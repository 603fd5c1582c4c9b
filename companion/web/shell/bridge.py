"""Markup goes down to the browser, what a person did comes up, each thing handled once."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Generic, TypedDict, TypeGuard, TypeVar

import streamlit as st
from streamlit.errors import StreamlitAPIException

from companion.store import DATABASE_ERRORS
from companion.web.shell.assets import FILES, VERSION
from companion.web.shell.markup import Markup


def component_key(*parts: object) -> str:
    """The parts joined by hyphens; one in two hundred ids of games holds two underscores."""
    return "-".join(map(str, parts)).replace("_", ".")


_LOG = logging.getLogger(__name__)
_HANDLED_KEY = "handled_messages"
_MOST_HANDLED = 100


class Answer(TypedDict):
    """The newest message that was dealt with: who sent it, and its number."""

    client: str
    seq: int


class HandledMessages:
    """Messages of one visitor. A ``key`` names a component, a ``client`` one life of a page."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._newest: dict[tuple[str, str], int] = {}
        self._last: dict[str, Answer] = {}

    @contextmanager
    def one_at_a_time(self) -> Iterator[None]:
        """Whoever looks what is new and does it, does both in here."""
        with self._lock:
            yield

    def is_new(self, key: str, client: str, seq: int) -> bool:
        """Whether nothing as new was dealt with yet."""
        return seq > self._newest.get((key, client), 0)

    def knows(self, key: str, client: str) -> bool:
        """Whether anything of this client was dealt with; not so after a server's restart."""
        return (key, client) in self._newest

    def note(self, key: str, client: str, seq: int) -> None:
        """Count a message as dealt with, and all that came before it."""
        with self._lock:
            newest = max(seq, self._newest.pop((key, client), 0))
            self._newest[key, client] = newest
            self._last.pop(key, None)
            self._last[key] = Answer(client=client, seq=newest)
            for kept in (self._newest, self._last):
                if len(kept) > _MOST_HANDLED:
                    kept.pop(next(iter(kept)))  # type: ignore[call-overload]

    def answer(self, key: str) -> Answer | None:
        """What the browser is answered: the message that was dealt with last."""
        return self._last.get(key)


def handled_messages() -> HandledMessages:
    """Those of the visitor for whom the script runs."""
    handled: HandledMessages | None = st.session_state.get(_HANDLED_KEY)
    if handled is None:
        handled = st.session_state[_HANDLED_KEY] = HandledMessages()
    return handled


_UNFINISHED_KEY = "unfinished"
_MOST_UNFINISHED = 8
"""More than a page has of them."""


def finish_later(key: str, work: Callable[[], None]) -> None:
    """Have the work of this key looked at in every run; it does what is left, often nothing.

    A run may end anywhere, so only that more keys were named since ends it.
    """
    unfinished: dict[str, Callable[[], None]] = st.session_state.setdefault(_UNFINISHED_KEY, {})
    unfinished.pop(key, None)
    unfinished[key] = work
    for old in list(unfinished)[:-_MOST_UNFINISHED]:
        unfinished.pop(old)


def finish() -> None:
    """Do what is left, at the beginning of a run."""
    unfinished: dict[str, Callable[[], None]] = st.session_state.setdefault(_UNFINISHED_KEY, {})
    for work in list(unfinished.values()):
        work()


_MAX_TEXT = 4000
_MAX_NUMBER = 2**31 - 1
_MAX_DONE = 200
_CLIENT = re.compile(r"[0-9a-z]{8,40}")
Change = TypeVar("Change")


@dataclass(frozen=True)
class Message:
    """What a part of a page sent.

    ``client`` names one life of the part on one phone, ``seq`` the newest thing that was done
    there, numbered from 1. ``done`` is all that was not answered yet, the oldest first, each with
    its number, and ``data`` whatever else the part sent. ``first`` says that nothing of this
    client was dealt with before: after a restart of the server a phone sends again what may have
    been kept long ago.
    """

    client: str
    seq: int
    done: tuple[tuple[int, Mapping[str, Any]], ...]
    data: Mapping[str, Any]
    first: bool = False

    def change_id(self, seq: int) -> str:
        """The same for the same tap, however often it is sent."""
        return f"{self.client}.{seq}"


def message_of(sent: object) -> Message | None:
    """What a browser sent, as far as its form goes; None for what no part of a page sends."""
    if not isinstance(sent, Mapping):
        return None
    client, seq, done = sent.get("client"), sent.get("seq"), sent.get("done", [])
    if not isinstance(client, str) or not _CLIENT.fullmatch(client) or not _is_number(seq):
        return None
    if not isinstance(done, list) or len(done) > _MAX_DONE:
        return None
    numbered = [
        (each["seq"], each)
        for each in done
        if isinstance(each, Mapping) and _is_number(each.get("seq"))
    ]
    return Message(client, seq, tuple(numbered), sent)


def _is_number(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 < value <= _MAX_NUMBER


class Component(Generic[Change]):
    """A kind of part of a page: drawn by a module in the browser, which sends changes.

    ``module`` is the path of a script below ``companion/web`` that exports ``mount`` (see
    ``bridge.mjs``), ``style`` that of its style where it has a shadow tree of its own. ``parse``
    gives the changes of a message with their numbers, the oldest first; what is no change it
    leaves out.

    A change is done, then noted and answered: where doing it fails or is broken off, it is done
    again, so doing it twice must be the same as once (the store sees to that by the id of the
    change). While the database can't keep it, the page stays as it is and the phone sends it again.
    With ``once`` it is noted first, and never done again.
    """

    def __init__(
        self,
        name: str,
        module: str,
        parse: Callable[[Message], Iterable[tuple[int, Change]]],
        *,
        style: str | None = None,
        once: bool = False,
    ) -> None:
        files = [name_of for name_of in (module, style) if name_of is not None]
        if missing := set(files) - FILES.keys():
            raise ValueError(f"component {name}: expected scripts and styles, got {missing}")
        arguments = ",".join(f'"{each}"' for each in (VERSION, *files))
        # It travels with every message, so it is short; without a line end it would be a path.
        loader = f"export default m=>\ncompanion(m,{arguments})"
        self._draw = st.components.v2.component(
            f"companion_{name}", js=loader, isolate_styles=style is not None
        )
        self._parse = parse
        self._once = once

    def show(
        self,
        data: Mapping[str, Any],
        *,
        key: str,
        on_change: Callable[[Change], None] | None = None,
    ) -> None:
        """Draw it with data; ``on_change`` is called before the page is drawn again."""
        handled = handled_messages()

        def receive() -> bool:
            """Do what was sent and not done yet, if anything; may be called at any time."""
            with handled.one_at_a_time():
                return self._receive(handled, key, on_change)

        def on_sent() -> None:
            receive()

        if not self._once:
            finish_later(key, on_sent)
        answer = handled.answer(key)
        shown = {**data, "of": key, **({"answers": answer} if answer else {})}
        self._draw(key=key, data=shown, on_sent_change=on_sent)
        # After a restart of the server, what a phone has sent is known only when it is drawn.
        if not self._once and receive():
            _run_again()

    def _receive(
        self, handled: HandledMessages, key: str, on_change: Callable[[Change], None] | None
    ) -> bool:
        message = message_of(sent_by(key))
        if message is None:
            return False
        message = replace(message, first=not handled.knows(key, message.client))
        found = False
        for seq, change in self._parse(message):
            if not handled.is_new(key, message.client, seq):
                continue
            if self._once:
                handled.note(key, message.client, seq)
            try:
                if on_change is not None:
                    on_change(change)
            except DATABASE_ERRORS:
                if self._once:
                    raise
                _LOG.exception("not kept yet")
                break
            handled.note(key, message.client, seq)
            found = True
        return found


def sent_by(key: str) -> object:
    """The newest message of a part; anything at all, as anyone can send it."""
    state = st.session_state.get(key)
    return state.get("sent") if isinstance(state, Mapping) else None


def _run_again() -> None:
    """Draw the fragment again, or the whole page where no fragment runs, as after a restart."""
    try:
        st.rerun(scope="fragment")
    except StreamlitAPIException:
        st.rerun()


@dataclass(frozen=True)
class Act:
    """What a person did: the ``data-do`` of the element, its ``data-value`` or what was typed."""

    do: str
    value: str = ""


def acts_of(message: Message) -> list[tuple[int, Act]]:
    """The acts of a message; anything else is left out."""
    found = []
    for seq, each in message.done:
        do, value = each.get("do"), each.get("value", "")
        if isinstance(do, str) and isinstance(value, str) and max(len(do), len(value)) <= _MAX_TEXT:
            found.append((seq, Act(do, value)))
    return found


_MARKUP = Component("surface", "shell/static/surface.mjs", acts_of, once=True)


def show_markup(markup: Markup, *, key: str, on_act: Callable[[Act], None] | None = None) -> None:
    """Draw markup; ``on_act`` is called before the page is drawn again.

    In the markup, ``data-do`` on a button, a select or an input sends an ``Act``, ``data-go`` on
    a link goes to another page without loading anything, and ``data-photo`` on a file input sends
    a photo to the server and then the act ``photo`` with ``data-photo|ID`` as its value.
    """
    _MARKUP.show({"markup": markup}, key=key, on_change=on_act)
