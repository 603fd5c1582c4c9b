"""What `dominoes` prints as JSON keeps to the schemas that travel with the package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

import companion.cli
from companion.cli.dominoes import main
from companion.games.pip_dominoes.reading_text import hand_record
from tests.companion.pip_dominoes.hands import hand_of

SCHEMAS = Path(companion.cli.__file__).with_name("schemas")
SAMPLES = Path(__file__).parents[4] / "sample_images" / "pip_dominoes"


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / f"dominoes-{name}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


ROUNDS = "12|12: Anna = 10|11 0|0; Ben = -; Cleo = 23 +50"
LATER = "11|11: Anna = 3|4; Ben = 12; Cleo = -"
GAMES = ("mexican-train", "chickenfoot")
COMMANDS = [
    ["score", "mexican-train", ROUNDS],
    ["score", "chickenfoot", ROUNDS, LATER],
    ["score", "mexican-train", "3|3: Anna = 1|2; Ben = 1|2"],
    ["score", "muggins", "Anna = 15; Ben = 10 > Anna / Anna = -; Ben = 6|6 1|0"],
    ["score", "muggins", "--players", "A,B,C,D", "A = 250"],
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


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_output_keeps_to_its_schema(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    validator(arguments[0]).validate(record_of(arguments, capsys))


def test_a_photo_that_is_read_and_one_that_is_not_keep_to_theirs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = [str(SAMPLES / "double-blank.jpg"), str(tmp_path / "none.jpg")]
    assert main(["count", "--json", *photos]) == 1
    read, refused = map(json.loads, capsys.readouterr().out.splitlines())
    assert read["dominoes"]
    assert refused["error"]["code"] == "missing_file"
    for record in (read, refused):
        validator("count").validate(record)


def test_a_hand_in_doubt_keeps_to_its_schema() -> None:
    hand = hand_of("5|9 0|0", {"5|9": "5|8"}, warnings=("unread", "double_blank"))
    validator("count").validate(json.loads(json.dumps(hand_record("a.jpg", hand))))


@pytest.mark.parametrize("name", ["count", "score", "setup"])
def test_a_schema_tells_other_things_apart(name: str) -> None:
    others: list[object] = [{}, [], {"points": 1}, {"photo": 1}, {"game": "chess"}]
    for record in others:
        with pytest.raises(ValidationError):
            validator(name).validate(record)


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_key_more_or_less_is_noticed(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    record = record_of(arguments, capsys)
    for key in list(record):
        with pytest.raises(ValidationError):
            validator(arguments[0]).validate({name: record[name] for name in record if name != key})
    with pytest.raises(ValidationError):
        validator(arguments[0]).validate(record | {"other": 1})


def test_names_cannot_rule_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "mexican-train", "12|12: A\x1b[2J = 3; Ö = -"]) == 0
    assert "\x1b" not in capsys.readouterr().out
    assert main(["score", "mexican-train", "12|12: A\x7f = 3; Ö = -", "--json"]) == 0
    assert capsys.readouterr().out.isascii()
