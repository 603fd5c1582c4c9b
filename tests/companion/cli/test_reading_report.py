from __future__ import annotations

import json
from io import StringIO

import pytest

from companion.cli.reading_report import Progress, ReadingFormat, ReadingReport
from companion.languages import Language
from companion.reading.jobs import Outcome
from vision.photo.errors import PhotoError

TELLING: ReadingFormat[int] = ReadingFormat(
    lambda photo, reading: {"photo": photo, "number": reading},
    lambda reading, language: [f"read {reading}", language.value],
)


def report(*, as_json: bool) -> ReadingReport[int]:
    progress = Progress(2, StringIO(), Language.ENGLISH)
    return ReadingReport(TELLING, Language.ENGLISH, progress, as_json)


def test_a_reading_is_told_as_its_game_says(capsys: pytest.CaptureFixture[str]) -> None:
    lines, records = report(as_json=False), report(as_json=True)
    lines.tell(Outcome("a.jpg", 7))
    assert capsys.readouterr().out == "a.jpg\n  read 7\n  en\n\n"
    records.tell(Outcome("a.jpg", 7))
    assert json.loads(capsys.readouterr().out) == {"photo": "a.jpg", "number": 7}
    assert lines.all_well
    assert records.all_well


def test_an_empty_name_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    report(as_json=False).tell(Outcome("", error=PhotoError("missing_file")))
    assert capsys.readouterr().out.startswith('""\n  ')


def test_what_went_wrong_is_told_and_remembered(capsys: pytest.CaptureFixture[str]) -> None:
    refused, undrawn = report(as_json=True), report(as_json=True)
    refused.tell(Outcome("a.jpg", error=PhotoError("empty_file")))
    undrawn.tell(Outcome("b.jpg", 7, drawing="out.jpg", not_drawn="no room"))
    captured = capsys.readouterr()
    first, second = map(json.loads, captured.out.splitlines())
    assert first["error"]["code"] == "empty_file"
    assert second["number"] == 7
    assert "out.jpg can't be written: no room" in captured.err
    assert not refused.all_well
    assert not undrawn.all_well
