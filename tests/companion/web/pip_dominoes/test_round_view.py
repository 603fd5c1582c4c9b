"""The page of a round: lines, score sheet, doubts before the winner, finishing early."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.pip_dominoes.kept import KeptHand, KeptTile
from companion.games.pip_dominoes.standing import round_standing
from companion.games.pip_dominoes.table import DominoTable, new_table
from companion.languages import Language
from companion.store import Actor, Store, open_store
from companion.web.pip_dominoes.round_view import _act, act_on_hands, round_markup
from companion.web.shared_state import SharedState
from companion.web.shell import Act
from companion.web.visit import Visit
from scorer.pip_dominoes import Tile

DEVICE = "device-of-anna-1"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    yield opened
    opened.close()


@pytest.fixture
def visit(store: Store) -> Visit:
    return Visit(SharedState(store), DEVICE, Language.GERMAN)


def table_of_two(store: Store, rounds: int | None = None) -> DominoTable:
    rules = {"set": 9, "rounds": rounds, "first": 1}
    return new_table(store, "mexican_train", ["Anna", "<i>Ben"], rules, Actor(DEVICE))


def shown(visit: Visit, table: DominoTable) -> str:
    return round_markup(visit, table, round_standing(table.game))


def test_a_fresh_round_asks_for_a_photo_of_each(visit: Visit, store: Store) -> None:
    page = shown(visit, table_of_two(store))
    assert "Runde 1 von 10" in page
    assert page.count('type="file"') == 2
    assert 'aria-label="9-9"' in page
    assert "&lt;i&gt;Ben beginnt." in page
    assert "<i>Ben" not in page


def test_the_sheet_grows_and_can_end(visit: Visit, store: Store) -> None:
    table = table_of_two(store)
    _act(visit, table, Act("out", "hand:1:0"))
    table.set_hand(1, 1, KeptHand(counted=30))
    page = shown(visit, table)
    assert "Runde 2 von 10" in page
    assert "Nach Runde 1 Schluss machen" in page
    _act(visit, table, Act("finish", "1"))
    page = shown(visit, table)
    assert "Anna gewinnt mit 0 Punkten" in page
    _act(visit, table, Act("go-on"))
    assert "Runde 2 von 10" in shown(visit, table)
    _act(visit, table, Act("undo"))
    assert "Anna gewinnt" in shown(visit, table)


def test_doubts_come_before_the_winner(visit: Visit, store: Store) -> None:
    table = table_of_two(store, rounds=1)
    table.set_hand(1, 0, KeptHand((KeptTile(Tile(0, 0), 0, True),)))
    table.set_hand(1, 1, KeptHand())
    page = shown(visit, table)
    assert "Anna prüfen: 1" in page
    assert "gewinnt" not in page.replace("wer gewinnt", "")


def test_what_is_odd_is_said_without_notation(visit: Visit, store: Store) -> None:
    table = table_of_two(store)
    table.set_hand(1, 0, KeptHand.of_tiles([Tile(9, 9)]))
    page = shown(visit, table)
    assert "9-9 liegt in der Mitte" in page
    table.set_hand(1, 1, KeptHand())
    assert "Runde 1: Anna: 9-9 liegt in der Mitte" in shown(visit, table)
    assert "|" not in page


@pytest.mark.parametrize("value", ["", "hand:1", "hand:1:7", "hand:x:0", "hand:99999:0"])
def test_an_act_for_nobody_changes_nothing(visit: Visit, store: Store, value: str) -> None:
    table = table_of_two(store)
    act_on_hands(visit, table, Act("out", value))
    assert table.game.sequence == store.game(table.game_id).sequence
    assert not table.can_undo


def test_a_photo_that_is_gone_is_said(visit: Visit, store: Store) -> None:
    table = table_of_two(store)
    act_on_hands(visit, table, Act("photo", "hand:1:0|nothing-there-at-all"))
    assert visit.notice == "Das Foto ist nicht mehr da. Bitte noch einmal aufnehmen."
    act_on_hands(visit, table, Act("photo", "hand:1:0|refused:not_a_picture"))
    assert visit.notice.startswith("Das ist kein Bild")
    act_on_hands(visit, table, Act("photo", "hand:1:0|refused:nonsense"))
    assert visit.notice == "Das Foto ist nicht angekommen. Bitte noch einmal."
    assert table.hand(1, 0) is None


def test_a_round_starts_from_the_double_that_is_chosen(visit: Visit, store: Store) -> None:
    table = table_of_two(store)
    page = shown(visit, table)
    assert page.count('data-do="double"') == 10
    _act(visit, table, Act("double", "1:0"))
    standing = round_standing(table.game)
    assert (standing.double(1), standing.double(2)) == (Tile(0, 0), Tile(8, 8))
    assert 'aria-label="0-0"' in shown(visit, table)
    # The double blank lies in the middle, so that it costs nobody 50 points.
    table.set_hand(1, 0, KeptHand.of_tiles([Tile(0, 0), Tile(1, 2)]))
    assert round_standing(table.game).totals[0] == 3
    for wrong in ("1:10", "2:3", "x:1", "1:", "", "1:1:1"):
        _act(visit, table, Act("double", wrong))
    assert round_standing(table.game).double(1) == Tile(0, 0)
    _act(visit, table, Act("undo"))
    _act(visit, table, Act("undo"))
    assert round_standing(table.game).double(1) == Tile(9, 9)
