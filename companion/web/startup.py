"""What the serving process loads before the first visitor, and what it does from time to time."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module

from companion.reading.memory import give_large_blocks_back
from companion.store import DATABASE_ERRORS, StoreError
from companion.store.history import erase_deleted
from companion.web.shared_state import shared_state

COLLECT_EVERY_S = 10.0
ERASE_EVERY_S = 24 * 3600.0


def collect_periodically(every_s: float = COLLECT_EVERY_S) -> threading.Event:
    """Collect all garbage every so many seconds, for good; setting the event ends it.

    Who has left is known by what nobody refers to any more, and a session of Streamlit is full of
    cycles. Python alone would look for them at some time, so this says when at the latest.
    """
    return _periodically("garbage", gc.collect, every_s)


def erase_periodically(every_s: float = ERASE_EVERY_S) -> threading.Event:
    """Erase what was deleted long ago, as at the start: a server may run for months."""

    def erase() -> None:
        # What can't be asked now is asked the next time.
        with suppress(StoreError, *DATABASE_ERRORS):
            erase_deleted(shared_state().store)

    return _periodically("deleted games", erase, every_s)


def _periodically(name: str, work: Callable[[], object], every_s: float) -> threading.Event:
    ended = threading.Event()

    def go_on() -> None:
        while not ended.wait(every_s):
            work()

    threading.Thread(target=go_on, name=name, daemon=True).start()
    return ended


# Loaded by Streamlit and Altair for the first page with a component or a chart on it, and by the
# readers for the first correction that settles a kingdom or a hand anew.
_NEEDED = (
    "altair",
    "pandas",
    "streamlit.components.v2.bidi_component.main",
    "companion.web.page",
    "highspy",
    "scipy.optimize",
)


def warm_up() -> None:
    """Load all libraries, exempt them from garbage collection, and keep no freed memory.

    With the hundred thousands of objects that the libraries keep for good, a collection took longer
    than a tap. What visitors leave is collected on a clock (`postScriptGC` of the configuration is
    off). To be called once, by the process that serves.
    """
    give_large_blocks_back()
    for module in _NEEDED:
        import_module(module)
    gc.collect()
    gc.freeze()
    collect_periodically()
    erase_periodically()
