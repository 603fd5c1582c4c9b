"""`kingdomino setup`: how to set up a game."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator
from typing import Any

from companion.cli.parser import Commands
from companion.cli.terminal import as_json, show
from companion.languages import Language, say
from scorer.kingdomino import SetUp, setup_guide

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  kingdomino setup --players 3
  kingdomino setup --players 2 --duel
  kingdomino setup --players 5 --giants
"""


def add_parser(commands: Commands) -> None:
    """Add `setup` to the subcommands."""
    parser = commands.add_parser(
        "setup",
        help="say how to set up a game",
        description="Say how many dominoes are put back, how many lie in a row, which of them are "
        "put aside, how many rounds there are, and how many dominoes are played in them. Exit "
        "code: 0, or 2 for wrong use.",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "--players", type=int, required=True, metavar="N", help="how many play, 2 to 5"
    )
    parser.add_argument("--giants", action="store_true", help="with Age of Giants")
    parser.add_argument(
        "--duel", action="store_true", help="the Mighty Duel: two players, 12 rounds, 7×7"
    )
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the guide and return 0. RulesError if players and rules contradict each other."""
    guide = setup_guide(args.players, age_of_giants=args.giants, mighty_duel=args.duel)
    longer = None
    if args.players == 2 and not args.duel:
        longer = setup_guide(args.players, age_of_giants=args.giants, mighty_duel=True)
    if args.json:
        show(as_json(_record(guide) | {"longer_game": _record(longer) if longer else None}))
    else:
        for line in _lines(guide, longer, args.language):
            show(line)
    return 0


def _record(guide: SetUp) -> dict[str, Any]:
    return dataclasses.asdict(guide) | {
        "drawn": guide.drawn,
        "removed": guide.removed,
        "played": guide.played,
    }


def _lines(guide: SetUp, longer: SetUp | None, language: Language) -> Iterator[str]:
    values = _record(guide)
    yield say("setup.players", language, **values)
    if guide.put_back:
        yield say("setup.put_back", language, **values)
    elif guide.played == guide.dominoes:
        yield say("setup.put_back_none", language, **values)
    else:
        yield say("setup.drawn", language, **values)
    yield say("setup.row_letters" if guide.giants else "setup.row", language, **values)
    if guide.put_aside:
        places = ", ".join(map(str, guide.put_aside))
        yield say("setup.put_aside", language, places=places)
    yield say("setup.rounds", language, **values)
    yield say("setup.kings", language, **values)
    yield say("setup.grid", language, **values)
    if guide.giants:
        yield say("setup.giants", language, **values)
    if longer is not None:
        yield say("setup.longer", language, **_record(longer))
