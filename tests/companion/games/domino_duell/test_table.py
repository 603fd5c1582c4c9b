"""A game in work: start, turns, jokers, hands, undo, two phones, and what the store makes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.domino_duell.kind import DOMINO_DUELL, KeptHand, KeptSetUp
from companion.games.domino_duell.table import DuelTable, new_duel
from companion.store import Actor, Change, Store, StoreError, new_id
from companion.store.exchange import export_games, import_games
from companion.store.history import statistics_by_player
from scorer.domino_duell import (
    JOKER,
    STONES,
    End,
    Game,
    Lay,
    Move,
    Stone,
    joker_hollows,
    legal_moves,
)
from tests.companion.games.domino_duell.duels import START

ANNA, BEN = Actor("annas-phone", "Anna"), Actor("bens-phone", "Ben")


@pytest.fixture
def table(store: Store) -> DuelTable:
    started = new_duel(store, ["Anna", "Ben"], ANNA)
    return started.set_rules(KeptSetUp(START))


def best(table: DuelTable) -> Move:
    assert table.duel is not None
    return legal_moves(table.duel.position, table.duel.unseen)[0]


def laid(table: DuelTable, count: int) -> DuelTable:
    for _ in range(count):
        move = best(table)
        table = table.lay(move.stone, move.hollow)
    return table


def duel_of(table: DuelTable) -> Game:
    assert table.duel is not None
    return table.duel


def reason_of(error: pytest.ExceptionInfo[StoreError]) -> object:
    return error.value.details["reason"]


def test_the_start_is_kept_stone_by_stone(store: Store) -> None:
    table = new_duel(store, ["Anna", "Ben"], ANNA)
    for hollow, stone in START.items():
        assert table.duel is None
        table = table.set_start(hollow, stone)
    assert duel_of(table).to_move == 0
    assert table.to_move == table.players[0]
    table = table.set_start("f6", None)
    assert table.duel is None


def test_a_move_is_in_the_store_with_its_points(table: DuelTable, store: Store) -> None:
    move = best(table)
    table = table.lay(move.stone, move.hollow)
    again = store.game(table.game.id)
    assert again.values["turns"] == [f"0: {move.hollow}={move.stone}"]
    assert [each.points for each in again.results.players] == [move.points, 0]
    assert not again.results.complete


def test_the_edge_is_set_by_hand(table: DuelTable) -> None:
    move = best(table)
    table = table.lay(move.stone, move.hollow, at_edge=True)
    assert duel_of(table).totals == (2 * move.points, 0)


@pytest.mark.parametrize(
    ("stone", "hollow", "reason"),
    [("rtl", "e6", "stone_on_board"), ("rcw", "a1", "no_group"), ("rcw", "f6", "occupied")],
)
def test_what_is_not_allowed_is_refused_with_its_reason(
    table: DuelTable, stone: str, hollow: str, reason: str
) -> None:
    with pytest.raises(StoreError) as error:
        table.lay(Stone.parse(stone), hollow)
    assert error.value.code == "bad_value"
    assert reason_of(error) == reason
    assert not table.store.game(table.game.id).values.get("turns")


def test_undo_goes_back_to_any_move_and_comes_back(table: DuelTable) -> None:
    table = laid(table, 5)
    turns, totals = table.turns, duel_of(table).totals
    table = table.back_to(2)
    assert table.turns == turns[:2]
    assert duel_of(table).to_move == 0
    table = table.undone(table.made[-1])
    assert duel_of(table).totals == totals
    assert [each.action for each in table.store.log(table.game.id)][-2:] == ["undo", "undo"]


def test_the_same_tap_twice_is_one_turn(table: DuelTable) -> None:
    move = best(table)
    tap = new_id()
    table = table.lay(move.stone, move.hollow, seen=0, change_id=tap)
    again = table.lay(move.stone, move.hollow, seen=0, change_id=tap)
    assert len(again.turns) == 1


def test_of_two_phones_the_second_is_told(table: DuelTable) -> None:
    first, second, *_ = legal_moves(duel_of(table).position, STONES)
    other = DuelTable(table.store, BEN, table.game)
    table = table.lay(first.stone, first.hollow)
    with pytest.raises(StoreError) as error:
        other.lay(second.stone, second.hollow)
    assert reason_of(error) == "somebody_was_faster"
    fresh = DuelTable(table.store, BEN, table.store.game(table.game.id))
    with pytest.raises(StoreError) as error:
        fresh.lay(second.stone, second.hollow, seen=0)
    assert reason_of(error) == "somebody_was_faster"
    assert fresh.lay(first.stone, first.hollow, seen=0).turns == table.turns


def test_a_joker_takes_a_stone_which_is_laid_again(table: DuelTable) -> None:
    table = table.set_rules(replace(table.set_up, jokers=True))
    table = laid(table, 30)
    position = duel_of(table).position
    hollow = joker_hollows(position)[0]
    seat = duel_of(table).to_move
    assert seat is not None
    table = table.set_hand(table.players[seat].id, [JOKER, best(table).stone])
    taken = position[hollow]
    table = table.use_joker(hollow)
    assert duel_of(table).position[hollow] is JOKER
    assert taken in table.hand(table.players[seat].id)
    assert JOKER not in table.hand(table.players[seat].id)


def test_a_hand_follows_what_is_laid(table: DuelTable) -> None:
    move = best(table)
    table = table.set_hand(0, [move.stone, Stone.parse("gcw")])
    table = table.lay(move.stone, move.hollow)
    assert table.hand(0) == (Stone.parse("gcw"),)
    assert table.back_to(0).hand(0) == (move.stone, Stone.parse("gcw"))
    assert table.hand(1) == ()


def test_nothing_is_known_of_a_hand_after_a_counted_exchange(table: DuelTable) -> None:
    pieces = (Stone.parse("gcw"), Stone.parse("yck"))
    table = table.set_hand(0, pieces)
    assert table.exchange(2).hand(0) == ()


def test_a_named_exchange_leaves_the_rest_of_the_hand(table: DuelTable) -> None:
    pieces = (Stone.parse("gcw"), Stone.parse("yck"))
    table = table.set_hand(0, pieces).exchange(1, pieces[:1])
    assert table.hand(0) == pieces[1:]


def test_all_sit_out_and_the_game_is_over(table: DuelTable) -> None:
    table = laid(table, 2).sit_out().sit_out()
    assert duel_of(table).over
    results = table.game.results
    assert results.complete
    assert sum(each.won for each in results.players) >= 1


def test_equal_points_share_the_victory(table: DuelTable) -> None:
    table = table.sit_out().sit_out()
    assert [each.won for each in table.game.results.players] == [True, True]


def test_the_quick_end_is_the_first_stone_at_the_edge(table: DuelTable) -> None:
    table = table.set_rules(replace(table.set_up, end=End.EDGE))
    move = best(table)
    table = table.lay(move.stone, move.hollow, at_edge=True)
    assert table.game.results.complete
    assert table.game.results.players[0].won


def test_rules_that_contradict_the_turns_are_refused(table: DuelTable) -> None:
    table = laid(table, 2)
    used = table.turns[0].partition("=")[2]
    with pytest.raises(StoreError) as error:
        table.set_start("f6", Stone.parse(used))
    assert reason_of(error) == "stone_on_board"
    with pytest.raises(StoreError) as error:
        table.set_start("f6", None)
    assert reason_of(error) == "not_ready"


def test_nobody_comes_or_goes_once_a_turn_was_taken(table: DuelTable) -> None:
    table = laid(table, 1)
    part = table.game.part("players")
    renamed = [{**each, "name": f"{each['name']}!"} for each in part.value]
    change = Change("players", renamed, part.sequence, new_id())
    table.store.change(table.game.id, change, ANNA)
    part = table.store.game(table.game.id).part("players")
    swapped = part.value[::-1]
    change = Change("players", swapped, part.sequence, new_id())
    with pytest.raises(StoreError) as error:
        table.store.change(table.game.id, change, ANNA)
    assert reason_of(error) == "game_has_begun"


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("turns", {}),
        ("turns", ["nonsense"]),
        ("turns", [3]),
        ("setup", []),
        ("setup", {"start": {"a1": "rcw"}}),
        ("setup", {"start": {"f6": "rcw", "f7": "rcw"}}),
        ("setup", {"end": "never"}),
        ("setup", {"begins": "Anna"}),
        ("setup", {"board": ["o?o"]}),
        ("hand:0", {"pieces": ["rcw"] * 2, "after": 0}),
        ("hand:0", {"pieces": ["*"] * 5, "after": 0}),
        ("hand:0", {"pieces": [str(each) for each in STONES[:8]], "after": 0}),
        ("hand:0", {"pieces": ["rcw"], "after": -1}),
    ],
)
def test_nonsense_is_refused(table: DuelTable, part: str, value: object) -> None:
    with pytest.raises(StoreError) as error:
        DOMINO_DUELL.check(part, value, table.game.values)
    assert error.value.code == "bad_value"
    assert error.value.details["part"] == part
    assert error.value.details["reason"]


@pytest.mark.parametrize(
    ("part", "value", "details"),
    [
        (
            "setup",
            {"start": {"f6": "rcw", "f7": "rcw"}},
            {"reason": "piece_twice", "stone": "rcw"},
        ),
        (
            "hand:0",
            {"pieces": ["rcw", "bsl", "rcw"], "after": 0},
            {"reason": "piece_twice", "stone": "rcw"},
        ),
        (
            "hand:0",
            {"pieces": ["*"] * 5, "after": 0},
            {"reason": "too_many_jokers", "found": 5, "allowed": 4},
        ),
        (
            "hand:0",
            {"pieces": [str(each) for each in STONES[:8]], "after": 0},
            {"reason": "hand_too_large", "found": 8, "allowed": 7},
        ),
    ],
)
def test_a_refusal_names_what_is_wrong(
    table: DuelTable, part: str, value: object, details: dict[str, object]
) -> None:
    with pytest.raises(StoreError) as error:
        DOMINO_DUELL.check(part, value, table.game.values)
    assert error.value.details == {"part": part, **details}


def test_what_is_sent_twice_is_one_change(table: DuelTable) -> None:
    hollow = min(START)
    before = len(table.store.log(table.game.id))
    for _ in range(2):
        table.set_start(hollow, None, change_id="start")
        table.set_hand(0, [STONES[0], JOKER], change_id="hand")
    assert len(table.store.log(table.game.id)) == before + 2


def test_another_part_is_refused(table: DuelTable) -> None:
    with pytest.raises(StoreError) as error:
        DOMINO_DUELL.check("board:1:0", {}, table.game.values)
    assert error.value.code == "bad_part"


def test_parts_come_back_as_they_were() -> None:
    kept = KeptSetUp(START, 1, End.EDGE, jokers=True, helper=True)
    assert KeptSetUp.from_data(kept.to_data()) == kept
    hand = KeptHand((JOKER, Stone.parse("rcw")), 3)
    assert KeptHand.from_data(hand.to_data()) == hand


def test_a_game_travels_to_another_store(table: DuelTable, another_store: Store) -> None:
    table = laid(table, 4).sit_out().sit_out()
    exported = export_games(table.store, device=ANNA.device)
    import_games(another_store, exported, "other-phone")
    assert another_store.game(table.game.id).results == table.game.results


@pytest.mark.parametrize("turn", ["x" * 300, "a\x1b[31m", 7])
def test_turns_of_nonsense_that_were_taken_back_are_no_turns_either(
    table: DuelTable, another_store: Store, turn: object
) -> None:
    exported = export_games(laid(table, 1).store, device=ANNA.device)
    line = exported["games"][0]["changes"][-1]
    line["value"] = [turn]
    later = {"sequence": line["sequence"] + 1, "part_sequence": line["part_sequence"] + 1}
    exported["games"][0]["changes"].append({**line, **later, "change_id": "back", "value": []})
    with pytest.raises(StoreError, match="bad_import"):
        import_games(another_store, exported, "other-phone")


def test_statistics_count_moves(table: DuelTable) -> None:
    table = laid(table, 4).sit_out().sit_out()
    found = statistics_by_player(table.store, DOMINO_DUELL.key, device=ANNA.device)
    assert len(found) == 2
    details = table.game.results.players[0].details
    assert details["moves"] == 2
    assert details["best_move"] > 0


def test_a_turn_of_the_player_named_is_checked(table: DuelTable) -> None:
    move = best(table)
    with pytest.raises(StoreError) as error:
        table.take(Lay(move.stone, move.hollow, player="1"))
    assert reason_of(error) == "not_their_turn"


def test_of_two_jokers_one_is_left_when_one_is_exchanged(table: DuelTable) -> None:
    table = table.set_rules(replace(table.set_up, jokers=True))
    table = table.set_hand(0, (JOKER, JOKER, Stone.parse("gcw")))
    assert table.exchange(1, (JOKER,)).hand(0) == (JOKER, Stone.parse("gcw"))
