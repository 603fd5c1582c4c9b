from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from companion.cli.domino_duell import main
from scorer.domino_duell import Record
from tests.scorer.domino_duell.random_games import play, set_up

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
    assert "keine Textdatei" in capsys.readouterr().err
