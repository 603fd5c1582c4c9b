"""`dominoes score`: score and rank rounds and whole games given as text."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from companion.cli.bounded_text import MAX_TEXT_BYTES, STANDARD_INPUT, TextTooLong, bounded_text
from companion.cli.parser import Commands
from companion.cli.system_errors import reason_of
from companion.cli.terminal import as_json, show
from companion.cli.wrong_use import WrongUse
from companion.languages import Language, say
from companion.pip_dominoes.castle_text import (
    result_lines,
    result_record,
    row_lines,
    row_record,
)
from companion.pip_dominoes.muggins_text import (
    layout_lines,
    layout_record,
    muggins_lines,
    muggins_record,
)
from companion.pip_dominoes.round_text import round_game_lines, round_game_record
from scorer.pip_dominoes import (
    SETS,
    CastleRockResult,
    DominoSet,
    Game,
    Hand,
    Layout,
    MugginsGame,
    MugginsRules,
    Round,
    RoundGame,
    Rounding,
    RoundWorth,
    Row,
    parse_muggins_rounds,
    parse_rounds,
)

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  dominoes score mexican-train "12|12: Anna = 10|11 0|0; Ben = -; Cleo = 23 +50"
  dominoes score chickenfoot evening.txt
  dominoes score muggins "Anna = 15; Ben = 10 > Anna / Anna = -; Ben = 6|6 1|0"
  dominoes score muggins "2|2 / 2|6 / 2|0 / 2|4 / 2|5"
  dominoes score castle-rock --set 6 "6|4 0|0"
  dominoes score castle-rock --row "3|5 2|2 3|1"
"""


def add_parser(commands: Commands) -> None:
    """Add `score` to the subcommands."""
    parser = commands.add_parser(
        "score",
        help="score a round or a whole game",
        description="Score rounds given as text, as the name of a file, or with - from the "
        "standard input. A round is a line. Chickenfoot and Mexican Train: the starting double, a "
        "colon, and what each player had left: dominoes, the points counted, or - for none; +50 "
        "for each penalty. Muggins: the points by play (Ben = 10 > Anna: missed by Ben, called by "
        "Anna), a / and what each had left; or a layout, the spinner first. Castle Rock: the "
        'dominoes left, "" for none. Exit code: 0, or 2 for wrong use.',
        epilog=EXAMPLES,
    )
    keys = [game.key for game in Game]
    parser.add_argument("game", choices=keys, metavar="GAME", help="the game: %(choices)s")
    parser.add_argument(
        "texts", nargs="+", metavar="ROUND|FILE|-", help="rounds, one a line, or where they are"
    )
    parser.add_argument("--json", action="store_true", help="one line of JSON for the game")
    parser.add_argument(
        "--set",
        type=int,
        choices=SETS,
        dest="domino_set",
        help="the set in play, by its highest half (default: that of the first round)",
    )
    parser.add_argument(
        "--players",
        metavar="NAME,…",
        help="the players as they sit, clockwise (default: as in the first round that names all)",
    )
    muggins = parser.add_group("Muggins")
    muggins.add_argument(
        "--target",
        type=int,
        default=250,
        metavar="N",
        help="points that end the game (default: %(default)s)",
    )
    muggins.add_argument(
        "--rounding",
        choices=[each.value for each in Rounding],
        default=Rounding.NEAREST.value,
        help="to which multiple of five (default: %(default)s)",
    )
    muggins.add_argument(
        "--rounded",
        choices=[each.value for each in RoundWorth],
        default=RoundWorth.SUM.value,
        help="whether the sum is rounded or each hand (default: %(default)s)",
    )
    muggins.add_argument(
        "--spinner-never-counts", action="store_true", help="the spinner's own pips never count"
    )
    muggins.add_argument("--singles", action="store_true", help="four play without teams")
    castle = parser.add_group("Castle Rock")
    castle.add_argument(
        "--row", action="store_true", help="the dominoes are the row, top|bottom, still in play"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score the text; returns 0. WrongUse, NotationError or RulesError for wrong use."""
    game, text = Game.of(args.game), _text_of(args.texts, args.language)
    if game is Game.CASTLE_ROCK:
        _score_castle_rock(args, text)
    elif game is Game.MUGGINS:
        _score_muggins(args, text)
    else:
        _score_rounds(args, game, text)
    return 0


def _text_of(arguments: Sequence[str], language: Language) -> str:
    """The text of all arguments, of files named by them, and of the standard input."""
    return "\n".join(_text_at(argument, language) for argument in arguments)


def _text_at(argument: str, language: Language) -> str:
    path = Path(argument)
    try:
        is_file = argument == STANDARD_INPUT or path.is_file()
    except (OSError, ValueError):
        is_file = False  # Too long for the name of a file, or with signs that none has.
    if not is_file:
        return argument
    try:
        return bounded_text(argument)
    except TextTooLong as error:
        said = say("kingdoms.too_long", language, file=argument, limit=MAX_TEXT_BYTES)
        raise WrongUse(said) from error
    except (OSError, UnicodeDecodeError) as error:
        reason = reason_of(error, language)
        raise WrongUse(
            say("domino_score.file_unreadable", language, file=argument, reason=reason)
        ) from error


def _score_rounds(args: argparse.Namespace, game: Game, text: str) -> None:
    rounds = parse_rounds(text)
    if not rounds:
        raise WrongUse(say("domino_score.nothing", args.language))
    domino_set = DominoSet(args.domino_set or _highest_of(game, rounds))
    players = _names(args.players) or rounds[0].players
    played = RoundGame(game, domino_set, players, rounds)
    _tell(args, round_game_record(played), round_game_lines(played, args.language))


def _highest_of(game: Game, rounds: Sequence[Round]) -> int:
    """The set whose first double starts the first round, else the smallest with all tiles named."""
    first = rounds[0].double.high
    if first in game.sets:
        return first
    hands = (hand for each in rounds for hand in each.hands.values())
    highest = max([first, game.sets[0], *(tile.high for hand in hands for tile in hand)])
    return DominoSet.holding(highest).highest


def _score_muggins(args: argparse.Namespace, text: str) -> None:
    rules = MugginsRules(
        args.target,
        Rounding(args.rounding),
        RoundWorth(args.rounded),
        not args.spinner_never_counts,
        args.singles,
    )
    if text.strip() and "=" not in text:
        layout = Layout.parse(text)
        _tell(args, layout_record(layout, rules), layout_lines(layout, rules, args.language))
        return
    rounds = parse_muggins_rounds(text)
    if not rounds:
        raise WrongUse(say("domino_score.nothing", args.language))
    seated = next((each.hands for each in rounds if each.hands), ())
    named = (name for each in rounds for play in each.plays for name in (play.player, play.scorer))
    players = (
        _names(args.players) or tuple(name for name, _ in seated) or tuple(dict.fromkeys(named))
    )
    game = MugginsGame(players, rounds, rules)
    _tell(args, muggins_record(game), muggins_lines(game, args.language))


def _score_castle_rock(args: argparse.Namespace, text: str) -> None:
    if args.row:
        row = Row.parse(text)
        _tell(args, row_record(row), row_lines(row, args.language))
        return
    left = Hand.parse(text)
    highest = max((tile.high for tile in left), default=0)
    domino_set = DominoSet(args.domino_set) if args.domino_set else DominoSet.holding(highest)
    result = CastleRockResult(domino_set, left)
    _tell(args, result_record(result), result_lines(result, args.language))


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, (text or "").split(","))))


def _tell(args: argparse.Namespace, record: dict[str, Any], lines: Iterable[str]) -> None:
    for line in [as_json(record)] if args.json else lines:
        show(line)
