"""What the help of every command holds: what it does, and a line for everything it takes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

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
