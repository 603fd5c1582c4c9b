"""What the commands print as JSON keeps to the schemas that travel with the package."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import (  # it carries no types
    Draft202012Validator,
    ValidationError,
)

import companion.cli
from companion.cli.kingdomino import main
from companion.games.kingdomino.reading_text import photo_record
from tests.companion.kingdomino.readings import kingdom_reading, photo_reading
from vision.kingdomino.judge.warn import WARNINGS
from vision.kingdomino.result import REASONS

SCHEMAS = Path(companion.cli.__file__).with_name("schemas")


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
