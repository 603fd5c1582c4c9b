"""`domino-duell`: each subcommand, its refusals, and JSON that keeps to the schemas."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from jsonschema import Draft202012Validator, ValidationError

import companion.cli
import companion.cli.parser
from companion.cli.domino_duell import build_parser, main
from companion.cli.terminal import DOMAIN, Exit
from companion.games.domino_duell.reading_text import board_record
from companion.languages import Language, translate
from companion.languages import codes as said_codes
from companion.reading.jobs import error_record
from scorer.domino_duell import DEFAULT_SHAPE, STONES, Board, Reason, Record, Stone, parse_board
from tests.scorer.domino_duell.random_games import play, set_up
from training.domino_duell.scenes import SceneSettings, draw_scene
from vision.domino_duell import BoardReading, HollowReading, read_board
from vision.photo import PhotoError

COMMANDS = ("score", "setup", "moves", "complete", "judge", "read", "train")

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_comes_with_an_example(
    command: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"] if command is None else [command, "--help"])
    assert ended.value.code == 0
    assert f"domino-duell {command or 'score'}" in capsys.readouterr().out.split("example", 1)[1]


def test_every_text_of_the_help_is_in_german(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()

    def recorded(text: str, _language: Language, _domain: str) -> str:
        asked.add(text)
        return text

    monkeypatch.setattr(companion.cli.parser, "translate", recorded)
    for command in COMMANDS:
        with pytest.raises(SystemExit):
            main([command, "--help"])
    monkeypatch.undo()
    asked.discard("")
    assert len(asked) > 25
    english = {text for text in asked if translate(text, Language.GERMAN, DOMAIN) == text}
    # Signs for a number and an address, the same in both languages.
    assert english == {"N", "SCHEDULER"}


def test_the_language_goes_before_or_after_the_command() -> None:
    for arguments in (["--language", "de", "judge"], ["judge", "--language", "de"]):
        assert Language(build_parser().parse_args(arguments).language) is Language.GERMAN


def test_help_loads_no_pictures_and_no_screens() -> None:
    code = (
        "import sys\n"
        "from companion.cli.domino_duell import build_parser\n"
        "build_parser()\n"
        "heavy = {'cv2', 'numpy', 'scipy', 'sklearn', 'streamlit'} & sys.modules.keys()\n"
        "print(sorted(heavy))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_every_refusal_has_its_words() -> None:
    codes = {reason.value for reason in Reason}
    for file in (ROOT / "scorer/domino_duell").glob("*.py"):
        source = file.read_text(encoding="utf-8")
        raised = r'(?:NotationError|BoardError|SetUpError|error)\(\s*"(\w+)"'
        codes |= set(re.findall(raised, source))
    assert {"bad_stone", "start_stones", "off_lattice", "late_line", "no_group"} <= codes
    assert {f"duell_error.{code}" for code in codes} <= said_codes()


def test_the_missing_stones_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", "--language", "de", "gcg", "gtg"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Farbe gleich, daher grün",
        "Symbol ungleich, daher Mond oder Stern",
        "Symbolfarbe gleich, daher grau",
        "es fehlt: gmg (grün, Mond, grau); gsg (grün, Stern, grau)",
    ]


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", "--json", "rcw", "rmk", "rsl"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "stones": ["rcw", "rmk", "rsl"],
        "missing": ["rtg"],
    }


def test_what_is_no_triple(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", "--language", "en", "rcw", "rmk", "ysl"]) == 1
    told = capsys.readouterr().out
    assert "colour neither equal nor different" in told
    assert told.endswith("No stone completes these.\n")


@pytest.mark.parametrize("stones", [["rcw"], ["rcw", "rcw"], ["rcw", "rck", "rcg", "rcl"]])
def test_wrong_use(stones: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", "--language", "en", *stones]) == 2
    assert "Give two stones or three" in capsys.readouterr().err


FOLDER = os.environ.get("KINGDOMINO_DATA")
FILE = Path(FOLDER, "conformance", "domino_duell.jsonl") if FOLDER else None


class _Input:
    """A standard input of these bytes."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def judged(
    data: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, list[object], str]:
    monkeypatch.setattr(sys, "stdin", _Input(data))
    code = main(["judge", "--language", "en"])
    told = capsys.readouterr()
    return code, [json.loads(line) for line in told.out.splitlines()], told.err


@pytest.mark.skipif(
    FILE is None or not FILE.is_file(),
    reason="KINGDOMINO_DATA is not set, or holds no conformance/domino_duell.jsonl",
)
def test_every_case_as_expected(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert FILE is not None
    cases = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    expected = [{"id": case["id"], **case.pop("expect")} for case in cases]
    data = "\n".join(json.dumps(case) for case in cases).encode()
    assert judged(data, monkeypatch, capsys) == (0, expected, "")


def test_moves_and_hands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board = {"f6": "rtl", "g5": "gml"}
    cases: list[dict[str, object]] = [
        {"id": 1, "board": board, "stone": "bcl", "hollow": "e6"},
        {"id": 2, "board": board, "stone": "bcl", "hollow": "e6", "at_edge": True},
        {"id": 3, "board": board, "stone": "bcl", "hollow": "f6"},
        {"id": 4, "board": board, "hand": ["rtl"]},
    ]
    data = b"\n\n".join(json.dumps(case).encode() for case in cases)
    move = {
        "legal": True,
        "points": 1,
        "touched": 1,
        "edge": False,
        "groups": [["triple", ["e6", "f6", "g5"]]],
    }
    assert judged(data, monkeypatch, capsys) == (
        0,
        [
            {"id": 1, **move},
            {"id": 2, **move, "points": 2, "edge": True},
            {"id": 3, "legal": False, "reason": "occupied"},
            {"id": 4, "legal_moves": 0, "best_points": 0, "best": []},
        ],
        "",
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"id": 1,', "line 2, column 10: this is no case: it can't be read as JSON"),
        (b"\xff", "line 2, column 1: this is no text in UTF-8"),
        (b"[]", "line 2: this is no case: “board” is missing"),
        (b'{"board": {}}', "“id” is missing"),
        (b'{"id": 1, "board": {}, "stone": "rcw"}', "“hollow” is missing"),
        (b'{"id": 1, "board": [], "hand": []}', "“board” is of another form"),
        (b'{"id": 1, "board": {"f6": 3}, "hand": []}', "“board” is of another form"),
        (b'{"id": 1, "board": {}, "hand": [3]}', "“hand” is of another form"),
        (b'{"id": 1, "board": {"f6": "xxx"}, "hand": []}', "“xxx” is no stone"),
        (b'{"id": 1, "board": {"z6": "rcw"}, "hand": []}', "the board has no hollow “z6”"),
        (b"[" * 100000, "line 2: this is no case: it can't be read as JSON"),
        (b'{"id": NaN, "board": {}, "hand": []}', "line 2: this is no case: it can't be read as"),
    ],
)
def test_a_line_that_is_no_case_stops_no_other(
    line: bytes, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = b'{"id": "a", "board": {}, "hand": []}'
    code, told, error = judged(b"\n".join([good, line, good]), monkeypatch, capsys)
    assert (code, len(told)) == (1, 2)
    assert said in error


BOARD = "f6=rtl f7=ycl  # the middle\ng5=gml g6=bsw\n"


class _MovesInput:
    """A standard input of these bytes."""

    def __init__(self, text: str) -> None:
        self.buffer = io.BytesIO(text.encode())


def test_moves_best_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "board.txt"
    path.write_text(BOARD, encoding="utf-8")
    assert main(["moves", str(path), "--language", "en", "--hand", "bcl", "rtw"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "e6=bcl (blue, circle, light blue): 2 points",
        "   triple e6 f6 g5; 2 touches: 1 × 2 = 2",
    ]
    monkeypatch.setattr(sys, "stdin", _MovesInput(BOARD))
    assert main(["moves", "-", "--json", "--hand", "bcl", "*"]) == 0
    moves = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert moves[0] == {
        "stone": "bcl",
        "hollow": "e6",
        "points": 2,
        "groups": [["triple", ["e6", "f6", "g5"]]],
        "touched": ["f7", "f6"],
        "edge": False,
    }
    assert [move["points"] for move in moves] == sorted(
        (move["points"] for move in moves), reverse=True
    )


def test_a_hand_without_a_move(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", _MovesInput("f6=rtl"))
    assert main(["moves", "-", "--language", "de", "--hand", "bcl"]) == 0
    assert capsys.readouterr().out == "Kein Stein der Hand passt.\n"
    assert main(["moves", "f6=rtl", "--json", "--hand", "bcl"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("board", "hand", "said"),
    [
        ("f6=rtl\nf7=xyz", "bcl", "standard input, line 2, column 4: “xyz” is no stone"),
        ("f6=rtl f7=rtl", "bcl", "standard input, line 1, column 8: rtl is there twice"),
        ("f6=rtl", "bc", "“bc” is no stone"),
    ],
)
def test_mistakes(
    board: str,
    hand: str,
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", _MovesInput(board))
    assert main(["--language", "en", "moves", "-", "--hand", hand]) == 2
    assert said in capsys.readouterr().err


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> str:
    calm = SceneSettings(light=0.3, glare_share=0.0, shadow_share=0.0, max_blur_px=0.8)
    scene = draw_scene(np.random.default_rng(4_200_000), calm)
    path = tmp_path_factory.mktemp("photos") / "board.png"
    cv2.imwrite(str(path), scene.rgb[..., ::-1])
    return str(path)


def test_the_text_is_a_board_and_says_what_it_was_tried_on(
    photo: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", "--language", "en", photo]) == 0
    told = capsys.readouterr().out
    reading = read_board(photo)
    assert parse_board(told) == reading.position
    assert told.startswith(f"# {photo}\n  # tried on drawn pictures only")
    for hollow in reading.doubtful:
        assert f"  #   {hollow}: " in told
    assert main(["read", "--language", "de", photo]) == 0
    assert "  # nur an gezeichneten Bildern erprobt; " in capsys.readouterr().out


def test_read_as_json(photo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--json", photo]) == 0
    told = json.loads(capsys.readouterr().out)
    reading = read_board(photo)
    assert told["tried_on"] == "drawn pictures only"
    assert Board.of(told["board"]) == reading.position
    assert [each["hollow"] for each in told["check"]] == list(reading.doubtful)


def test_help_says_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["read", "--help"])
    assert "TRIED ON DRAWN" in capsys.readouterr().out


def test_what_can_not_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = tmp_path / "plain.png"
    cv2.imwrite(str(plain), np.full((300, 400, 3), 127, np.uint8))
    assert main(["read", "--language", "en", str(plain)]) == 1
    told = capsys.readouterr().out
    assert "# not read: No board of Domino-Duell was found" in told
    assert main(["read", "--language", "de", str(tmp_path / "none.jpg")]) == 1
    assert "Diese Datei gibt es nicht" in capsys.readouterr().out
    assert main(["read", "--json", "--language", "en", str(plain)]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "no_board"


@pytest.mark.slow
def test_several_photos_in_workers_with_results_and_drawings(
    photo: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "letter.jpg"
    bad.write_text("no picture", encoding="utf-8")
    results, drawings = tmp_path / "results.jsonl", tmp_path / "drawn"
    asked = ["read", "--json", "--language", "en", "--results", str(results), "--jobs", "1"]
    assert main([*asked, "--draw", str(drawings), photo, str(bad)]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert Board.of(first["board"]) == read_board(photo).position
    assert second["error"]["code"] == "not_a_picture"
    kept = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    assert [line["photo"] for line in kept] == [photo, str(bad)]
    drawn, plain = cv2.imread(str(drawings / "board.jpg")), cv2.imread(photo)
    assert drawn is not None
    assert plain is not None
    assert drawn.shape == plain.shape
    assert main([*asked, photo, str(bad)]) == 1
    assert [json.loads(line)["photo"] for line in capsys.readouterr().out.splitlines()] == [
        str(bad)
    ]


def test_what_was_read_is_a_board_for_moves(
    photo: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["read", "--language", "en", photo])
    board = tmp_path / "board.txt"
    board.write_text(capsys.readouterr().out, encoding="utf-8")
    laid = read_board(photo).position.stones
    free = [each for each in STONES if each not in laid]
    assert main(["moves", "--json", str(board), "--hand", str(free[0])]) == 0


SCHEMAS = Path(companion.cli.__file__).with_name("schemas")
START = "f6=rtl f7=ycl g5=gml g6=bsw"
GAME = f"""players Anna, Ben
start {START}
jokers
swap 2
g7=yck edge +gcw
pass
"""


@cache
def validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / f"domino-duell-{name}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def lines_of(capsys: pytest.CaptureFixture[str]) -> list[object]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.txt"
    file.write_text(GAME, encoding="utf-8")
    assert main(["score", "--json", str(file)]) == 0
    lines = lines_of(capsys)
    assert len(lines) == 4
    for line in lines:
        validator("score").validate(line)
    # Nobody has won yet, and no board is drawn among lines of JSON.
    assert isinstance(lines[-1], dict)
    assert (lines[-1]["over"], lines[-1]["winners"]) == (False, [])
    assert main(["score", "--json", "--board", str(file)]) == 0
    assert lines_of(capsys) == lines


def test_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "board.txt"
    file.write_text(START, encoding="utf-8")
    assert main(["moves", "--json", str(file), "--hand", "yck", "rcw"]) == 0
    lines = lines_of(capsys)
    assert lines
    for line in lines:
        validator("moves").validate(line)


@pytest.mark.parametrize("stones", [["rcw", "gcw"], ["rcw", "rmk", "rtg"], ["rcw", "rcw"]])
def test_complete(stones: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        main(["complete", "--json", *stones])
    except SystemExit:
        return
    for line in lines_of(capsys):
        validator("complete").validate(line)


STARTED = "players Anna, Ben\nstart f6=rcw f7=gmw g5=btw g6=ysw\njokers\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--players", "3"], {"players": 3, "pieces": 64, "bag": 39, "end": "stones"}),
        (["--players", "2"], {"start_is_quadruple": None, "able_to_begin": None}),
        (["--jokers", "--quick"], {"players": 2, "pieces": 68, "bag": 50, "end": "edge"}),
        ([STARTED], {"jokers": True, "start_is_quadruple": True, "able_to_begin": []}),
        (
            [STARTED + "hand Ben: rcl"],
            {"players": 2, "start_is_quadruple": True, "able_to_begin": []},
        ),
        (
            [GAME.splitlines()[0] + "\n" + GAME.splitlines()[1] + "\nhand Ben: bcl"],
            {"jokers": False, "start_is_quadruple": False, "able_to_begin": ["Ben"]},
        ),
    ],
    ids=repr,
)
def test_setup(
    arguments: list[str], expected: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["setup", "--json", *arguments]) == 0
    record = json.loads(capsys.readouterr().out)
    validator("setup").validate(record)
    assert expected.items() <= record.items()


def test_the_rules_follow_the_set_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "--players", "4"]) == 0
    told = capsys.readouterr().out
    assert told.splitlines()[1] == (
        "Four of them, as different as can be, ideally a quadruple, go to the four hollows in the "
        "middle."
    )
    assert "Who first can lay a stone that makes a triple" in told
    assert "32 stay in the bag" in told
    assert "joker" not in told
    assert "first stone at the edge" not in told
    assert main(["setup", "--players", "4", "--jokers", "--quick"]) == 0
    told = capsys.readouterr().out
    assert "36 stay in the bag" in told
    assert "A group with a joker never counts" in told
    assert "it ends with the first stone at the edge" in told
    assert main(["setup", "--language", "de", STARTED + "hand Ben: bcl"]) == 0
    told = capsys.readouterr().out
    assert "\nDie vier Startsteine sind ein Quadrupel.\nMit den bekannten Steinen kann" in told


def test_judge(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    board = dict(each.split("=") for each in START.split())
    cases = [
        {"id": 1, "board": board, "stone": "yck", "hollow": "g7"},
        {"id": "two", "board": board, "stone": "rcw", "hollow": "a1"},
        {"id": 3, "board": board, "hand": ["yck", "rcw"]},
    ]
    text = "\n".join(map(json.dumps, cases))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["judge"]) == 0
    lines = lines_of(capsys)
    assert len(lines) == 3
    for line in lines:
        validator("judge").validate(line)


def test_read() -> None:
    stone = Stone.parse("rcw")
    position = Board.of({"f6": stone, "f7": "*"})
    hollows = tuple(
        HollowReading(hollow, position[hollow], 0.5, stone, doubtful=hollow < "b")
        for hollow in DEFAULT_SHAPE.hollows
    )
    reading = BoardReading(position, hollows, np.eye(3), 100, 100)
    validator("read").validate(json.loads(json.dumps(board_record("board.jpg", reading))))
    refused = error_record("board.jpg", PhotoError("no_board"), Language.ENGLISH)
    validator("read").validate(refused)
    for wrong in ({"photo": "board.jpg"}, {**refused, "board": {}}):
        with pytest.raises(ValidationError):
            validator("read").validate(wrong)


def test_a_schema_refuses_what_is_no_move() -> None:
    for wrong in ({}, {"stone": "rcw"}, {"stone": "xxx", "hollow": "f6", "points": 1}):
        with pytest.raises(ValidationError):
            validator("moves").validate(wrong)


HEAD = "players Anna, Ben\nstart f6=rtl f7=ycl g5=gml g6=bsw\n"


@pytest.fixture(autouse=True)
def _plain_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


def written(folder: Path, text: str) -> str:
    path = folder / "game.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_game_move_by_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = written(tmp_path, HEAD + "e6=bcl\nBen: g7=yck edge\nswap 2\n")
    assert main(["score", game]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1. Anna: e6=bcl (blue, circle, light blue): 2 points",
        "   triple e6 f6 g5; 2 touches: 1 × 2 = 2",
        "   score: Anna 2, Ben 0",
        "2. Ben: g7=yck (yellow, circle, black): 4 points",
        "   triple g5 g6 g7; 2 touches; at the edge, double: 1 × 2 × 2 = 4",
        "   score: Anna 2, Ben 4",
        "3. Anna: exchanges 2 pieces",
        "   score: Anna 2, Ben 4",
        "The game is not over; next: Ben.",
    ]


def test_in_german(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = written(tmp_path, HEAD + "e6=bcl\nswap 1\n")
    assert main(["--language", "de", "score", game]) == 0
    told = capsys.readouterr().out
    assert "Tripel e6 f6 g5; 2 Berührungen" in told
    assert "Ben: tauscht 1 Stein\n" in told
    assert "blau, Kreis, hellblau" in told


def test_the_quick_variant_has_a_winner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = written(tmp_path, HEAD + "ends edge\ne6=bcl edge\n")
    assert main(["score", game]) == 0
    assert capsys.readouterr().out.endswith("Anna wins with 4 points.\n")


def test_a_shared_victory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turns = ["Anna: g7=yck", "Ben: e6=bcl", "pass", "pass"]
    game = written(tmp_path, HEAD + "\n".join(turns))
    assert main(["score", game]) == 0
    assert capsys.readouterr().out.endswith("Anna, Ben share the victory with 2 points each.\n")
    assert main(["--language", "de", "score", game]) == 0
    assert "Anna, Ben teilen sich den Sieg, je 2 Punkte" in capsys.readouterr().out


@pytest.mark.parametrize("seed", range(1, 6, 2))
def test_whole_games_with_jokers_come_to_their_end(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = play(Random(seed), set_up(Random(seed), 3, jokers=True), 400)
    record = Record(game.set_up, tuple(step.turn for step in game.steps))
    assert main(["score", "--json", written(tmp_path, str(record))]) == 0
    *steps, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert [step["points"] for step in steps] == [step.points for step in game.steps]
    assert last == {
        "over": True,
        "to_move": None,
        "totals": dict(zip("ABC", game.totals, strict=True)),
        "winners": list(game.leaders),
    }
    assert main(["score", written(tmp_path, str(record))]) == 0
    used = any(step.taken for step in game.steps)
    assert ("joker on " in capsys.readouterr().out) == used


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (HEAD + "e6=bcl\n  Ben: g7=rtw\n", 1, ", line 4, column 3: rtw on g7 makes no new"),
        (HEAD + "Ben: e6=bcl\n", 1, ", line 3, column 1: it is the turn of Anna, not of Ben"),
        (HEAD + "e6=bcx\n", 2, ", line 3, column 4: “bcx” is no stone"),
        (HEAD + "e6=bcl now\n", 2, ", line 3, column 8: “now” is not understood here"),
        ("players Anna\n", 2, ", line 2, column 1: the line “start” is missing"),
        ("\ufeff" + HEAD + "z6=bcl", 2, ", line 3, column 1: the board has no hollow “z6”"),
    ],
)
def test_mistakes_with_their_place(
    text: str, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = written(tmp_path, text)
    assert main(["score", game]) == code
    told = capsys.readouterr()
    assert f"{game}{said}" in told.err
    assert ("1. Anna" in told.out) == (code == 1 and "e6=bcl\n " in text)


def test_files_that_are_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(tmp_path / "none.txt")]) == 2
    assert "can't be read" in capsys.readouterr().err
    assert main(["score", str(tmp_path)]) == 2
    assert "can't be read" in capsys.readouterr().err
    path = tmp_path / "photo.jpg"
    path.write_bytes(b"\xff\xd8\xff\xe0")
    assert main(["--language", "de", "score", str(path)]) == 2
    assert "ist kein Text in UTF-8" in capsys.readouterr().err


def test_the_board_after_the_last_turn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = written(tmp_path, HEAD + "e6=bcl\n")
    assert main(["score", "--board", game]) == 0
    board = capsys.readouterr().out.splitlines()[-1]
    assert parse_board(board) == parse_board("e6=bcl f6=rtl f7=ycl g5=gml g6=bsw")
    hand = ["--json", "--hand", "yck"]
    assert main(["moves", board, *hand]) == 0
    of_board = capsys.readouterr().out
    assert main(["moves", game, *hand]) == 0
    assert capsys.readouterr().out == of_board
    refused = written(tmp_path, HEAD + "e6=bcl\nBen: g7=rtw\n")
    assert main(["moves", refused, *hand]) == 2
    assert f"{refused}, line 4, column 1: rtw on g7" in capsys.readouterr().err


def test_an_unknown_line_names_what_may_stand_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", written(tmp_path, "joueurs Anna, Ben\n")]) == 2
    error = capsys.readouterr().err
    assert "line 1, column 1: “joueurs” is not understood here" in error
    for word in ("players", "start", "hand", "begins", "ends", "jokers", "swap", "pass"):
        assert word in error
    for text, said in (
        ("joueurs A, B\n", ("„spieler“", "„beginnt“", "„endet“", "„joker“", "tausche", "passe")),
        (HEAD + "endet am Rand\n", ("Zeile 3, Spalte 7", "endet steine", "endet rand")),
        (HEAD + "foo bar\n", ("joker f6", "tausche rcw", "passe")),
    ):
        assert main(["--language", "de", "score", written(tmp_path, text)]) == 2
        error = capsys.readouterr().err
        assert all(words in error for words in said)


def test_a_game_in_german_and_capitals_for_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    english = HEAD + "hand Anna: yck\nends edge\njokers\ne6=bcl\nswap 2\n"
    german = english.replace("ends edge", "endet RAND").replace("jokers", "Joker")
    german = german.replace("players", "Spieler").replace("start", "START")
    german = german.replace("hand", "Hand").replace("swap", "Tausche")
    for command in (["score"], ["moves", "--hand=yck"], ["setup"]):
        printed = []
        for text in (english, german):
            assert main([*command, written(tmp_path, text)]) == 0
            printed.append(capsys.readouterr().out)
        assert printed[0] == printed[1]


def test_options_that_a_game_says_itself_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--jokers", "--quick", "--players=3"):
        assert main(["setup", HEAD, option]) == 2
        said = f"{option.partition('=')[0]} doesn't go with a game that is written down"
        assert said in capsys.readouterr().err


def test_the_rules_are_those_of_the_game_that_is_written_down(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["setup", f"{HEAD}jokers\nends edge\n"]) == 0
    told = capsys.readouterr().out
    assert "A group with a joker never counts" in told
    assert "it ends with the first stone at the edge" in told


@pytest.mark.parametrize("option", [[], ["--file"]])
def test_a_file_that_is_judged_well_makes_up_for_no_other(
    option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = {"id": 1, "board": {"f6": "rtl", "g5": "gml"}, "hand": ["bcl"]}
    named = []
    for name, case in (("bad.jsonl", {"id": 2}), ("good.jsonl", good)):
        (tmp_path / name).write_text(json.dumps(case), encoding="utf-8")
        named += [*option, str(tmp_path / name)]
    assert main(["judge", *named]) == 1
    assert json.loads(capsys.readouterr().out)["id"] == 1
    assert main(["judge", json.dumps({"id": 2}), json.dumps(good)]) == 1
    assert json.loads(capsys.readouterr().out)["id"] == 1


def test_a_line_that_is_too_long_or_no_text_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_bytes(b"\nab\xff\n" + b"x" * 1_000_001)
    assert main(["judge", str(cases)]) == 1
    no_text, too_long = capsys.readouterr().err.splitlines()
    assert f"{cases}, line 2, column 3: " in no_text
    assert f"{cases}, line 3: " in too_long


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe ends otherwise there")
def test_an_output_that_is_closed_is_no_fault_of_the_cases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"id": 1, "board": {"f6": "rtl", "g5": "gml"}, "hand": ["bcl"]}\n', "utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w", buffering=1, encoding="utf-8") as closed:
        monkeypatch.setattr(sys, "stdout", closed)
        assert main(["judge", str(cases)]) == Exit.OUTPUT_CLOSED
    assert capsys.readouterr().err == ""
