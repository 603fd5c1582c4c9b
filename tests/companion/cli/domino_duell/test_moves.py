from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from companion.cli.domino_duell import main

BOARD = "f6=rtl f7=ycl  # the middle\ng5=gml g6=bsw\n"


class _Input:
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
    monkeypatch.setattr(sys, "stdin", _Input(BOARD))
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
    monkeypatch.setattr(sys, "stdin", _Input("f6=rtl"))
    assert main(["moves", "-", "--language", "de", "--hand", "bcl"]) == 0
    assert capsys.readouterr().out == "Kein Stein der Hand passt.\n"


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
    monkeypatch.setattr(sys, "stdin", _Input(board))
    assert main(["--language", "en", "moves", "-", "--hand", hand]) == 2
    assert said in capsys.readouterr().err
