from __future__ import annotations

import errno
import os

import pytest

from companion.cli.dominoes import main as dominoes
from companion.cli.kingdomino import main as kingdomino
from companion.cli.terminal import SYSTEM_ERRORS, carry_out, reason_of, translate_reason
from companion.languages import Language

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
