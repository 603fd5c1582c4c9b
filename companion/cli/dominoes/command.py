"""The console command `dominoes`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from companion.cli.console import Console
from companion.cli.parser import Parser
from companion.languages import Language
from companion.pip_dominoes.wording import rules_message
from scorer.pip_dominoes import NotationError, RulesError

__all__ = ["build_parser", "main"]

COMMANDS = ("count", "score", "setup")

EXAMPLES = """\
examples:
  dominoes count hand.jpg
  dominoes score mexican-train "12|12: Anna = 10|11 0|0; Ben = -; Cleo = 23"
  dominoes setup mexican-train --players 4 --set 12
"""

CONSOLE = Console(
    program="dominoes",
    description="Pip dominoes: from the photo of a hand to the score of the game.",
    examples=EXAMPLES,
    package="companion.cli.dominoes",
    commands=COMMANDS,
    rules_errors=(NotationError, RulesError),
    rules_message=rules_message,
)


def build_parser(language: Language = Language.ENGLISH) -> Parser:
    """The parser of the whole command line, with help in that language."""
    return CONSOLE.build_parser(language)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; returns the exit code that the help describes."""
    return CONSOLE.main(argv)


if __name__ == "__main__":
    sys.exit(main())
