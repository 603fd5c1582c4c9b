from __future__ import annotations

import json
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from companion.cli.kingdomino import main

HARBOUR = "w w f/f1 c f/w l1 f"
PLAIN_RULES: dict[str, Any] = {
    "players": None,
    "harmony": False,
    "middle_kingdom": False,
    "mighty_duel": False,
    "age_of_giants": False,
    "court": False,
    "quests": [],
    "tie_break": "shared",
    "bleak_king": "territory",
    "problems": [],
}


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
        "territory_points": 7,
        "bonus_points": 0,
        "territories": [
            {
                "terrain": terrain,
                "squares": len(positions),
                "crowns": 1,
                "covered_crowns": 0,
                "points": len(positions),
                "positions": positions,
            }
            for terrain, positions in (
                ("w", [[0, 0], [0, 1], [1, 1]]),
                ("f", [[0, 2], [1, 2]]),
                ("l", [[2, 0], [2, 1]]),
            )
        ],
        "largest_territory": 3,
        "largest_terrains": ["w"],
        "crowns": 3,
        "covered_crowns": 0,
        "problems": [
            {"code": "odd_squares", "squares": [], "found": 7, "allowed": None, "kind": None}
        ],
        "bonuses": [],
        "castle_centred": False,
        "character_points": 0,
        "characters": [],
        "rules": {**PLAIN_RULES, "grid": 5},
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
        {"name": "harmony", "points": 0, "squares": [], "groups": [], "reading": None},
        {
            "name": "middle-kingdom",
            "points": 10,
            "squares": [[1, 1]],
            "groups": [[[1, 1]]],
            "reading": None,
        },
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
    (record,) = records(capsys)
    assert record["points"] == points
    assert record["bonuses"][0]["reading"] == reading
    assert record["rules"]["bleak_king"] == reading


def tie(
    ahead: str, behind: str, criterion: str, values: tuple[int, int], terrains: str
) -> dict[str, object]:
    return {
        "ahead": ahead,
        "behind": behind,
        "criterion": criterion,
        "ahead_value": values[0],
        "behind_value": values[1],
        "ahead_terrains": [terrains[0]],
        "behind_terrains": [terrains[1]],
    }


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
        ],
        "ties": [
            tie("Anna", "Cem", "shared", (4, 4), "fl"),
            tie("Anna", "Ben", "largest_territory", (4, 2), "fw"),
            tie("Cem", "Ben", "largest_territory", (4, 2), "lw"),
        ],
        "problems": [],
        "rules": {**PLAIN_RULES, "players": 3},
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


def test_five_players_need_the_expansion(capsys: pytest.CaptureFixture[str]) -> None:
    five = [f"{name}=c w w" for name in "ABCDE"]
    assert main(["score", *five]) == 2
    assert "5 players need Age of Giants" in capsys.readouterr().err
    assert main(["score", "--json", "--giants", *five]) == 0
    assert [place["place"] for place in records(capsys)[-1]["ranking"]] == [1, 1, 1, 1, 1]
    # A giant on a square shows that it is played with.
    assert main(["score", "--json", *five[1:], "F=c w1! w"]) == 0
    assert records(capsys)[-1]["rules"]["age_of_giants"] is True


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


def test_problems_of_the_game_are_in_the_last_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--json", "Anna=m3 w c", "Ben=c w m3"]) == 0
    (problem,) = records(capsys)[-1]["problems"]
    assert problem == {
        "code": "more_than_box",
        "squares": [["Anna", 0, 0], ["Ben", 0, 2]],
        "players": ["Anna", "Ben"],
        "found": 2,
        "allowed": 1,
        "kind": "m3",
    }


def test_a_giant_of_one_player_puts_the_expansion_in_play_for_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["score", "--json", "Anna=c w2 f1", "Ben=m3! w c"]) == 0
    anna, ben, _ = records(capsys)
    assert (anna["problems"], ben["problems"]) == ([], [])
    assert main(["score", "--json", "c w2 f1", "m3! w c"]) == 0
    alone, _ = records(capsys)
    assert [problem["code"] for problem in alone["problems"]] == ["too_many_crowns"]


def test_quests_alone_leave_the_box_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--json", "--quest", "harmony", "c w2 f1"]) == 0
    (record,) = records(capsys)
    assert [problem["code"] for problem in record["problems"]] == ["too_many_crowns"]
    assert record["rules"]["age_of_giants"] is False


def test_a_third_quest_is_scored_and_said_to_be_odd(capsys: pytest.CaptureFixture[str]) -> None:
    quests = [f"--quest={name}" for name in ("harmony", "lost-corner", "bleak-king")]
    assert main(["score", *quests, "c w w"]) == 0
    assert "odd: 3 quests: 2 are drawn for a game" in capsys.readouterr().out
    assert main(["score", *quests, "A=c w w", "B=c f f"]) == 0
    assert "odd: 3 quests: 2 are drawn for a game" in capsys.readouterr().out
    assert main(["score", "--json", *quests, "c w w"]) == 0
    (record,) = records(capsys)
    (problem,) = record["rules"]["problems"]
    assert (problem["code"], problem["found"], problem["allowed"]) == ("too_many_quests", 3, 2)
    assert main(["score", *quests[:2], "c w w"]) == 0
    assert "odd" not in capsys.readouterr().out


DYNASTY = """\
# The club's evening.
Anna=c w1 w
Ben=c f f

Anna=c w w
Ben=c l1 l

Ben=c f1 f
Anna=c f1 f f f
"""


def test_a_dynasty_of_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "evening.txt"
    file.write_text(DYNASTY, encoding="utf-8")
    assert main(["score", "--dynasty", "--file", str(file)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Game 1\nAnna: 2 points\n")
    assert told.endswith(
        "Dynasty, the sum of three games\n  1. Anna, 6 points\n  2. Ben, 4 points\n"
    )
    assert main(["score", "--dynasty", "--json", "--file", str(file)]) == 0
    lines = records(capsys)
    assert [line["game"] for line in lines[:-1]] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert lines[-1] == {
        "dynasty": [
            {"player": "Anna", "place": 1, "points": 6, "decided_by": "points"},
            {"player": "Ben", "place": 2, "points": 4, "decided_by": "points"},
        ],
        "ties": [],
    }


def test_a_dynasty_that_is_shared_says_by_whom(capsys: pytest.CaptureFixture[str]) -> None:
    one = ["Anna=c w1 w", "Ben=c f1 f"]
    assert main(["score", "--dynasty", "--json", *one, "+", *one, "+", *one]) == 0
    (tie,) = records(capsys)[-1]["ties"]
    assert (tie["ahead"], tie["behind"], tie["criterion"]) == ("Anna", "Ben", "shared")


def test_a_dynasty_of_three_files_of_arguments_or_of_the_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    games = [game.strip() for game in DYNASTY.split("\n\n")]
    files = []
    for number, game in enumerate(games):
        (tmp_path / f"{number}.txt").write_text(game, encoding="utf-8")
        files += ["--file", str(tmp_path / f"{number}.txt")]
    assert main(["score", "--dynasty", *files]) == 0
    of_files = capsys.readouterr().out
    arguments = "\n+\n".join(games).splitlines()[1:]
    assert main(["score", "--dynasty", *arguments]) == 0
    assert capsys.readouterr().out == of_files
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(DYNASTY.encode())))
    assert main(["score", "--dynasty", "-"]) == 0
    assert capsys.readouterr().out == of_files


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["A=c", "B=c", "+", "A=c", "B=c"], "a Dynasty is three games, not 2"),
        (["A=c", "B=c", "+", "A=c", "B=c", "+", "A=c", "C=c"], "the same players in each"),
        (["c", "c", "+", "c", "c", "+", "c", "c"], "write NAME=NOTATION for every kingdom"),
        (["A=c", "B=c", "+", "c", "c", "+", "A=c", "B=c"], "write NAME=NOTATION for every kingdom"),
        (["A=c", "+", "A=c", "+", "A=c"], "a game has 2 to 5 players, not 1"),
        (["--file", "no-such-file.txt"], "no-such-file.txt can't be read: No such file"),
    ],
)
def test_wrong_use_of_a_dynasty(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", "--dynasty", *arguments]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.out == ""


def test_names_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["\x1b[31mRed", "two\nlines", "\u202eleft", "Zoë"]
    assert main(["score", *(f"{name}=c w w" for name in names)]) == 0
    told = capsys.readouterr().out
    for shown in ("\\x1b[31mRed: 0 points\n", "two\\nlines: 0", "\\u202eleft: 0", "Zoë: 0"):
        assert shown in told
    assert "\x1b" not in told
    assert main(["score", f"{names[0]}=c w w", "Ben=\x1b[31m"]) == 2
    told = capsys.readouterr().err
    assert "“\\x1b[31m” is no kingdom" in told
    assert "\x1b" not in told


def test_ties_are_told_once_each(capsys: pytest.CaptureFixture[str]) -> None:
    five = [f"{name}=c w w" for name in "ABCDE"]
    assert main(["score", "--giants", *five]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if "the tie" in line]
    assert told == ["  A, B, C, D and E share the place: nothing settles the tie"]
    # B and C are ahead of A, and are told apart from A by one sentence.
    assert main(["score", "A=c w w", "B=c f f f", "C=c l l l", "D=c s1 s"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if "the tie" in line]
    assert told == [
        "  B and C share the place: nothing settles the tie",
        "  C wins the tie with A: 3 squares of lake against 2 squares of wheat field",
    ]


def test_many_squares_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", " ".join(["c", *["m3"] * 9])]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "box holds" in line]
    assert line.count("column") == 6
    assert line.endswith("row 1, column 7; and 3 more)")


GRID = "w w1 f\nf c f\nl l g\n"


def test_the_rows_of_a_grid_are_one_kingdom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", GRID.strip().replace("\n", "/")]) == 0
    expected = capsys.readouterr().out
    assert main(["score", GRID]) == 0
    assert capsys.readouterr() == (expected, "")
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(GRID.encode())))
    assert main(["score", "-"]) == 0
    told = capsys.readouterr()
    assert told.out == expected
    assert told.err == "lines 1 to 3 of standard input are read as the rows of one kingdom\n"
    # A castle in each line, names, or lines of other lengths are kingdoms of their own.
    for text in ("c w w\nc f f", "A=c w w\nB=f f f", "c w w\nf f"):
        file = tmp_path / "kingdoms.txt"
        file.write_text(text, encoding="utf-8")
        assert main(["score", "--json", str(file)]) == 0
        kingdoms = [line for line in records(capsys) if "kingdom" in line]
        assert len(kingdoms) == 2


def test_characters_of_the_court_with_their_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "w* w+1 c/w:farmer w* f*/f:queen:9 g+2 l:captain"]) == 0
    out = capsys.readouterr().out
    assert "Kingdom: 25 points\n" in out
    assert "  farmer (row 2, column 1): 3 + 2 × 3 = 9\n" in out
    assert "  queen (row 3, column 1): 9, by hand\n" in out
    assert "  captain (row 3, column 3): 1\n" in out


def test_a_piece_puts_the_court_in_play_for_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--json", "Anna=c w1 w", "Ben=c f1 f:queen"]) == 0
    anna, ben, ranking = records(capsys)
    assert [each["rules"]["court"] for each in (anna, ben, ranking)] == [True, True, True]
    assert ben["characters"] == [
        {
            "name": "queen",
            "points": 2,
            "square": [0, 2],
            "around": [],
            "count": 0,
            "by_hand": False,
        }
    ]
    assert (ben["points"], ben["character_points"]) == (4, 2)


def test_the_court_is_off_unless_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    for options, expected in (([], False), (["--court"], True)):
        assert main(["score", "--json", *options, "c w1 w"]) == 0
        assert records(capsys)[0]["rules"]["court"] is expected


def test_more_of_a_piece_than_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "Anna=c f1 f:queen", "Ben=c f1 f:queen"]) == 0
    assert "odd: 2 times queen: The Court has only 1 (Anna: row" in capsys.readouterr().out
    assert main(["score", "--language", "de", "c m+2 m"]) == 0
    out = capsys.readouterr().out
    assert "1-mal Gebäude (Mine) mit 2 Kronen: der Hofstaat hat nur 0 (Zeile 1" in out


def test_the_grid_of_a_game_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    large = "/".join(["w w w w w w w"] * 3 + ["w w w1 c w w w"] + ["w w w w w w w"] * 3)
    small = "/".join(["f f f f f"] * 2 + ["f f1 c f f"] + ["f f f f f"] * 2)
    assert main(["score", "--json", "--harmony", f"A={large}", f"B={small}"]) == 0
    first, second, _ = records(capsys)
    assert [each["bonus_points"] for each in (first, second)] == [5, 0]
    assert [each["rules"]["grid"] for each in (first, second)] == [7, 7]
    said = "Grid: 7×7, by the largest kingdom of the game; --size or --duel tells it.\n"
    assert main(["score", f"A={large}", f"B={small}"]) == 0
    assert capsys.readouterr().out.count(said) == 1
    assert main(["score", "--duel", f"A={large}", f"B={small}"]) == 0
    assert said not in capsys.readouterr().out
    assert main(["score", large, small]) == 0
    assert "Grid: of each kingdom by its own size" in capsys.readouterr().out


def test_the_grid_is_said_where_a_kingdom_is_too_large_for_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = "Grid: 5×5, by the largest kingdom of the game; --size or --duel tells it.\n"
    for arguments, is_said in (
        (["c w w w w w w"], True),
        (["--size", "5", "c w w w w w w"], False),
    ):
        assert main(["score", *arguments]) == 0
        assert (said in capsys.readouterr().out) is is_said
