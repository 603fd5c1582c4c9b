"""What goes in and out of a command: bounded texts, system errors, output that fails."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.cli.domino_duell import main as domino_duell
from companion.cli.dominoes import main as dominoes
from companion.cli.kingdomino import main as kingdomino
from companion.cli.terminal import (
    SYSTEM_ERRORS,
    as_json,
    carry_out,
    printable,
    reason_of,
    translate_reason,
    warn,
)
from companion.cli.text_input import MAX_TEXT_BYTES, TextTooLong, bounded_lines, bounded_text
from companion.languages import Language

COMMAND = f"{sys.executable} -m companion.cli.kingdomino"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zoë's 7×7 … 王 🐉", "Zoë's 7×7 … 王 🐉"),
        ("", ""),
        ("\udcff.jpg", "\\udcff.jpg"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\x00\x1f\x7f\x80\x9f", "\\x00\\x1f\\x7f\\x80\\x9f"),
        ("\u202e\u2066\u2028\u2029\u200e\u200f\u061c", None),
    ],
)
def test_control_characters_are_escaped(text: str, shown: str | None) -> None:
    escaped = text.encode("unicode_escape").decode("ascii")
    assert printable(text) == (escaped if shown is None else shown)


def test_json_is_plain_and_comes_back_as_it_was() -> None:
    record = {"player": "Zoë\x1b\x7f\x9b\u202e"}
    line = as_json(record)
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line) == record


def test_the_exit_code_of_a_command_is_kept() -> None:
    assert [carry_out(lambda code=code: code) for code in (0, 1, 3)] == [0, 1, 3]  # type: ignore[misc]
    # mypy can't infer a lambda with a default.


def raising(error: BaseException) -> int:
    raise error


def test_an_interrupt_is_told_by_the_exit_code() -> None:
    assert carry_out(lambda: raising(KeyboardInterrupt())) == 130


def test_output_that_fails_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert carry_out(lambda: raising(BrokenPipeError())) == 141
    assert capsys.readouterr().err == ""
    assert carry_out(lambda: raising(OSError(28, "No space left on device"))) == 74
    assert capsys.readouterr().err == "No space left on device\n"


def test_output_that_fails_may_not_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert carry_out(lambda: 3) == 3
    assert carry_out(lambda: raising(BrokenPipeError())) == 141


def shell(line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(line, shell=True, capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize("arguments", ["score 'c w1 w'", "check 'c w w'", "setup --players 2"])
def test_a_closed_output_is_no_traceback(arguments: str) -> None:
    for line in (f"{COMMAND} {arguments} | true", f"{COMMAND} {arguments} >&-"):
        done = shell(line)
        assert done.stderr == ""
    assert shell(f"{COMMAND} {arguments} 2>&-").returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told() -> None:
    done = shell(f"{COMMAND} setup --players 2 > /dev/full")
    assert (done.returncode, done.stderr) == (74, "No space left on device\n")


def test_without_an_error_stream_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    warn("nobody hears it")


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
        list(bounded_lines("-"))


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


GERMAN = Language.GERMAN


@pytest.mark.parametrize("number", SYSTEM_ERRORS, ids=errno.errorcode.get)
def test_what_the_system_says_is_said_in_german(number: int) -> None:
    words = os.strerror(number)
    error = OSError(number, words, "table.txt")
    assert reason_of(error, Language.ENGLISH) == words
    assert reason_of(error, GERMAN) not in ("", words)


def test_other_words_stay_as_they_are() -> None:
    assert reason_of(ValueError("embedded null byte"), GERMAN) == "embedded null byte"
    # A reason that happens to be a text of the help is none of the system.
    assert translate_reason("options", GERMAN) == "options"


@pytest.mark.parametrize(
    ("main", "arguments", "said"),
    [
        (kingdomino, ["score", "--file", "none.txt"], "none.txt lässt sich nicht lesen"),
        (kingdomino, ["check", "--file", "."], ". lässt sich nicht lesen: das ist ein Ordner"),
        (dominoes, ["count", "--results", "none/a.jsonl", "a.jpg"], "das gibt es nicht"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="a folder is refused in other words there")
def test_commands_say_why_a_file_fails_in_their_language(
    main: object, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(main)
    assert main(["--language", "de", *arguments]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert os.strerror(errno.ENOENT) not in told


def test_an_output_that_fails_is_told_in_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    def full() -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    assert carry_out(full, GERMAN) == 74
    assert capsys.readouterr().err == "auf dem Gerät ist kein Platz mehr\n"
