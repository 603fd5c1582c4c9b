from __future__ import annotations

import json
from typing import Any

import pytest

from companion.cli.kingdomino.command import main

HARBOUR = "w w f/f1 c f/w l1 f"


@pytest.fixture(autouse=True)
def _plain_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


def records(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_json_has_the_keys_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--json", "w w1 f/c w f1/l1 l ."]) == 0
    (record,) = records(capsys)
    assert record == {
        "kingdom": "w w1 f/c w f1/l1 l .",
        "points": 7,
        "territories": [
            {"terrain": "w", "squares": 3, "crowns": 1, "points": 3},
            {"terrain": "f", "squares": 2, "crowns": 1, "points": 2},
            {"terrain": "l", "squares": 2, "crowns": 1, "points": 2},
        ],
        "largest_territory": 3,
        "crowns": 3,
        "problems": [{"code": "odd_squares", "squares": []}],
        "bonuses": [],
        "castle_centred": False,
    }


def test_one_line_a_kingdom_and_no_ranking_without_names(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["score", "--json", HARBOUR, "c w w"]) == 0
    assert [record["points"] for record in records(capsys)] == [2, 0]


def test_variants_and_squares_of_a_bonus(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", HARBOUR, "--json", "--harmony", "--middle-kingdom"]) == 0
    (record,) = records(capsys)
    assert record["bonuses"] == [
        {"name": "harmony", "points": 0, "squares": []},
        {"name": "middle-kingdom", "points": 10, "squares": [[1, 1]]},
    ]
    assert record["castle_centred"] is True
    assert record["points"] == 12


@pytest.mark.parametrize(
    ("quest", "kingdom", "points"),
    [
        ("local-business:w", "w w f/f1 c f/w l1 f", 15),
        ("four-corners:f", "w w f/f1 c f/w l1 f", 10),
        ("harmony", "w w f/f1 c f/w l1 f", 0),
        ("middle-kingdom", "w w f/f1 c f/w l1 f", 10),
        ("lost-corner", "c w w", 20),
        ("folie-des-grandeurs", "c w1 w1 w1", 10),
        ("bleak-king", "c w w w w w", 10),
    ],
)
def test_every_quest(
    quest: str, kingdom: str, points: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", "--json", "--quest", quest, kingdom]) == 0
    (record,) = records(capsys)
    assert [(bonus["name"], bonus["points"]) for bonus in record["bonuses"]] == [(quest, points)]


def test_quests_are_repeatable(capsys: pytest.CaptureFixture[str]) -> None:
    quests = ["--quest", "lost-corner", "--quest", "local-business:w"]
    assert main(["score", "--json", *quests, "c w w"]) == 0
    (record,) = records(capsys)
    assert [bonus["points"] for bonus in record["bonuses"]] == [20, 5]
    assert record["points"] == 25


@pytest.mark.parametrize(("reading", "points"), [("territory", 0), ("squares", 10)])
def test_readings_of_bleak_king(
    reading: str, points: int, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["score", "--json", "--quest", "bleak-king", "--bleak-king", reading]
    assert main([*command, "w w w c w w"]) == 0
    assert records(capsys)[0]["points"] == points


def test_players_are_ranked_in_a_last_line(capsys: pytest.CaptureFixture[str]) -> None:
    players = ["Anna=c f1 f f f", "Ben=c w1 w1 . .", "Cem=c l1 l l l"]
    assert main(["score", "--json", *players]) == 0
    *kingdoms, ranking = records(capsys)
    assert [record["player"] for record in kingdoms] == ["Anna", "Ben", "Cem"]
    assert ranking == {
        "ranking": [
            {"player": "Anna", "place": 1, "points": 4, "decided_by": "shared"},
            {"player": "Cem", "place": 1, "points": 4, "decided_by": "shared"},
            {"player": "Ben", "place": 3, "points": 4, "decided_by": "largest_territory"},
        ]
    }


def test_crowns_as_tie_break(capsys: pytest.CaptureFixture[str]) -> None:
    players = ["Anna=c l1 l", "Ben=w1 c l1 f f"]
    assert main(["score", "--json", *players]) == 0
    shared = records(capsys)[-1]["ranking"]
    assert [(each["place"], each["decided_by"]) for each in shared] == [(1, "shared")] * 2
    assert main(["score", "--json", "--tie-break", "crowns", *players]) == 0
    assert records(capsys)[-1]["ranking"] == [
        {"player": "Ben", "place": 1, "points": 2, "decided_by": "crowns"},
        {"player": "Anna", "place": 2, "points": 2, "decided_by": "crowns"},
    ]
    assert main(["score", "--tie-break", "crowns", *players]) == 0
    assert "Ben wins the tie with Anna: 2 crowns against 1 crown" in capsys.readouterr().out


def test_five_players_need_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--json", *(f"{name}=c w w" for name in "ABCDE")]) == 0
    assert [place["place"] for place in records(capsys)[-1]["ranking"]] == [1, 1, 1, 1, 1]


def test_text_says_territories_bonuses_and_oddities(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--quest", "lost-corner", "c w1! w1 w/m3 . . ."]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Kingdom: 26 points",
        "  Wheat field: 3 squares × 1 crown = 3 (1 crown under giants)",
        "  Mine: 1 square × 3 crowns = 3",
        "  Lost Corner: 20 (row 1, column 1)",
        "  largest territory: 3 squares; 4 crowns",
        "  odd: no neighbour that could be the other half of the domino (row 2, column 1)",
    ]


def test_text_says_who_wins_a_tie_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "Green=c l1 l l l w1 ./. . . . . m1 m1", "Blue=c f1 f f f f ."]) == 0
    told = capsys.readouterr().out
    assert "  1. Green, 9 points\n  2. Blue, 5 points\n" in told
    assert main(["score", "Green=c l1 l l l/m1 . . . .", "Blue=c f1 f f f f ."]) == 0
    told = capsys.readouterr().out
    assert "Blue wins the tie with Green: 5 squares of forest against 4 squares of lake" in told


def test_german(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "de", "score", "c w1 w", "--quest", "bleak-king"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Königreich: 2 Punkte",
        "  Getreidefeld: 2 Felder × 1 Krone = 2",
        "  Bauernschlau nach Gebieten: 0",
        "  größtes Gebiet: 2 Felder; 1 Krone",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["w x"], "“x” in row 1, column 2 is no square"),
        (["w/w w"], "row 2 has 2 squares, expected 1"),
        ([""], "there is no square in it"),
        (["--quest", "castle", "c"], "there is no quest castle"),
        (["--quest", "local-business", "c"], "write for example local-business:w"),
        (["--quest", "harmony", "--harmony", "c"], "not used beside quests"),
        (["--quest", "harmony", "--quest", "harmony", "c"], "the quest harmony exists once"),
        (["--duel", "A=c", "B=c", "C=c"], "the Mighty Duel is for 2 players, not 3"),
        (["A=c", "A=c"], "two players are called A"),
        (["A=c", "c"], "only some kingdoms have a name"),
        (["=c"], "“=c” has no name before the ="),
        ([f"{name}=c" for name in "ABCDEF"], "a game has 2 to 5 players, not 6"),
    ],
)
def test_wrong_use_is_said_on_the_error_stream(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *arguments]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.out == ""


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["score", "--help"])
    assert caught.value.code == 0
    assert "kingdomino score --json" in capsys.readouterr().out
