"""The board of Domino-Duell as a component of Streamlit.

The code is a component of its own whose message stays the same, so that Streamlit sends it once
(see ``companion.web.board.component``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitDuplicateElementKey

from companion.languages import Language
from companion.web.board.bundle import as_javascript, joined_modules
from companion.web.domino_duell.action import DuelAction, actions_of
from companion.web.domino_duell.board_words import board_words
from companion.web.turns import visitors_turns
from companion.web.unfinished import finish_later

__all__ = ["STATIC", "board_code", "duel_board"]

STATIC = Path(__file__).parent / "static"

_MEET = (
    "const house=globalThis.duelHouse??={};house.ready??=new Promise((come)=>{house.come=come});\n"
)
# It travels with every message, so it is short.
_LOADER = f"{_MEET}export default async(mounted)=>(await house.ready)(mounted)"


def board_code() -> str:
    """The board's modules and its style as one ES module that hands itself to the page."""
    css = as_javascript((STATIC / "duel.css").read_text(encoding="utf-8"))
    return (
        f"{joined_modules('duel_page', STATIC)}{_MEET}"
        f"$$_duel_page.dress({css});\nhouse.come($$_duel_page.show);\nexport default () => {{}};\n"
    )


_code = st.components.v2.component("domino_duell_code", js=board_code(), isolate_styles=False)
_board = st.components.v2.component("domino_duell_board", js=_LOADER, isolate_styles=False)


def duel_board(
    state: Mapping[str, Any],
    *,
    key: str,
    language: Language,
    on_action: Callable[[DuelAction], None],
) -> None:
    """Draw the board with what ``board_state`` gives.

    ``on_action`` gets each thing that a person did, before the page is drawn again; what it holds
    then must be safe, because drawing answers it. Where it raises, the phone sends again.
    """

    turns = visitors_turns()

    def receive() -> None:
        """Do what was sent and not done yet; may be called again at any time."""
        kept = st.session_state.get(key)
        sent = kept.get("change") if isinstance(kept, Mapping) else None
        with turns.one_at_a_time():
            for action in actions_of(sent):
                if turns.is_new(key, action.client, action.seq):
                    on_action(action)
                    turns.note(key, action.client, action.seq)

    finish_later(key, receive)

    message = {
        **state,
        "words": board_words(language),
        "answers": turns.answer(key),
    }
    with st.container(gap=None):
        with suppress(StreamlitDuplicateElementKey):
            _code(key="domino_duell_code")
        _board(key=key, data=message, on_change_change=receive)
