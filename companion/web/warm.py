"""What every visit needs, loaded before the first visitor comes."""

from __future__ import annotations

import gc
from importlib import import_module

from companion.web.games import open_rooms

__all__ = ["warm_up"]

# Loaded by Streamlit and Altair for the first page with a component or a chart on it.
_NEEDED = ("altair", "pandas", "streamlit.components.v2.bidi_component.main", "companion.web.page")


def warm_up() -> None:
    """Load the rooms and libraries, and leave them out of all that is looked through for garbage.

    Streamlit collects garbage after each run of a page. With the hundred thousands of objects that
    the libraries keep for good, that cost more than half of every tap. To be called once, by the
    process that serves.
    """
    for module in _NEEDED:
        import_module(module)
    open_rooms()
    gc.collect()
    gc.freeze()
