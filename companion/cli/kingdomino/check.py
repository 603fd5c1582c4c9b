"""`kingdomino check`: check kingdoms against the dominoes of the box."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from companion.cli.kingdomino.arguments import add_box_arguments, add_kingdoms
from companion.cli.kingdomino.game_records import (
    game_problem_records,
    problem_records,
    rules_record,
)
from companion.cli.kingdomino.kingdoms import entries_of, numbered, players_of, rules_of_game
from companion.cli.parser import Commands
from companion.cli.terminal import as_json, show
from companion.kingdomino.wording import place_name, problem_line, square_name
from companion.languages import Language, say
from scorer.kingdomino import (
    BoxCheck,
    BoxReason,
    GameProblem,
    LaidDomino,
    Player,
    Problem,
    Rules,
    Verdict,
    box_check,
    game_problems,
    problems,
)

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  kingdomino check "w w f/f1 c f/w l1 f"
  kingdomino check --giants "Anna=w2 f1 c" "Ben=c f f1"
"""


AS_PROBLEMS = ("no_castle", "several_castles", "too_wide", "too_high", "too_many_giants")
"""Reasons with the same sentence as the problem of that code."""

LEGAL, IMPOSSIBLE, UNKNOWN = 0, 1, 3
"""Exit codes: there is a cut, there is none, or it is uncertain. 2 is wrong use."""


def add_parser(commands: Commands) -> None:
    """Add `check` to the subcommands."""
    parser = commands.add_parser(
        "check",
        help="check kingdoms against the dominoes of the box",
        description="Cut kingdoms into dominoes of the box that can be laid by the rules, or say "
        "why there is no such cut. Several kingdoms are those of one game: each domino is there "
        "once. Exit code: 0 if there is a cut, 1 if there is none, 2 for wrong use, 3 if that is "
        "not certain or the search was given up.",
        epilog=EXAMPLES,
    )
    add_kingdoms(parser)
    add_box_arguments(parser)
    parser.add_argument("--json", action="store_true", help="one line of JSON for the game")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check the kingdoms of one game. WrongUse or RulesError for wrong use."""
    games = entries_of(args.kingdoms, args.file, args.language)
    named = players_of([entry for game in games for entry in game], args.language)
    players = numbered(named, args.language)
    asked = Rules(size=args.size, mighty_duel=args.duel, age_of_giants=args.giants)
    rules = rules_of_game(players, asked)
    outcome = box_check([player.kingdom for player in players], rules)
    if args.json:
        show(as_json(_record(outcome, named, rules)))
    else:
        for line in _lines(outcome, players, rules, args.language):
            show(line)
    return {Verdict.LEGAL: LEGAL, Verdict.IMPOSSIBLE: IMPOSSIBLE}.get(outcome.verdict, UNKNOWN)


def _record(outcome: BoxCheck, players: Sequence[Player], rules: Rules) -> dict[str, object]:
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


def _lines(
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
        places="; ".join(places),
        found=reason.found,
        allowed=reason.allowed,
        dominoes=_numbers([domino.number for domino in reason.dominoes], language),
    )


def _numbers(numbers: Sequence[str], language: Language) -> str:
    if not numbers:
        return say("check.unknown_domino", language)
    return say("check.dominoes", language, numbers=", ".join(numbers))
