from __future__ import annotations

from companion.games.pip_dominoes.texts import (
    layout_lines,
    layout_record,
    muggins_lines,
    muggins_record,
)
from companion.languages import Language
from scorer.pip_dominoes import Layout, MugginsGame, MugginsRules, parse_muggins_rounds


def test_a_game_of_teams_in_german() -> None:
    rounds = parse_muggins_rounds("A=245 / A=-; B=6|5; C=6|6 4|4; D=5|5 2|0")
    game = MugginsGame(tuple("ABCD"), rounds)
    assert list(muggins_lines(game, Language.GERMAN)) == [
        "Runde 1",
        "  A: 245 Punkte im Spiel",
        "  A + C: 25 Punkte am Ende der Runde",
        "Gesamt",
        "  1. A + C, 270 Punkte",
        "  2. B + D, 0 Punkte",
        "A und C gewinnen: 270 Punkte.",
    ]
    record = muggins_record(game)
    assert record["round_ends"] == [{"out": "A", "side": "A + C", "points": 25}]
    assert MugginsGame.from_dict(record) == game


def test_a_round_in_play_has_no_end() -> None:
    game = MugginsGame(("A", "B"), parse_muggins_rounds("A=5"))
    assert muggins_record(game)["round_ends"] == [None]
    assert "at the end" not in " ".join(muggins_lines(game, Language.ENGLISH))


def test_an_open_layout() -> None:
    layout = Layout.parse("6|6 / 6|1")
    assert list(layout_lines(layout, MugginsRules(), Language.GERMAN)) == [
        "Offene Enden: 12 + 1 = 13",
        "Dieser Zug bringt 0 Punkte.",
        "Anlegen geht mit: 1, 6",
    ]
    never = layout_record(layout, MugginsRules(spinner_counts=False))
    assert (never["total"], never["open_ends"]) == (1, [{"tile": "1|6", "value": 1}])
