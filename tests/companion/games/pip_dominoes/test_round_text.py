from __future__ import annotations

from companion.games.pip_dominoes.texts import round_game_lines, round_game_record
from companion.languages import Language
from scorer.pip_dominoes import DominoSet, Game, RoundGame, parse_rounds


def game_of(text: str) -> RoundGame:
    rounds = parse_rounds(text)
    return RoundGame(Game.CHICKENFOOT, DominoSet(9), rounds[0].players, rounds)


def test_a_single_round_has_no_totals() -> None:
    game = game_of("7|7: Anna=1; Ben=-")
    assert list(round_game_lines(game, Language.GERMAN)) == [
        "Runde mit 7|7",
        "  Anna: 1 Punkt",
        "  Ben: 0 Punkte (alles abgelegt)",
    ]
    assert round_game_record(game)["problems"] == []


def test_problems_of_several_rounds() -> None:
    record = round_game_record(game_of("9|9: Anna=1|2; Ben=1|2\n7|7: Anna=1; Ben=2"))
    assert record["problems"] == [
        {
            "code": "in_two_hands",
            "round": 1,
            "players": ["Anna", "Ben"],
            "tile": "1|2",
            "expected": None,
        },
        {
            "code": "unexpected_double",
            "round": 2,
            "players": [],
            "tile": "7|7",
            "expected": "8|8",
        },
    ]


def test_totals_and_who_has_won_are_said_in_german() -> None:
    rounds = "\n".join(f"{n}|{n}: Anna={n}; Ben=-" for n in range(9, -1, -1))
    lines = list(round_game_lines(game_of(rounds), Language.GERMAN))
    assert lines[-5:-2] == ["Gesamt", "  1. Ben, 0 Punkte", "  2. Anna, 45 Punkte"]
    assert lines[-1] == "Ben gewinnt: 0 Punkte."
