"""A table that many tests begin with."""

from __future__ import annotations

from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.table import Table, new_table
from companion.store import Actor, Player, Store
from scorer.kingdomino import Kingdom
from tests.browser.tables import FOUR


def table_of_four(store: Store, device: str) -> Table:
    """Four players with the kingdoms of their colours; yellow and green tie."""
    made = new_table(store, Actor(device))
    players = [Player(number, f"Name {colour}", colour) for number, colour in enumerate(FOUR)]
    made = made.with_players(players)
    for seat, kingdom in zip(made.seats, FOUR.values(), strict=True):
        made = made.with_board(seat, KeptBoard(Kingdom.parse(kingdom)), "set")
    return made
