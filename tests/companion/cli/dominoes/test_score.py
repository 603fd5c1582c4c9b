from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli.dominoes import main
from scorer.pip_dominoes import RoundGame


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["score", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def record(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    (line,) = told(capsys, *arguments, "--json")
    found: dict[str, Any] = json.loads(line)
    return found


def test_a_round_of_mexican_train(capsys: pytest.CaptureFixture[str]) -> None:
    text = "9-9: Anna = 10-11 0-0 12-3; Ben = -; Cleo = 23 +50"
    assert told(capsys, "mexican-train", "--set", "12", text) == [
        "Round of 9|9",
        "  Anna: 86 points",
        "  Ben: 0 points (out)",
        "  Cleo: 73 points",
        "odd: the sheet has no draw for so many players with this set",
    ]


def test_a_whole_game_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (f"{9 - number}|{9 - number}: Anna=7; Ben=7; Cleo=-" for number in range(10))
    sheet = tmp_path / "evening.txt"
    sheet.write_text("# Friday\n" + "\n".join(lines), encoding="utf-8")
    assert told(capsys, "chickenfoot", str(sheet))[-5:] == [
        "Totals",
        "  1. Cleo, 0 points",
        "  2. Anna, 70 points",
        "  2. Ben, 70 points",
        "Cleo wins with 0 points.",
    ]


def test_a_shared_win(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rounds = [f"{9 - number}|{9 - number}: Anna=7; Ben=7; Cleo=9" for number in range(10)]
    assert told(capsys, "chickenfoot", *rounds)[-1] == "Anna and Ben share the win with 70 points."


def test_a_game_in_play_from_the_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = "9|9: Anna=4; Ben=-; Cleo=9|9\n7|7: Anna=3|4; Ben=3; Cleo=1|2\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(sheet.encode())))
    assert told(capsys, "chickenfoot", "-", "--language", "de") == [
        "Runde mit 9|9",
        "  Anna: 4 Punkte",
        "  Ben: 0 Punkte (alles abgelegt)",
        "  Cleo: 18 Punkte",
        "Runde mit 7|7",
        "  Anna: 7 Punkte",
        "  Ben: 3 Punkte",
        "  Cleo: 3 Punkte",
        "  blockiert: niemand hat alles abgelegt",
        "Gesamt",
        "  1. Ben, 3 Punkte",
        "  2. Anna, 11 Punkte",
        "  3. Cleo, 21 Punkte",
        "auffällig: Runde 1: Cleo: 9|9 liegt in der Mitte und ist in keiner Hand",
        "auffällig: Runde 2: beginnt mit 7|7, 8|8 wäre dran",
        "Die nächste Runde beginnt mit 7|7.",
    ]


def test_the_json_of_a_game_holds_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, "mexican-train", "12|12: A=1|2 0|0; B=-; C=4; D=3 +50")
    assert found["points"] == [{"A": 53, "B": 0, "C": 4, "D": 53}]
    assert (found["totals"], found["out"]) == (found["points"][0], [["B"]])
    assert found["places"][0] == {"player": "B", "place": 1, "total": 0}
    assert (found["over"], found["winners"], found["problems"]) == (False, [], [])
    assert RoundGame.from_dict(found).totals == found["totals"]


@pytest.mark.parametrize(
    ("text", "highest"),
    [("12|12: A=1; B=2", 12), ("7|7: A=1; B=2", 9), ("7|7: A=1|13; B=2", 15), ("9|9: A=1; B=2", 9)],
)
def test_the_set_is_told_by_the_first_round(
    text: str, highest: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found = record(capsys, "chickenfoot", text)
    assert found["set"] == highest
    assert "unexpected_double" not in [problem["code"] for problem in found["problems"]]


def test_a_round_of_muggins(capsys: pytest.CaptureFixture[str]) -> None:
    text = "Anna = 15; Ben = 10 > Anna / Anna = -; Ben = 6|6 1|0"
    assert told(capsys, "muggins", text) == [
        "Round 1",
        "  Anna: 15 points by play",
        "  Anna: 10 points by play, missed by Ben",
        "  Anna: 15 points at the end of the round",
        "Totals",
        "  1. Anna, 40 points",
        "  2. Ben, 0 points",
    ]


def test_a_blocked_round_of_muggins_that_scores_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    lines = told(capsys, "muggins", "/ Anna=4|1; Ben=3|2")
    assert "  blocked: nobody is out" in lines
    assert "  nobody scores: the fewest pips are shared" in lines


def test_teams_sit_as_they_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, "muggins", "--players", "A, B,C,D", "B=250")
    assert found["totals"] == {"A + C": 0, "B + D": 250}
    assert found["winner"] == "B + D"
    assert found["sides"][1] == {"name": "B + D", "players": ["B", "D"]}
    assert told(capsys, "muggins", "--players", "A,B,C,D", "B=250")[-1] == (
        "B and D win with 250 points."
    )
    assert record(capsys, "muggins", "--singles", "A=5; B=5; C=5; D=5")["totals"] == dict.fromkeys(
        "ABCD", 5
    )


def test_the_readings_of_muggins(capsys: pytest.CaptureFixture[str]) -> None:
    text = "/ A=-; B=6|6 1|0; C=5|4"
    ends = [
        record(capsys, "muggins", text, *options)["round_ends"][0]["points"]
        for options in ([], ["--rounding", "up"], ["--rounded", "each-hand"])
    ]
    assert ends == [20, 25, 25]
    assert record(capsys, "muggins", text, "--target", "20")["winner"] == "A"


def test_a_layout_of_muggins(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "muggins", "2|2 / 2|6 / 2|0 / 2|4 / 2|5") == [
        "Open ends: 6 + 0 + 4 + 5 = 15",
        "This play scores 15 points.",
        "Open for: 0, 4, 5, 6",
    ]
    found = record(capsys, "muggins", "5|5 / 5|0")
    assert (found["total"], found["points"], found["spots"]) == (10, 10, {"side 1": 0, "side 2": 5})
    assert record(capsys, "muggins", "5|5 / 5|0", "--spinner-never-counts")["total"] == 0


def test_what_is_left_at_castle_rock(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "castle-rock", "6|4 0|0") == ["Left: 2 dominoes with 10 pips"]
    assert told(capsys, "castle-rock", "", "--set", "6") == ["Won: no domino is left."]
    found = record(capsys, "castle-rock", "6|4 0|0")
    assert (found["set"], found["score"], found["tiles_left"], found["won"]) == (6, 10, 2, False)


def test_a_row_of_castle_rock(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "castle-rock", "--row", "3|5 2|2 3|1") == [
        "2|2 may go.",
        "Removing as well as possible leaves 2 dominoes with 12 pips.",
    ]
    assert told(capsys, "castle-rock", "--row", "3|5 2|2 5|4") == ["The row offers no removal."]
    found = record(capsys, "castle-rock", "--row", "3|5 2|2 3|1")
    assert found["removals"] == [{"positions": [1], "option": 1}]
    assert (found["clearing"], found["left"], found["is_best"]) == ([[1]], "3|5 3|1", True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["mexican-train", "there-is-no-such-file.txt"], "is no round"),
        (["mexican-train", "9|9: A=1; A=2"], "two players are called A"),
        (["mexican-train", "9|9: A=4|5 5|4; B=-"], "4|5 is there twice"),
        (["mexican-train", "--set", "6", "9|9: A=1; B=2"], "is not played with double-6"),
        (["mexican-train", "# nothing"], "there is no round in it"),
        (["muggins", "A=7; B=5"], "multiples of five"),
        (["muggins", ""], "there is no round in it"),
        (["muggins", "5|5 / 4|3"], "3|4 doesn't match"),
        (["castle-rock", "--set", "6", "7|7"], "7|7 has more than 6 pips"),
        (["castle-rock", "x" * 5000], "is no domino"),
    ],
)
def test_refusals(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_file_that_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "hand.jpg"
    picture.write_bytes(b"\xff\xd8\xff\xe0")
    assert main(["score", "chickenfoot", str(picture)]) == 2
    assert "hand.jpg can't be read" in capsys.readouterr().err


def test_a_file_saved_with_a_byte_order_mark(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "evening.txt"
    sheet.write_text("9|9: Anna=3; Ben=-", encoding="utf-8-sig")
    assert told(capsys, "chickenfoot", str(sheet))[0] == "Round of 9|9"
