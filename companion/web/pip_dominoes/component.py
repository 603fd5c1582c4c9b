"""The pieces of a page that answer at once, as components of Streamlit.

The code is a component of its own whose message stays the same, so that Streamlit sends it once
(see ``companion.web.board.component``); it also brings the style of these pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitDuplicateElementKey

from companion.languages import Language, codes, say
from companion.web.board.bundle import as_javascript, joined_modules
from companion.web.shell.bridge import finish_later, handled_messages

__all__ = ["STATIC", "domino_style", "piece", "piece_words"]

STATIC = Path(__file__).parent / "static"

_MEET = (
    "const house=globalThis.dominoHouse??={};"
    "house.ready??=new Promise((come)=>{house.come=come});\n"
)
_CODE = (
    f"{joined_modules('pieces', STATIC)}{_MEET}"
    f"$$_pieces.dress({as_javascript((STATIC / 'dominoes.css').read_text(encoding='utf-8'))});\n"
    "house.come($$_pieces.show);\nexport default () => {};\n"
)
# It travels with every message, so it is short.
_LOADER = f"{_MEET}export default async(mounted)=>(await house.ready)(mounted)"
_CODE_KEY = "domino_code"

_code = st.components.v2.component("domino_code", js=_CODE, isolate_styles=False)
_piece = st.components.v2.component("domino_piece", js=_LOADER, isolate_styles=False)

_WORDS = {
    "hand": ("hand.",),
    "keypad": ("keypad.", "hand.erase"),
    "clock": ("clock.",),
}
_SHARED = {
    "undo": "page.undo",
    "sheet.close": "page.close",
    "sync.late": "domino_page.sync_late",
    "points.unit.one": "domino_page.point",
    "points.unit.several": "domino_page.points",
}
_FIELDS = ("count", "name", "number", "pips", "points", "tile")
_MAX_SEQ = 2**31


def domino_style() -> None:
    """Bring the code and the style of these pages; once a page, before anything else."""
    with suppress(StreamlitDuplicateElementKey):
        _code(key=_CODE_KEY)


def piece_words(name: str, language: Language) -> dict[str, str]:
    """The words of a piece by their codes, {fields} left as they are."""
    fields = {field: f"{{{field}}}" for field in _FIELDS}
    own = {code: code for code in codes() if code.startswith(_WORDS[name])}
    return {code: say(asked, language, **fields) for code, asked in {**own, **_SHARED}.items()}


def piece(
    name: str,
    data: Mapping[str, Any],
    *,
    key: str,
    language: Language,
    on_change: Callable[[Mapping[str, Any]], None],
) -> None:
    """Draw the piece ``hand``, ``keypad`` or ``clock`` with what it shows.

    ``on_change`` gets what a person did, before the page is drawn again; what it holds then must
    be safe, because drawing answers it. Where it raises, the phone sends again. ``first`` says
    that nothing of this page was seen before: after a restart of the server a phone sends again
    what may have been kept long ago.
    """

    turns = handled_messages()

    def receive() -> None:
        """Do what was sent and not done yet; may be called again at any time."""
        sent = _believable(_sent(key))
        if sent is None:
            return
        with turns.one_at_a_time():
            if turns.is_new(key, sent["client"], sent["seq"]):
                on_change({**sent, "first": not turns.knows(key, sent["client"])})
                turns.note(key, sent["client"], sent["seq"])

    message = {
        **data,
        "of": key,
        "piece": name,
        "words": piece_words(name, language),
        "answers": turns.answer(key),
    }
    finish_later(key, receive)
    _piece(key=key, data=message, on_change_change=receive)


def _sent(key: str) -> Any:
    state = st.session_state.get(key)
    return state.get("change") if isinstance(state, Mapping) else None


def _believable(sent: Any) -> dict[str, Any] | None:
    """A message with a client and a number; anyone can send anything."""
    if not isinstance(sent, dict):
        return None
    client, seq = sent.get("client"), sent.get("seq")
    if not isinstance(client, str) or not client.isalnum() or len(client) > 40:
        return None
    return sent if type(seq) is int and 0 < seq < _MAX_SEQ else None
