"""A table of four with kingdoms, and a visit to look at it."""

from __future__ import annotations

import pytest

from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.table import Table, new_table
from companion.languages import Language
from companion.store import Actor, Player, Store
from companion.web.shared_state import SharedState
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom
from tests.browser.tables import FOUR

DEVICE = "a-device-of-this-test"


@pytest.fixture
def visit(store: Store) -> Visit:
    return Visit(SharedState(store), DEVICE, Language.GERMAN)


@pytest.fixture
def table(store: Store) -> Table:
    """Four players with the kingdoms of their colours; yellow and green tie."""
    made = new_table(store, Actor(DEVICE))
    players = [Player(number, f"Name {colour}", colour) for number, colour in enumerate(FOUR)]
    made = made.with_players(players)
    for seat, kingdom in zip(made.seats, FOUR.values(), strict=True):
        made = made.with_board(seat, KeptBoard(Kingdom.parse(kingdom)), "set")
    return made
