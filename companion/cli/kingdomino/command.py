"""The console command `kingdomino`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from companion.cli.console import Console
from companion.languages import Language, say
from scorer.errors import CodedError
from scorer.kingdomino import RulesError

__all__ = ["build_parser", "main"]

COMMANDS = ("read", "score", "setup", "check", "app")

EXAMPLES = """\
examples:
  kingdomino read table.jpg
  kingdomino score "w w f/f1 c f/w l1 f"
  kingdomino app
"""


def _rules_message(error: CodedError, language: Language) -> str:
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


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    return CONSOLE.build_parser()


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code is 0, 1 or 2 as the command's help says."""
    return CONSOLE.main(argv)


if __name__ == "__main__":
    sys.exit(main())
