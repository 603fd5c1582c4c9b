"""The console command `kingdomino`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from companion.cli.console import Console
from companion.cli.parser import Parser
from companion.languages import Language, say
from scorer.kingdomino import RulesError

__all__ = ["COMMANDS", "build_parser", "main"]

COMMANDS = ("read", "score", "setup", "check", "app", "train")

EXAMPLES = """\
examples:
  kingdomino read table.jpg
  kingdomino score "w w f/f1 c f/w l1 f"
  kingdomino app
"""


def _rules_message(error: RulesError, language: Language) -> str:
    return say(f"rules_error.{error.code}", language, **error.details)


CONSOLE = Console(
    program="kingdomino",
    description="Kingdomino companion: from the photo of a kingdom to its score.",
    examples=EXAMPLES,
    package="companion.cli.kingdomino",
    commands=COMMANDS,
    rules_errors=(RulesError,),
    rules_message=_rules_message,
)


def build_parser(language: Language = Language.ENGLISH) -> Parser:
    """The parser of the whole command line, with help in that language."""
    return CONSOLE.build_parser(language)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; returns the exit code that the help describes."""
    return CONSOLE.main(argv)


if __name__ == "__main__":
    sys.exit(main())
