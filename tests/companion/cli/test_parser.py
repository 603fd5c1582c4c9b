from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator

import pytest

import companion.cli.parser
from companion.cli import __main__ as games
from companion.cli import companion_command, domino_duell, dominoes, kingdomino
from companion.cli.kingdomino import build_parser, main
from companion.cli.parser import ERRORS, Commands, Parser, add_version, language_asked_for
from companion.cli.terminal import DOMAIN
from companion.languages import Language, translate
from companion.version import companion_version

COMMANDS = ("read", "score", "setup", "check", "app", "train")

ENGLISH, GERMAN = Language.ENGLISH, Language.GERMAN


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "100")


def texts_of_all_parsers(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Every English text for which a translation is asked."""
    asked: list[str] = []

    def recorded(text: str, _language: Language, _domain: str) -> str:
        asked.append(text)
        return text

    monkeypatch.setattr(companion.cli.parser, "translate", recorded)
    parser = build_parser()
    parser.format_usage()
    monkeypatch.undo()
    yield from filter(None, [*asked, *ERRORS])


def test_every_text_of_the_help_is_in_german(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = set(texts_of_all_parsers(monkeypatch))
    assert len(texts) > 50
    same = {"N", "PORT", "[NAME=]NOTATION", "SCHEDULER", "Argument {name}: {error}"}
    german = {text: translate(text, GERMAN, DOMAIN) for text in texts}
    assert {text for text in texts if german[text] == text} <= same


PROGRAMS: dict[str, Callable[[Language], Parser]] = {
    "kingdomino": kingdomino.build_parser,
    "dominoes": dominoes.build_parser,
    "domino-duell": domino_duell.build_parser,
    "companion": companion_command.build_parser,
    "python -m companion.cli": lambda language: games.build_parser([f"--language={language}"]),
}
SAME_IN_GERMAN = {"N", "PORT", "SCHEDULER", "NAME,…", "[NAME=]NOTATION", "...",
                  "Muggins", "Castle Rock"}  # fmt: skip


def shown_in_help(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """Where and what: every text of the help of a parser and of its commands."""
    yield parser.prog, parser.description or ""
    title, *examples = (parser.epilog or "").splitlines() or [""]
    assert all(re.match(r"  |[\w.]+:$|$", line) for line in examples)
    yield parser.prog, title
    for group in parser._action_groups:
        if group._group_actions:
            yield parser.prog, group.title or ""
    for action in parser._actions:
        where = f"{parser.prog} {action.dest}"
        for text in (action.help, action.metavar):
            if isinstance(text, str) and text != argparse.SUPPRESS:
                yield where, text
        if isinstance(action, Commands):
            for command in action._choices_actions:
                yield f"{where} {command.dest}", command.help or ""
            for inner in dict.fromkeys(action.choices.values()):
                yield from shown_in_help(inner)


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_help_of_any_program_stays_english(name: str) -> None:
    english, german = (list(shown_in_help(PROGRAMS[name](each))) for each in (ENGLISH, GERMAN))
    assert [where for where, _ in english] == [where for where, _ in german]
    stayed = {one for one, other in zip(english, german, strict=True) if one == other and one[1]}
    assert {(where, text) for where, text in stayed if text not in SAME_IN_GERMAN} == set()


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_speaks_german(command: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--language", "de", *([command] if command else []), "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert told.startswith("Aufruf: kingdomino")
    assert "Optionen:" in told
    assert "Beispiele:\n  kingdomino" in told
    for english in ("usage", "options:", "show this", "default", "positional", "examples"):
        assert english not in told


@pytest.mark.parametrize(
    ("arguments", "english", "german"),
    [
        ([], "the following arguments are required: COMMAND", "es fehlt: BEFEHL"),
        (["fly"], "argument COMMAND: invalid choice: 'fly'", "'fly' steht nicht zur Wahl ("),
        (
            ["setup"],
            "the following arguments are required: --players",
            "kingdomino setup: es fehlt: --players",
        ),
        (
            ["setup", "--players", "two"],
            "argument --players: invalid int value: 'two'",
            "Argument --players: 'two' ist keine ganze Zahl",
        ),
        (
            ["score", "--quest"],
            "argument --quest: expected one argument",
            "Argument --quest: ein Wert wird erwartet",
        ),
        (["score", "--wrong", "c"], "unrecognized arguments: --wrong", "unbekannte Argumente: --"),
        (
            ["score", "--json=1", "c"],
            "argument --json: ignored explicit argument '1'",
            "Argument --json: der Wert '1' wird hier nicht erwartet",
        ),
        (
            ["score", "--tie-break", "x", "c"],
            "invalid choice: 'x' (choose from ",
            "Argument --tie-break: 'x' steht nicht zur Wahl (",
        ),
        (
            ["read", "--jobs", "0", "a"],
            "argument --jobs: expected a number from 1, got 0",
            "Argument --jobs: erwartet ist eine Zahl ab 1, nicht 0",
        ),
        (
            ["app", "--port", "99999"],
            "argument --port: expected a number from 1 to 65535, got 99999",
            "Argument --port: erwartet ist eine Zahl von 1 bis 65535, nicht 99999",
        ),
        (["--language"], "argument --language: expected one argument", None),
        (["--language", "xx", "app"], "argument --language: invalid choice: 'xx'", None),
    ],
)
def test_usage_errors(
    arguments: list[str], english: str, german: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    for language, words, usage in (("en", english, "usage: "), ("de", german, "Aufruf: ")):
        if words is None:
            continue
        before = [] if arguments[:1] == ["--language"] else ["--language", language]
        with pytest.raises(SystemExit) as ended:
            main([*before, *arguments])
        assert ended.value.code == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.startswith(usage)
        assert words in told.err.splitlines()[-1]


def test_errors_don_t_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["setup", "--players", "2", "\x1b[31m\n"])
    assert "unrecognized arguments: \\x1b[31m\\n" in capsys.readouterr().err


def test_an_error_that_no_pattern_knows_stays_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        Parser(language=GERMAN, prog="x").error("something new")
    assert capsys.readouterr().err == "Aufruf: x [-h]\nx: something new\n"


def test_options_are_not_abbreviated(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["score", "--harm", "c"])
    assert "unrecognized arguments: --harm" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "environment", "language"),
    [
        (["--language", "de"], {}, GERMAN),
        (["score", "--language=de", "c"], {}, GERMAN),
        (["score", "--language", "en"], {"LANG": "de_DE.UTF-8"}, ENGLISH),
        (["score"], {"LANG": "de_DE.UTF-8"}, GERMAN),
        (["--language", "xx"], {"LANG": "de_DE.UTF-8"}, GERMAN),
        (["--language"], {}, ENGLISH),
        (["--language", "de", "app", "--language", "en"], {}, ENGLISH),
    ],
)
def test_the_language_is_known_before_the_line_is_parsed(
    arguments: list[str], environment: dict[str, str], language: Language
) -> None:
    assert language_asked_for(arguments, environment) is language


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"kingdomino {companion_version()}\n"
    other = Parser(language=ENGLISH, prog="dominoes")
    add_version(other)
    with pytest.raises(SystemExit):
        other.parse_args(["--version"])
    assert capsys.readouterr().out == f"dominoes {companion_version()}\n"


def test_hidden_options_stay_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    parser = Parser(language=GERMAN, prog="x")
    parser.add_argument("--secret", help=argparse.SUPPRESS)
    assert "secret" not in parser.format_help()
