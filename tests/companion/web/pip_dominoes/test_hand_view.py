"""What a phone sends of a hand, believed only after a look; whose a tile is."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import Actor, Store, open_store
from companion.languages import Language
from companion.pip_dominoes.kept_hand import KeptHand, KeptTile
from companion.pip_dominoes.table import new_table
from companion.web.house import House
from companion.web.pip_dominoes.hand_view import changed_hand, hand_state
from companion.web.visit import Visit
from scorer.pip_dominoes import Tile

BEFORE = KeptHand((KeptTile(Tile(5, 9), 0, True),), reading="r1")


def test_a_changed_hand_keeps_its_reading() -> None:
    sent = {"hand": {"tiles": "5|8 1|2", "places": [0, None]}}
    found = changed_hand(sent, BEFORE, dominoes=1)
    assert found == KeptHand((KeptTile(Tile(5, 8), 0), KeptTile(Tile(1, 2))), reading="r1")
    counted = changed_hand({"hand": {"counted": 7}}, BEFORE, dominoes=1)
    assert counted == KeptHand(counted=7, reading="r1")


@pytest.mark.parametrize(
    "hand",
    [
        None,
        "5|9",
        {"tiles": "5|19"},
        {"tiles": "5|9", "places": [1]},
        {"tiles": "5|9", "reading": "r2"},
        {"counted": -3},
    ],
    ids=str,
)
def test_what_a_piece_does_not_send_changes_nothing(hand: Any) -> None:
    assert changed_hand({"hand": hand}, BEFORE, dominoes=1) is None


@pytest.fixture
def store(tmp_path: Any) -> Any:
    opened = open_store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    yield opened
    opened.close()


def test_the_pad_knows_the_middle_and_the_other_hands(store: Store) -> None:
    visit = Visit(House(store), "device-of-anna-1", Language.ENGLISH)
    rules = {"set": 9, "rounds": None, "first": 0}
    table = new_table(store, "chickenfoot", ["Anna", "Ben"], rules, Actor("device-of-anna-1"))
    table.set_hand(2, 1, KeptHand.of_tiles([Tile(3, 4)]))
    state = hand_state(visit, table, 2, 0)
    assert (state["middle"], state["costs"], state["highest"]) == ("8|8", True, 9)
    assert state["elsewhere"] == {"3|4": "Ben"}
    assert (state["hand"], state["photo"], state["counting"]) == (None, None, True)
    assert hand_state(visit, table, 10, 0)["costs"] is False


def test_a_patience_takes_tiles_and_no_number(store: Store) -> None:
    visit = Visit(House(store), "device-of-anna-1", Language.ENGLISH)
    table = new_table(store, "castle_rock", ["Anna"], {"set": 6}, Actor("device-of-anna-1"))
    assert hand_state(visit, table, 1, 0)["counting"] is False
