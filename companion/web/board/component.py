"""The board as a component of Streamlit.

Streamlit sends the JavaScript of a component again with every message that changes. So the code
is a component of its own whose message stays the same, which Streamlit then sends as a
reference of a few bytes, and the board is a second one that carries only what changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitDuplicateElementKey

from companion.web.board.bundle import as_javascript, joined_modules, style
from companion.web.board.messages import BoardChange, BoardState, BoardStep, parse_change

__all__ = ["board", "take_change"]

_MEET = (
    "const house=globalThis.kingdomBoards??={};"
    "house.ready??=new Promise((come)=>{house.come=come});\n"
)
_CODE = (
    f"{joined_modules()}{_MEET}"
    f"house.come((mounted) => $$_main.show(mounted, {as_javascript(style())}));\n"
    "export default () => {};\n"
)
# It travels with every message, so it is short.
_LOADER = f"{_MEET}export default async(mounted)=>(await house.ready)(mounted)"

_code = st.components.v2.component("kingdom_board_code", js=_CODE)
_board = st.components.v2.component("kingdom_board", js=_LOADER)


def take_change(key: str) -> BoardChange | None:
    """What the board with that key has sent and ``board`` has not answered yet.

    Call it before the state is made. A change that is taken twice is the same change: where
    keeping it fails and the script ends before ``board``, the next run gets it again.
    """
    change = parse_change(_sent(key))
    if change is None or change.seq <= _answered(key).get(change.client, 0):
        return None
    taken: tuple[str, int] | None = st.session_state.get(f"{key} taken")
    if taken is not None and taken[0] == change.client and change.seq < taken[1]:
        return None  # A thread that is late; the newer change has been taken already.
    st.session_state[f"{key} taken"] = (change.client, change.seq)
    return change


def board(
    state: BoardState,
    *,
    key: str,
    words: Mapping[str, str],
    earlier: Callable[[], Sequence[BoardStep]] = tuple,
) -> BoardChange | None:
    """Draw the board and answer the change that was taken last.

    ``words`` are those of ``board_words``. A change that nobody has taken is given back, for a
    page that would rather keep it and run again. ``earlier`` gives the states before this one, the
    oldest first, which a board that is new on its page can then undo to.
    """
    taken: tuple[str, int] | None = st.session_state.get(f"{key} taken")
    if taken is not None:
        answered = {**_answered(key), taken[0]: taken[1]}
        st.session_state[f"{key} answered"] = answered
    dossier = state.dossier(words)
    message = state.message(taken, dossier["id"])
    sent = _sent(key)
    if not isinstance(sent, dict) or sent.get("has") != dossier["id"]:
        message["dossier"] = dossier
        message["past"] = [each.to_data() for each in earlier()]
    with st.container(gap=None):
        # Where there are two boards on a page, the first has brought it.
        with suppress(StreamlitDuplicateElementKey):
            _code(key="kingdom_board_code")
        _board(key=key, data=message, on_change_change=_nothing)
    return take_change(key)


def _nothing() -> None:
    """Streamlit keeps only state that has a callback."""


def _sent(key: str) -> Any:
    """The newest message of the browser; anything at all, as anyone can send it."""
    state = st.session_state.get(key)
    return state.get("change") if isinstance(state, Mapping) else None


def _answered(key: str) -> dict[str, int]:
    answered: dict[str, int] = st.session_state.get(f"{key} answered", {})
    return answered
