"""Plays as a phone sends them; the page of a round, its end and its winner."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.pip_dominoes.kept import KeptHand
from companion.games.pip_dominoes.kind import MugginsStanding, muggins_rounds_of, muggins_standing
from companion.games.pip_dominoes.table import DominoTable, new_table
from companion.languages import Language
from companion.store import Actor, Store, open_store
from companion.web.pip_dominoes.muggins_view import (
    _keep_plays,
    kept_plays,
    muggins_end_markup,
    muggins_markup,
)
from companion.web.shared_state import SharedState
from companion.web.visit import Visit
from scorer.pip_dominoes import MugginsRules

DEVICE = "device-of-anna-1"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    yield opened
    opened.close()


def test_only_plays_are_taken_from_a_message() -> None:
    plays = [
        {"id": "a", "player": 0, "points": 10, "caller": None},
        {"id": "b", "player": 1, "points": 5, "caller": 0},
        {"id": 7, "player": 0, "points": 10},
        {"id": "c", "player": "0", "points": 10},
        "nonsense",
    ]
    assert kept_plays({"plays": plays}) == [("a", 0, 10, None), ("b", 1, 5, 0)]
    assert kept_plays({"plays": 5}) == []


def table_of_two(store: Store) -> DominoTable:
    return new_table(store, "muggins", ["Anna", "Ben"], {"target": 50, "first": 0}, Actor(DEVICE))


def standing_of(table: DominoTable) -> MugginsStanding:
    rounds = muggins_rounds_of(table.game.values)
    found = muggins_standing([0, 1], rounds, MugginsRules(target=50))
    assert found is not None
    return found


def test_plays_are_kept_once_and_odd_ones_dropped(store: Store) -> None:
    table = table_of_two(store)
    plays = [
        {"id": "a", "player": 0, "points": 10},
        {"id": "b", "player": 0, "points": 7},
        {"id": "c", "player": 5, "points": 10},
        {"id": "d", "player": 1, "points": 5},
    ]
    for _ in range(2):
        _keep_plays(table, 1, {"plays": plays})
    kept = muggins_rounds_of(table.game.values)[1].plays
    assert [(each.player, each.points) for each in kept] == [(0, 10), (1, 5)]


@pytest.mark.parametrize("language", [Language.ENGLISH, Language.GERMAN])
def test_the_page_from_the_first_play_to_the_winner(store: Store, language: Language) -> None:
    visit = Visit(SharedState(store), DEVICE, language)
    table = table_of_two(store)
    german = language is Language.GERMAN
    table.add_play(1, 1, 10)
    shown = muggins_markup(visit, table, standing_of(table))
    assert ("Anna beginnt." if german else "Anna starts.") in shown
    table.set_hand(1, 0, KeptHand(counted=3))
    assert ">3<" in muggins_end_markup(visit, table, standing_of(table))
    table.set_hand(1, 1, KeptHand(counted=3))
    shown = muggins_markup(visit, table, standing_of(table))
    assert ("Niemand bekommt" if german else "Nobody gets") in shown
    table.add_play(2, 0, 50)
    shown = muggins_markup(visit, table, standing_of(table))
    won = "Anna gewinnt mit 50 Punkten" if german else "Anna wins with 50 points"
    assert won in shown
