"""A program with subcommands, and `python -m companion.cli` over the programs of the games."""

from __future__ import annotations

import argparse

import pytest

from companion.cli.__main__ import games, main
from companion.cli.parser import Commands, Console
from companion.cli.terminal import WrongUse
from companion.languages import Language


class OwnError(ValueError):
    """An error of the rules of a game."""


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch) -> Console:
    """A command with one subcommand that ends as it is told."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)

    def run(args: argparse.Namespace) -> int:
        if args.how == "rules":
            raise OwnError("no such round\x1b")
        if args.how == "use":
            raise WrongUse("not like this")
        print(args.language)
        return int(args.how)

    def add_parser(commands: Commands) -> None:
        parser = commands.add_parser("end", run, help="end", description="", examples=())
        parser.add_argument("how")

    return Console(
        program="game",
        description="A game.",
        examples=("game end 0",),
        commands=(add_parser,),
        rules_errors=(OwnError,),
        rules_message=lambda error, language: f"{error} in {language}",
    )


def test_the_exit_code_is_that_of_the_command(console: Console) -> None:
    assert [console.main(["end", code]) for code in ("0", "1")] == [0, 1]


def test_wrong_use_is_told_on_the_error_stream(
    console: Console, capsys: pytest.CaptureFixture[str]
) -> None:
    assert console.main(["--language", "de", "end", "rules"]) == 2
    assert console.main(["end", "use"]) == 2
    captured = capsys.readouterr()
    assert captured.err == "no such round\\x1b in de\n" + (
        "usage: game end [-h] [--language {de,en}] how\ngame end: not like this\n"
    )
    assert captured.out == ""


def test_the_language_is_that_of_the_environment_if_not_given(
    console: Console, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert console.main(["end", "0"]) == 0
    assert console.main(["end", "0", "--language", "en"]) == 0
    assert capsys.readouterr().out.splitlines() == [Language.GERMAN.value, Language.ENGLISH.value]


def test_the_command_line_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert "kingdomino" in games()
    assert main(["kingdomino", "score", "--language", "en", "c w1 w"]) == 0
    assert capsys.readouterr().out.startswith("Kingdom: 2 points\n")
    assert main(["kingdomino", "check", "w w"]) == 1


def test_help_names_the_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert "das Spiel: " in told
    assert all(name in told for name in games())
    assert "python -m companion.cli kingdomino score" in told
    with pytest.raises(SystemExit) as ended:
        main(["chess"])
    assert ended.value.code == 2
    assert "'chess' steht nicht zur Wahl" in capsys.readouterr().err
