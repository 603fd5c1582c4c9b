from __future__ import annotations

import json

import pytest

from companion.cli.dominoes import main


def test_mexican_train(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "mexican-train", "--players", "4"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Mexican Train, players: 4, set: double-12",
        "In the middle: 12|12; each later round starts with the next lower double",
        "Each player draws: 18",
        "Boneyard: 18",
        "Rounds: 13",
    ]


def test_muggins_in_german(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "de", "setup", "muggins", "--players", "4", "--set", "9"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Muggins, Spieler: 4, Satz: Doppel-6",
        "Aussortieren: 27 Dominosteine mit mehr als 6 Augen auf einer Hälfte",
        "Jeder zieht: 5",
        "Talon: 8",
        "Mannschaften, nach Plätzen: 1 und 3; 2 und 4",
        "Wer zuerst 250 Punkte hat, gewinnt",
    ]


def test_castle_rock_is_for_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "castle-rock", "--set", "6"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Castle Rock, players: 1, set: double-6",
        "Laid face up in a row: 3",
        "Boneyard: 25",
    ]


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "mexican-train", "--players", "4", "--quick", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "game": "mexican-train",
        "players": 4,
        "set": 9,
        "tiles": 55,
        "put_aside": 36,
        "draw": 11,
        "boneyard": 10,
        "rounds": 10,
        "first_double": "9|9",
        "toes": None,
        "target": None,
        "teams": None,
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chickenfoot", "--players", "7", "--set", "9"], "is not for 7 players, but for 2, 3, 4"),
        (["chickenfoot", "--players", "4", "--set", "6"], "is not played with double-6"),
        (["muggins"], "say how many play"),
        (["muggins", "--players", "2", "--quick"], "belongs to Mexican Train"),
    ],
)
def test_refusals(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", *arguments]) == 2
    assert said in capsys.readouterr().err
