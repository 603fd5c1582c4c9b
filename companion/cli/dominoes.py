"""The console command `dominoes`, and each of its subcommands."""

from __future__ import annotations

import argparse
import sys
from argparse import SUPPRESS
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from companion.cli.parser import Commands, Console
from companion.cli.photos import (
    add_photo_parser,
    refuse_beside_together,
    run_over_photos,
    settle_outcomes,
)
from companion.cli.terminal import Exit, WrongInput, WrongUse, as_json, show
from companion.cli.text_input import Line, add_texts, joined, lines_of, refusal
from companion.games.guide import text_of
from companion.games.pip_dominoes.guide import rules_of_play, set_up_lines
from companion.games.pip_dominoes.texts import (
    layout_lines,
    layout_record,
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
    CastleRock,
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
    Tile,
    parse_muggins_rounds,
    parse_rounds,
    setup_guide,
)
from scorer.pip_dominoes.games import TEAM_PLAYERS
from scorer.pip_dominoes.score_sheet import players_of_plays


def add_read(commands: Commands) -> None:
    """Add `read` to the subcommands, called `count` too."""
    parser = add_photo_parser(
        commands,
        run_read,
        help="read the dominoes in photos",
        description="Print for each photo its dominoes, the sum of their pips and what to check. "
        "A folder stands for the pictures in it. Exit code: 0 if every photo was read, "
        "1 if any was not, 2 for wrong use.",
        examples=(
            "dominoes read hand.jpg",
            "dominoes read --set 12 --json anna.jpg ben.jpg",
            "dominoes read --draw checked.jpg hand.jpg",
            "dominoes read --results evening.jsonl photos/",
            "dominoes read --together anna.jpg ben.jpg cleo.jpg",
        ),
        aliases=("count",),
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


def run_read(args: argparse.Namespace) -> int:
    """Read the photos; returns 0 if all were read, else 1. WrongUse for wrong use."""
    # Imported here, so that help and the other commands start faster.
    from companion.cli.reading_report import ReadingFormat
    from companion.games.pip_dominoes.reading_text import hand_lines, hand_record
    from companion.reading.pip_dominoes import HANDS, settle_round

    refuse_beside_together(args)
    reader = HANDS.with_options(highest=args.domino_set)
    form = ReadingFormat(hand_record, hand_lines)
    settle = partial(settle_round, highest=args.domino_set)
    together = partial(settle_outcomes, settle=settle) if args.together else None
    return run_over_photos(args, reader, form, "dominoes", together)


def add_score(commands: Commands) -> None:
    """Add `score` to the subcommands."""
    parser = commands.add_parser(
        "score",
        run_score,
        help="score a round or a whole game",
        description="Score rounds given as text, as the name of a file, or with - from the "
        "standard input. A round is a line. Chickenfoot and Mexican Train: the starting double, a "
        "colon, and what each player had left: dominoes, the points counted, or - for none; +50 "
        "for each penalty. Muggins: the points by play (Anna = 15 20; - for none; Ben = 10 > Anna: "
        "missed by Ben, called by Anna), a / and what each had left; or a layout, the spinner "
        "first. Of four players those opposite are a team. Castle Rock: the "
        'dominoes left, "" for none. Exit code: 0, or 2 for wrong use.',
        examples=(
            'dominoes score mexican-train "12|12: Anna = 10|11 0|0; Ben = -; Cleo = 23 +50"',
            "dominoes score chickenfoot evening.txt",
            'dominoes score muggins "Anna = 15; Ben = 10 > Anna / Anna = -; Ben = 6|6 1|0"',
            'dominoes score muggins "2|2 / 2|6 / 2|0 / 2|4 / 2|5"',
            'dominoes score castle-rock --set 6 "6|4 0|0"',
            'dominoes score castle-rock --row "3|5 2|2 3|1"',
        ),
    )
    keys = [game.key for game in Game]
    parser.add_argument("game", choices=keys, metavar="GAME", help="the game: %(choices)s")
    add_texts(parser, "ROUND|FILE|-", "rounds, one a line, or where they are")
    parser.add_argument("--json", action="store_true", help="one line of JSON for the game")
    parser.add_argument(
        "--set",
        type=int,
        choices=SETS,
        dest="domino_set",
        help="the set in play, by its highest half (default: that of the first round)",
    )
    parser.add_argument(
        "--names",
        metavar="NAME,…",
        help="the players as they sit, clockwise (default: as in the first round that names all)",
    )
    # Its name of before; `--players` is a number everywhere else.
    parser.add_argument("--players", dest="names", help=SUPPRESS, default=SUPPRESS)
    muggins = parser.add_group("Muggins")
    muggins.add_argument(
        "--target", type=int, metavar="N", help="points that end the game (default: 250)"
    )
    muggins.add_argument(
        "--rounding",
        choices=[each.value for each in Rounding],
        help="to which multiple of five (default: nearest)",
    )
    muggins.add_argument(
        "--rounded",
        choices=[each.value for each in RoundWorth],
        help="whether the sum is rounded or each hand (default: sum)",
    )
    muggins.add_argument(
        "--spinner-never-counts", action="store_true", help="the spinner's own pips never count"
    )
    muggins.add_argument("--singles", action="store_true", help="four play without teams")
    castle = parser.add_group("Castle Rock")
    castle.add_argument(
        "--seconds", type=seconds, metavar="N", help="how long it took, for the list of own bests"
    )
    castle.add_argument(
        "--row", action="store_true", help="the dominoes are the row, top|bottom, still in play"
    )


def seconds(text: str) -> float:
    """A length of time; its name is said where it is none."""
    length = float(text)
    if not 0 <= length < float("inf"):
        raise ValueError(text)
    return length


OPTIONS_OF = {
    "domino_set": (Game.CHICKENFOOT, Game.MEXICAN_TRAIN, Game.CASTLE_ROCK),
    "names": (Game.CHICKENFOOT, Game.MEXICAN_TRAIN, Game.MUGGINS),
    "target": (Game.MUGGINS,),
    "rounding": (Game.MUGGINS,),
    "rounded": (Game.MUGGINS,),
    "spinner_never_counts": (Game.MUGGINS,),
    "singles": (Game.MUGGINS,),
    "row": (Game.CASTLE_ROCK,),
    "seconds": (Game.CASTLE_ROCK,),
}
"""The games that an option of `score` belongs to."""


def run_score(args: argparse.Namespace) -> int:
    """Score the text; returns 0. WrongUse, NotationError or RulesError for wrong use."""
    game = Game.of(args.game)
    for name, games in OPTIONS_OF.items():
        if getattr(args, name) not in (None, False) and game not in games:
            option = "--set" if name == "domino_set" else f"--{name.replace('_', '-')}"
            raise WrongUse(say("input.other_game", args.language, option=option, game=game.title))
    lines = lines_of(args.texts, args.file, args.language)
    if game is Game.CASTLE_ROCK:
        _score_castle_rock(args, lines)
    elif game is Game.MUGGINS:
        _score_muggins(args, lines)
    else:
        _score_rounds(args, game, lines)
    return Exit.DONE


Parsed = TypeVar("Parsed")
Played = TypeVar("Played")


def _parsed(parse: Callable[[str], Parsed], lines: Sequence[Line], language: Language) -> Parsed:
    """What the lines are together; WrongInput with the place of what is wrong."""
    try:
        return parse(joined(lines))
    except (NotationError, RulesError) as error:
        text = str(error.details.get("text", ""))
        raise refusal(lines, rules_message(error, language), language, text=text) from error


@dataclass(frozen=True)
class _Sheet(Generic[Parsed]):
    """The rounds of a score sheet, each with its line."""

    rounds: tuple[Parsed, ...]
    lines: tuple[Line, ...]

    @classmethod
    def parse(
        cls, parse: Callable[[str], tuple[Parsed, ...]], lines: Sequence[Line], language: Language
    ) -> _Sheet[Parsed]:
        """WrongInput with its place for a line that is no round, or where there is none."""
        found = [(each, line) for line in lines for each in _parsed(parse, [line], language)]
        if not found:
            raise refusal(lines, say("domino_score.nothing", language), language)
        return cls(tuple(each for each, _ in found), tuple(line for _, line in found))

    def game(self, make: Callable[[], Played], language: Language) -> Played:
        """The game of the rounds; WrongInput with its place for a round that is none of it."""
        try:
            return make()
        except RulesError as error:
            number = error.details.get("round")
            if not isinstance(number, int):
                raise
            raise self.lines[number - 1].refused(
                rules_message(error, language), language
            ) from error


def _score_rounds(args: argparse.Namespace, game: Game, lines: Sequence[Line]) -> None:
    sheet = _Sheet.parse(parse_rounds, lines, args.language)
    domino_set = DominoSet(args.domino_set or _highest_of(game, sheet.rounds))
    players = _names(args.names) or sheet.rounds[0].players
    played = sheet.game(lambda: RoundGame(game, domino_set, players, sheet.rounds), args.language)
    _show_result(args, round_game_record(played), round_game_lines(played, args.language))


def _highest_of(game: Game, rounds: Sequence[Round]) -> int:
    """The set whose first double starts the first round, else the smallest with all tiles named."""
    first = rounds[0].double.high
    if first in game.sets:
        return first
    hands = (hand for each in rounds for hand in each.hands.values())
    highest = max([first, game.sets[0], *(tile.high for hand in hands for tile in hand)])
    return DominoSet.holding(highest).highest


def _score_muggins(args: argparse.Namespace, lines: Sequence[Line]) -> None:
    rules = MugginsRules(
        250 if args.target is None else args.target,
        Rounding(args.rounding or Rounding.NEAREST),
        RoundWorth(args.rounded or RoundWorth.SUM),
        not args.spinner_never_counts,
        args.singles,
    )
    text = joined(lines)
    if text.strip() and "=" not in text:
        layout = _parsed(Layout.parse, lines, args.language)
        _show_result(args, layout_record(layout, rules), layout_lines(layout, rules, args.language))
        return
    sheet = _Sheet.parse(parse_muggins_rounds, lines, args.language)
    seated = next((each.hands for each in sheet.rounds if each.hands), ())
    players = _names(args.names) or tuple(name for name, _ in seated)
    if not players:
        players = players_of_plays(text)
        if len(players) == TEAM_PLAYERS and not args.singles:
            raise WrongInput(say("score.teams_unknown", args.language, names=",".join(players)))
    game = sheet.game(lambda: MugginsGame(players, sheet.rounds, rules), args.language)
    _show_result(args, muggins_record(game), muggins_lines(game, args.language))


def _score_castle_rock(args: argparse.Namespace, lines: Sequence[Line]) -> None:
    if args.row:
        if args.seconds is not None:
            raise WrongUse(say("score.seconds_of_row", args.language))
        row = _parsed(Row.parse, lines, args.language)
        CastleRock(_set_of(args.domino_set, [each.tile for each in row.tiles]), row)
        _show_result(args, row_record(row), row_lines(row, args.language))
        return
    left = _parsed(Hand.parse, lines, args.language)
    result = CastleRockResult(_set_of(args.domino_set, left), left, args.seconds)
    _show_result(args, result_record(result), result_lines(result, args.language))


def _set_of(asked: int | None, tiles: Iterable[Tile]) -> DominoSet:
    """The set that was asked for, else the smallest with all tiles."""
    if asked is not None:
        return DominoSet(asked)
    return DominoSet.holding(max((tile.high for tile in tiles), default=0))


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, (text or "").split(","))))


def _show_result(args: argparse.Namespace, record: dict[str, Any], lines: Iterable[str]) -> None:
    for line in [as_json(record)] if args.json else lines:
        show(line)


def add_setup(commands: Commands) -> None:
    """Add `setup` to the subcommands."""
    parser = commands.add_setup(
        run_setup,
        description="Say how many dominoes each player draws, how many are left in the boneyard, "
        "which of them are put aside and how many rounds there are; then the rules: who starts, "
        "playing, points, what the sheet leaves open. Exit code: 0, or 2 for wrong use.",
        examples=(
            "dominoes setup mexican-train --players 4 --set 12",
            "dominoes setup muggins --players 4",
            "dominoes setup mexican-train --players 3 --set 12 --quick",
            "dominoes setup castle-rock --set 9",
        ),
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


def run_setup(args: argparse.Namespace) -> int:
    """Print the guide; returns 0. WrongUse or RulesError if its options contradict each other."""
    game = Game.of(args.game)
    players = 1 if args.players is None and game is Game.CASTLE_ROCK else args.players
    if players is None:
        raise WrongUse(say("domino_setup.players_missing", args.language))
    box = DominoSet(args.domino_set)
    guide = setup_guide(game, players, box, quick=args.quick, singles=args.singles)
    if args.json:
        show(as_json(_setup_record(guide)))
        return Exit.DONE
    for line in (
        *set_up_lines(guide, args.language),
        *text_of(rules_of_play(guide, args.language)),
    ):
        show(line)
    return Exit.DONE


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


CONSOLE = Console(
    program="dominoes",
    description="Pip dominoes: from the photo of a hand to the score of the game.",
    examples=(
        "dominoes read hand.jpg",
        'dominoes score mexican-train "12|12: Anna = 10|11 0|0; Ben = -; Cleo = 23"',
        "dominoes setup mexican-train --players 4 --set 12",
    ),
    commands=(add_read, add_score, add_setup),
    rules_errors=(NotationError, RulesError),
    rules_message=rules_message,
)

build_parser, main = CONSOLE.build_parser, CONSOLE.main

if __name__ == "__main__":
    sys.exit(main())
