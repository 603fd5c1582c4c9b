"""The four games in the store: their parts, how they stand, two phones at once."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from companion.games.pip_dominoes.kept import KeptHand, KeptMuggins, KeptPlay, KeptRound, RoundRules
from companion.games.pip_dominoes.kind import (
    CASTLE_ROCK,
    CHICKENFOOT,
    KINDS,
    MEXICAN_TRAIN,
    MUGGINS,
    CountedCastle,
    MugginsStanding,
    castle_result,
    knows_tiles,
    muggins_standing,
)
from companion.games.pip_dominoes.standing import RoundStanding
from companion.store import (
    Actor,
    Change,
    Game,
    Json,
    Outcome,
    Player,
    Store,
    StoreError,
    new_id,
)
from companion.store.exchange import Imported, export_games, import_games
from companion.store.history import results_csv, statistics_by_player, summary_of
from scorer.pip_dominoes import CastleRockResult, DominoSet, Hand, MugginsRules, Tile, best_list
from tests.companion.store.undoing import redo_last, undo_last

SIX = DominoSet(6)


def test_pips_without_tiles() -> None:
    result = CountedCastle(SIX, Hand(), 90.0, 12)
    assert (result.score, result.is_won, result.seconds) == (12, False, 90.0)
    assert not knows_tiles(result)


def test_no_pips_are_won() -> None:
    result = CountedCastle(SIX, Hand(), None, 0)
    assert (result.score, result.is_won, result.tiles_left, result.tiles_out) == (0, True, 0, 28)
    assert knows_tiles(result)


def test_it_comes_after_equal_results_whose_tiles_are_known() -> None:
    counted, more = CountedCastle(SIX, Hand(), 1.0, 11), CountedCastle(SIX, Hand(), 1.0, 12)
    tiles = CastleRockResult(SIX, Hand.parse("5|6"), 99.0)
    assert best_list([more, counted, tiles], SIX) == (tiles, counted, more)


def test_a_counted_hand_is_such_a_result() -> None:
    kept = {"hand": {"counted": 7}, "seconds": 30.0}
    found = castle_result({"rules": {"set": 9}, "round:1": kept})
    assert found == CountedCastle(DominoSet(9), Hand(), 30.0, 7)


ANNA, BEN = Actor("annas-phone", "Anna"), Actor("bens-phone", "Ben")
FOUR = [{"id": number, "name": name} for number, name in enumerate(("Anna", "Ben", "Cem", "Dora"))]
_IDS = count()


def train(store: Store, players: int = 2, kind: str = MEXICAN_TRAIN.key, **rules: Json) -> Game:
    parts = {"players": FOUR[:players], "rules": {"set": 9, "rounds": 2, **rules}}
    return store.create_game(kind, parts, ANNA)


def send(store: Store, game: Game, part: str, value: Json, base: int = 0, who: Actor = ANNA) -> Any:
    return store.change(game.id, Change(part, value, base, f"c{next(_IDS)}", "set"), who)


def train_round(double: str, **hands: Json) -> Json:
    """Hands by seat: ``s0="5|9"`` for tiles, a number for a counted hand."""
    return {"double": double, "hands": {name[1:]: hand(value) for name, value in hands.items()}}


def hand(value: Json) -> Json:
    return {"tiles": value} if isinstance(value, str) else {"counted": value}


def standing(game: Game) -> list[tuple[int | None, int | None, bool]]:
    return [(each.points, each.place, each.won) for each in game.results.players]


@pytest.mark.parametrize("kind", [MEXICAN_TRAIN.key, CHICKENFOOT.key])
def test_the_lowest_total_wins_when_every_round_is_there(store: Store, kind: str) -> None:
    game = train(store, kind=kind)
    assert standing(game) == [(None, None, False)] * 2
    send(store, game, "round:1", train_round("9|9", s0="5|9 0|0", s1=""))
    assert standing(store.game(game.id)) == [(64, 2, False), (0, 1, False)]
    assert not store.game(game.id).results.complete
    send(store, game, "round:2", train_round("8|8", s0="1|0", s1=80))
    found = store.game(game.id)
    assert (standing(found), found.results.complete) == ([(65, 1, True), (80, 2, False)], True)
    assert dict(found.results.players[0].details) == {
        "rounds_out": 0,
        "double_blanks": 1,
        "penalties": 0,
        "worst_round": 64,
    }
    assert found.results.players[1].details["rounds_out"] == 1


def test_a_shared_lowest_total_is_a_shared_win(store: Store) -> None:
    game = train(store, rounds=1)
    send(store, game, "round:1", train_round("9|9", s0=7, s1="3|4"))
    assert standing(store.game(game.id)) == [(7, 1, True), (7, 1, True)]


def test_a_counted_double_blank_and_a_penalty_cost_fifty_each(store: Store) -> None:
    game = train(store, rounds=1)
    value = train_round("9|9", s0=7, s1="")
    value["hands"]["0"]["double_blank"] = True
    value["penalties"] = {"1": 2}
    send(store, game, "round:1", value)
    assert [each.points for each in store.game(game.id).results.players] == [57, 100]


@pytest.mark.parametrize(
    "doubt", [{"tiles": "5|9", "doubtful": [0]}, {"tiles": "5|9 9|5"}], ids=["doubtful", "twice"]
)
def test_nobody_has_won_while_a_tile_is_to_be_checked(store: Store, doubt: Json) -> None:
    game = train(store, rounds=1)
    value = train_round("9|9", s0="", s1="5|9")
    value["hands"]["1"] = doubt
    send(store, game, "round:1", value)
    found = store.game(game.id)
    assert [each.points for each in found.results.players] == [0, 14]
    assert not found.results.complete
    assert not any(each.won for each in found.results.players)


def test_rounds_beyond_those_agreed_do_not_count(store: Store) -> None:
    game = train(store)
    for number, double in ((1, "9|9"), (2, "8|8")):
        send(store, game, f"round:{number}", train_round(double, s0=number, s1=9))
    send(store, game, "rules", {"set": 9, "rounds": 1}, 1)
    assert standing(store.game(game.id)) == [(1, 1, True), (9, 2, False)]


def muggins_round(*plays: tuple[Any, ...], **hands: Json) -> Json:
    listed = [
        {"id": f"p{next(_IDS)}", "player": player, "points": points}
        | ({"caller": rest[0]} if rest else {})
        for player, points, *rest in plays
    ]
    return {"plays": listed, "hands": {name[1:]: hand(value) for name, value in hands.items()}}


def test_muggins_ends_at_its_target(store: Store) -> None:
    parts = {"players": FOUR[:2], "rules": {"target": 50}}
    game = store.create_game(MUGGINS.key, parts, ANNA)
    send(store, game, "round:1", muggins_round((0, 10), (1, 15, 0), s0="", s1="6|6 5|4"))
    found = store.game(game.id)
    assert standing(found) == [(45, 1, False), (0, 2, False)]
    assert dict(found.results.players[0].details) == {"points_by_play": 25, "plays_that_scored": 2}
    send(store, game, "round:2", muggins_round((1, 20), (0, 5), (1, 35)))
    found = store.game(game.id)
    assert (standing(found), found.results.complete) == ([(50, 1, True), (20, 2, False)], True)


def test_four_at_muggins_share_the_points_of_their_team(store: Store) -> None:
    game = store.create_game(MUGGINS.key, {"players": FOUR, "rules": {"target": 30}}, ANNA)
    send(store, game, "round:1", muggins_round((0, 10), (1, 5), (2, 20)))
    assert standing(store.game(game.id)) == [
        (30, 1, True),
        (5, 2, False),
        (30, 1, True),
        (5, 2, False),
    ]
    alone = store.create_game(MUGGINS.key, {"players": FOUR, "rules": {"singles": True}}, ANNA)
    send(store, alone, "round:1", muggins_round((2, 20)))
    assert [each.points for each in store.game(alone.id).results.players] == [0, 0, 20, 0]


def test_a_muggins_round_after_one_without_hands_does_not_count(store: Store) -> None:
    game = store.create_game(MUGGINS.key, {"players": FOUR[:2]}, ANNA)
    send(store, game, "round:1", muggins_round((0, 10), s0="6|6"))
    send(store, game, "round:2", muggins_round((0, 10)))
    assert standing(store.game(game.id)) == [(10, 1, False), (0, 2, False)]


def test_castle_rock_counts_the_pips_left(store: Store) -> None:
    parts = {"players": FOUR[:1], "rules": {"set": 6}}
    game = store.create_game(CASTLE_ROCK.key, parts, ANNA)
    assert not game.results.complete
    send(store, game, "round:1", {"hand": {"tiles": "6|6 0|0"}, "seconds": 61.4})
    found = store.game(game.id)
    assert (standing(found), found.results.complete) == ([(12, 1, False)], True)
    assert dict(found.results.players[0].details) == {
        "tiles_left": 2,
        "tiles_out": 26,
        "seconds": 61,
    }
    won = store.create_game(CASTLE_ROCK.key, parts, ANNA)
    send(store, won, "round:1", {"hand": {"tiles": ""}, "seconds": 0})
    assert standing(store.game(won.id)) == [(0, 1, True)]


@pytest.mark.parametrize(
    ("kind", "part", "value", "code"),
    [
        ("mexican_train", "board:1:0", {}, "bad_part"),
        ("mexican_train", "round:20", train_round("9|9"), "bad_part"),
        ("castle_rock", "round:2", {}, "bad_part"),
        ("mexican_train", "rules", {"set": 6}, "set_not_played"),
        ("mexican_train", "rules", {"set": 9, "rounds": 11}, "no_such_round"),
        ("mexican_train", "rules", {"colour": "red"}, "bad_record"),
        ("mexican_train", "round:1", train_round("9|8"), "no_double"),
        ("mexican_train", "round:1", train_round("9|9", s0="5-x"), "bad_tile"),
        ("mexican_train", "round:1", train_round("9|9", s16=3), "bad_record"),
        ("mexican_train", "round:1", train_round("9|9", s0=-1), "bad_round"),
        ("mexican_train", "round:1", train_round("9|9") | {"penalties": {"0": 99}}, "bad_record"),
        ("muggins", "round:1", muggins_round((0, 7)), "not_in_fives"),
        ("muggins", "rules", {"target": 0}, "bad_target"),
        ("castle_rock", "rules", {"set": 7}, "unknown_set"),
        ("castle_rock", "rules", {"challenge": "dance"}, "bad_record"),
        ("castle_rock", "round:1", {"hand": {"counted": 7, "double_blank": True}}, "bad_record"),
        ("castle_rock", "round:1", {"hand": None, "seconds": -1}, "bad_round"),
    ],
)
def test_what_a_game_can_not_have_is_refused(
    store: Store, kind: str, part: str, value: Json, code: str
) -> None:
    game = store.create_game(kind, {"players": FOUR[:1]}, ANNA)
    with pytest.raises(StoreError) as refused:
        send(store, game, part, value)
    assert code in (refused.value.code, refused.value.details.get("reason"))


def test_two_phones_fill_one_round(store: Store) -> None:
    game = train(store, rounds=1)
    send(store, game, "round:1", train_round("9|9", s0="1|2 0|0"))
    confirmed = send(store, game, "round:1", train_round("9|9", s1="3|4"), who=BEN)
    assert confirmed.outcome is Outcome.MERGED
    assert confirmed.value == train_round("9|9", s0="1|2 0|0", s1="3|4") | {
        "hands": {"0": {"tiles": "1|2 0|0"}, "1": {"tiles": "3|4"}}
    }
    assert [each.points for each in store.game(game.id).results.players] == [53, 7]


def test_two_phones_that_count_one_hand_differently_collide(store: Store) -> None:
    game = train(store)
    first = send(store, game, "round:1", train_round("9|9", s0="1|2", s1=5))
    send(store, game, "round:1", train_round("9|9", s0="1|3", s1=5), first.part_sequence)
    late = send(
        store, game, "round:1", train_round("9|9", s0="1|4", s1=5), first.part_sequence, BEN
    )
    (collision,) = late.collisions
    assert (collision.leaf, collision.kept, collision.other) == (
        "hands/0",
        {"tiles": "1|3"},
        {"tiles": "1|4"},
    )


def test_plays_of_two_phones_are_both_kept(store: Store) -> None:
    game = store.create_game(MUGGINS.key, {"players": FOUR[:2]}, ANNA)
    send(store, game, "round:1", muggins_round((0, 10)))
    confirmed = send(store, game, "round:1", muggins_round((1, 15)), who=BEN)
    assert [each["points"] for each in confirmed.value["plays"]] == [10, 15]
    assert confirmed.collisions == ()


def test_undo_takes_back_one_hand_and_leaves_the_other_phone_s(store: Store) -> None:
    game = train(store, rounds=1)
    send(store, game, "round:1", train_round("9|9", s0=4))
    send(store, game, "round:1", train_round("9|9", s1=6), who=BEN)
    undone = undo_last(store, game.id, "round:1", new_id(), ANNA, only_own=True)
    assert undone.value["hands"] == {"1": {"counted": 6, "double_blank": False}}
    redone = redo_last(store, game.id, "round:1", new_id(), ANNA, only_own=True)
    assert redone.value["hands"].keys() == {"0", "1"}


PLAYED: dict[str, tuple[Json, Json, int]] = {
    "mexican_train": ({"set": 9, "rounds": 1}, train_round("9|9", s0="1|2", s1=""), 0),
    "chickenfoot": ({"set": 9, "rounds": 1}, train_round("9|9", s0=7, s1=8), 1),
    "muggins": ({"target": 5}, muggins_round((0, 10), s0="", s1="1|2"), 1),
    "castle_rock": ({"set": 9}, {"hand": {"tiles": "1|2"}, "seconds": 4.0}, 0),
}
"""A whole game of each kind: its rules, its only round, and Anna's wins."""


def test_every_kind_goes_out_and_in_again_and_into_statistics(
    store: Store, another_store: Store
) -> None:
    assert [kind.key for kind in KINDS] == list(PLAYED)
    games = []
    for kind, (rules, value, wins) in PLAYED.items():
        players = FOUR[:1] if kind == CASTLE_ROCK.key else FOUR[:2]
        game = store.create_game(kind, {"players": players, "rules": rules}, ANNA)
        send(store, game, "round:1", value)
        games.append(store.game(game.id))
        assert games[-1].results.complete, kind
        of_kind = {each.name: each for each in statistics_by_player(store, kind)}
        assert (of_kind["Anna"].games, of_kind["Anna"].wins) == (1, wins)
    assert import_games(another_store, export_games(store), "there") == Imported(new=4)
    assert [another_store.game(each.id) for each in games] == games
    table = "".join(results_csv(store))
    assert all(kind in table for kind in PLAYED)


OUT, LEFT = KeptHand(), KeptHand(counted=12)


def standing_in_muggins(
    *rounds: KeptMuggins, players: int = 2, target: int = 50
) -> MugginsStanding:
    numbered = dict(enumerate(rounds, start=1))
    found = muggins_standing(range(players), numbered, MugginsRules(target))
    assert found is not None
    return found


def play(name: str, player: int, points: int, caller: int | None = None) -> KeptPlay:
    return KeptPlay(name, player, points, caller)


def test_the_round_in_play_is_the_first_without_its_hands() -> None:
    assert standing_in_muggins().number == 1
    first = KeptMuggins((play("a", 0, 10),))
    assert standing_in_muggins(first).number == 1
    full = KeptMuggins(first.plays, {0: OUT, 1: LEFT})
    assert standing_in_muggins(full).number == 2
    assert standing_in_muggins(full, KeptMuggins((play("b", 1, 5),))).number == 2
    assert standing_in_muggins(full).game.totals == {"0": 20, "1": 0}


def test_what_comes_after_the_target_does_not_count() -> None:
    late = KeptMuggins((play("a", 0, 50), play("b", 1, 50)), {0: OUT, 1: LEFT})
    found = standing_in_muggins(late, KeptMuggins((play("c", 1, 50),)))
    assert found.game.totals == {"0": 50, "1": 0}
    assert (found.game.is_over, found.number) == (True, 1)


def test_called_points_are_those_of_the_caller() -> None:
    found = standing_in_muggins(KeptMuggins((play("a", 0, 10, caller=1), play("b", 7, 10))))
    assert (found.plays_of(0), found.plays_of(1)) == ([], [10])


def test_muggins_is_for_two_to_four() -> None:
    assert muggins_standing([0], {}, MugginsRules()) is None
    assert muggins_standing(range(5), {}, MugginsRules()) is None
    assert len(standing_in_muggins(players=4).game.sides) == 2


ROUND_STANDING_ANNA, ROUND_STANDING_BEN = Player(0, "Anna"), Player(4, "Ben")


def standing_in_rounds(
    *points: dict[int, int], rounds: int = 3, first: int | None = 0
) -> RoundStanding:
    kept = {
        number: KeptRound(
            Tile(10 - number, 10 - number),
            {player: KeptHand(counted=each) for player, each in hands.items()},
        )
        for number, hands in enumerate(points, start=1)
    }
    return RoundStanding(
        (ROUND_STANDING_ANNA, ROUND_STANDING_BEN), RoundRules(9, rounds, first), kept
    )


def test_a_round_is_current_until_every_hand_is_there() -> None:
    assert standing_in_rounds().current == 1
    assert standing_in_rounds({0: 5}).current == 1
    assert standing_in_rounds({0: 5, 4: 6}).current == 2
    # A hand taken away again makes an earlier round current.
    assert standing_in_rounds({0: 5}, {0: 5, 4: 6}).current == 1


def test_players_who_have_left_do_not_count() -> None:
    found = standing_in_rounds({0: 5, 4: 6, 9: 50})
    assert found.totals == {0: 5, 4: 6}
    assert found.is_full(1)


def test_the_lowest_leads_and_shares() -> None:
    assert standing_in_rounds().leaders == ()
    assert standing_in_rounds({0: 5, 4: 6}).leaders == (ROUND_STANDING_ANNA,)
    assert standing_in_rounds({0: 5, 4: 5}).leaders == (ROUND_STANDING_ANNA, ROUND_STANDING_BEN)


def test_the_start_moves_on_and_is_nobody_s_where_nobody_said() -> None:
    assert [standing_in_rounds().starter, standing_in_rounds({0: 1, 4: 1}).starter] == [
        ROUND_STANDING_ANNA,
        ROUND_STANDING_BEN,
    ]
    assert standing_in_rounds(first=None).starter is None


def test_the_game_is_over_after_the_rounds_agreed() -> None:
    assert standing_in_rounds({0: 5, 4: 6}, rounds=1).is_over
    assert not standing_in_rounds({0: 5, 4: 6}, rounds=2).is_over
    assert standing_in_rounds({0: 5, 4: 6}, rounds=1).played == 1


def test_muggins_is_not_over_while_a_hand_of_an_earlier_round_is_to_be_checked(
    store: Store,
) -> None:
    game = store.create_game(MUGGINS.key, {"players": FOUR[:2], "rules": {"target": 30}}, ANNA)
    first = muggins_round((0, 10), s0="", s1="6|6")
    first["hands"]["1"]["doubtful"] = [0]
    send(store, game, "round:1", first)
    send(store, game, "round:2", muggins_round((0, 5), s0="", s1="2|3"))
    assert not store.game(game.id).results.complete
    send(store, game, "round:1", muggins_round((0, 10), s0="", s1="6|6"), 1)
    assert store.game(game.id).results.complete


def test_in_a_list_who_has_no_place_yet_comes_last(store: Store) -> None:
    game = train(store, 3)
    send(store, game, "round:1", train_round("9|9", s1=9, s2=5))
    listed = summary_of(store, game.id).players
    assert [(each.name, each.place) for each in listed] == [("Cem", 1), ("Ben", 2), ("Anna", None)]
