"""What every visit needs, loaded before the first visitor comes."""

from __future__ import annotations

import gc
from importlib import import_module

from companion.web.games import open_rooms
from companion.web.garbage import collect_on_a_clock

__all__ = ["warm_up"]

# Loaded by Streamlit and Altair for the first page with a component or a chart on it.
_NEEDED = ("altair", "pandas", "streamlit.components.v2.bidi_component.main", "companion.web.page")


def warm_up() -> None:
    """Load the rooms and libraries, and leave them out of all that is looked through for garbage.

    With the hundred thousands of objects that the libraries keep for good, a collection took longer
    than a tap. What visitors leave is collected on a clock (`postScriptGC` of the configuration is
    off). To be called once, by the process that serves.
    """
    for module in _NEEDED:
        import_module(module)
    open_rooms()
    gc.collect()
    gc.freeze()
    collect_on_a_clock()
