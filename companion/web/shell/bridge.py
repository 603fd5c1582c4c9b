"""Markup goes down to the browser, what a person did comes up, each thing handled once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypedDict

import streamlit as st

from companion.web.shell.markup import Markup

__all__ = [
    "Act",
    "Answer",
    "HandledMessages",
    "acts_of",
    "component_key",
    "finish",
    "finish_later",
    "handled_messages",
    "show_markup",
]


def component_key(*parts: object) -> str:
    """The parts joined by hyphens; one in two hundred ids of games holds two underscores."""
    return "-".join(map(str, parts)).replace("_", ".")


_HANDLED_KEY = "turns"
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
        """What to tell the browser: the message that was dealt with last."""
        return self._last.get(key)


def handled_messages() -> HandledMessages:
    """Those of the visitor for whom the script runs."""
    turns: HandledMessages | None = st.session_state.get(_HANDLED_KEY)
    if turns is None:
        turns = st.session_state[_HANDLED_KEY] = HandledMessages()
    return turns


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
_MAX_CLIENT = 40
_MAX_SEQ = 2**31
# It travels with every message, so it is short.
_LOADER = (
    "const house=globalThis.house??={};"
    "house.ready??=new Promise((come)=>{house.come=come});\n"
    "export default async(mounted)=>(await house.ready)(mounted)"
)
_markup_component = st.components.v2.component(
    "companion_surface", js=_LOADER, isolate_styles=False
)


@dataclass(frozen=True)
class Act:
    """What a person did: the ``data-do`` of the element, its ``data-value`` or what was typed."""

    do: str
    value: str = ""


def show_markup(
    markup: Markup, *, key: str, on_act: Callable[[Act], None] | None = None, label: str = ""
) -> None:
    """Draw markup; ``on_act`` is called before the page is drawn again.

    In the markup, ``data-do`` on a button, a select or an input sends an ``Act``, ``data-go`` on
    a link goes to another page without loading anything, and ``data-photo`` on a file input sends
    a photo to the server and then the act ``photo`` with ``data-photo|ID`` as its value.
    """

    turns = handled_messages()

    def act() -> None:
        state = st.session_state.get(key)
        sent = state.get("act") if isinstance(state, Mapping) else None
        with turns.one_at_a_time():
            for each in _new_acts(turns, key, sent):
                if on_act is not None:
                    on_act(each)

    message = {"markup": markup, "label": label, "heard": turns.answer(key)}
    _markup_component(key=key, data=message, on_act_change=act)


def _new_acts(turns: HandledMessages, key: str, sent: Any) -> Iterator[Act]:
    """The acts of a message that were not dealt with yet, each counted as heard before it is.

    A phone sends everything that was not answered again with its next act, because Streamlit
    keeps only the last of several that wait.
    """
    client = sent.get("client") if isinstance(sent, Mapping) else None
    acts = sent.get("acts") if isinstance(sent, Mapping) else None
    if not isinstance(client, str) or len(client) > _MAX_CLIENT or not isinstance(acts, list):
        return
    for each in acts:
        seq = each.get("seq") if isinstance(each, Mapping) else None
        if type(seq) is not int or seq >= _MAX_SEQ or not turns.is_new(key, client, seq):
            continue
        turns.note(key, client, seq)
        yield from acts_of(each)


def acts_of(sent: Any) -> list[Act]:
    """What a browser sent, believed only after a look; anyone can send anything."""
    found = []
    for each in sent if isinstance(sent, list) else [sent]:
        if not isinstance(each, Mapping):
            continue
        do, value = each.get("do"), each.get("value", "")
        if isinstance(do, str) and isinstance(value, str) and max(len(do), len(value)) <= _MAX_TEXT:
            found.append(Act(do, value))
    return found
