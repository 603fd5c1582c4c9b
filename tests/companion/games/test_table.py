"""What the tables of all games promise: changes, undoing, the same twice, and collisions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Event, Thread

import pytest

from companion.games.domino_duell.kind import KeptSetUp
from companion.games.domino_duell.table import DuelTable, new_duel
from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.kind import KINGDOMINO, board_key
from companion.games.kingdomino.table import Table
from companion.games.pip_dominoes.kept import KeptHand, KeptRound, round_key
from companion.games.pip_dominoes.table import DominoTable
from companion.games.pip_dominoes.table import new_table as new_dominoes
from companion.games.table import GameTable, new_game
from companion.store import Actor, Game, Json, Outcome, Store, StoreError, new_id
from companion.store.exchange import Imported, export_games, import_games
from scorer.computed import computed_once
from scorer.kingdomino import Kingdom
from scorer.pip_dominoes import Tile
from tests.companion.games.domino_duell.duels import START

ANNA, BEN = Actor("annas-phone", "Anna"), Actor("bens-phone", "Ben")
NAMES = ["Anna", "Ben"]


@dataclass(frozen=True)
class Case:
    """A game, one part of it, and values that it may take; the last two collide with the first."""

    make: Callable[[Store], GameTable]
    at: Callable[[Store, Game, Actor], GameTable]
    part: str
    values: tuple[Json, Json, Json]
    leaf: str


def _board(text: str) -> Json:
    kingdom = Kingdom.parse(text)
    return KeptBoard(kingdom, corrected=frozenset({(0, 0)})).to_data()


def _round(*pips: int) -> Json:
    return KeptRound(Tile(9, 9), {0: KeptHand.of_tiles([Tile(n, 9) for n in pips])}).to_data()


def _duel_start(count: int) -> Json:
    """The stones of the middle, the first of them turned ``count`` places on."""
    stones = [*START.values()]
    hollow, *_ = sorted(START)
    return KeptSetUp({hollow: stones[count]}).to_data()


CASES = {
    "kingdomino": Case(
        lambda store: Table(store, ANNA, new_game(store, KINGDOMINO.key, NAMES, ANNA)),
        lambda store, game, actor: Table(store, actor, game),
        board_key(0),
        (_board("w w1/c l"), _board("f w1/c l"), _board("l w1/c l")),
        "0,0",
    ),
    "pip_dominoes": Case(
        lambda store: new_dominoes(store, "mexican_train", NAMES, {"set": 9}, ANNA),
        lambda store, game, actor: DominoTable(store, game.id, actor),
        round_key(1),
        (_round(1), _round(2), _round(3)),
        "hands/0",
    ),
    "domino_duell": Case(
        lambda store: new_duel(store, NAMES, ANNA),
        lambda store, game, actor: DuelTable(store, actor, game),
        "setup",
        tuple(_duel_start(count) for count in range(3)),
        f"start/{min(START)}",
    ),
}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


def value_of(store: Store, table: GameTable, part: str) -> Json:
    return store.game(table.game.id).part(part).value


def test_a_change_is_kept_with_who_did_it(store: Store, case: Case) -> None:
    table = case.make(store)
    confirmed = table.confirm(case.part, case.values[0], "first", change_id="one")
    assert confirmed.value == case.values[0] == value_of(store, table, case.part)
    line = store.log(table.game.id)[-1]
    assert (line.part, line.action, line.change_id) == (case.part, "first", "one")
    assert (line.device, line.who) == (ANNA.device, ANNA.who)
    assert table.is_confirmed("one")
    assert not table.is_confirmed("two")


def test_the_same_change_twice_is_one(store: Store, case: Case) -> None:
    table = case.make(store)
    first = table.confirm(case.part, case.values[0], "first", change_id="one")
    again = table.confirm(case.part, case.values[0], "first", change_id="one")
    assert not first.again
    assert again.again
    assert (again.sequence, again.value) == (first.sequence, first.value)
    with pytest.raises(StoreError, match="change_id_reused"):
        table.confirm(case.part, case.values[1], "first", change_id="one")


def test_a_change_is_taken_back_and_the_same_undo_twice_is_one(store: Store, case: Case) -> None:
    table = case.make(store)
    first = table.confirm(case.part, case.values[0], "first").sequence
    fresh = case.at(store, store.game(table.game.id), ANNA)
    second = fresh.confirm(case.part, case.values[1], "second").sequence
    assert fresh.take_back(second, change_id="undo").value == case.values[0]
    assert fresh.take_back(second, change_id="undo").again
    assert value_of(store, table, case.part) == case.values[0]
    with pytest.raises(StoreError, match="nothing_to_undo"):
        fresh.take_back(second)
    with pytest.raises(StoreError, match="change_id_reused"):
        fresh.take_back(first, change_id="undo")
    assert fresh.take_back(first).value is None
    for sequence in (0, 999, store.log(table.game.id)[-1].sequence):
        with pytest.raises(StoreError, match="nothing_to_undo"):
            fresh.take_back(sequence)


def test_several_are_taken_back_together_and_once(store: Store, case: Case) -> None:
    table = case.make(store)
    first = table.confirm(case.part, case.values[0], "first").sequence
    table = case.at(store, store.game(table.game.id), ANNA)
    second = table.confirm(case.part, case.values[1], "second").sequence
    for _ in range(2):
        assert table.take_back(first, second, change_id="both").value is None
    undone = [each.undoes for each in store.log(table.game.id) if each.undoes]
    assert undone == [second, first]
    assert table.is_confirmed("both.0")


def test_each_takes_back_what_is_their_own(store: Store, case: Case) -> None:
    annas = case.make(store)
    assert annas.last_own() is None
    first = annas.confirm(case.part, case.values[0], "first").sequence
    bens = case.at(store, store.game(annas.game.id), BEN)
    assert bens.last_own() is None
    assert annas.last_own() == first
    annas.take_back(first)
    assert annas.last_own() is None


def test_a_collision_is_decided_either_way(store: Store, case: Case) -> None:
    for take_other in (False, True):
        annas = case.make(store)
        annas.confirm(case.part, case.values[0], "first")
        game = store.game(annas.game.id)
        annas, bens = (case.at(store, game, actor) for actor in (ANNA, BEN))
        based_on = game.part(case.part).sequence
        annas.confirm(case.part, case.values[1], "second", based_on=based_on)
        lost = bens.confirm(case.part, case.values[2], "third", based_on=based_on)
        after = annas.settle(lost.sequence, take_other=take_other)
        assert after.value == case.values[2 if take_other else 1]
        assert store.game(game.id).collisions == ()
        with pytest.raises(StoreError, match="no_collision"):
            annas.settle(lost.sequence, take_other=take_other)


def test_what_is_done_again_late_is_decided_either_way(store: Store, case: Case) -> None:
    for take_other in (False, True):
        annas = case.make(store)
        first = annas.confirm(case.part, case.values[0], "first").sequence
        annas.take_back(first)
        bens = case.at(store, store.game(annas.game.id), BEN)
        bens.confirm(case.part, case.values[1], "second")
        again = store.redo(annas.game.id, first, new_id(), ANNA)
        assert (again.outcome, again.value) == (Outcome.COLLIDED, case.values[1])
        after = annas.settle(again.sequence, take_other=take_other)
        assert after.value == case.values[0 if take_other else 1]
        assert store.game(annas.game.id).collisions == ()


def test_what_is_taken_back_late_is_asked_about_where_others_went_on(
    store: Store, case: Case
) -> None:
    """The undo names its change: what others did since stays, and what was lost is named."""
    annas = case.make(store)
    annas.confirm(case.part, case.values[0], "first")
    annas = case.at(store, store.game(annas.game.id), ANNA)
    second = annas.confirm(case.part, case.values[1], "second").sequence
    bens = case.at(store, store.game(annas.game.id), BEN)
    bens.confirm(case.part, case.values[2], "third")
    undone = annas.take_back(second)
    assert (undone.outcome, undone.value) == (Outcome.COLLIDED, case.values[2])
    (collision,) = store.game(annas.game.id).collisions
    assert collision.leaf == case.leaf
    assert annas.settle(undone.sequence, take_other=True).value == case.values[0]


def test_two_who_set_the_same_place_collide_and_both_are_kept(store: Store, case: Case) -> None:
    annas = case.make(store)
    annas.confirm(case.part, case.values[0], "first")
    game = store.game(annas.game.id)
    annas, bens = (case.at(store, game, actor) for actor in (ANNA, BEN))
    based_on = game.part(case.part).sequence
    annas.confirm(case.part, case.values[1], "second", based_on=based_on)
    confirmed = bens.confirm(case.part, case.values[2], "third", based_on=based_on)
    assert confirmed.outcome is Outcome.COLLIDED
    assert confirmed.value == case.values[1] == value_of(store, annas, case.part)
    (collision,) = store.game(game.id).collisions
    assert (collision.part, collision.leaf) == (case.part, case.leaf)
    assert collision.kept != collision.other
    with pytest.raises(StoreError, match="somebody_was_faster"):
        bens.confirm(case.part, case.values[2], "x", based_on=based_on, may_collide=False)
    assert value_of(store, annas, case.part) == case.values[1]


def test_a_collision_travels_and_is_settled_there(
    store: Store, case: Case, another_store: Store
) -> None:
    test_two_who_set_the_same_place_collide_and_both_are_kept(store, case)
    export = export_games(store)
    assert import_games(another_store, export, BEN.device) == Imported(new=1)
    game = another_store.game(export["games"][0]["id"])
    assert game.collisions == store.game(game.id).collisions
    assert len(game.collisions) == 2
    case.at(another_store, game, BEN).confirm(case.part, case.values[2], "settle")
    assert another_store.game(game.id).collisions == ()


def test_a_faster_phone_is_not_overwritten_at_pip_dominoes(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between looking at the round and keeping a hand, another phone keeps another hand."""
    table = new_dominoes(store, "mexican_train", NAMES, {"set": 9}, ANNA)
    bens = DominoTable(store, table.game_id, BEN)
    looked: list[bool] = []
    look = store.game

    def game(game_id: str) -> Game:
        found = look(game_id)
        if not looked:
            looked.append(True)
            bens.set_hand(1, 1, KeptHand.of_tiles([Tile(2, 3)]))
        return found

    monkeypatch.setattr(store, "game", game)
    table.set_hand(1, 0, KeptHand.of_tiles([Tile(1, 2)]))
    assert {*look(table.game_id).values[round_key(1)]["hands"]} == {"0", "1"}


def test_a_duel_refuses_a_stone_where_another_phone_laid_one(store: Store) -> None:
    table = new_duel(store, NAMES, ANNA)
    other = replace(table, actor=BEN)
    hollow = min(START)
    first, second = [*START.values()][:2]
    table.set_start(hollow, first)
    with pytest.raises(StoreError, match="somebody_was_faster"):
        other.set_start(hollow, second)


def test_nobody_waits_for_what_is_computed_of_another_table() -> None:
    class Slow:
        asked = 0

        def __init__(self, free: Event) -> None:
            self.free = free

        @computed_once
        def answer(self) -> int:
            self.asked += 1
            assert self.free.wait(10)
            return self.asked

    one, other = Slow(Event()), Slow(Event())
    other.free.set()
    asks = Thread(target=lambda: one.answer)
    asks.start()
    assert other.answer == 1
    assert other.answer == 1, "it is computed once"
    one.free.set()
    asks.join()
    assert one.answer == 1


def test_tables_compute_with_no_lock_of_a_class() -> None:
    for table in (Table, DuelTable, DominoTable):
        kinds = {type(each) for of in table.__mro__ for each in vars(of).values()}
        assert cached_property not in kinds
