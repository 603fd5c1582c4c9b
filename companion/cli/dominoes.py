"""The console command `dominoes`, and each of its subcommands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from companion.cli.parser import Commands, Console, Parser
from companion.cli.photos import add_photo_parser, run_over_photos
from companion.cli.terminal import (
    MAX_TEXT_BYTES,
    STANDARD_INPUT,
    TextTooLong,
    WrongUse,
    as_json,
    bounded_text,
    reason_of,
    show,
)
from companion.games.pip_dominoes.texts import (
    count_of_dominoes,
    layout_lines,
    layout_record,
    list_of,
    muggins_lines,
    muggins_record,
    result_lines,
    result_record,
    round_game_lines,
    round_game_record,
    row_lines,
    row_record,
    rules_message,
)
from companion.languages import Language, say
from scorer.pip_dominoes import (
    SETS,
    CastleRockResult,
    DominoSet,
    Game,
    Hand,
    Layout,
    MugginsGame,
    MugginsRules,
    NotationError,
    Round,
    RoundGame,
    Rounding,
    RoundWorth,
    Row,
    RulesError,
    SetUp,
    parse_muggins_rounds,
    parse_rounds,
    setup_guide,
)

__all__ = [
    "add_count",
    "add_score",
    "add_setup",
    "build_parser",
    "main",
    "run_count",
    "run_score",
    "run_setup",
]


COUNT_EXAMPLES = """\
examples:
  dominoes count hand.jpg
  dominoes count --set 12 --json anna.jpg ben.jpg
  dominoes count --draw checked.jpg hand.jpg
  dominoes count --results evening.jsonl photos/
  dominoes count --together anna.jpg ben.jpg cleo.jpg
"""


def add_count(commands: Commands) -> None:
    """Add `count` to the subcommands."""
    parser = add_photo_parser(
        commands,
        "count",
        told="count the dominoes in photos",
        description="Print for each photo its dominoes, the sum of their pips and what to check. "
        "A folder stands for the pictures in it. Exit code: 0 if every photo was read, "
        "1 if any was not, 2 for wrong use.",
        examples=COUNT_EXAMPLES,
    )
    parser.add_argument(
        "--set",
        type=int,
        choices=SETS,
        dest="domino_set",
        help="the set in play, by its highest half (default: inferred from the photo); nobody "
        "has checked photos of 15 and 18",
    )
    parser.add_argument(
        "--together",
        action="store_true",
        help="the photos show the hands of one round: each domino is in one of them only, which "
        "helps to tell those that are hard to see",
    )
    parser.set_defaults(run=run_count)


def run_count(args: argparse.Namespace) -> int:
    """Read the photos; returns 0 if all were read, else 1. WrongUse for wrong use."""
    # Imported here, so that help and the other commands start faster.
    from companion.cli.reading_report import ReadingFormat
    from companion.games.pip_dominoes.reading_text import hand_lines, hand_record
    from companion.reading.pip_dominoes import HANDS, settle_round

    for option in ("draw", "results"):
        if args.together and getattr(args, option):
            raise WrongUse(say("count.together_alone", args.language, option=f"--{option}"))
    reader = HANDS.with_options(highest=args.domino_set)
    telling = ReadingFormat(hand_record, hand_lines)
    together = partial(settle_round, highest=args.domino_set) if args.together else None
    return run_over_photos(args, reader, telling, "dominoes", together)


SCORE_EXAMPLES = """\
examples:
  dominoes score mexican-train "12|12: Anna = 10|11 0|0; Ben = -; Cleo = 23 +50"
  dominoes score chickenfoot evening.txt
  dominoes score muggins "Anna = 15; Ben = 10 > Anna / Anna = -; Ben = 6|6 1|0"
  dominoes score muggins "2|2 / 2|6 / 2|0 / 2|4 / 2|5"
  dominoes score castle-rock --set 6 "6|4 0|0"
  dominoes score castle-rock --row "3|5 2|2 3|1"
"""


def add_score(commands: Commands) -> None:
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
        epilog=SCORE_EXAMPLES,
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
    parser.set_defaults(run=run_score)


def run_score(args: argparse.Namespace) -> int:
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
    _show_result(args, round_game_record(played), round_game_lines(played, args.language))


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
        _show_result(args, layout_record(layout, rules), layout_lines(layout, rules, args.language))
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
    _show_result(args, muggins_record(game), muggins_lines(game, args.language))


def _score_castle_rock(args: argparse.Namespace, text: str) -> None:
    if args.row:
        row = Row.parse(text)
        _show_result(args, row_record(row), row_lines(row, args.language))
        return
    left = Hand.parse(text)
    highest = max((tile.high for tile in left), default=0)
    domino_set = DominoSet(args.domino_set) if args.domino_set else DominoSet.holding(highest)
    result = CastleRockResult(domino_set, left)
    _show_result(args, result_record(result), result_lines(result, args.language))


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, (text or "").split(","))))


def _show_result(args: argparse.Namespace, record: dict[str, Any], lines: Iterable[str]) -> None:
    for line in [as_json(record)] if args.json else lines:
        show(line)


SETUP_EXAMPLES = """\
examples:
  dominoes setup mexican-train --players 4 --set 12
  dominoes setup muggins --players 4
  dominoes setup mexican-train --players 3 --set 12 --quick
  dominoes setup castle-rock --set 9
"""


def add_setup(commands: Commands) -> None:
    """Add `setup` to the subcommands."""
    parser = commands.add_parser(
        "setup",
        help="say how to set up a game",
        description="Say how many dominoes each player draws, how many are left in the boneyard, "
        "which of them are put aside, and how many rounds there are. Exit code: 0, or 2 for "
        "wrong use.",
        epilog=SETUP_EXAMPLES,
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
    parser.set_defaults(run=run_setup)


def run_setup(args: argparse.Namespace) -> int:
    """Print the guide; returns 0. WrongUse or RulesError if its options contradict each other."""
    game = Game.of(args.game)
    players = 1 if args.players is None and game is Game.CASTLE_ROCK else args.players
    if players is None:
        raise WrongUse(say("domino_setup.players_missing", args.language))
    box = DominoSet(args.domino_set)
    guide = setup_guide(game, players, box, quick=args.quick, singles=args.singles)
    for line in (
        [as_json(_setup_record(guide))] if args.json else _setup_lines(guide, args.language)
    ):
        show(line)
    return 0


def _setup_record(guide: SetUp) -> dict[str, Any]:
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


def _setup_lines(guide: SetUp, language: Language) -> Iterator[str]:
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


COMMANDS = {
    "count": add_count,
    "score": add_score,
    "setup": add_setup,
}

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
