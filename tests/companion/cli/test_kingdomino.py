"""`kingdomino`: help, setup, check, any arguments at all, and JSON that keeps to the schemas."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import cache
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import (  # it carries no types
    Draft202012Validator,
    ValidationError,
)

import companion.cli
from companion.cli import kingdomino
from companion.cli.kingdomino import build_parser, main
from companion.games.kingdomino.reading_text import photo_record
from companion.languages import Language
from scorer.kingdomino import BoxCheck, BoxReason, Goal, Verdict
from tests.companion.games.kingdomino.readings import kingdom_reading, photo_reading
from vision.kingdomino.refit import sample_folder
from vision.kingdomino.result import REASONS
from vision.kingdomino.warn import WARNINGS

COMMANDS = ("read", "score", "setup", "check", "app", "train")

OPTIONS = [
    *("--json", "--harmony", "--middle-kingdom", "--dynasty", "--duel", "--giants", "--size", "7"),
    *("--quest", "Umland:w", "harmony", "bleak-king", "--tie-break", "crowns", "--players", "2"),
    *("--language", "de", "+", "--", "-x", "=", "A=c", "B=c w1 w", "c w w"),
]
kingdoms = st.text(alphabet="wflgsmc.0123!/= AB", max_size=16)
words = st.one_of(st.sampled_from(OPTIONS), kingdoms, st.text(max_size=6))


@given(st.sampled_from(("score", "check", "setup")), st.lists(words, max_size=7))
def test_any_arguments_end_well(command: str, arguments: list[str]) -> None:
    # Neither files nor the standard input are read here.
    arguments = [word for word in arguments if word != "-" and not word.startswith("--f")]
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code: object = main([command, *arguments])
        except SystemExit as ended:
            code = ended.code
    assert code in (0, 1, 2, 3)
    assert bool(err.getvalue()) == (code == 2)
    assert bool(out.getvalue()) == (code != 2)
    told = (out.getvalue() + err.getvalue()).replace("\n", "")
    assert not any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in told)


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


def test_a_domino_may_be_needed_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reason = BoxReason("needed_too_often", ((0, (0, 1)),), (), 1, 0)
    outcome = BoxCheck(Verdict.IMPOSSIBLE, (), (reason,))
    monkeypatch.setattr(kingdomino, "box_check", lambda *_: outcome)
    assert main(["check", "c w w"]) == 1
    told = capsys.readouterr().out
    assert "a domino of unknown number would be needed 1 time, the box has 0: row 1, column" in told
    assert main(["check", "c w w", "--language", "de"]) == 1
    assert "würde 1-mal gebraucht, die Schachtel hat 0" in capsys.readouterr().out


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
        ([], "nothing is given"),
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


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_comes_with_an_example(
    command: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"] if command is None else [command, "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert "example" in told
    assert f"kingdomino {command or 'read'}" in told.split("example", 1)[1]


@pytest.mark.parametrize("arguments", [["--language", "de", "app"], ["app", "--language", "de"]])
def test_the_language_goes_before_or_after_the_command(arguments: list[str]) -> None:
    assert Language(build_parser().parse_args(arguments).language) is Language.GERMAN


def test_no_language_given_means_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert main(["read", "there-is-no-such-photo.jpg"]) == 1
    assert "Diese Datei gibt es nicht" in capsys.readouterr().out
    monkeypatch.setenv("LC_ALL", "C")
    assert main(["read", "there-is-no-such-photo.jpg"]) == 1
    assert "There is no such file" in capsys.readouterr().out


def test_help_is_quick_because_it_loads_no_pictures_and_no_screens() -> None:
    code = (
        "import sys\n"
        "from companion.cli.kingdomino import build_parser\n"
        "build_parser()\n"
        "heavy = {'cv2', 'numpy', 'scipy', 'sklearn', 'streamlit'} & sys.modules.keys()\n"
        "print(sorted(heavy))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_one_photo_is_read_without_what_many_need() -> None:
    code = (
        "import sys\n"
        "from companion.cli.kingdomino import main\n"
        f"main(['read', {str(sample_folder() / 'complete-5x5.jpg')!r}])\n"
        "print(sorted({'joblib', 'scipy', 'sklearn', 'tqdm'} & sys.modules.keys()))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_reader_that_goes_away_is_no_fault() -> None:
    command = f"{sys.executable} -m companion.cli.kingdomino read a.jpg | true"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stderr == ""


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


def test_kingdoms_without_names_are_numbered_from_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "c w1 w", "c f f1"]) == 0
    first = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert [line.partition(":")[0] for line in first] == ["Kingdom 1", "Kingdom 2"]
    # Nobody has these names: what others read is without them.
    found = checked(["c w w", "c f f"], 0, capsys)
    assert [kingdom["player"] for kingdom in found["kingdoms"]] == [None, None]


def test_a_game_that_is_checked_names_each_player_before_their_dominoes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["check", "Anna=m3 w c f f", "Ben=c w w"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.endswith(":")] == ["Anna:", "Ben:"]


def test_three_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "--players", "3"]) == 0
    assert capsys.readouterr().out.partition("\n\n")[0].splitlines() == [
        "Players: 3",
        "Dominoes: put 12 of 48 back into the box unseen",
        "In a row: 3, by ascending number",
        "Rounds: 12",
        "Kings each: 1",
        "Kingdom: 5×5",
        "Everybody takes the start tile with the castle and the kings of one colour.",
    ]


def test_the_expansion_in_german(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "--players", "3", "--giants", "--language", "de"]) == 0
    assert capsys.readouterr().out.splitlines()[:9] == [
        "Spieler: 3",
        "Dominosteine: 60 von 60 werden gezogen, 36 davon gespielt",
        "In einer Reihe: 5, Buchstaben vor Zahlen",
        "Aus jeder Reihe vor dem Setzen der Könige aussortieren: Stein 2, 4",
        "Runden: 12",
        "Könige je Spieler: 1",
        "Königreich: 5×5",
        "Giganten bereitlegen: 6",
        "Wertungsplättchen ziehen und offen hinlegen: 2",
    ]


def told_by(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["setup", *arguments]) == 0
    return capsys.readouterr().out


def test_the_rules_follow_the_set_up(capsys: pytest.CaptureFixture[str]) -> None:
    """Each line of the sheets that a table may ask for, where it is in play and nowhere else."""
    plain = told_by(capsys, "--players", "4")
    assert "lets them drop out one by one" in plain
    assert "You may also choose not to place a domino" in plain
    assert "Dynasty: three games in a row" in plain
    assert "Harmony: 5 points for a complete kingdom" in plain
    assert "footprints" not in plain
    assert "Lost Corner" not in plain
    two = told_by(capsys, "--players", "2")
    assert "sets one king, then the other player sets both" in two
    assert "each has two turns in a round" in two
    giants = told_by(capsys, "--players", "4", "--giants")
    assert "nobody may choose to do without a domino" in giants
    assert "You may also choose not to place" not in giants
    assert "sends a giant from the own kingdom" in giants
    for goal in Goal:
        assert f"  {goal.english}: {goal.points} points" in giants
    assert "not used as variants beside them" in giants
    quests = told_by(capsys, "--players", "4", "--quests")
    assert "Quests drawn: 2" in quests
    assert "Dominoes: all 48 are used" in quests
    assert "footprints" not in quests
    assert "nobody may choose to do without a domino" in quests
    assert "\nThe Court\n" in told_by(capsys, "--players", "3", "--court")


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
    assert "\nOr 12 rounds on 7×7, with --duel: 60 dominoes drawn, 48 of them played\n" in told
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


SCHEMAS = Path(companion.cli.__file__).with_name("schemas")


@cache
def validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / f"kingdomino-{name}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


QUESTS = ["--quest=umland:w", "--quest=harmony", "--quest=bleak-king"]
GIANTS = ["A=m3!!! w c w m2!", "B=m2!! s c s1! g"]
DYNASTY = ["A=c w1 w", "B=c f1 f", "+", "A=c", "B=c", "+", "A=c", "B=c"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "w w1 f/c w f1/l1 l ."],
        ["score", "--duel", "--harmony", "c w w", "c w2! w"],
        ["score", *QUESTS, "c w w", "m3 m3 m3"],
        ["score", *GIANTS],
        ["score", "--tie-break=crowns", "A=c w1 w", "B=c f1 f", "C=c l l"],
        ["score", "--dynasty", *DYNASTY],
        ["score", "."],
        ["check", "m3 w c f f"],
        ["check", *GIANTS],
        ["check", "A=c w w", "B=c m3 f"],
        ["check", "m3 w c", "c w m3"],
        ["check", "--giants", "c w2 g"],
        ["check", "w w"],
        ["check", "c w w f f"],
        ["check", "c w w w w w w w w"],
        *(["setup", f"--players={players}"] for players in (2, 3, 4)),
        *(["setup", "--giants", f"--players={players}"] for players in (2, 3, 4, 5)),
        ["setup", "--giants", "--duel", "--players=2"],
        ["setup", "--quests", "--players=4"],
    ],
    ids=" ".join,
)
def test_output_keeps_to_its_schema(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--json"]) != 2
    lines = capsys.readouterr().out.splitlines()
    assert lines
    for line in lines:
        validator(arguments[0]).validate(json.loads(line))


@pytest.mark.parametrize(
    "reading",
    [
        photo_reading(kingdom_reading("w1 w/c f", {(0, 1): "f1"}), kingdom_reading("c l l")),
        photo_reading(kingdom_reading("w1 w/c f", lattice_certain=False)),
    ],
    ids=["two kingdoms", "uncertain grid"],
)
def test_a_photo_keeps_to_its_schema(reading: Any) -> None:
    validator("read").validate(json.loads(json.dumps(photo_record("a.jpg", reading))))


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("warning", WARNINGS)
def test_every_reason_and_warning_keeps_to_the_schema(reason: str, warning: str) -> None:
    kingdom = kingdom_reading("w1 w/c f", {(1, 1): "w"})
    square = replace(kingdom.squares[1][1], reason=reason)
    rows = (kingdom.squares[0], (kingdom.squares[1][0], square))
    kingdom = replace(kingdom, squares=rows, warnings=(warning,))
    record = photo_record("a.jpg", replace(photo_reading(kingdom), warnings=(warning,)))
    assert record["kingdoms"][0]["squares"][1][1]["reason"] == reason
    validator("read").validate(json.loads(json.dumps(record)))


def test_a_photo_that_is_read_keeps_to_its_schema(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = sorted((Path(__file__).parents[3] / "sample_images").glob("*.jpg"))[0]
    assert main(["read", "--json", str(sample), str(tmp_path / "none.jpg")]) == 1
    read, refused = map(json.loads, capsys.readouterr().out.splitlines())
    assert read["kingdoms"]
    assert refused["error"]["code"] == "missing_file"
    for record in (read, refused):
        validator("read").validate(record)


@pytest.mark.parametrize("name", ["score", "check", "setup", "read"])
def test_a_schema_tells_other_things_apart(name: str) -> None:
    others: list[object] = [{}, [], {"points": 1}, {"verdict": "maybe"}, {"photo": 1}]
    for record in others:
        with pytest.raises(ValidationError):
            validator(name).validate(record)


def test_a_key_without_its_words_in_the_schema_is_noticed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["score", "--json", "c w1 w"]) == 0
    record = json.loads(capsys.readouterr().out)
    for key in list(record):
        with pytest.raises(ValidationError):
            validator("score").validate({name: record[name] for name in record if name != key})
    with pytest.raises(ValidationError):
        validator("score").validate(record | {"other": 1})


WIDE = "c w w w f f f"
FULL = "/".join(["w w w w w w w"] * 3 + ["w w w1 c w w w"] + ["w w w w w w w"] * 3)


def test_the_grid_of_the_game_is_that_of_its_largest_kingdom(
    capsys: pytest.CaptureFixture[str],
) -> None:
    alone = checked([WIDE], 1, capsys)
    assert [reason["code"] for reason in alone["reasons"]] == ["too_wide"]
    beside = checked([WIDE, FULL], 1, capsys)
    assert "too_wide" not in [reason["code"] for reason in beside["reasons"]]
    assert checked(["--duel", WIDE], 0, capsys)["verdict"] == "legal"


def test_a_guessed_grid_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    said = "Grid: 5×5, by the largest kingdom of the game; --size or --duel tells it."
    assert main(["check", WIDE]) == 1
    assert said in capsys.readouterr().out
    assert main(["check", "--size", "5", WIDE]) == 1
    assert said not in capsys.readouterr().out
    assert main(["check", "c w w"]) == 0
    assert said not in capsys.readouterr().out


def test_the_court_is_in_play_for_a_check_where_it_is_chosen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for options, court in (([], False), (["--court"], True)):
        assert checked([*options, "c w w"], 0, capsys)["rules"]["court"] is court
