"""The console command `kingdomino`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from companion.cli.command_line import CommandLine
from companion.languages import Language, say
from scorer.errors import CodedError

__all__ = ["COMMANDS", "build_parser", "main"]

COMMANDS = ("read", "score", "setup", "check", "app")

EXAMPLES = """\
examples:
  kingdomino read table.jpg
  kingdomino score "w w f/f1 c f/w l1 f"
  kingdomino app
"""


def _explained(error: CodedError, language: Language) -> str:
    return say(f"rules_error.{error.code}", language, **error.details)


_COMMAND_LINE = CommandLine(
    "kingdomino",
    "Kingdomino companion: from the photo of a kingdom to its score.",
    EXAMPLES,
    "companion.cli.kingdomino",
    COMMANDS,
    _explained,
)


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    return _COMMAND_LINE.build_parser()


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code is 0, 1 or 2 as the command's help says."""
    return _COMMAND_LINE.run(argv)


if __name__ == "__main__":
    sys.exit(main())
