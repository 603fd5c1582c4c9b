from __future__ import annotations

import json

import pytest

from companion.cli.kingdomino.command import main


@pytest.fixture(autouse=True)
def _plain_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


def test_three_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "--players", "3"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Players: 3",
        "Dominoes: put 12 of 48 back into the box unseen",
        "In a row: 3, by ascending number",
        "Rounds: 12",
        "Kings each: 1",
        "Kingdom: 5×5",
    ]


def test_the_expansion_in_german(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "--players", "3", "--giants", "--language", "de"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Spieler: 3",
        "Dominosteine: alle 60 sind dabei",
        "In einer Reihe: 5, Buchstaben vor Zahlen",
        "Aus jeder Reihe vor dem Setzen der Könige aussortieren: Stein 2, 4",
        "Runden: 12",
        "Könige je Spieler: 1",
        "Königreich: 5×5",
        "Giganten bereitlegen: 6; Wertungsplättchen ziehen: 2",
    ]


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "--players", "2", "--duel", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "players": 2,
        "dominoes": 48,
        "put_back": 0,
        "row": 4,
        "put_aside": [],
        "rounds": 12,
        "kings": 2,
        "grid": 7,
        "giants": 0,
        "quests": 0,
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--players", "1"], "a game has 2 to 5 players, not 1"),
        (["--players", "5"], "5 players need Age of Giants"),
        (["--players", "3", "--duel"], "the Mighty Duel is for 2 players, not 3"),
    ],
)
def test_refusals(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", *arguments]) == 2
    assert said in capsys.readouterr().err
