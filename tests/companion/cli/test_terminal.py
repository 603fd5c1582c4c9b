from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.terminal import as_json, carry_out, printable, warn

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
