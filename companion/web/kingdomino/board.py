"""The board: a kingdom on its photo and as tiles, edited with fingers, mouse or keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from companion.web.kingdomino.board_messages import (
    BoardChange,
    BoardState,
    BoardStep,
    parse_change,
)
from companion.web.shell.bridge import Component, Message, sent_by

__all__ = ["board"]


def _newest(message: Message) -> list[tuple[int, BoardChange]]:
    """A board sends its whole kingdom, so the newest message is the change."""
    change = parse_change(message)
    return [] if change is None else [(message.seq, change)]


_BOARD = Component(
    "kingdomino",
    "kingdomino/static/board.mjs",
    _newest,
    style="kingdomino/static/board.css",
)


def board(
    state: BoardState,
    *,
    key: str,
    words: Mapping[str, str],
    on_change: Callable[[BoardChange], None],
    earlier: Callable[[], Sequence[BoardStep]] = tuple,
) -> None:
    """Draw the board.

    ``words`` are those of ``board_words``. ``on_change`` gets what a person did, before the page
    is drawn again; it must be safe then, because drawing answers it. ``earlier`` gives what
    this device did before, the oldest first, which a board that is new on its page can then undo.
    """
    dossier = state.dossier(words)
    data = state.message(dossier["id"])
    sent = sent_by(key)
    if not isinstance(sent, Mapping) or sent.get("has") != dossier["id"]:
        data["dossier"] = dossier
        data["past"] = [each.to_data() for each in earlier()]
    with st.container(gap=None):
        _BOARD.show(data, key=key, on_change=on_change)
