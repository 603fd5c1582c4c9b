"""A piece of a page as a component: markup goes down, what a person did comes up.

The code and the style lie in the page itself (``companion.web.server`` serves both), so that a
message carries the markup alone. What stays the same in the page stays there, with its focus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from companion.web.surface.markup import Markup
from companion.web.turns import Turns, visitors_turns

__all__ = ["Act", "acts_of", "surface"]

_MAX_TEXT = 4000
_MAX_CLIENT = 40
_MAX_SEQ = 2**31
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

    turns = visitors_turns()

    def act() -> None:
        state = st.session_state.get(key)
        sent = state.get("act") if isinstance(state, Mapping) else None
        with turns.one_at_a_time():
            for each in _unheard(turns, key, sent):
                if on_act is not None:
                    on_act(each)

    message = {"markup": markup, "label": label, "heard": turns.answer(key)}
    _surface(key=key, data=message, on_act_change=act)


def _unheard(turns: Turns, key: str, sent: Any) -> Iterator[Act]:
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
