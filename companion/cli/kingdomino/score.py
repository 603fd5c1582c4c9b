"""`kingdomino score`: kingdoms typed in, scored territory by territory, and ranked."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from companion.cli.kingdomino.arguments import add_box_arguments, add_kingdoms, players_of
from companion.kingdomino.score_text import ranking_lines, score_lines
from companion.languages import Language, say
from scorer.kingdomino import (
    BleakKing,
    Player,
    Position,
    Problem,
    Quest,
    Ranking,
    Rules,
    Score,
    TieBreak,
    game_problems,
    problems,
    rank,
    score,
)

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  kingdomino score "w w f/f1 c f/w l1 f"
  kingdomino score --json --harmony --middle-kingdom "w w f/f1 c f/w l1 f"
  kingdomino score --quest local-business:w --quest bleak-king "Anna=w w1 c" "Ben=c f f1"
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `score` to the subcommands."""
    parser = subparsers.add_parser(
        "score",
        help="score kingdoms typed in",
        description="Score kingdoms territory by territory, with variants and quests, and rank "
        "the players if they are named. Exit code: 0, or 2 for wrong use.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_kingdoms(parser)
    parser.add_argument("--json", action="store_true", help="one line of JSON for each kingdom")
    parser.add_argument("--harmony", action="store_true", help="variant: 5 for a full grid")
    parser.add_argument(
        "--middle-kingdom", action="store_true", help="variant: 10 for a castle in the centre"
    )
    parser.add_argument(
        "--quest",
        action="append",
        default=[],
        metavar="NAME[:TERRAIN]",
        help="a scoring tile of Age of Giants, repeatable: local-business:T, four-corners:T "
        "(T: w f l g s m), harmony, middle-kingdom, lost-corner, folie-des-grandeurs, bleak-king",
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
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score the kingdoms; 0. WrongUse or RulesError for wrong use."""
    players = players_of(args.kingdoms, args.language)
    rules = _rules(args, players)
    scores = [score(player.kingdom, rules) for player in players]
    ranking = _ranking(players, scores, rules)
    tell = _print_json if args.json else _print_text
    tell(players, scores, ranking, rules, args.language)
    return 0


def _rules(args: argparse.Namespace, players: Sequence[Player]) -> Rules:
    """The rules asked for; five players can only be playing with the expansion."""
    named = sum(bool(player.name) for player in players)
    return Rules(
        size=args.size,
        players=named if named > 1 else None,
        harmony=args.harmony,
        middle_kingdom=args.middle_kingdom,
        mighty_duel=args.duel,
        age_of_giants=args.giants or named == 5,
        quests=tuple(Quest.parse(text) for text in args.quest),
        tie_break=TieBreak(args.tie_break),
        bleak_king=BleakKing(args.bleak_king),
    )


def _ranking(players: Sequence[Player], scores: Sequence[Score], rules: Rules) -> Ranking | None:
    """The ranking where there are several players, which is where they are named."""
    if len(players) < 2 or not players[0].name:
        return None
    names = [player.name for player in players]
    return rank(dict(zip(names, scores, strict=True)), rules)


def _print_text(
    players: Sequence[Player],
    scores: Sequence[Score],
    ranking: Ranking | None,
    rules: Rules,
    language: Language,
) -> None:
    for number, (player, result) in enumerate(zip(players, scores, strict=True), start=1):
        name = player.name or (
            say("score.numbered", language, number=number)
            if len(players) > 1
            else say("score.kingdom", language)
        )
        for line in score_lines(name, result, problems(player.kingdom, rules), language):
            print(line)
    if ranking is not None:
        for line in ranking_lines(ranking, game_problems(players, rules), language):
            print(line)


def _print_json(
    players: Sequence[Player],
    scores: Sequence[Score],
    ranking: Ranking | None,
    rules: Rules,
    _language: Language,
) -> None:
    for player, result in zip(players, scores, strict=True):
        record: dict[str, object] = {"player": player.name} if player.name else {}
        record |= _record(player, result, problems(player.kingdom, rules))
        print(json.dumps(record, ensure_ascii=False))
    if ranking is not None:
        places = [
            {
                "player": place.player,
                "place": place.place,
                "points": place.points,
                "decided_by": place.decided_by.value,
            }
            for place in ranking.places
        ]
        print(json.dumps({"ranking": places}, ensure_ascii=False))


def _record(player: Player, result: Score, found: Sequence[Problem]) -> dict[str, object]:
    return {
        "kingdom": str(player.kingdom),
        "points": result.points,
        "territories": [
            {
                "terrain": territory.terrain.letter,
                "squares": territory.size,
                "crowns": territory.crowns,
                "points": territory.points,
            }
            for territory in result.territories
        ],
        "largest_territory": result.largest_territory,
        "crowns": result.crowns,
        "problems": [
            {"code": problem.code, "squares": _lists(problem.squares)} for problem in found
        ],
        "bonuses": [
            {"name": bonus.name, "points": bonus.points, "squares": _lists(bonus.squares)}
            for bonus in result.bonuses
        ],
        "castle_centred": result.castle_centred,
    }


def _lists(squares: Sequence[Position]) -> list[list[int]]:
    return [list(square) for square in squares]
