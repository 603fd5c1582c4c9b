"""What this visitor's browser has sent and what was done about it, each thing exactly once.

Streamlit answers a new request in a new thread while the thread of the last one may still be at
work, so a late thread could put an older message over a newer one. And Streamlit may end a thread
at any use of ``st``. So what was done is noted in an object of our own, under a lock.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypedDict

import streamlit as st

__all__ = ["Answer", "Turns", "visitors_turns"]

_KEY = "turns"
_MOST = 100


class Answer(TypedDict):
    """The newest message that was dealt with: who sent it, and its number."""

    client: str
    seq: int


class Turns:
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
                if len(kept) > _MOST:
                    kept.pop(next(iter(kept)))  # type: ignore[call-overload]

    def answer(self, key: str) -> Answer | None:
        """What to tell the browser: the message that was dealt with last."""
        return self._last.get(key)


def visitors_turns() -> Turns:
    """Those of the visitor for whom the script runs."""
    turns: Turns | None = st.session_state.get(_KEY)
    if turns is None:
        turns = st.session_state[_KEY] = Turns()
    return turns
