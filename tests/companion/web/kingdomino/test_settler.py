from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.kingdomino.editing import EditedKingdom, KeptReading, board_of
from companion.games.kingdomino.kind import KeptBoard, KeptRules
from companion.games.kingdomino.table import Table, new_table
from companion.store import Actor, Store
from companion.web.kingdomino import corrections
from companion.web.kingdomino.board_changes import board_frame, lattice_place, rotated
from companion.web.kingdomino.corrections import settle_later, settle_now, wait_until_settled
from scorer.kingdomino import Rules, Square
from tests.companion.kingdomino.readings import kingdom_reading
from vision.kingdomino.labels import LABELS
from vision.kingdomino.result import KingdomReading


def reading(notation: str, unsure: dict[tuple[int, int], tuple[str, str]]) -> KingdomReading:
    """A kingdom with squares that may be one or the other."""
    found = kingdom_reading(notation)
    seen = np.full((found.kingdom.height, found.kingdom.width, len(LABELS)), 1e-6)
    for place, square in found.kingdom.items():
        for label in unsure.get(place, (str(square),)):
            seen[*place, LABELS.index(label)] = 1.0
    return replace(found, probabilities=seen / seen.sum(2, keepdims=True))


@pytest.fixture
def at_table(store: Store) -> Table:
    """A kingdom whose mine may have one crown or three, beside a lake that may be wheat."""
    kept = KeptReading(reading("c l m1", {(0, 1): ("l", "w"), (0, 2): ("m1", "m3")}))
    table = new_table(store, Actor()).with_player("Anna")
    reading_id = store.keep_reading(table.game.id, kept.to_data())
    return table.with_reading(table.seats[0], reading_id, kept)


def corrected(board: KeptBoard) -> KeptBoard:
    (mine,) = [place for place, _ in board.kingdom.items() if lattice_place(board, place) == (0, 2)]
    kingdom = board.kingdom.replace({mine: Square.parse("m3")})
    return replace(board, kingdom=kingdom, corrected=frozenset({mine}))


@pytest.mark.parametrize("turns", range(4))
def test_a_correction_mends_its_partner_however_the_board_is_turned(
    store: Store, at_table: Table, turns: int
) -> None:
    board = at_table.seats[0].board
    assert board is not None
    table = at_table.with_board(at_table.seats[0], corrected(rotated(board, turns)), "set")
    assert settle_now(store, table.game.id) == 1
    after = table.again().seats[0].board
    assert after is not None
    assert board_frame(after).turns == turns
    assert str(rotated(after, -turns).kingdom) == "c w m3"
    assert rotated(after, -turns).doubtful == {(0, 1)}
    assert settle_now(store, table.game.id) == 0


def test_nothing_changes_without_a_correction(store: Store, at_table: Table) -> None:
    assert settle_now(store, at_table.game.id) == 0


def test_it_is_done_in_the_background(store: Store, at_table: Table) -> None:
    board = at_table.seats[0].board
    assert board is not None
    table = at_table.with_board(at_table.seats[0], corrected(board), "set")
    settle_later(store, table.game.id)
    settle_later(store, "no such game")
    wait_until_settled()
    after = table.again().seats[0].board
    assert after is not None
    assert str(after.kingdom) == "c w m3"


def test_a_board_by_hand_stays_as_it_is(store: Store) -> None:
    table = new_table(store, Actor()).with_player("Anna")
    table.with_board(table.seats[0], board_of(EditedKingdom.empty(5)), "by_hand")
    assert settle_now(store, table.game.id) == 0


def test_the_dominoes_of_the_expansion_count_where_it_is_played(
    store: Store, at_table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    def settled(kingdoms: list[EditedKingdom], *, giants: bool) -> list[EditedKingdom]:
        asked.append(giants)
        return kingdoms

    monkeypatch.setattr(corrections, "settled", settled)
    settle_now(store, at_table.game.id)
    at_table.with_rules(KeptRules(Rules(age_of_giants=True)))
    settle_now(store, at_table.game.id)
    assert asked == [False, True]
