"""A game in work: hands from photos and by hand, undo over rounds, penalties, plays, the clock."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from companion.games.pip_dominoes.kept import KeptHand, KeptRound, RoundRules
from companion.games.pip_dominoes.kind import (
    CASTLE_ROCK,
    MEXICAN_TRAIN,
    MUGGINS,
    castle_of,
    muggins_rounds_of,
    rounds_of,
)
from companion.games.pip_dominoes.standing import RoundStanding, round_standing
from companion.games.pip_dominoes.table import DominoTable, TablePhoto, new_table
from companion.store import Actor, Player, Store, StoreError
from scorer.pip_dominoes import Hand, Tile
from tests.companion.games.pip_dominoes.hands import confirmed, hand_of
from tests.companion.store.undoing import take_back_last
from vision.pip_dominoes import HandReading

ANNA = Actor("annas-phone", "Anna")
NAMES = ("Anna", "Ben", "Cem", "Dora")


class Photos:
    """A reader that knows what is on each photo, and remembers which set it was told."""

    def __init__(self) -> None:
        self.sets: list[int] = []

    def __call__(self, photo: TablePhoto, highest: int) -> HandReading:
        self.sets.append(highest)
        tiles, _, doubtful = photo.load().decode().partition(";")
        doubts = dict(each.split(">") for each in doubtful.split())
        return hand_of(tiles, doubts)


def photo(text: str) -> TablePhoto:
    return TablePhoto("photo-1", text.encode, 400, 300)


def train(store: Store, players: int = 4, **rules: object) -> DominoTable:
    rules = {"set": 9, "rounds": 3, "first": 1, **rules}
    return new_table(store, MEXICAN_TRAIN.key, NAMES[:players], rules, ANNA, Photos())


def standing_of(table: DominoTable) -> RoundStanding:
    return round_standing(table.game)


def count(table: DominoTable, number: int, *points: int) -> None:
    for player, each in enumerate(points):
        table.set_hand(number, player, KeptHand(counted=each))


def test_a_photo_fills_a_hand_with_what_was_read(store: Store) -> None:
    table = train(store)
    table.read_hand(1, 2, photo("5|9 0|3;0|3>0|2"))
    hand = table.hand(1, 2)
    assert hand is not None
    assert (hand.left, hand.doubts) == (Hand.parse("5|9 0|3"), (1,))
    reading = table.reading(hand)
    assert reading is not None
    assert (reading.photo, reading.width, reading.height) == ("photo-1", 400, 300)
    assert reading.dominoes[1].runner_up == Tile(0, 2)
    assert reading.dominoes[0].corners == ((10, 20), (50, 20), (50, 100), (10, 100))
    assert isinstance(table.read, Photos)
    assert table.read.sets == [9]


def test_a_double_blank_is_always_asked_for(store: Store) -> None:
    table = train(store)
    table.read_hand(1, 0, photo("5|9 0|0"))
    hand = table.hand(1, 0)
    assert hand is not None
    assert hand.doubts == (1,)
    assert standing_of(table).to_check == ((1, 0),)
    assert standing_of(table).totals[0] == 64


def test_a_domino_that_another_hand_has_is_in_doubt(store: Store) -> None:
    table = train(store)
    table.read_hand(1, 0, photo("5|9 1|2"))
    table.read_hand(1, 1, photo("9|9 5|9 3|4"))
    hand = table.hand(1, 1)
    assert hand is not None
    assert hand.doubts == (0, 1)
    table.read_hand(2, 1, photo("5|9"))
    later = table.hand(2, 1)
    assert later is not None
    assert later.is_settled
    # Taken anew, a hand is not in its own way.
    table.read_hand(1, 0, photo("1|2"))
    again = table.hand(1, 0)
    assert again is not None
    assert again.is_settled


def test_the_hands_of_a_round_are_settled_together_and_undone_together(store: Store) -> None:
    table = train(store)
    table.read_hand(1, 0, photo("5|8 1|2;5|8>5|7"))
    table.read_hand(1, 1, photo("5|8 3|4"))
    first, second = table.hand(1, 0), table.hand(1, 1)
    assert first is not None
    assert second is not None
    assert (first.left, first.doubts) == (Hand.parse("5|7 1|2"), (0,))
    assert (second.left, second.doubts) == (Hand.parse("5|8 3|4"), ())
    assert take_back_last(table)
    first = table.hand(1, 0)
    assert first is not None
    assert first.left == Hand.parse("5|8 1|2")
    assert table.hand(1, 1) is None


def test_a_game_goes_from_round_to_round_to_its_winner(store: Store) -> None:
    table = train(store)
    found = standing_of(table)
    assert (found.current, found.double(1), found.leaders) == (1, Tile(9, 9), ())
    assert found.starter is not None
    assert found.starter.name == "Ben"
    count(table, 1, 10, 0, 20, 30)
    found = standing_of(table)
    assert (found.current, found.double(2), found.played) == (2, Tile(8, 8), 1)
    assert found.starter is not None
    assert found.starter.name == "Cem"
    count(table, 2, 0, 40, 5, 5)
    count(table, 3, 1, 1, 1, 0)
    found = standing_of(table)
    assert found.is_over
    assert [player.name for player in found.leaders] == ["Anna"]
    assert found.running[2] == {0: 10, 1: 40, 2: 25, 3: 35}
    assert found.totals == {0: 11, 1: 41, 2: 26, 3: 35}


def test_a_game_is_not_over_while_a_tile_is_to_be_checked(store: Store) -> None:
    table = train(store, players=2, rounds=1)
    table.read_hand(1, 0, photo("5|9;5|9>5|8"))
    table.set_hand(1, 1, KeptHand())
    assert (standing_of(table).is_played, standing_of(table).is_over) == (True, False)
    hand = table.hand(1, 0)
    assert hand is not None
    table.set_hand(1, 0, confirmed(hand), "confirm")
    assert standing_of(table).is_over


def test_who_wins_is_certain_only_where_no_doubt_can_change_it() -> None:
    """Compared with all combinations of what each hand may cost."""
    draw = Random(28)
    decided = 0
    for _ in range(3000):
        seats = range(draw.randint(2, 4))
        costs = [sorted({draw.randint(0, 6) for _ in range(draw.choice((1, 1, 2)))}) for _ in seats]
        hands = {seat: KeptHand(counted=draw.choice(costs[seat])) for seat in seats}
        players = tuple(Player(seat, NAMES[seat]) for seat in seats)
        standing = RoundStanding(players, RoundRules(), {1: KeptRound(Tile(9, 9), hands)})
        ranges = {1: {seat: (c[0], c[-1]) for seat, c in enumerate(costs) if len(c) > 1}}
        winners = {
            frozenset(seat for seat in seats if points[seat] == min(points))
            for points in product(*costs)
        }
        deciding = standing.deciding(ranges)
        assert (deciding == ()) == (len(winners) == 1)
        assert {*deciding} <= ranges[1].keys()
        decided += not deciding
    assert 300 < decided < 2700


def test_undo_goes_back_step_by_step_over_rounds_and_after_a_new_start(store: Store) -> None:
    table = train(store, players=2)
    assert table.last_own() is None
    count(table, 1, 3, 4)
    table.set_hand(2, 0, KeptHand(counted=7))
    table.add_penalty(1, 1)
    assert standing_of(table).totals == {0: 10, 1: 54}
    again = DominoTable(store, table.game_id, ANNA)
    totals = []
    while take_back_last(again):
        totals.append(standing_of(again).totals)
    assert totals == [{0: 10, 1: 4}, {0: 3, 1: 4}, {0: 3, 1: 0}, {0: 0, 1: 0}]
    assert again.last_own() is None
    assert rounds_of(again.game.values) == {}


def test_undo_leaves_what_another_phone_did(store: Store) -> None:
    table = train(store, players=2)
    table.set_hand(1, 0, KeptHand(counted=3))
    ben = DominoTable(store, table.game_id, Actor("bens-phone"))
    ben.set_hand(1, 1, KeptHand(counted=4))
    ben.set_hand(2, 1, KeptHand(counted=5))
    assert take_back_last(table)
    assert standing_of(table).totals == {0: 0, 1: 9}
    assert not take_back_last(table)


def test_a_game_may_end_early_and_go_on(store: Store) -> None:
    table = train(store, players=2, rounds=None)
    count(table, 1, 3, 4)
    assert (standing_of(table).rules.rounds_due, standing_of(table).is_over) == (10, False)
    table.finish_after(1)
    assert standing_of(table).is_over
    assert take_back_last(table)
    assert not standing_of(table).is_over


def test_what_is_odd_names_the_players(store: Store) -> None:
    table = train(store, players=2)
    for player in (0, 1):
        table.set_hand(1, player, KeptHand.of_tiles([Tile(5, 6)]))
    (problem,) = standing_of(table).problems(1)
    assert (problem.code, problem.players) == ("in_two_hands", ("Anna", "Ben"))


def test_a_penalty_is_given_and_taken_away(store: Store) -> None:
    table = train(store, players=2)
    count(table, 1, 3, 4)
    table.add_penalty(1, 0)
    assert standing_of(table).totals[0] == 53
    table.add_penalty(1, 0, -2)
    assert standing_of(table).totals[0] == 3


def test_plays_of_muggins_are_kept_once_and_only_in_fives(store: Store) -> None:
    table = new_table(store, MUGGINS.key, NAMES[:2], {}, ANNA)
    table.add_play(1, 0, 10, play_id="first")
    table.add_play(1, 0, 10, play_id="first")
    table.add_play(1, 1, 10, caller=0)
    plays = muggins_rounds_of(table.game.values)[1].plays
    assert [(each.player, each.points, each.caller) for each in plays] == [
        (0, 10, None),
        (1, 10, 0),
    ]
    with pytest.raises(StoreError):
        table.add_play(1, 0, 7)
    assert take_back_last(table)
    assert len(muggins_rounds_of(table.game.values)[1].plays) == 1
    assert table.highest == 6


def test_castle_rock_has_a_clock_and_what_is_left(store: Store) -> None:
    table = new_table(store, CASTLE_ROCK.key, NAMES[:1], {"set": 9}, ANNA)
    table.set_clock(0.0, 1_000.0)
    table.set_hand(1, 0, KeptHand.of_tiles([Tile(1, 2)]))
    castle = castle_of(table.game.values)
    assert castle is not None
    assert (castle.running_since, castle.hand) == (1_000.0, table.hand(1, 0))
    table.set_clock(12.5, None)
    castle = castle_of(table.game.values)
    assert castle is not None
    assert (castle.seconds, castle.running_since) == (12.5, None)
    assert [each.points for each in table.game.results.players] == [3]


def test_what_the_doubts_of_every_hand_leave_is_told(store: Store) -> None:
    table = train(store, players=2)
    table.read_hand(1, 0, photo("5|9;5|9>5|8"))
    table.read_hand(1, 1, photo("1|2;1|2>1|3"))
    table.add_penalty(1, 1)
    table.read_hand(2, 0, photo("6|6;6|6>6|5"))
    ranges = table.ranges(standing_of(table))
    assert ranges == {1: {0: (13, 14), 1: (53, 54)}, 2: {0: (11, 12)}}
