"""`dominoes`: each subcommand, the reader a stand-in, and JSON that keeps to the schemas."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator, ValidationError
from PIL import Image

import companion.cli
import vision
from companion.cli.dominoes import build_parser, main
from companion.games.pip_dominoes.reading_text import hand_record
from companion.languages import Language
from companion.reading import jobs
from scorer.pip_dominoes import RoundGame
from tests.companion.games.pip_dominoes.hands import hand_of
from vision.photo.errors import PhotoError
from vision.pip_dominoes import HandReading

COMMANDS = ("read", "score", "setup")


@pytest.fixture(autouse=True)
def _plain_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_comes_with_an_example(
    command: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"] if command is None else [command, "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert f"dominoes {command or 'read'}" in told.split("example", 1)[1]


def test_the_language_goes_before_or_after_the_command() -> None:
    for arguments in (
        ["--language", "de", "setup", "muggins"],
        ["setup", "muggins", "--language", "de"],
    ):
        assert Language(build_parser().parse_args(arguments).language) is Language.GERMAN


def test_help_is_quick_because_it_loads_no_pictures_and_no_screens() -> None:
    code = (
        "import sys\n"
        "from companion.cli.dominoes import build_parser\n"
        "build_parser()\n"
        "heavy = {'cv2', 'numpy', 'scipy', 'sklearn', 'streamlit'} & sys.modules.keys()\n"
        "print(sorted(heavy))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize("arguments", [[], ["read"], ["score", "rummy", "x"], ["setup", "poker"]])
def test_wrong_use_ends_with_two(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int | None]]:
    """A reader that knows files by their name; gives the list of those it was asked for."""
    found = []

    def read(source: str, set: int | None = None) -> HandReading:
        found.append((Path(source).name, set))
        if "cut" in source:
            raise PhotoError("truncated", format="JPEG")
        if "fault" in source:
            raise ZeroDivisionError
        if "empty" in source:
            raise PhotoError("no_dominoes")
        return hand_of("5|9 0|0", {"5|9": "5|8"})

    monkeypatch.setattr(vision, "read_dominoes", read, raising=False)
    monkeypatch.setattr(jobs, "PHOTOS_READ_HERE", 1000)
    return found


def picture(path: Path) -> str:
    Image.fromarray(np.full((480, 640, 3), 127, np.uint8)).save(path)
    return str(path)


def records(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def test_text_tells_everything(
    asked: list[tuple[str, int | None]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", "hand.jpg"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "hand.jpg",
        "  2 dominoes: 5|9? 0|0",
        "  Sum: 14 pips (double-12 set), please check first",
        "  What is in doubt leaves sums from 13 to 14",
        "  With 50 for the double blank: 64 points at Chickenfoot and Mexican Train",
        "  Please check:",
        "    5|9 (61 %), or else 5|8",
        "  Read in 0.51 s.",
        "",
    ]
    assert asked == [("hand.jpg", None)]


def test_json_is_one_line_a_photo_and_refusals_do_not_stop_it(
    asked: list[tuple[str, int | None]], capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["read", "--json", "--set", "12", "a.jpg", "cut.jpg", "empty.jpg", "b.jpg"]
    assert main(command) == 1
    first, second, third, fourth = records(capsys.readouterr().out)
    assert list(first) == [
        *("photo", "dominoes", "sum", "doubtful", "set", "warnings", "seconds"),
        *("sum_range", "missed"),
    ]
    assert second["error"]["code"] == "truncated"
    assert third["error"] == {
        "code": "no_dominoes",
        "message": "No domino was found. Take the photo from above and closer, with all faces in "
        "it and even light, or enter the dominoes by hand.",
    }
    assert (fourth["photo"], fourth["sum"]) == ("b.jpg", 14)
    assert {domino_set for _, domino_set in asked} == {12}


def test_a_fault_of_the_reader_costs_one_photo(
    asked: list[tuple[str, int | None]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", "--json", "fault.jpg", "a.jpg"]) == 1
    captured = capsys.readouterr()
    first, second = records(captured.out)
    assert first["error"]["code"] == "unexpected"
    assert second["sum"] == 14
    assert "ZeroDivisionError" in captured.err


def test_a_folder_stands_for_its_pictures(
    tmp_path: Path, asked: list[tuple[str, int | None]], capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("b.JPG", "a.png", "notes.txt"):
        (tmp_path / name).write_bytes(b"x")
    assert main(["read", "--json", str(tmp_path)]) == 0
    assert [name for name, _ in asked] == ["a.png", "b.JPG"]


def test_an_interrupted_run_goes_on_where_it_stopped(
    tmp_path: Path, asked: list[tuple[str, int | None]], capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results.jsonl"
    assert main(["read", "--results", str(results), "a.jpg", "cut.jpg"]) == 1
    asked.clear()
    assert main(["read", "--results", str(results), "a.jpg", "cut.jpg", "b.jpg"]) == 1
    assert [name for name, _ in asked] == ["cut.jpg", "b.jpg"]
    assert "1 photo is in" in capsys.readouterr().err
    kept = records(results.read_text(encoding="utf-8"))
    assert [record["photo"] for record in kept] == ["a.jpg", "cut.jpg", "b.jpg"]


def test_results_of_another_game_are_not_written_into(
    tmp_path: Path, asked: list[tuple[str, int | None]], capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "kingdoms.jsonl"
    line = '{"photo": "a.jpg", "kingdoms": [], "seconds": {}}\n'
    results.write_text(line, encoding="utf-8")
    assert main(["read", "--results", str(results), "a.jpg"]) == 2
    assert "kingdoms.jsonl, line 1, is no result" in capsys.readouterr().err
    assert results.read_text(encoding="utf-8") == line
    assert asked == []


def test_a_hand_is_drawn_on_its_photo(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    asked: list[tuple[str, int | None]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    def annotate(photo_rgb: Any, reading: HandReading) -> Any:
        return photo_rgb - 100 - len(reading.dominoes)

    module = SimpleNamespace(annotate=annotate)
    monkeypatch.setitem(sys.modules, "vision.pip_dominoes.draw", module)
    photo, out = picture(tmp_path / "hand.png"), tmp_path / "checked.png"
    assert main(["read", "--draw", str(out), photo]) == 0
    with Image.open(out) as drawn:
        assert drawn.size == (640, 480)
        assert drawn.getpixel((5, 5)) == (25, 25, 25)


def test_a_set_that_is_none_is_wrong_use(asked: list[tuple[str, int | None]]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["read", "--set", "7", "a.jpg"])
    assert ended.value.code == 2
    assert asked == []


def test_messages_are_german_where_asked_for(
    asked: list[tuple[str, int | None]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--language", "de", "read", "hand.jpg", "cut.jpg"]) == 1
    told = capsys.readouterr().out
    assert "2 Dominosteine: 5|9? 0|0" in told
    assert "64 Punkte bei Chickenfoot und Mexican Train" in told
    assert "nicht gelesen: Das Bild bricht ab" in told


def test_hands_of_one_round_are_settled_together(
    asked: list[tuple[str, int | None]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settled = []

    def settle(readings: list[HandReading], set: int | None = None) -> list[HandReading]:
        settled.append((len(readings), set))
        return [hand_of(f"{number}|{number}") for number in range(1, len(readings) + 1)]

    monkeypatch.setattr(vision, "settle_hands", settle)
    photos = ["a.jpg", "cut.jpg", "b.jpg"]
    assert main(["read", "--json", "--together", "--set", "9", *photos]) == 1
    told = records(capsys.readouterr().out)
    assert [record["photo"] for record in told] == photos
    assert [record.get("sum") for record in told] == [2, None, 4]
    assert settled == [(2, 9)]
    assert main(["read", "--together", "cut.jpg"]) == 1
    assert settled == [(2, 9)]


@pytest.mark.parametrize("option", ["--results", "--draw"])
def test_what_is_settled_at_the_end_cannot_be_kept_before(
    option: str,
    tmp_path: Path,
    asked: list[tuple[str, int | None]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "out.jpg"
    assert main(["read", "--together", option, str(out), "a.jpg"]) == 2
    assert option in capsys.readouterr().err
    assert asked == []
    assert not out.exists()


SCHEMAS = Path(companion.cli.__file__).with_name("schemas")
SAMPLES = Path(__file__).parents[3] / "sample_images" / "pip_dominoes"


@cache
def validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / f"dominoes-{name}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


ROUNDS = "12|12: Anna = 10|11 0|0; Ben = -; Cleo = 23 +50"
LATER = "11|11: Anna = 3|4; Ben = 12; Cleo = -"
GAMES = ("mexican-train", "chickenfoot")
COMMANDS_WITH_SCHEMA = [
    ["score", "mexican-train", ROUNDS],
    ["score", "chickenfoot", ROUNDS, LATER],
    ["score", "mexican-train", "3|3: Anna = 1|2; Ben = 1|2"],
    ["score", "muggins", "Anna = 15; Ben = 10 > Anna / Anna = -; Ben = 6|6 1|0"],
    ["score", "muggins", "--names", "A,B,C,D", "A = 250"],
    ["score", "muggins", " / Anna = 6|6; Ben = 6|6 1|0"],
    ["score", "muggins", "2|2 / 2|6 / 2|0 / 2|4 / 2|5"],
    ["score", "castle-rock", "6|4 0|0"],
    ["score", "castle-rock", ""],
    ["score", "castle-rock", "--row", "3|5 2|2 3|1"],
    *(["setup", game, "--players", "4"] for game in ("muggins", *GAMES)),
    *(["setup", game, "--players", "2", "--set", "9"] for game in GAMES),
    ["setup", "muggins", "--players", "4", "--singles"],
    ["setup", "mexican-train", "--players", "3", "--quick"],
    ["setup", "castle-rock", "--set", "18"],
]


def record_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert main([*arguments, "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    return json.loads(line)


@pytest.mark.parametrize("arguments", COMMANDS_WITH_SCHEMA, ids=" ".join)
def test_output_keeps_to_its_schema(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    validator(arguments[0]).validate(record_of(arguments, capsys))


def test_a_photo_that_is_read_and_one_that_is_not_keep_to_theirs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = [str(SAMPLES / "double-blank.jpg"), str(tmp_path / "none.jpg")]
    assert main(["read", "--json", *photos]) == 1
    read, refused = map(json.loads, capsys.readouterr().out.splitlines())
    assert read["dominoes"]
    assert refused["error"]["code"] == "missing_file"
    for record in (read, refused):
        validator("read").validate(record)


def test_a_hand_in_doubt_keeps_to_its_schema() -> None:
    hand = hand_of("5|9 0|0", {"5|9": "5|8"}, warnings=("unread",))
    validator("read").validate(json.loads(json.dumps(hand_record("a.jpg", hand))))


@pytest.mark.parametrize("name", ["read", "score", "setup"])
def test_a_schema_tells_other_things_apart(name: str) -> None:
    others: list[object] = [{}, [], {"points": 1}, {"photo": 1}, {"game": "chess"}]
    for record in others:
        with pytest.raises(ValidationError):
            validator(name).validate(record)


@pytest.mark.parametrize("arguments", COMMANDS_WITH_SCHEMA, ids=" ".join)
def test_a_key_more_or_less_is_noticed(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    record = record_of(arguments, capsys)
    keeps_to_schema = validator(arguments[0]).is_valid
    assert keeps_to_schema(record)
    for key in list(record):
        assert not keeps_to_schema({name: record[name] for name in record if name != key})
    assert not keeps_to_schema(record | {"other": 1})


def test_names_cannot_rule_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "mexican-train", "12|12: A\x1b[2J = 3; Ö = -"]) == 0
    assert "\x1b" not in capsys.readouterr().out
    assert main(["score", "mexican-train", "12|12: A\x7f = 3; Ö = -", "--json"]) == 0
    assert capsys.readouterr().out.isascii()


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
        "Die nächste Runde beginnt mit 6|6.",
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
    [("12|12: A=1; B=2", 12), ("7|7: A=1; B=2", 9), ("7|7: A=1|13; B=2", 15), ("9|9: A=1; B=2", 9)]
    + [("10|10: A=1; B=2", 12)],
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
    found = record(capsys, "muggins", "--names", "A, B,C,D", "B=250")
    assert found["totals"] == {"A + C": 0, "B + D": 250}
    assert found["winner"] == "B + D"
    assert found["sides"][1] == {"name": "B + D", "players": ["B", "D"]}
    assert told(capsys, "muggins", "--names", "A,B,C,D", "B=250")[-1] == (
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
        "2|2 must go.",
        "Removing as well as possible leaves 2 dominoes with 12 pips.",
    ]
    assert told(capsys, "castle-rock", "--row", "3|5 2|2 5|4") == ["The row offers no removal."]
    found = record(capsys, "castle-rock", "--row", "3|5 2|2 3|1")
    assert found["removals"] == [{"positions": [1], "option": 1}]
    assert (found["clearing"], found["left"], found["is_best"]) == ([[1]], "3|5 3|1", True)
    assert main(["score", "castle-rock", "--row", "--set", "6", "3|5 2|2 3|9"]) == 2
    assert main(["score", "castle-rock", "--row", "3|5 5|3"]) == 2
    said = ["3|9 has more than 6 pips on a half", "3|5 is there twice"]
    assert capsys.readouterr().err.splitlines() == said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["mexican-train", "no-such-file.txt"], "no-such-file.txt can't be read: No such file"),
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
    assert "hand.jpg is no text in UTF-8" in capsys.readouterr().err


def test_a_file_saved_with_a_byte_order_mark(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "evening.txt"
    sheet.write_text("9|9: Anna=3; Ben=-", encoding="utf-8-sig")
    assert told(capsys, "chickenfoot", str(sheet))[0] == "Round of 9|9"


def test_mexican_train(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "mexican-train", "--players", "4"]) == 0
    assert capsys.readouterr().out.partition("\n\n")[0].splitlines() == [
        "Mexican Train, players: 4, set: double-12",
        "In the middle: 12|12; each later round starts with the next lower double",
        "Each player draws: 18",
        "Boneyard: 18",
        "Rounds: 13",
        "Choose who starts; in each later round the start moves one player on, clockwise.",
    ]


def test_muggins_in_german(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "de", "setup", "muggins", "--players", "4", "--set", "9"]) == 0
    assert capsys.readouterr().out.partition("\n\n")[0].splitlines() == [
        "Muggins, Spieler: 4, Satz: Doppel-6",
        "Aussortieren: 27 Dominosteine mit mehr als 6 Augen auf einer Hälfte",
        "Jeder zieht: 5",
        "Talon: 8",
        "Mannschaften, nach Plätzen: 1 und 3; 2 und 4",
        "Bestimmt, wer anfängt; in jeder weiteren Runde rückt der Anfang im Uhrzeigersinn eins "
        "weiter.",
    ]


@pytest.mark.parametrize(
    ("arguments", "said", "unsaid"),
    [
        (
            ["chickenfoot", "--players", "4"],
            ["6 arms, the chickentoes", "one straight on and two slanting", "passed once"],
            ["Double-18", "Mexican Train. Who", "knocking on the table"],
        ),
        (["chickenfoot", "--players", "8", "--set", "18"], ["Double-18: for Chickenfoot"], []),
        (
            ["mexican-train", "--players", "4"],
            [
                "lies at the rim",
                "a marker",
                "knocking on the table",
                "50 points",
                "six, but counts",
            ],
            ["chickentoes", "slanting", "Double-18"],
        ),
        (
            ["muggins", "--players", "3"],
            ["The spinner counts both halves", "nearest multiple of five", "Who has 250 points"],
            ["partner"],
        ),
        (["muggins", "--players", "4"], ["not those of the partner"], ["lowest hand"]),
        (["muggins", "--players", "4", "--singles"], ["lowest hand"], ["partner"]),
        (["castle-rock"], ["the one between must go", "against the clock"], ["Choose who starts"]),
    ],
    ids=lambda value: " ".join(value),
)
def test_the_rules_follow_the_set_up(
    arguments: list[str], said: list[str], unsaid: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["setup", *arguments]) == 0
    told = capsys.readouterr().out
    for words in said:
        assert words in told
    for words in unsaid:
        assert words not in told


def test_castle_rock_is_for_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "castle-rock", "--set", "6"]) == 0
    assert capsys.readouterr().out.partition("\n\n")[0].splitlines() == [
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
def test_setup_refusals(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["setup", *arguments]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chickenfoot", "--target", "100"], "--target doesn't belong to Chickenfoot"),
        (["mexican-train", "--rounding", "up"], "--rounding doesn't belong to Mexican Train"),
        (["mexican-train", "--rounded", "sum"], "--rounded doesn't belong to Mexican Train"),
        (["mexican-train", "--singles"], "--singles doesn't belong to Mexican Train"),
        (["castle-rock", "--spinner-never-counts"], "--spinner-never-counts doesn't belong"),
        (["castle-rock", "--names", "A"], "--names doesn't belong to Castle Rock"),
        (["muggins", "--row"], "--row doesn't belong to Muggins"),
        (["muggins", "--set", "6"], "--set doesn't belong to Muggins"),
    ],
)
def test_an_option_of_another_game_is_refused(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *arguments, "9|9: A=1; B=2"]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.out == ""


def test_a_round_that_is_none_of_the_game_has_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "evening.txt"
    sheet.write_text("# Friday\n9|9: A=1; B=2\n\n8|8: A=1; C=2\n", encoding="utf-8")
    assert main(["score", "chickenfoot", str(sheet)]) == 2
    assert capsys.readouterr().err.startswith(f"{sheet}, line 4: ")
    sheet.write_text("A=5; B=5\n/ A=-; B=1|2\nB=5 > C\n", encoding="utf-8")
    assert main(["score", "muggins", "--names", "A,B", str(sheet)]) == 2
    assert capsys.readouterr().err.startswith(f"{sheet}, line 1: ")


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        (["Anna = 15 20; Ben = 10 > Anna"], ["  1. Anna, 45 points", "  2. Ben, 0 points"]),
        (["Anna = 15; Ben = -"], ["  1. Anna, 15 points", "  2. Ben, 0 points"]),
        (["Anna = 15; Ben = 0"], ["  1. Anna, 15 points", "  2. Ben, 0 points"]),
    ],
)
def test_plays_of_muggins_as_people_write_them(
    sheet: list[str], expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", "muggins", *sheet]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == expected


def test_teams_are_asked_for_and_never_guessed(capsys: pytest.CaptureFixture[str]) -> None:
    four = "Anna = 15; Ben = 10; Cem = 5; Dora = 5"
    assert main(["score", "muggins", four]) == 2
    assert "--names Anna,Ben,Cem,Dora" in capsys.readouterr().err
    assert main(["score", "muggins", "--names", "Anna,Cem,Ben,Dora", four]) == 0
    assert "1. Anna + Ben, 25 points" in capsys.readouterr().out
    assert main(["score", "muggins", "--singles", four]) == 0
    assert "1. Anna, 15 points" in capsys.readouterr().out


def test_the_next_double_after_a_gap(capsys: pytest.CaptureFixture[str]) -> None:
    rounds = ["12|12: Anna = 3; Ben = -", "10|10: Anna = -; Ben = 6"]
    assert main(["score", "mexican-train", *rounds]) == 0
    assert "The next round starts with 9|9." in capsys.readouterr().out


def test_a_double_outside_the_set_is_odd(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "mexican-train", "--set", "9", "12|12: Anna = 3; Ben = -"]) == 0
    assert "odd: round 1: 12|12 is not in this set" in capsys.readouterr().out


def test_the_time_of_castle_rock(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "castle-rock", "--json", "--seconds", "62.5", "3|4"]) == 0
    assert json.loads(capsys.readouterr().out)["seconds"] == 62.5
    assert main(["score", "castle-rock", "--seconds", "62.5", "3|4"]) == 0
    assert "Time: 62.5 s" in capsys.readouterr().out
    assert main(["score", "castle-rock", "--seconds", "5", "--row", "3|4"]) == 2
    for wrong in ("-1", "nan", "inf", "x"):
        with pytest.raises(SystemExit, match="2"):
            main(["score", "castle-rock", "--seconds", wrong, "3|4"])
        assert f"invalid seconds value: '{wrong}'" in capsys.readouterr().err
        with pytest.raises(SystemExit, match="2"):
            main(["score", "castle-rock", "--language", "de", "--seconds", wrong, "3|4"])
        assert f"'{wrong}' ist keine Dauer in Sekunden" in capsys.readouterr().err


def test_what_must_go_of_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "castle-rock", "--row", "3|1 3|3 3|6"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["One of these must go:", "  3|1"]


def test_players_without_points_by_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "muggins", "--json", "Anna = 15 20; Ben; Cleo = -"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["players"] == ["Anna", "Ben", "Cleo"]
    assert main(["score", "muggins", "Anna = 15 20; Ben = -; Cleo"]) == 0
    assert "Anna, 35 points" in capsys.readouterr().out


def test_the_next_double_after_a_gap_and_a_double_beyond_the_set(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["score", "mexican-train", "9|9: A=1; B=2", "7|7: A=3; B=-"]) == 0
    told = capsys.readouterr().out
    assert "odd: round 2: starts with 7|7, 8|8 was due" in told
    assert told.endswith("The next round starts with 6|6.\n")
    assert main(["score", "chickenfoot", "--set", "9", "12|12: A=1; B=2"]) == 0
    assert "12|12 is not in this set" in capsys.readouterr().out


def test_a_target_of_nothing_is_refused_and_not_taken_for_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["score", "muggins", "--target", "0", "Anna = 15; Ben = 10"]) == 2
    assert "can't end at 0 points" in capsys.readouterr().err
