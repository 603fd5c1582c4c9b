from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.kingdomino.kept_board import (
    Frame,
    KeptBoard,
    board_frame,
    lattice_place,
    rotated,
)
from companion.games.kingdomino.kind import KINGDOMINO, board_key
from companion.store import Actor, Change, Outcome, Store, new_id
from companion.web.kingdomino.board import Action, BoardChange, ChangeKind
from companion.web.kingdomino.board_changes import (
    confirm_change,
    kept_board,
)
from scorer.kingdomino import Kingdom, Position

BOARD = KeptBoard(
    Kingdom.parse("w1 w f/c g l"),
    doubtful=frozenset({(0, 2)}),
    corrected=frozenset({(1, 0)}),
    reading="reading",
)
PART = board_key(0)
PHONE, OTHER = "phone00001", "phone00002"


def change(
    kingdom: Kingdom,
    seq: int = 1,
    base: int = 1,
    *,
    settled: frozenset[Position] = frozenset(),
    frame: Frame | None = None,
    client: str = PHONE,
) -> BoardChange:
    actions = (Action(seq, ChangeKind.SET),)
    return BoardChange(client, seq, base, kingdom, settled, frame or Frame(), actions)


def started(store: Store, board: KeptBoard = BOARD) -> str:
    players = [{"id": 0, "name": "Anna"}, {"id": 1, "name": "Ben"}]
    game = store.create_game(KINGDOMINO.key, {"players": players, PART: board.to_data()}, Actor())
    return game.id


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("row", [-1, 0, 2])
def test_the_frame_of_a_board_is_kept(turns: int, row: int) -> None:
    frame = Frame(turns, row, 1)
    kept = kept_board(change(BOARD.kingdom, frame=frame), BOARD)
    assert board_frame(kept) == frame
    assert KeptBoard.from_data(kept.to_data()) == kept


@pytest.mark.parametrize("turns", range(4))
def test_squares_of_one_turn_keep_their_place_when_rows_are_added(turns: int) -> None:
    before = kept_board(change(BOARD.kingdom, frame=Frame(turns, 3, 2)), BOARD)
    first = Frame(turns, 3, 2).lattice_place((-1, 0))
    grown = Kingdom.parse(f". . ./{BOARD.kingdom}")
    after = kept_board(change(grown, frame=Frame(turns, *first)), before)
    assert (
        after.cells.items()
        >= {place: (square, False, False) for place, (square, _, _) in before.cells.items()}.items()
    )


def test_doubts_follow_their_squares_through_a_turn() -> None:
    turned = rotated(BOARD, 1)
    assert str(turned.kingdom) == "c w1/g w/l f"
    assert turned.doubtful == {(2, 1)}
    assert lattice_place(turned, (2, 1)) == (0, 2)
    assert rotated(turned, 3) == BOARD
    assert rotated(BOARD, -1) == rotated(BOARD, 3)


def test_a_settled_square_is_in_doubt_no_more() -> None:
    kept = kept_board(change(BOARD.kingdom, settled=frozenset({(0, 2)})), BOARD)
    assert kept.doubtful - kept.corrected == frozenset()
    assert kept.corrected == {(0, 2)}


def test_a_phone_takes_back_what_was_set_and_changes_no_square_that_was_not() -> None:
    kept = kept_board(change(Kingdom.parse("m3 w f/w g l")), BOARD)
    assert str(kept.kingdom) == "w1 w f/w g l"
    assert kept.corrected == frozenset()


def test_a_phone_that_taps_on_before_it_is_answered_meets_no_collision(store: Store) -> None:
    game = started(store)
    for seq, square in enumerate(("w2", "l1", "m3"), start=1):
        kingdom = Kingdom.parse(f"{square} w f/c g l")
        sent = kept_board(change(kingdom, settled=frozenset({(0, 0)})), BOARD)
        confirmed = confirm_change(
            store, game, PART, change(kingdom, seq, settled=frozenset({(0, 0)})), sent, Actor()
        )
        assert confirmed.outcome is Outcome.APPLIED
    assert store.game(game).part(PART).value["kingdom"] == "m3 w f/c g l"
    assert store.game(game).collisions == ()


def test_a_phone_collides_with_another_that_changes_the_board_and_not_with_itself(
    store: Store,
) -> None:
    game = started(store)

    def send(client: str, seq: int, kingdom: str, *places: Position, insists: bool = False) -> None:
        settled = frozenset(places)
        sent = change(Kingdom.parse(kingdom), seq, settled=settled, client=client)
        sent = replace(sent, insisted=settled if insists else frozenset())
        confirm_change(store, game, PART, sent, kept_board(sent, BOARD), Actor())

    send(PHONE, 1, "w2 w f/c g l", (0, 0), insists=True)
    send(OTHER, 1, "w1 m1 f/c g l1", (0, 1), (1, 2))
    send(PHONE, 2, "m3 l1 f/c g l", (0, 0), (0, 1))
    value = store.game(game).part(PART).value
    assert (value["kingdom"], value.get("insisted", [])) == ("m3 m1 f/c g l1", [])
    (collision,) = store.game(game).collisions
    assert (collision.leaf, collision.kept, collision.other) == ("0,1", "m1", "l1")


def test_two_phones_that_set_one_square_collide_and_nothing_is_lost(store: Store) -> None:
    game = started(store)
    for client, square in ((PHONE, "w2"), (OTHER, "l1")):
        kingdom = Kingdom.parse(f"{square} w f/c g l")
        sent = change(kingdom, settled=frozenset({(0, 0)}), client=client)
        confirm_change(store, game, PART, sent, kept_board(sent, BOARD), Actor())
    (collision,) = store.game(game).collisions
    assert (collision.kept, collision.other) == ("w2", "l1")


def test_a_change_that_is_sent_again_is_done_once(store: Store) -> None:
    game = started(store)
    sent = change(Kingdom.parse("w2 w f/c g l"), settled=frozenset({(0, 0)}))
    board = kept_board(sent, BOARD)
    first = confirm_change(store, game, PART, sent, board, Actor())
    store.change(game, Change(PART, BOARD.to_data(), first.part_sequence, new_id()))
    again = confirm_change(store, game, PART, sent, board, Actor())
    assert again.again
    assert store.game(game).part(PART).value["kingdom"] == "w1 w f/c g l"
