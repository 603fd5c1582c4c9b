"""The console command `companion`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from companion.cli.console import Console
from companion.cli.parser import Parser
from companion.languages import Language

__all__ = ["COMMANDS", "build_parser", "main"]

COMMANDS = ("app", "backup", "restore")

EXAMPLES = """\
examples:
  companion app
  companion backup games.zip
  companion restore games.zip
"""

CONSOLE = Console(
    program="companion",
    description="The companion as a whole: its web app, and the games that it keeps.",
    examples=EXAMPLES,
    package="companion.cli.companion",
    commands=COMMANDS,
    rules_errors=(),
    rules_message=lambda error, language: str(error),
)


def build_parser(language: Language = Language.ENGLISH) -> Parser:
    """The parser of the whole command line, its help in that language."""
    return CONSOLE.build_parser(language)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code is 0, 1 or 2 as the command's help says."""
    return CONSOLE.main(argv)


if __name__ == "__main__":
    sys.exit(main())
