"""The command around the reader, which is a stand-in here that knows photos by their names."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

import vision
from companion.cli.dominoes import main
from companion.reading import jobs
from tests.companion.pip_dominoes.hands import hand_of
from vision.photo.errors import PhotoError
from vision.pip_dominoes import HandReading


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
    assert main(["count", "hand.jpg"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "hand.jpg",
        "  2 dominoes: 5|9? 0|0",
        "  Sum: 14 pips (double-12 set), please check first",
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
    command = ["count", "--json", "--set", "12", "a.jpg", "cut.jpg", "empty.jpg", "b.jpg"]
    assert main(command) == 1
    first, second, third, fourth = records(capsys.readouterr().out)
    assert list(first) == [
        *("photo", "dominoes", "sum", "doubtful", "set", "warnings", "seconds"),
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
    assert main(["count", "--json", "fault.jpg", "a.jpg"]) == 1
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
    assert main(["count", "--json", str(tmp_path)]) == 0
    assert [name for name, _ in asked] == ["a.png", "b.JPG"]


def test_an_interrupted_run_goes_on_where_it_stopped(
    tmp_path: Path, asked: list[tuple[str, int | None]], capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results.jsonl"
    assert main(["count", "--results", str(results), "a.jpg", "cut.jpg"]) == 1
    asked.clear()
    assert main(["count", "--results", str(results), "a.jpg", "cut.jpg", "b.jpg"]) == 1
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
    assert main(["count", "--results", str(results), "a.jpg"]) == 2
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
    assert main(["count", "--draw", str(out), photo]) == 0
    with Image.open(out) as drawn:
        assert drawn.size == (640, 480)
        assert drawn.getpixel((5, 5)) == (25, 25, 25)


def test_a_set_that_is_none_is_wrong_use(asked: list[tuple[str, int | None]]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["count", "--set", "7", "a.jpg"])
    assert ended.value.code == 2
    assert asked == []


def test_messages_are_german_where_asked_for(
    asked: list[tuple[str, int | None]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--language", "de", "count", "hand.jpg", "cut.jpg"]) == 1
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
    assert main(["count", "--json", "--together", "--set", "9", *photos]) == 1
    told = records(capsys.readouterr().out)
    assert [record["photo"] for record in told] == photos
    assert [record.get("sum") for record in told] == [2, None, 4]
    assert settled == [(2, 9)]
    assert main(["count", "--together", "cut.jpg"]) == 1
    assert settled == [(2, 9)]


@pytest.mark.parametrize("option", ["--results", "--draw"])
def test_what_is_settled_at_the_end_cannot_be_kept_before(
    option: str,
    tmp_path: Path,
    asked: list[tuple[str, int | None]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "out.jpg"
    assert main(["count", "--together", option, str(out), "a.jpg"]) == 2
    assert option in capsys.readouterr().err
    assert asked == []
    assert not out.exists()
