"""What people did that may not be done yet, because they went on to another page at once.

Streamlit breaks a callback off where the next request is waiting already, and does not call it
again. So every run of the page first finishes what the last one may have left.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

__all__ = ["finish", "finish_later"]

_KEY = "unfinished"
_MOST = 8
"""More than a page has of them."""


def finish_later(key: str, work: Callable[[], None]) -> None:
    """Have the work of this key looked at in every run; it does what is left, often nothing.

    A run may end anywhere, so only that more keys were named since ends it.
    """
    unfinished: dict[str, Callable[[], None]] = st.session_state.setdefault(_KEY, {})
    unfinished.pop(key, None)
    unfinished[key] = work
    for old in list(unfinished)[:-_MOST]:
        unfinished.pop(old)


def finish() -> None:
    """Do what is left, at the beginning of a run."""
    unfinished: dict[str, Callable[[], None]] = st.session_state.setdefault(_KEY, {})
    for work in list(unfinished.values()):
        work()
