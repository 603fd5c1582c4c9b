from __future__ import annotations

import json
from io import BytesIO, TextIOWrapper
from typing import Any

import pytest

from companion.cli import kingdomino
from companion.cli.kingdomino import main
from scorer.kingdomino import BoxCheck, BoxReason, Verdict


@pytest.fixture(autouse=True)
def _plain_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


def checked(arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main(["check", "--json", *arguments]) == code
    record: dict[str, Any] = json.loads(capsys.readouterr().out)
    return record


def test_the_cut_as_a_grid_and_in_the_order_of_laying(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "m3 w c f f"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Legal: these dominoes make it, in this order.",
        "  48 48  c  3  3",
        "  48: Wheat field without crown at row 1, column 2, Mine with 3 crowns at row 1, column 1",
        "  3: Forest without crown at row 1, column 4, Forest without crown at row 1, column 5",
    ]


def test_several_kingdoms_are_checked_jointly(capsys: pytest.CaptureFixture[str]) -> None:
    record = checked(["Anna=c w w", "Ben=c w w"], 0, capsys)
    assert [[each["domino"] for each in cut] for cut in record["cuts"]] == [["1"], ["2"]]
    record = checked(["c w w", "c w w", "c w w"], 1, capsys)
    assert record["verdict"] == "impossible"
    assert [(reason["code"], reason["dominoes"]) for reason in record["reasons"]] == [
        ("needed_too_often", ["1", "2"])
    ]
    assert main(["check", "Anna=c w w", "Ben=c w w"]) == 0
    assert "\nBen:\n   c  2  2\n" in capsys.readouterr().out


def test_a_domino_needed_twice_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "m3 w c w m3"]) == 1
    told = capsys.readouterr().out
    assert told.startswith("Not possible:\n  domino 48 would be needed 2 times, the box has 1")
    assert "2 times Mine with 3 crowns: the box holds only 1" in told


@pytest.mark.parametrize(
    ("kingdom", "said"),
    [
        ("w w", "there is no castle"),
        ("c w w w w w w", "7 columns: only 5 are allowed"),
        ("c w2 f", "no domino of the box has such a square: row 1, column 2"),
        (
            "c m3 f",
            "no domino of the box has such a square with a neighbour of it: row 1, column 2",
        ),
        (
            "l ./w c/l .",
            "can't all be halves of dominoes: 2, with possible partners: 1 "
            "(row 1, column 1; row 3, column 1)",
        ),
        ("c w w f f", "but not laid by the rules; never reached: row 1, column 4; row 1, column 5"),
    ],
)
def test_reasons(kingdom: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", kingdom]) == 1
    assert said in capsys.readouterr().out


def test_reasons_in_german_with_the_player(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--language", "de", "Anna=c w w", "Ben=c m3 f"]) == 1
    told = capsys.readouterr().out
    assert told.startswith("Nicht möglich:\n")
    assert "Ben: Zeile 1, Spalte 2" in told


def test_pairs_of_the_expansion_are_uncertain(capsys: pytest.CaptureFixture[str]) -> None:
    record = checked(["--giants", "c w2 g"], 3, capsys)
    assert record["verdict"] == "uncertain"
    assert record["cuts"] == [[{"domino": None, "left": [0, 1], "right": [0, 2]}]]
    assert main(["check", "--giants", "c w2 f1"]) == 0
    assert "domino 49: the pairs of these dominoes rest on one source." in capsys.readouterr().out


def test_a_castle_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "c"]) == 0
    assert "No domino has been laid." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["w x"], "“x” in row 1, column 2 is no square"),
        (["c w w"] * 6, "a game has 2 to 5 players, not 6"),
        (["c w w"] * 5, "5 players need Age of Giants"),
        (["--duel", "c", "c", "c"], "the Mighty Duel is for 2 players, not 3"),
        (["--size", "7", "c", "c", "c"], "7×7 is for 2 players, not 3"),
        ([], "no kingdom is given"),
        (["--duel", "--size", "5", "c"], "the Mighty Duel is played on 7×7"),
    ],
)
def test_wrong_use(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_seventh_giant_is_not_possible(capsys: pytest.CaptureFixture[str]) -> None:
    four, two, three = "A=m3!!! w c w m2!", "B=m2!! s c", "B=s m2!! c s1! g"
    assert main(["check", "--giants", four, two]) == 0
    capsys.readouterr()
    record = checked(["--giants", four, three], 1, capsys)
    (reason,) = record["reasons"]
    assert (reason["code"], reason["found"], reason["allowed"]) == ("too_many_giants", 7, 6)
    assert main(["check", "--giants", four, three]) == 1
    assert "7 giants: there are only 6 (A: row 1, column 1; A: row" in capsys.readouterr().out
    assert main(["check", "w m3!!! c m2!! s/s m2!! . . ."]) == 1
    assert "7 giants: there are only 6 (row 1, column 2; row 1" in capsys.readouterr().out


def test_a_giant_of_one_player_puts_the_expansion_in_play_for_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = checked(["c w2 f1", "m3! w c"], 0, capsys)
    assert record["rules"]["age_of_giants"] is True
    assert [kingdom["problems"] for kingdom in record["kingdoms"]] == [[], []]
    assert checked(["c w2 f1", "m3 w c"], 1, capsys)["rules"]["age_of_giants"] is False


def test_json_has_what_the_text_has(capsys: pytest.CaptureFixture[str]) -> None:
    record = checked(["Anna=m3 w c", "Ben=c w m3"], 1, capsys)
    (reason,) = record["reasons"]
    assert (reason["dominoes"], reason["found"], reason["allowed"]) == (["48"], 2, 1)
    assert [kingdom["player"] for kingdom in record["kingdoms"]] == ["Anna", "Ben"]
    assert record["problems"][0]["squares"] == [["Anna", 0, 0], ["Ben", 0, 2]]
    assert record["rules"]["players"] == 2
    record = checked(["m3 w c w m3"], 1, capsys)
    assert record["problems"] == []
    (alone,) = record["kingdoms"]
    assert [problem["code"] for problem in alone["problems"]] == ["more_than_box"]


def test_a_search_given_up_is_no_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given_up = BoxCheck(Verdict.GAVE_UP, (), (BoxReason("time_over"),))
    monkeypatch.setattr(kingdomino, "box_check", lambda *_: given_up)
    assert main(["check", "c w w"]) == 3
    assert "Given up" in capsys.readouterr().out


def test_kingdoms_come_from_the_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"Anna=c w w\n\nBen=c w w\n")))
    record = checked(["-"], 0, capsys)
    assert [kingdom["player"] for kingdom in record["kingdoms"]] == ["Anna", "Ben"]
