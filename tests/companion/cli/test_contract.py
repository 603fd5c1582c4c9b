"""What the three programs have in common: ways to give input, options, errors, exit codes."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.cli import companion_command, domino_duell, dominoes, kingdomino
from companion.cli.parser import Commands, Console, Parser
from companion.cli.terminal import Exit

PROGRAMS: dict[str, Console] = {
    each.program: each
    for each in (
        kingdomino.CONSOLE,
        dominoes.CONSOLE,
        domino_duell.CONSOLE,
        companion_command.CONSOLE,
    )
}
DOCUMENT = Path(__file__).parents[3] / "docs" / "command_line.md"


@dataclass(frozen=True)
class Scoring:
    """A command that takes text: a text that is right, and one with a fault in its last line."""

    program: str
    before: tuple[str, ...]
    right: str
    wrong: str
    fault: str
    """What the message says after the name of the file and the place."""
    after: tuple[str, ...] = ()

    def main(self, *given: str, before: tuple[str, ...] = ()) -> int:
        return PROGRAMS[self.program].main([*self.before, *before, *given, *self.after])


BOARD = "f6=rtl f7=ycl g5=gml g6=bsw"
GAME = f"players Anna, Ben\nstart {BOARD}\ne6=bcl"
HAND = ("--hand", "rcw", "bcl")
SCORINGS = [
    Scoring(
        "kingdomino", ("score",), "A=c w1 w\nB=c f f", "A=c\nB=w x", ", line 2: “w x” is no kingdom"
    ),
    Scoring("kingdomino", ("check",), "c w w", "c\n\nw x", ", line 3: “w x” is no kingdom"),
    Scoring(
        "dominoes",
        ("score", "mexican-train"),
        "12|12: A = 3; B = -",
        "# F\n12|12: A = 3; B = 1|x",
        ", line 2, column 19: “1|x” is no domino",
    ),
    Scoring(
        "dominoes",
        ("score", "muggins"),
        "A = 15; B = 10",
        "A = 15; B = 5\n\nA = 3",
        ", line 3: ",
    ),
    Scoring(
        "dominoes", ("score", "castle-rock"), "1|2\n3|4", "1|2\n3|4 5", ", line 2, column 5: “5” is"
    ),
    Scoring(
        "domino-duell",
        ("score",),
        GAME,
        f"{GAME}\n Ben: g7=xyz",
        ", line 4, column 10: “xyz” is no stone",
    ),
    Scoring(
        "domino-duell", ("moves",), BOARD, "f6=rtl\nf7=xyz", ", line 2, column 4: “xyz” is no", HAND
    ),
    Scoring("domino-duell", ("moves",), GAME, f"{GAME} e", ", line 3, column 8: “e” is", HAND),
]
IDS = [" ".join((each.program, *each.before)) for each in SCORINGS]
Capture = pytest.CaptureFixture[str]
every_scoring = pytest.mark.parametrize("scoring", SCORINGS, ids=IDS)


@pytest.fixture(autouse=True)
def _plain_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Puts bytes on the standard input."""

    def put(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return put


@every_scoring
def test_input_is_a_text_a_file_or_the_standard_input(
    scoring: Scoring, typed: Callable[[bytes], None], tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "given"
    file.write_bytes(b"\xef\xbb\xbf" + scoring.right.replace("\n", "\r\n").encode())
    assert scoring.main(*scoring.right.split("\n")) == Exit.DONE
    printed = capsys.readouterr()
    assert printed.out
    assert printed.err == ""
    assert scoring.main(scoring.right) == Exit.DONE
    assert capsys.readouterr() == printed
    for given in ([str(file)], ["--file", str(file)], ["-"], ["--file", "-"], ["--file=-"]):
        typed(scoring.right.encode())
        assert scoring.main(*given) == Exit.DONE
        assert capsys.readouterr() == printed, given
    assert scoring.main("--language", "en", str(file)) == Exit.DONE
    assert capsys.readouterr() == printed


@every_scoring
def test_an_error_names_the_file_and_the_place(
    scoring: Scoring, typed: Callable[[bytes], None], tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "given.txt"
    file.write_text(scoring.wrong, encoding="utf-8")
    assert scoring.main(str(file)) == Exit.WRONG_USE
    printed = capsys.readouterr()
    assert printed.err.startswith(f"{file}{scoring.fault}")
    assert len(printed.err.splitlines()) == 1
    assert printed.out == ""
    typed(scoring.wrong.encode())
    assert scoring.main("-") == Exit.WRONG_USE
    assert capsys.readouterr().err.startswith(f"standard input{scoring.fault}")
    assert scoring.main(*filter(None, scoring.wrong.split("\n"))) == Exit.WRONG_USE
    assert scoring.fault.rpartition(": ")[2] in capsys.readouterr().err


@every_scoring
@pytest.mark.parametrize("named", [(), ("--file",)])
def test_a_file_that_is_none_is_said_to_be_missing(
    scoring: Scoring, named: tuple[str, ...], tmp_path: Path, capsys: Capture
) -> None:
    missing, folder, picture = (tmp_path / name for name in ("no.txt", "some.txt", "letter.txt"))
    folder.mkdir()
    picture.write_bytes("Königin".encode("latin-1"))
    for file, said in (
        (missing, "can't be read: No such file or directory"),
        (folder, "can't be read: Is a directory"),
        (picture, "is no text in UTF-8: save it with this encoding"),
        (Path("evening.txt"), "can't be read: No such file or directory"),
    ):
        assert scoring.main(*named, str(file)) == Exit.WRONG_USE
        assert capsys.readouterr().err == f"{file} {said}\n"


@every_scoring
def test_a_null_character_is_refused(scoring: Scoring, capsys: Capture) -> None:
    for given in (["w\0"], ["--file", "w\0"]):
        assert scoring.main(*given) == Exit.WRONG_USE
        error = capsys.readouterr().err
        assert "\0" not in error
        assert "w\\x00" in error


@every_scoring
def test_wrong_use_shows_the_usage_of_the_command_at_hand(
    scoring: Scoring, capsys: Capture
) -> None:
    name = f"{scoring.program} {scoring.before[0]}"
    with pytest.raises(SystemExit) as ended:
        scoring.main("--wrong", scoring.right)
    assert ended.value.code == Exit.WRONG_USE
    error = capsys.readouterr().err
    assert error.startswith(f"usage: {name} [-h]")
    assert error.endswith(f"{name}: unrecognized arguments: --wrong\n")
    assert scoring.main() == Exit.WRONG_USE
    error = capsys.readouterr().err
    assert error.startswith(f"usage: {name} [-h]")
    assert f"\n{name}: nothing is given" in error


@every_scoring
def test_json_is_lines_in_ascii_and_languages_differ(scoring: Scoring, capsys: Capture) -> None:
    given = scoring.right.replace("A", "Ä").replace("Anna", "Ännä")
    assert scoring.main(given, "--json") == Exit.DONE
    printed = capsys.readouterr().out
    assert printed.isascii()
    assert all(isinstance(json.loads(line), dict) for line in printed.splitlines())
    texts = []
    for language in ("en", "de"):
        assert scoring.main(given, "--language", language) == Exit.DONE
        texts.append(capsys.readouterr().out)
    assert texts[0] != texts[1]


@every_scoring
def test_names_cannot_rule_the_terminal(scoring: Scoring, capsys: Capture) -> None:
    scoring.main(scoring.right.replace("Anna", "A\x1b[2J").replace("A ", "A\x1b[2J "))
    printed = capsys.readouterr()
    assert "\x1b" not in printed.out + printed.err


def _verbs(console: Console) -> dict[str, Parser]:
    """The parsers of a program by their names, without what is called by a second one."""
    choices: dict[str, Parser] = console.build_parser()._subparsers._group_actions[0].choices  # type: ignore[union-attr, assignment]
    return {name: each for name, each in choices.items() if each.prog.endswith(f" {name}")}


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_knows_the_same_options_everywhere(program: str, capsys: Capture) -> None:
    console = PROGRAMS[program]
    for command in _verbs(console):
        with pytest.raises(SystemExit) as ended:
            console.main([command, "--help"])
        assert ended.value.code == Exit.DONE
        told = capsys.readouterr().out
        assert f"  {program} {command}" in told.partition("examples:")[2]
        for option in ("--language", "--help"):
            assert option in told


@pytest.mark.parametrize("program", ["kingdomino", "dominoes", "domino-duell"])
def test_every_game_is_read_and_scored_by_the_same_verbs(program: str) -> None:
    for verb, options in (
        ("read", {"--json", "--draw", "--overwrite", "--results", "--jobs", "--dask", "--send"}),
        ("score", {"--json", "--file"}),
    ):
        assert options <= set(_verbs(PROGRAMS[program])[verb]._option_string_actions)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KeyboardInterrupt(), Exit.INTERRUPTED),
        (BrokenPipeError(), Exit.OUTPUT_CLOSED),
        (OSError(28, "No space left on device"), Exit.OUTPUT_FAILED),
        (PermissionError(13, "Permission denied", "/there"), Exit.NOT_DONE),
    ],
)
def test_interruptions_and_output_that_fails(
    program: str,
    error: BaseException,
    code: Exit,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    def fail(_args: object) -> int:
        raise error

    console = PROGRAMS[program]

    def add(commands: Commands) -> None:
        commands.add_parser("fail", fail, help="", description="", examples=())

    other = Console(program, console.description, console.examples, (add,), (), str)
    assert other.main(["fail"]) == code
    if code is Exit.NOT_DONE:
        assert capsys.readouterr().err == "/there: Permission denied\n"


def test_the_documents_have_every_exit_code() -> None:
    table = DOCUMENT.read_text(encoding="utf-8").partition("## Exit codes")[2].partition("\n## ")[0]
    assert [int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)] == list(Exit)


def test_the_names_of_before_still_work(capsys: Capture, tmp_path: Path) -> None:
    photo = str(tmp_path / "none.jpg")
    assert dominoes.main(["count", "--json", photo]) == Exit.NOT_DONE
    counted = capsys.readouterr().out
    assert dominoes.main(["read", "--json", photo]) == Exit.NOT_DONE
    assert capsys.readouterr().out == counted
    arguments = ["score", "muggins", "--json", "B=250"]
    assert dominoes.main([*arguments, "--players", "A,B,C,D"]) == Exit.DONE
    named = capsys.readouterr().out
    assert dominoes.main([*arguments, "--names", "A,B,C,D"]) == Exit.DONE
    assert capsys.readouterr().out == named


@pytest.mark.skipif(os.name != "posix", reason="needs permissions of POSIX")
@pytest.mark.parametrize("arguments", [["backup", "games.zip"], ["restore", __file__]])
def test_a_home_that_cannot_be_written_is_named(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    home = tmp_path / "file"
    home.write_text("no folder", encoding="utf-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    monkeypatch.delenv("KINGDOMINO_DATABASE_URL", raising=False)
    assert companion_command.main(arguments) == Exit.NOT_DONE
    assert f"{home}/kingdomino" in capsys.readouterr().err


def test_an_option_of_the_address_that_is_ignored_is_not_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    url = f"sqlite:///{tmp_path}/games.sqlite?secret=hush"
    monkeypatch.setenv("KINGDOMINO_DATABASE_URL", url)
    assert companion_command.main(["backup", str(tmp_path / "games.zip")]) == Exit.DONE
    printed = capsys.readouterr()
    assert "hush" not in printed.out + printed.err


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////{folder}/none/games.sqlite?timeout=hush",
        "postgresql://anna:hush@127.0.0.1:1/games?password=hush",
        "postgresql://anna:hush@127.0.0.1:1/games?hush=hush",
        "hush://hush",
        "hush",
    ],
)
def test_the_address_of_the_database_is_never_printed(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("KINGDOMINO_DATABASE_URL", url.format(folder=tmp_path))
    assert companion_command.main(["backup", str(tmp_path / "games.zip")]) == Exit.NOT_DONE
    printed = capsys.readouterr()
    assert "hush" not in printed.out + printed.err
    assert "KINGDOMINO_DATABASE_URL" in printed.err


LATIN_1 = [
    ("kingdomino", "score"),
    ("kingdomino", "check"),
    ("dominoes", "score", "mexican-train"),
    ("dominoes", "score", "chickenfoot"),
    ("dominoes", "score", "muggins"),
    ("dominoes", "score", "castle-rock"),
    ("domino-duell", "score"),
    ("domino-duell", "setup"),
    ("domino-duell", "judge"),
    ("domino-duell", "moves", "--hand", "rcw", "--file"),
]


@pytest.mark.parametrize("command", LATIN_1, ids=" ".join)
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "no text in UTF-8: save"),
        ("de", "kein Text in UTF-8: bitte"),
    ],
)
def test_a_text_in_latin_1_is_refused_in_the_same_words(
    command: tuple[str, ...], language: str, said: str, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "evening.txt"
    file.write_bytes("Jürgen=c w w\n".encode("latin-1"))
    program, *rest = command
    assert PROGRAMS[program].main(["--language", language, *rest, str(file)]) != Exit.DONE
    error = capsys.readouterr().err
    assert error.startswith(str(file))
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("name", ["evening", "evening.text2", "Abend"])
def test_what_may_be_a_file_is_said_how_to_read(name: str, capsys: Capture) -> None:
    assert kingdomino.main(["score", name]) == Exit.WRONG_USE
    assert f"; a file is read with --file {name}\n" in capsys.readouterr().err
    assert kingdomino.main(["score", "www"]) == Exit.WRONG_USE
    assert "--file" not in capsys.readouterr().err
