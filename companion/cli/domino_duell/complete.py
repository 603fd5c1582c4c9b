"""`domino-duell complete`: which stone makes two a triple, or a triple a quadruple."""

from __future__ import annotations

import argparse
import json

from companion.cli.parser import Commands
from companion.cli.wrong_use import WrongUse
from companion.domino_duell.wording import missing_line, piece_name
from companion.languages import say
from scorer.domino_duell import Stone, completions, missing_features

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  domino-duell complete rcw rmk
  domino-duell complete rcw rmk rsl
"""


def add_parser(commands: Commands) -> None:
    """Add `complete` to the subcommands."""
    parser = commands.add_parser(
        "complete",
        help="name the missing stone of a triple or a quadruple",
        description="Name the stones that make two stones a triple, or the one that makes a "
        "triple a quadruple, feature by feature. Exit code: 0, 1 if there is none, 2 for wrong "
        "use.",
        epilog=EXAMPLES,
    )
    parser.add_argument("stones", nargs="+", metavar="STONE", help="two or three stones")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Name the stones; 0, or 1 where there is none. DuelError or WrongUse for wrong use."""
    stones = [Stone.parse(text) for text in args.stones]
    if len(stones) not in (2, 3) or len(set(stones)) < len(stones):
        raise WrongUse(say("duell.wrong_count", args.language))
    found = completions(stones)
    if args.json:
        record = {"stones": [str(stone) for stone in stones], "missing": list(map(str, found))}
        print(json.dumps(record))
        return 0 if found else 1
    for number, missing in enumerate(missing_features(stones)):
        print(missing_line(number, missing, args.language))
    if not found:
        print(say("duell.completes_none", args.language))
        return 1
    names = "; ".join(piece_name(stone, args.language) for stone in found)
    print(say("duell.completes", args.language, stones=names))
    return 0
