"""`dominoes setup`: how to set up a game."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from companion.cli.parser import Commands
from companion.cli.terminal import as_json, show
from companion.cli.wrong_use import WrongUse
from companion.languages import Language, say
from companion.pip_dominoes.wording import count_of_dominoes, list_of
from scorer.pip_dominoes import SETS, DominoSet, Game, SetUp, setup_guide

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  dominoes setup mexican-train --players 4 --set 12
  dominoes setup muggins --players 4
  dominoes setup mexican-train --players 3 --set 12 --quick
  dominoes setup castle-rock --set 9
"""


def add_parser(commands: Commands) -> None:
    """Add `setup` to the subcommands."""
    parser = commands.add_parser(
        "setup",
        help="say how to set up a game",
        description="Say how many dominoes each player draws, how many are left in the boneyard, "
        "which of them are put aside, and how many rounds there are. Exit code: 0, or 2 for "
        "wrong use.",
        epilog=EXAMPLES,
    )
    keys = [game.key for game in Game]
    parser.add_argument("game", choices=keys, metavar="GAME", help="the game: %(choices)s")
    parser.add_argument(
        "--players", type=int, metavar="N", help="how many play (Castle Rock: always 1)"
    )
    parser.add_argument(
        "--set",
        type=int,
        choices=SETS,
        default=12,
        dest="domino_set",
        help="the set in the box, by its highest half (default: %(default)s)",
    )
    parser.add_argument(
        "--quick", action="store_true", help="Mexican Train with at most nine pips on a half"
    )
    parser.add_argument(
        "--singles", action="store_true", help="Muggins for four without teams, a house rule"
    )
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the guide; returns 0. WrongUse or RulesError if its options contradict each other."""
    game = Game.of(args.game)
    players = 1 if args.players is None and game is Game.CASTLE_ROCK else args.players
    if players is None:
        raise WrongUse(say("domino_setup.players_missing", args.language))
    box = DominoSet(args.domino_set)
    guide = setup_guide(game, players, box, quick=args.quick, singles=args.singles)
    for line in [as_json(_record(guide))] if args.json else _lines(guide, args.language):
        show(line)
    return 0


def _record(guide: SetUp) -> dict[str, Any]:
    return {
        "game": guide.game.key,
        "players": guide.players,
        "set": guide.domino_set.highest,
        "tiles": guide.domino_set.size,
        "put_aside": guide.put_aside,
        "draw": guide.draw,
        "boneyard": guide.boneyard,
        "rounds": guide.rounds,
        "first_double": str(guide.first_double) if guide.first_double else None,
        "toes": guide.toes,
        "target": guide.target,
        "teams": [list(team) for team in guide.teams] or None,
    }


def _lines(guide: SetUp, language: Language) -> Iterator[str]:
    highest = guide.domino_set.highest
    yield say(
        "domino_setup.game",
        language,
        game=guide.game.title,
        players=guide.players,
        set=highest,
    )
    if guide.put_aside:
        count = count_of_dominoes(guide.put_aside, language)
        yield say("domino_setup.put_aside", language, count=count, set=highest)
    if guide.first_double is not None:
        yield say("domino_setup.first_double", language, double=guide.first_double)
    if guide.toes is not None:
        yield say("domino_setup.toes", language, toes=guide.toes)
    row = guide.game is Game.CASTLE_ROCK
    yield say("domino_setup.row" if row else "domino_setup.draw", language, draw=guide.draw)
    yield say("domino_setup.boneyard", language, boneyard=guide.boneyard)
    if guide.rounds is not None:
        yield say("domino_setup.rounds", language, rounds=guide.rounds)
    if guide.teams:
        teams = "; ".join(list_of(team, language) for team in guide.teams)
        yield say("domino_setup.teams", language, teams=teams)
    if guide.target is not None:
        yield say("domino_setup.target", language, target=guide.target)
