"""What the help of every command holds: what it does, and a line for everything it takes.

``approved.txt`` has all of it; ``APPROVE=1`` writes it anew, and the difference is read like code.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import companion_command, domino_duell, dominoes, kingdomino

PROGRAMS = {
    "companion": companion_command,
    "domino-duell": domino_duell,
    "dominoes": dominoes,
    "kingdomino": kingdomino,
}


def commands_of(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in dict.fromkeys(action.choices.values()):
                yield from commands_of(command)


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_command_and_every_argument_is_explained(program: str) -> None:
    commands = list(commands_of(PROGRAMS[program].build_parser()))
    assert len(commands) > 2
    for command in commands:
        assert command.description, command.prog
        silent = [
            action.dest
            for action in command._actions
            if not action.help and not isinstance(action, argparse._SubParsersAction)
        ]
        assert silent == [], command.prog


APPROVED = Path(__file__).with_name("approved.txt")
_SAID = ("nargs", "const", "default", "choices", "required", "metavar", "help")


def told_of(command: argparse.ArgumentParser) -> Iterator[str]:
    """All that a command takes and says, however a version of Python lays it out."""
    yield f"# {command.prog}"
    yield " ".join((command.description or "").split())
    yield (command.epilog or "").rstrip()
    for action in command._actions:
        kind = getattr(action.type, "__name__", "") if action.type else type(action).__name__
        names = " ".join(action.option_strings) or action.dest
        given = {name: getattr(action, name) for name in _SAID}
        if not action.option_strings:
            del given["required"]  # Versions of Python differ in what it is for arguments.
        if isinstance(action, argparse._SubParsersAction):
            given["choices"] = list(action.choices)
        said = (f"{name}={value}" for name, value in given.items() if value is not None)
        yield f"- {names} ({action.dest}, {kind}): " + "; ".join(said)


def test_all_that_the_commands_take_and_say_is_what_was_approved() -> None:
    told = "\n".join(
        line
        for program in PROGRAMS.values()
        for command in commands_of(program.build_parser())
        for line in told_of(command)
    )
    if os.environ.get("APPROVE"):
        APPROVED.write_text(f"{told}\n", encoding="utf-8")
    assert f"{told}\n" == APPROVED.read_text(encoding="utf-8")
