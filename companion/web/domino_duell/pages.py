"""The pages of Domino-Duell, as the home page offers them."""

from __future__ import annotations

from functools import partial

import streamlit as st

from companion.games.domino_duell.card import result_card
from companion.games.domino_duell.kind import DETAILS, DOMINO_DUELL
from companion.games.domino_duell.table import DuelTable, new_duel
from companion.languages import say
from companion.store import Game, StoreError
from companion.store.history import find_games
from companion.store.model import PLAYERS as SEATED
from companion.web.domino_duell.game_view import show_board, show_result
from companion.web.domino_duell.players_view import show_help, show_players
from companion.web.game_pages import GamePages
from companion.web.shell import icon
from companion.web.visit import Visit
from scorer.domino_duell import PLAYERS


def show_game(visit: Visit, game: Game) -> None:
    """The page of a game that the address names; who plays comes first."""
    table = DuelTable(visit.store, visit.actor, game)
    if visit.view == "result":
        show_result(visit, table)
    elif visit.view == "players" or len(table.players) not in PLAYERS:
        show_players(visit, table)
    else:
        show_board(visit, table)


def show_new_game(visit: Visit) -> None:
    """A game is made at once, and its page asks for the players.

    With ``like=`` it has those of an earlier game, and begins at the board. However often one
    taps, it is one game.
    """
    names = _names_of(visit, visit.parameters.get("like", ""))
    table = _untouched(visit, names) or new_duel(visit.store, names, visit.actor)
    visit.go_to_game(table.game.id, "" if names else "players")
    st.rerun()


def _untouched(visit: Visit, names: list[str]) -> DuelTable | None:
    """The last game of this device, if it has these players and nothing else yet."""
    for found in find_games(visit.store, device=visit.device, kind=DOMINO_DUELL.key, limit=1):
        table = DuelTable(visit.store, visit.actor, visit.store.game(found.id))
        is_new = table.game.parts.keys() == {SEATED}
        if is_new and [player.name for player in table.players] == names:
            return table
    return None


def _names_of(visit: Visit, game_id: str) -> list[str]:
    """The players of a game that this visitor may see; none of any other."""
    if not game_id or not visit.shared.may_see(game_id, visit.device):
        return []
    try:
        return [player.name for player in visit.store.game(game_id).players]
    except StoreError:
        return []


PAGES = GamePages(
    kind=DOMINO_DUELL.key,
    title=lambda language: DOMINO_DUELL.name,
    icon=icon("dice"),
    new_game=show_new_game,
    game=show_game,
    help=show_help,
    details={name: partial(say, f"duell_page.detail.{name}") for name in DETAILS},
    card=result_card,
)
