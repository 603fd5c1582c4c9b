from __future__ import annotations

import json

import pytest

from companion.cli.kingdomino import main

DUEL = {
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
    "drawn": 48,
    "removed": 0,
    "played": 48,
}


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
        "Dominosteine: 60 von 60 werden gezogen, 36 davon gespielt",
        "In einer Reihe: 5, Buchstaben vor Zahlen",
        "Aus jeder Reihe vor dem Setzen der Könige aussortieren: Stein 2, 4",
        "Runden: 12",
        "Könige je Spieler: 1",
        "Königreich: 5×5",
        "Giganten bereitlegen: 6; Wertungsplättchen ziehen: 2",
    ]


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "--players", "2", "--duel", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == DUEL | {"longer_game": None}
    assert main(["setup", "--players", "2", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record.pop("longer_game") == DUEL
    assert record == DUEL | {"put_back": 24, "rounds": 6, "grid": 5, "drawn": 24, "played": 24}
    assert main(["setup", "--players", "3", "--giants", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["drawn"], record["removed"], record["played"]) == (60, 24, 36)
    assert record["longer_game"] is None


def test_two_players_with_the_expansion_stop_halfway_or_go_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["setup", "--players", "2", "--giants"]) == 0
    told = capsys.readouterr().out
    assert "Dominoes: 30 of 60 are drawn, 24 of them played\n" in told
    assert "Rounds: 6\n" in told
    assert told.endswith("Or 12 rounds on 7×7, with --duel: 60 dominoes drawn, 48 of them played\n")
    assert main(["setup", "--players", "2", "--giants", "--duel"]) == 0
    told = capsys.readouterr().out
    assert "Dominoes: 60 of 60 are drawn, 48 of them played\n" in told
    assert "Rounds: 12\n" in told
    assert "Kingdom: 7×7\n" in told
    assert "Or 12" not in told


def test_five_players_use_all_dominoes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "--players", "5", "--giants"]) == 0
    assert "Dominoes: all 60 are used\n" in capsys.readouterr().out


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
