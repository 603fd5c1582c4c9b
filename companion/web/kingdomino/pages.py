"""The pages of Kingdomino, registered for the home page."""

from __future__ import annotations

from functools import partial

import streamlit as st

from companion.games.kingdomino.card import result_card
from companion.games.kingdomino.kind import KINGDOMINO
from companion.games.kingdomino.table import Table, is_winner_open
from companion.games.kingdomino.texts import terrain_name
from companion.languages import say
from companion.store import Game
from companion.web.game_pages import GamePages
from companion.web.kingdomino.kept_view import kept_list
from companion.web.kingdomino.parts import number_of
from companion.web.kingdomino.photos import photos_for_new_game, show_who, show_whose
from companion.web.kingdomino.players_view import show_help, show_players
from companion.web.kingdomino.readings import glance
from companion.web.kingdomino.result_view import show_result
from companion.web.kingdomino.seat_view import begun_by_hand, show_seat, untouched_table
from companion.web.shell import icon
from companion.web.visit import Visit
from scorer.kingdomino import Terrain


def show_game(visit: Visit, game: Game) -> None:
    """The page of a game that the address names; its boards without one."""
    table = Table(visit.store, visit.actor, game, number_of(visit))
    if game.kept:
        show_seat(visit, table)
        return
    views = {
        "players": show_players,
        "result": show_result,
        "who": show_who,
        "whose": show_whose,
    }
    views.get(visit.view, show_seat)(visit, table)


def show_new_game(visit: Visit) -> None:
    """A game by hand begins with the first kingdom: its castle is set, the brush at hand.

    A game in which nothing was entered yet is gone on with, however often one taps. With ``kept=``
    it is a kingdom without a game, and nothing is made before there is one.
    """
    if visit.parameters.get("kept"):
        kept_list(visit)
        return
    table = untouched_table(visit) or begun_by_hand(visit)
    visit.go_to_game(table.game.id, seat=table.seats[0].player.id + 1)
    st.rerun()


PAGES = GamePages(
    kind=KINGDOMINO.key,
    title=lambda language: "Kingdomino",
    icon=icon("crown"),
    new_game=show_new_game,
    game=show_game,
    photo=photos_for_new_game,
    help=show_help,
    details={
        **{each.name.lower(): partial(terrain_name, each) for each in Terrain},
        "bonuses": partial(say, "result.bonuses"),
    },
    card=result_card,
    glance=glance,
    alone="kept.way",
    is_open=is_winner_open,
)
