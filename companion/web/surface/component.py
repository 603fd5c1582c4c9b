"""A piece of a page as a component: markup goes down, what a person did comes up.

The code and the style lie in the page itself (``companion.web.server`` serves both), so that a
message carries the markup alone. What stays the same in the page stays there, with its focus.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from companion.web.surface.markup import Markup

__all__ = ["Act", "acts_of", "surface"]

_MAX_TEXT = 4000
# It travels with every message, so it is short.
_LOADER = (
    "const house=globalThis.house??={};"
    "house.ready??=new Promise((come)=>{house.come=come});\n"
    "export default async(mounted)=>(await house.ready)(mounted)"
)
_surface = st.components.v2.component("companion_surface", js=_LOADER, isolate_styles=False)


@dataclass(frozen=True)
class Act:
    """What a person did: the ``data-do`` of the element, its ``data-value`` or what was typed."""

    do: str
    value: str = ""


def surface(
    markup: Markup, *, key: str, on_act: Callable[[Act], None] | None = None, label: str = ""
) -> None:
    """Draw markup; ``on_act`` is called before the page is drawn again.

    In the markup, ``data-do`` on a button, a select or an input sends an ``Act``, ``data-go`` on
    a link goes to another page without loading anything, and ``data-photo`` on a file input sends
    a photo to the server and then the act ``photo`` with ``data-photo|ID`` as its value.
    """

    def act() -> None:
        state = st.session_state.get(key)
        sent = state.get("act") if isinstance(state, Mapping) else None
        for each in acts_of(sent):
            if on_act is not None:
                on_act(each)

    _surface(key=key, data={"markup": markup, "label": label}, on_act_change=act)


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
