"""Every refusal carries what the sentence that people read needs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorer.errors import CodedError
from scorer.pip_dominoes import (
    CastleRock,
    CastleRockResult,
    DominoSet,
    Game,
    Hand,
    Layout,
    MugginsGame,
    MugginsRules,
    Play,
    PlayPoints,
    Remains,
    Round,
    RoundGame,
    Row,
    Spot,
    Tile,
    parse_muggins_round,
    parse_round,
    setup_guide,
    starting_double,
)

SIX, NINE = DominoSet(6), DominoSet(9)


def chickenfoot(players: str, *rounds: str) -> RoundGame:
    return RoundGame(
        Game.CHICKENFOOT, NINE, tuple(players.split()), tuple(map(parse_round, rounds))
    )


def muggins(players: str, *rounds: str) -> MugginsGame:
    return MugginsGame(tuple(players.split()), tuple(map(parse_muggins_round, rounds)))


REFUSALS: list[tuple[Callable[[], object], str, dict[str, object]]] = [
    (
        lambda: setup_guide(Game.CHICKENFOOT, 4, SIX),
        "set_not_played",
        {"game": "Chickenfoot", "set": 6, "sets": (9, 12, 15, 18)},
    ),
    (
        lambda: setup_guide(Game.MUGGINS, 2, SIX, quick=True),
        "quick_not_played",
        {"game": "Muggins"},
    ),
    (
        lambda: setup_guide(Game.CHICKENFOOT, 4, NINE, singles=True),
        "singles_not_played",
        {"game": "Chickenfoot"},
    ),
    (
        lambda: setup_guide(Game.CHICKENFOOT, 9, NINE),
        "not_in_table",
        {"game": "Chickenfoot", "set": 9, "players": 9, "allowed": (2, 3, 4, 5, 6)},
    ),
    (
        lambda: setup_guide(Game.MEXICAN_TRAIN, 9, DominoSet(18), quick=True),
        "not_in_table",
        {"game": "Mexican Train", "set": 9, "players": 9, "allowed": (2, 3, 4, 5, 6)},
    ),
    (lambda: Game.of("rummy"), "unknown_game", {"game": "rummy"}),
    (lambda: DominoSet(7), "unknown_set", {"set": 7}),
    (lambda: DominoSet.holding(19), "unknown_set", {"set": 19}),
    (lambda: Hand.parse("1|2 2|1"), "tile_twice", {"tile": "1|2"}),
    (lambda: Hand.parse("1|2").without(Tile(3, 4)), "not_in_hand", {"tile": "3|4"}),
    (lambda: starting_double(NINE, 0), "no_such_round", {"round": 0, "rounds": 10}),
    (lambda: starting_double(NINE, 11), "no_such_round", {"round": 11, "rounds": 10}),
    (lambda: Round(Tile(1, 2), ()), "no_double", {"tile": "1|2"}),
    (lambda: parse_round("9|9: Anna=1; Anna=2"), "same_name", {"name": "Anna"}),
    (lambda: parse_round(" 9|9 Anna=1 "), "bad_round", {"text": "9|9 Anna=1"}),
    (lambda: parse_round("9|9: Anna=1; Ben"), "bad_entry", {"text": "Ben"}),
    (lambda: parse_round("9|9: Anna=+50"), "bad_entry", {"text": "+50"}),
    (lambda: parse_round("9|9: Anna=9|x"), "bad_tile", {"text": "9|x"}),
    (lambda: parse_round("9|9: Anna=1=2"), "bad_tile", {"text": "1=2"}),
    (lambda: parse_round("9|9: Anna=1: Ben"), "bad_tile", {"text": "1:"}),
    (lambda: parse_round("9|9: Anna="), "bad_entry", {"text": "Anna="}),
    (lambda: parse_round("9|9: =5"), "bad_entry", {"text": "=5"}),
    (lambda: parse_round("9|9: Anna=٣"), "bad_tile", {"text": "٣"}),
    (lambda: parse_muggins_round("Anna=٥"), "bad_plays", {"text": "٥"}),
    (lambda: parse_muggins_round("Anna=5; Ben=5>"), "bad_plays", {"text": "5>"}),
    (
        lambda: Round.from_dict({"double": "9|9", "hands": {"A": 1}, "penalties": {"A": "x"}}),
        "bad_record",
        {"field": "penalties"},
    ),
    (lambda: Layout.parse("2|1 1|3 0|5"), "does_not_fit", {"tile": "0|5"}),
    (lambda: Remains("Anna", -1), "below_zero", {}),
    (lambda: Remains("Anna", 0, -1), "below_zero", {}),
    (
        lambda: RoundGame(Game.MUGGINS, NINE, ("Anna", "Ben")),
        "set_not_played",
        {"game": "Muggins", "set": 9, "sets": (6, 9, 12, 15, 18)},
    ),
    (lambda: chickenfoot("Anna"), "few_players", {"players": 1}),
    (lambda: chickenfoot("Anna Ben Ben"), "same_name", {"name": "Ben"}),
    (
        lambda: chickenfoot("Anna Ben", "9|9: Anna=1; Ben=2", "8|8: Anna=1; Eva=2"),
        "other_players",
        {"round": 2},
    ),
    (
        lambda: chickenfoot("A B", *("9|9: A=1; B=2",) * 11),
        "too_many_rounds",
        {"rounds": 11, "due": 10},
    ),
    (
        lambda: chickenfoot("A B", "9|9: A=1; B=2").with_round_replaced(
            2, parse_round("8|8: A=1; B=2")
        ),
        "no_such_round",
        {"round": 2, "rounds": 1},
    ),
    (lambda: muggins("Anna"), "bad_players", {"players": 1}),
    (lambda: muggins("A B C D E"), "bad_players", {"players": 5}),
    (lambda: muggins("Anna Anna"), "same_name", {"name": "Anna"}),
    (lambda: muggins("Anna Ben", "Eva=10"), "other_players", {"round": 1}),
    (
        lambda: muggins("Anna Ben", "/ Anna=0; Ben=4", "Anna=5 / Anna=0"),
        "other_players",
        {"round": 2},
    ),
    (lambda: muggins("Anna Ben", "Anna=5", "Ben=5"), "unfinished_round", {"round": 1}),
    (lambda: muggins("Anna Ben", "Anna=250 / Anna=0; Ben=13"), "game_over", {"round": 1}),
    (lambda: MugginsRules(target=0), "bad_target", {"target": 0}),
    (lambda: PlayPoints("Anna", 12), "not_in_fives", {"points": 12}),
    (lambda: CastleRock(SIX, Row.parse("7|1")), "outside_set", {"tile": "1|7", "set": 6}),
    (lambda: CastleRock(SIX, gone=Hand.parse("0|8")), "outside_set", {"tile": "0|8", "set": 6}),
    (lambda: CastleRock(SIX, Row.parse("1|2"), Hand.parse("2|1")), "tile_twice", {"tile": "1|2"}),
    (lambda: CastleRockResult(SIX, Hand.parse("7|7")), "outside_set", {"tile": "7|7", "set": 6}),
    (lambda: CastleRockResult(SIX, Hand(), -1.0), "below_zero", {}),
    (lambda: Layout.parse("6|7"), "outside_set", {"tile": "6|7", "set": 6}),
    (lambda: Layout.parse("1|2 2|1"), "tile_twice", {"tile": "1|2"}),
    (lambda: Layout.parse("1|2 2|3 4|5"), "does_not_fit", {"tile": "4|5"}),
    (lambda: Layout((Tile(1, 2), Tile(2, 2))), "no_spinner", {}),
    (lambda: Layout((), Tile(1, 2)), "no_spinner", {}),
    (lambda: Layout((), Tile(2, 2), ((), ())), "too_many_arms", {"arms": 2}),
    (lambda: Layout.parse("2|2 / 2|6 / 3|1"), "does_not_fit", {"tile": "1|3"}),
    (lambda: Layout.parse("2|2 / 2|6 / . / 2|4"), "ends_before_sides", {}),
    (lambda: Layout.parse("2|2 / . / . / . / . / 2|1"), "too_many_arms", {"arms": 5}),
    (lambda: Layout.parse("2|2 3|3 / 2|1"), "no_spinner", {}),
    (lambda: Layout.parse("2|2 2|3 3|3"), "several_doubles", {}),
    (
        lambda: Layout.parse("1|2").after(Play(Tile(2, 3), Spot.START)),
        "spot_not_open",
        {"spot": str(Spot.START)},
    ),
    (
        lambda: Layout.parse("1|2").after(Play(Tile(3, 4), Spot.RIGHT)),
        "does_not_fit",
        {"tile": "3|4"},
    ),
    (
        lambda: CastleRock.from_dict(CastleRock(SIX).to_dict() | {"game": "muggins"}),
        "bad_record",
        {"field": "game"},
    ),
    (lambda: Row.parse("1|2 3|4 5|6").without((0, 2)), "not_removable", {"tiles": (1, 3)}),
]


@pytest.mark.parametrize(
    ("refused", "code", "details"), REFUSALS, ids=[each[1] for each in REFUSALS]
)
def test_a_refusal_names_what_is_wrong(
    refused: Callable[[], object], code: str, details: dict[str, object]
) -> None:
    with pytest.raises(CodedError) as caught:
        refused()
    assert (caught.value.code, caught.value.details) == (code, details)
