"""Changes that others make to a game that is open: seen within two seconds."""

from __future__ import annotations

import streamlit as st

from companion.games import Game, StoreError
from companion.web.visit import Visit

__all__ = ["ASK_EVERY_S", "watch"]

ASK_EVERY_S = 1.3


def watch(visit: Visit, game: Game) -> None:
    """Ask for changes as long as the page is open, and draw it again when there are some."""
    visit.room["seen", game.id] = game.sequence
    _ask(visit, game.id)


@st.fragment(run_every=ASK_EVERY_S)
def _ask(visit: Visit, game_id: str) -> None:
    visit.shelf.keep_alive(game_id)
    seen = visit.room.get(("seen", game_id), 0)
    try:
        found = visit.store.changes_since(game_id, seen)
    except StoreError:
        return
    if found.sequence > seen:
        visit.room["seen", game_id] = found.sequence
        st.rerun()
