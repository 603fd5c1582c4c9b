from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from companion.cli.domino_duell import main

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
        (b'{"id": 1,', "line 2, column 10: this is no case"),
        (b"\xff", "line 2, column 1: this is no case"),
        (b"[]", "line 2: this is no case: “board” is missing"),
        (b'{"board": {}}', "“id” is missing"),
        (b'{"id": 1, "board": {}, "stone": "rcw"}', "“hollow” is missing"),
        (b'{"id": 1, "board": [], "hand": []}', "“board” is of another form"),
        (b'{"id": 1, "board": {"f6": 3}, "hand": []}', "“board” is of another form"),
        (b'{"id": 1, "board": {}, "hand": [3]}', "“hand” is of another form"),
        (b'{"id": 1, "board": {"f6": "xxx"}, "hand": []}', "“xxx” is no stone"),
        (b'{"id": 1, "board": {"z6": "rcw"}, "hand": []}', "the board has no hollow “z6”"),
        (b"[" * 100000, "line 2: this is no case"),
    ],
)
def test_a_line_that_is_no_case_stops_no_other(
    line: bytes, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = b'{"id": "a", "board": {}, "hand": []}'
    code, told, error = judged(b"\n".join([good, line, good]), monkeypatch, capsys)
    assert (code, len(told)) == (1, 2)
    assert said in error
