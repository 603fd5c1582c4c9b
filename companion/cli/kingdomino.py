"""The console command `kingdomino`, and each of its subcommands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from companion.cli.app import add_app
from companion.cli.parser import Commands, Console
from companion.cli.photos import add_photo_parser, refuse_beside_together, run_over_photos
from companion.cli.terminal import Exit, WrongInput, as_json, printable, show
from companion.cli.train import Course, add_training
from companion.cli.typed_kingdoms import (
    add_box_arguments,
    add_kingdoms,
    entries_of,
    guessed_grid,
    numbered,
    players_of,
    quest_of,
    rules_of_game,
)
from companion.games.guide import text_of
from companion.games.kingdomino.game_records import (
    game_problem_records,
    problem_records,
    ranking_record,
    rules_record,
    score_record,
)
from companion.games.kingdomino.guide import rules_of_play, set_up_lines, set_up_record
from companion.games.kingdomino.texts import (
    list_of_places,
    place_name,
    problem_line,
    ranking_lines,
    score_lines,
    square_name,
)
from companion.languages import Language, say
from scorer.kingdomino import (
    LARGE_GRID,
    BleakKing,
    BoxCheck,
    BoxReason,
    GameProblem,
    LaidDomino,
    Player,
    Problem,
    Ranking,
    Rules,
    RulesError,
    Score,
    TieBreak,
    Verdict,
    box_check,
    dynasty,
    game_problems,
    problems,
    rank,
    rules_problems,
    score,
    setup_guide,
)

if TYPE_CHECKING:
    from companion.reading.jobs import Outcome
    from vision.common.refit import LabelledSquares, Refit
    from vision.kingdomino.result import PhotoReading
    from vision.kingdomino.weights import Head


def add_read(commands: Commands) -> None:
    """Add `read` to the subcommands."""
    parser = add_photo_parser(
        commands,
        run_read,
        help="read kingdoms from photos",
        description="Print for each photo the kingdom as a grid, its score and what to check. The "
        "tokens, buildings and characters of The Court are not read. "
        "A folder stands for the pictures in it. Exit code: 0 if every photo was read, "
        "1 if any was not, 2 for wrong use.",
        examples=(
            "kingdomino read table.jpg",
            "kingdomino read --json red.jpg blue.jpg",
            "kingdomino read --draw checked.jpg table.jpg",
            "kingdomino read --results league.jsonl photos/",
            "kingdomino read --together left.jpg right.jpg",
        ),
    )
    parser.add_argument(
        "--anyway",
        action="store_true",
        help="read a photo even where it is probably no Kingdomino, or too blurred",
    )
    parser.add_argument(
        "--giants",
        action="store_true",
        help="the game is played with Age of Giants: its dominoes may be there",
    )
    parser.add_argument(
        "--together",
        action="store_true",
        help="the photos show one table: each kingdom is read once, by what all of them show of it",
    )


def run_read(args: argparse.Namespace) -> int:
    """Read the photos; returns 0 if all were read, else 1. WrongUse for wrong use."""
    # Imported here, so that help and the other commands start faster.
    from companion.cli.reading_report import ReadingFormat
    from companion.games.kingdomino.reading_text import photo_lines, photo_record
    from companion.reading.kingdomino import KINGDOMS, combine_outcomes

    refuse_beside_together(args)
    reader = KINGDOMS.with_options(anyway=args.anyway, giants=args.giants)
    if not args.together:
        lines = partial(photo_lines, giants=args.giants)
        return run_over_photos(args, reader, ReadingFormat(photo_record, lines), "kingdoms")
    names: list[str] = []
    shown: list[str] = []

    def combine(outcomes: list[Outcome[PhotoReading]]) -> list[Outcome[PhotoReading]]:
        names[:] = [outcome.photo for outcome in outcomes if outcome.reading is not None]
        shown[:] = map(printable, names)
        return combine_outcomes(outcomes, giants=args.giants)

    telling = ReadingFormat(
        partial(photo_record, together=names),
        partial(photo_lines, together=shown, giants=args.giants),
    )
    return run_over_photos(args, reader, telling, "kingdoms", combine)


def add_score(commands: Commands) -> None:
    """Add `score` to the subcommands."""
    parser = commands.add_parser(
        "score",
        run_score,
        help="score kingdoms typed in",
        description="Score kingdoms territory by territory, with variants and quests, and rank "
        "the players if they are named; kingdoms without names are scored each for itself. Exit "
        "code: 0, or 2 for wrong use.",
        examples=(
            'kingdomino score "w w f/f1 c f/w l1 f"',
            'kingdomino score --json --harmony --middle-kingdom "w w f/f1 c f/w l1 f"',
            "kingdomino score --quest local-business:w --quest bleak-king "
            '"Anna=w w1 c" "Ben=c f f1"',
            'kingdomino score "w* w+1 c/w:farmer w* f*"',
            "kingdomino score --dynasty --file first.txt --file second.txt --file third.txt",
        ),
    )
    add_kingdoms(parser)
    parser.add_argument("--json", action="store_true", help="one line of JSON for each kingdom")
    parser.add_argument("--harmony", action="store_true", help="variant: 5 for a full grid")
    parser.add_argument(
        "--middle-kingdom", action="store_true", help="variant: 10 for a castle in the centre"
    )
    parser.add_argument(
        "--dynasty",
        action="store_true",
        help="variant: three games of the same players, the sum of their points wins; each game "
        'in a file of its own, or separated by an empty line, or by the argument "+"',
    )
    parser.add_argument(
        "--quest",
        action="append",
        default=[],
        metavar="NAME[:TERRAIN]",
        help="a scoring tile of Age of Giants, by its English or German name, repeatable: "
        "local-business:T, four-corners:T (T: w f l g s m), harmony, middle-kingdom, "
        "lost-corner, folie-des-grandeurs, bleak-king",
    )
    parser.add_argument(
        "--tie-break",
        choices=[each.value for each in TieBreak],
        default=TieBreak.SHARED.value,
        help="after the largest territory: share, or compare crowns as the first English and "
        "French edition does (default: %(default)s)",
    )
    parser.add_argument(
        "--bleak-king",
        choices=[each.value for each in BleakKing],
        default=BleakKing.TERRITORY.value,
        help="how the quest Bleak King counts (default: %(default)s)",
    )
    add_box_arguments(parser)


@dataclass(frozen=True)
class _Scored:
    """Kingdoms with their scores, and their ranking if they belong to named players of one game.

    ``rules`` has the rules of each kingdom, the same for all players of a game.
    """

    players: Sequence[Player]
    rules: Sequence[Rules]
    scores: Sequence[Score]
    asked: Rules
    ranking: Ranking | None = None

    @property
    def results(self) -> dict[str, Score]:
        names = [player.name for player in self.players]
        return dict(zip(names, self.scores, strict=True))

    @property
    def problems(self) -> tuple[GameProblem, ...]:
        """The problems of the game as a whole."""
        if self.ranking is None:
            return rules_problems(self.rules[0])
        return game_problems(self.players, self.rules[0])


def run_score(args: argparse.Namespace) -> int:
    """Score the kingdoms; returns 0. WrongUse or RulesError for wrong use."""
    games = entries_of(args.texts, args.file, args.language)
    rules = _asked_rules(args)
    print_game = _show_json if args.json else _show_text
    if not args.dynasty:
        entries = [entry for game in games for entry in game]
        print_game(_scored(players_of(entries, args.language), rules), args.language)
        return Exit.DONE
    scored = [_scored(players_of(entries, args.language), rules) for entries in games]
    if not all(player.name for game in scored for player in game.players):
        raise WrongInput(say("dynasty.names_needed", args.language))
    ranking = dynasty([game.results for game in scored], rules)
    for number, game in enumerate(scored, start=1):
        print_game(game, args.language, number)
    if args.json:
        places = ranking_record(ranking)
        show(as_json({"dynasty": places["ranking"], "ties": places["ties"]}))
    else:
        show(say("dynasty.title", args.language))
        for line in list(ranking_lines(ranking, (), args.language))[1:]:
            show(line)
    return Exit.DONE


def _asked_rules(args: argparse.Namespace) -> Rules:
    """The rules of the command line, without what depends on the kingdoms."""
    return Rules(
        size=args.size,
        harmony=args.harmony,
        middle_kingdom=args.middle_kingdom,
        mighty_duel=args.duel,
        age_of_giants=args.giants,
        quests=tuple(quest_of(text) for text in args.quest),
        tie_break=TieBreak(args.tie_break),
        bleak_king=BleakKing(args.bleak_king),
        court=args.court,
    )


def _scored(players: Sequence[Player], asked: Rules) -> _Scored:
    """Score the kingdoms; named players play one game, kingdoms without names are independent."""
    is_game = len(players) > 1 and bool(players[0].name)
    if is_game:
        rules = [rules_of_game(players, asked)] * len(players)
    else:
        rules = [rules_of_game([player], asked) for player in players]
    scores = [score(player.kingdom, each) for player, each in zip(players, rules, strict=True)]
    scored = _Scored(players, rules, scores, asked)
    return replace(scored, ranking=rank(scored.results, rules[0])) if is_game else scored


def _show_text(scored: _Scored, language: Language, game: int | None = None) -> None:
    if game is not None:
        show(say("dynasty.game", language, number=game))
    guessed = False
    for number, (player, rules, result) in enumerate(
        zip(scored.players, scored.rules, scored.scores, strict=True), start=1
    ):
        name = player.name or (
            say("score.numbered", language, number=number)
            if len(scored.players) > 1
            else say("score.kingdom", language)
        )
        found = problems(player.kingdom, rules)
        for line in score_lines(name, result, found, language):
            show(line)
        guessed = guessed or rules.size == LARGE_GRID
        guessed = guessed or any(each.code in _TOO_LARGE for each in found)
    if scored.ranking is not None:
        for line in ranking_lines(scored.ranking, scored.problems, language):
            show(line)
    else:
        for problem in scored.problems:
            show(say("score.problem", language, problem=problem_line(problem, language)))
    grid = guessed_grid(scored.asked, scored.rules, language)
    if grid and guessed:
        show(grid)


def _show_json(scored: _Scored, _language: Language, game: int | None = None) -> None:
    of_game = {} if game is None else {"game": game}
    for player, rules, result in zip(scored.players, scored.rules, scored.scores, strict=True):
        named = {"player": player.name} if player.name else {}
        found = problems(player.kingdom, rules)
        show(as_json(of_game | named | score_record(player.kingdom, result, found, rules)))
    if scored.ranking is not None:
        record = of_game | ranking_record(scored.ranking)
        record["problems"] = game_problem_records(scored.problems)
        record["rules"] = rules_record(scored.rules[0])
        show(as_json(record))


_TOO_LARGE = ("too_wide", "too_high")


def add_setup(commands: Commands) -> None:
    """Add `setup` to the subcommands."""
    parser = commands.add_setup(
        run_setup,
        description="Say how many dominoes are put back, how many lie in a row, which of them are "
        "put aside, how many rounds there are and how many dominoes are played in them; then the "
        "rules: kings, turns, placing, scoring, what the sheet leaves open. Exit code: 0, or 2 for "
        "wrong use.",
        examples=(
            "kingdomino setup --players 3",
            "kingdomino setup --players 2 --duel",
            "kingdomino setup --players 5 --giants",
            "kingdomino setup --players 4 --quests",
        ),
    )
    parser.add_argument(
        "--players", type=int, required=True, metavar="N", help="how many play, 2 to 5"
    )
    parser.add_argument("--giants", action="store_true", help="with Age of Giants")
    parser.add_argument(
        "--quests", action="store_true", help="with the quests of Age of Giants, without its giants"
    )
    parser.add_argument(
        "--duel", action="store_true", help="the Mighty Duel: two players, 12 rounds, 7×7"
    )
    parser.add_argument("--court", action="store_true", help="with The Court")
    parser.add_argument("--json", action="store_true", help="one line of JSON")


def run_setup(args: argparse.Namespace) -> int:
    """Print the guide and return 0. RulesError if players and rules contradict each other."""
    guide_of = partial(
        setup_guide, args.players, age_of_giants=args.giants, quests=args.quests or None
    )
    guide = guide_of(mighty_duel=args.duel)
    longer = guide_of(mighty_duel=True) if args.players == 2 and not args.duel else None
    if args.json:
        longer_game = set_up_record(longer) if longer else None
        show(as_json(set_up_record(guide) | {"longer_game": longer_game}))
        return Exit.DONE
    show(say("setup.players", args.language, players=args.players))
    for line in set_up_lines(guide, args.language):
        show(line)
    if longer is not None:
        show(say("setup.longer", args.language, **set_up_record(longer)))
    for line in text_of(rules_of_play(guide, args.language, court=args.court)):
        show(line)
    return Exit.DONE


AS_PROBLEMS = ("no_castle", "several_castles", "too_wide", "too_high", "too_many_giants")
"""Reasons with the same sentence as the problem of that code."""

EXITS = {Verdict.LEGAL: Exit.DONE, Verdict.IMPOSSIBLE: Exit.NOT_DONE}


def add_check(commands: Commands) -> None:
    """Add `check` to the subcommands."""
    parser = commands.add_parser(
        "check",
        run_check,
        help="check kingdoms against the dominoes of the box",
        description="Cut kingdoms into dominoes of the box that can be laid by the rules, or say "
        "why there is no such cut. Several kingdoms are those of one game: each domino is there "
        "once. Exit code: 0 if there is a cut, 1 if there is none, 2 for wrong use, 3 if that is "
        "not certain or the search was given up.",
        examples=(
            'kingdomino check "w w f/f1 c f/w l1 f"',
            'kingdomino check --giants "Anna=w2 f1 c" "Ben=c f f1"',
        ),
    )
    add_kingdoms(parser)
    add_box_arguments(parser)
    parser.add_argument("--json", action="store_true", help="one line of JSON for the game")


def run_check(args: argparse.Namespace) -> int:
    """Check the kingdoms of one game. WrongUse or RulesError for wrong use."""
    games = entries_of(args.texts, args.file, args.language)
    named = players_of([entry for game in games for entry in game], args.language)
    players = numbered(named, args.language)
    asked = Rules(
        size=args.size, mighty_duel=args.duel, age_of_giants=args.giants, court=args.court
    )
    rules = rules_of_game(players, asked)
    outcome = box_check([player.kingdom for player in players], rules)
    if args.json:
        show(as_json(_check_record(outcome, named, rules)))
    else:
        for line in _check_lines(outcome, players, rules, args.language):
            show(line)
        grid = guessed_grid(asked, [rules], args.language)
        too_large = any(reason.code in _TOO_LARGE for reason in outcome.reasons)
        if grid and (rules.size == LARGE_GRID or too_large):
            show(grid)
    return EXITS.get(outcome.verdict, Exit.UNCERTAIN)


def _check_record(outcome: BoxCheck, players: Sequence[Player], rules: Rules) -> dict[str, object]:
    of_game = game_problems(players, rules) if len(players) > 1 else ()
    return {
        "verdict": outcome.verdict.value,
        "kingdoms": [
            {
                "player": player.name or None,
                "kingdom": str(player.kingdom),
                "problems": problem_records(problems(player.kingdom, rules)),
            }
            for player in players
        ],
        "cuts": [
            [
                {
                    "domino": each.domino.number if each.domino else None,
                    "left": list(each.left),
                    "right": list(each.right),
                }
                for each in cut
            ]
            for cut in outcome.cuts
        ],
        "reasons": [
            {
                "code": reason.code,
                "squares": [[kingdom, *position] for kingdom, position in reason.squares],
                "dominoes": [domino.number for domino in reason.dominoes],
                "found": reason.found,
                "allowed": reason.allowed,
            }
            for reason in outcome.reasons
        ],
        "problems": game_problem_records(of_game),
        "rules": rules_record(rules),
    }


def _check_lines(
    outcome: BoxCheck, players: Sequence[Player], rules: Rules, language: Language
) -> Iterator[str]:
    yield say(f"check.{outcome.verdict.value}", language)
    if outcome.verdict is Verdict.IMPOSSIBLE:
        for reason in outcome.reasons:
            yield f"  {_reason_line(reason, players, language)}"
        for problem in _supply_problems(players, rules):
            yield f"  {problem_line(problem, language)}"
        return
    if outcome.verdict is Verdict.GAVE_UP:
        return
    for player, cut in zip(players, outcome.cuts, strict=True):
        if len(players) > 1:
            yield f"{player.name}:"
        yield from _cut_lines(player, cut, language)
    uncertain = [
        each.domino.number
        for cut in outcome.cuts
        for each in cut
        if each.domino and not each.is_certain
    ]
    if uncertain:
        yield say("check.rests_on_pairs", language, dominoes=_numbers(uncertain, language))


def _supply_problems(players: Sequence[Player], rules: Rules) -> Iterator[Problem | GameProblem]:
    """The problems of squares that occur more often than in the box."""
    if len(players) == 1:
        found: Sequence[Problem | GameProblem] = problems(players[0].kingdom, rules)
    else:
        found = game_problems(players, rules)
    yield from (problem for problem in found if problem.code == "more_than_box")


def _cut_lines(player: Player, cut: Sequence[LaidDomino], language: Language) -> Iterator[str]:
    """The kingdom as a grid of domino numbers, then the dominoes in the order of laying."""
    if not cut:
        yield f"  {say('check.castle_alone', language)}"
        return
    names = {
        end: each.domino.number if each.domino else "?"
        for each in cut
        for end in (each.left, each.right)
    }
    for row, squares in enumerate(player.kingdom.rows):
        cells = [names.get((row, column), str(square)) for column, square in enumerate(squares)]
        yield "  " + " ".join(f"{cell:>2}" for cell in cells)
    for each in cut:
        line = say(
            "check.domino",
            language,
            number=each.domino.number if each.domino else "?",
            left=square_name(player.kingdom[each.left], language),
            left_place=place_name(each.left, language),
            right=square_name(player.kingdom[each.right], language),
            right_place=place_name(each.right, language),
        )
        yield f"  {line}"


def _reason_line(reason: BoxReason, players: Sequence[Player], language: Language) -> str:
    if reason.code == "too_many_giants" and len(players) > 1:
        squares = tuple((players[kingdom].name, position) for kingdom, position in reason.squares)
        giants = GameProblem(reason.code, squares, (), reason.found, reason.allowed)
        return problem_line(giants, language)
    if reason.code in AS_PROBLEMS:
        kingdom = reason.squares[0][0] if reason.squares else None
        positions = tuple(position for _, position in reason.squares)
        problem = Problem(reason.code, positions, reason.found, reason.allowed)
        line = problem_line(problem, language)
        if kingdom is None or len(players) == 1:
            return line
        return f"{players[kingdom].name}: {line}"
    places = [
        f"{players[kingdom].name}: {place_name(position, language)}"
        if len(players) > 1
        else place_name(position, language)
        for kingdom, position in reason.squares
    ]
    alone = reason.code == "unmatched" and not reason.allowed
    return say(
        "check.no_domino" if alone else f"check.{reason.code}",
        language,
        places=list_of_places(places, language),
        found=reason.found,
        count=reason.found or 0,
        allowed=reason.allowed,
        dominoes=_numbers([domino.number for domino in reason.dominoes], language),
    )


def _numbers(numbers: Sequence[str], language: Language) -> str:
    if not numbers:
        return say("check.unknown_domino", language)
    return say("check.dominoes", language, numbers=", ".join(numbers))


def _course() -> Course:
    from companion.reading.own_heads import KINGDOMINO_HEADS
    from vision.kingdomino.refit import read_folder

    return Course("kingdomino", "kingdomino", KINGDOMINO_HEADS, read_folder, _refit)


def _refit(squares: LabelledSquares) -> Refit[Head]:
    from vision.common.network import shipped_weights
    from vision.kingdomino.refit import known_squares, refit
    from vision.kingdomino.weights import Weights

    model, shipped = (shipped_weights() / "squares.onnx").read_bytes(), Weights.load().classifier
    return refit(model, shipped.temperature, squares, known_squares(), second=shipped.second)


CONSOLE = Console(
    program="kingdomino",
    description="Kingdomino companion: from the photo of a kingdom to its score.",
    examples=(
        "kingdomino read table.jpg",
        'kingdomino score "w w f/f1 c f/w l1 f"',
        "kingdomino app",
    ),
    commands=(
        add_read,
        add_score,
        add_setup,
        add_check,
        add_app,
        lambda commands: add_training(commands, _course),
    ),
    rules_errors=(RulesError,),
    rules_message=lambda error, language: say(
        f"rules_error.{error.code}", language, **error.details
    ),
)

build_parser, main = CONSOLE.build_parser, CONSOLE.main

if __name__ == "__main__":
    sys.exit(main())
