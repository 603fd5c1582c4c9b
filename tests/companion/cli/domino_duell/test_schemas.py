"""What `domino-duell` prints as JSON keeps to the schemas that travel with the package."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator, ValidationError

import companion.cli
from companion.cli.domino_duell import main
from companion.games.domino_duell.reading_text import board_record
from companion.languages import Language
from companion.reading.refusals import error_record
from scorer.domino_duell import DEFAULT_SHAPE, Board, Stone
from vision.domino_duell import BoardReading, HollowReading
from vision.photo import PhotoError

SCHEMAS = Path(companion.cli.__file__).with_name("schemas")
START = "f6=rtl f7=ycl g5=gml g6=bsw"
GAME = f"""players Anna, Ben
start {START}
jokers
swap 2
g7=yck edge +gcw
pass
"""


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
