"""Castle Rock's page: the list of one's own best, of the set in play alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.pip_dominoes.kept import KeptHand
from companion.games.pip_dominoes.table import DominoTable, new_table
from companion.languages import Language
from companion.store import Actor, Store, open_store
from companion.web.pip_dominoes.castle_view import _keep_clock, castle_markup, own_results
from companion.web.pip_dominoes.hand_view import hand_state
from companion.web.shared_state import SharedState
from companion.web.visit import Visit
from scorer.pip_dominoes import Tile

DEVICE = "device-of-anna-1"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    yield opened
    opened.close()


def played(store: Store, tiles: list[Tile], highest: int = 6, device: str = DEVICE) -> DominoTable:
    rules = {"set": highest, "challenge": "pips"}
    table = new_table(store, "castle_rock", ["Anna"], rules, Actor(device))
    table.set_hand(1, 0, KeptHand.of_tiles(tiles))
    return table


def test_the_best_list_is_one_s_own_and_of_this_set(store: Store) -> None:
    visit = Visit(SharedState(store), DEVICE, Language.ENGLISH)
    mine = played(store, [Tile(1, 2)])
    better = played(store, [Tile(0, 1)])
    played(store, [], highest=9)
    played(store, [], device="device-of-ben-12")
    found = {game_id: result.score for game_id, result in own_results(visit, mine.game)}
    assert found == {mine.game_id: 3, better.game_id: 1}
    page = castle_markup(visit, mine)
    assert "1 domino left with 3 pips" in page
    assert page.index(">1<") < page.index("this one")


def test_nothing_left_is_won(store: Store) -> None:
    visit = Visit(SharedState(store), DEVICE, Language.GERMAN)
    table = played(store, [])
    page = castle_markup(visit, table)
    assert "Gewonnen: nichts ist übrig!" in page
    assert f'href="card/{table.game_id}/de"' in page
    assert "bgstats://" in page


def test_a_number_is_enough_where_pips_count(store: Store) -> None:
    visit = Visit(SharedState(store), DEVICE, Language.GERMAN)
    table = played(store, [])
    assert hand_state(visit, table, 1, 0)["counting"]
    table.set_hand(1, 0, KeptHand(counted=7))
    page = castle_markup(visit, table)
    assert "7 Augen übrig" in page
    assert "<td>7</td><td>–</td>" in page
    (result,) = table.game.results.players
    assert (result.points, result.won, "tiles_left" in result.details) == (7, False, False)
    against_the_clock = {"set": 6, "challenge": "clock"}
    other = new_table(store, "castle_rock", ["Anna"], against_the_clock, Actor(DEVICE))
    assert not hand_state(visit, other, 1, 0)["counting"]


@pytest.mark.parametrize(
    "sent",
    [{"seconds": -1, "running": True}, {"seconds": "5", "running": True}, {"seconds": 5}, {}],
)
def test_a_clock_that_can_not_be_is_not_kept(store: Store, sent: dict[str, object]) -> None:
    table = new_table(store, "castle_rock", ["Anna"], {"set": 6}, Actor(DEVICE))
    _keep_clock(table, sent)
    assert not table.can_undo
    _keep_clock(table, {"seconds": 5.5, "running": False})
    assert table.game.values["round:1"]["seconds"] == 5.5
