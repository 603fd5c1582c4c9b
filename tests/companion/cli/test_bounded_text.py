from __future__ import annotations

import io
import json
import sys
import time
from pathlib import Path

import pytest

from companion.cli.domino_duell import main as domino_duell
from companion.cli.dominoes import main as dominoes
from companion.cli.kingdomino import main as kingdomino
from companion.cli.terminal import MAX_TEXT_BYTES, TextTooLong, bounded_lines, bounded_text


class Endless(io.RawIOBase):
    """A standard input that never ends, without a line end where ``line`` has none."""

    def __init__(self, line: bytes) -> None:
        self.line = line
        self.given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        data = (self.line * (len(buffer) // len(self.line) + 1))[: len(buffer)]
        buffer[:] = data
        self.given += len(data)
        assert self.given < 50_000_000, "read without end"
        return len(data)


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> Endless:
    raw = Endless(b"a")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(raw)))  # type: ignore[type-var]
    return raw


def test_texts_are_read_up_to_their_bound(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert bounded_text(str(path)) == "one\ntwo\nthree\n"
    with pytest.raises(TextTooLong):
        bounded_text(str(path), 5)


def test_a_line_without_end_is_not_waited_for(endless: Endless) -> None:
    with pytest.raises(TextTooLong):
        list(bounded_lines())


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        (domino_duell, ["score", "{}"]),
        (domino_duell, ["moves", "{}", "--hand", "rcw"]),
        (dominoes, ["score", "mexican-train", "{}"]),
        (kingdomino, ["score", "--file", "{}"]),
    ],
)
def test_a_file_of_a_hundred_megabytes_is_refused_at_once(
    command: object, arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(command)
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        for _ in range(100):
            file.write(b"0: e6=rcw\n" * 100_000)
    started = time.process_time()
    assert command([each.format(path) for each in arguments]) == 2
    assert time.process_time() - started < 2
    error = capsys.readouterr().err
    assert f"more than {MAX_TEXT_BYTES:,}" in error or "1000000" in error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("command", "arguments", "code"),
    [
        (domino_duell, ["score", "-"], 2),
        (domino_duell, ["judge"], 1),
        (dominoes, ["score", "mexican-train", "-"], 2),
        (kingdomino, ["score", "-"], 2),
    ],
)
def test_an_input_without_end_is_refused(
    command: object,
    arguments: list[str],
    code: int,
    endless: Endless,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert callable(command)
    assert command(arguments) == code
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "line", ["9" * 5000, "[" * 100_000, '{"id": 1e999, "board": NaN}', '{"id": ' + "9" * 5000 + "}"]
)
def test_a_case_that_is_none_costs_only_its_line(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case = json.dumps({"id": "x"})
    stream = io.BytesIO(f"{line}\n{case}\n".encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
    assert domino_duell(["judge"]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 2
