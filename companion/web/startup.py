"""What the serving process loads before the first visitor, and how it collects garbage."""

from __future__ import annotations

import gc
import threading
from importlib import import_module

from companion.reading.memory import give_large_blocks_back

COLLECT_EVERY_S = 10.0


def collect_periodically(every_s: float = COLLECT_EVERY_S) -> threading.Event:
    """Collect all garbage every so many seconds, for good; setting the event ends it.

    Who has left is known by what nobody refers to any more, and a session of Streamlit is full of
    cycles. Python alone would look for them at some time, so this says when at the latest.
    """
    ended = threading.Event()

    def work() -> None:
        while not ended.wait(every_s):
            gc.collect()

    threading.Thread(target=work, name="garbage", daemon=True).start()
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
