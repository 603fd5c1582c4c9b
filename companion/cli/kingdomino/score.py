"""`kingdomino score`: score kingdoms given as text, and rank the players."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.cli.kingdomino.arguments import add_box_arguments, add_kingdoms
from companion.cli.kingdomino.game_records import (
    game_problem_records,
    ranking_record,
    rules_record,
    score_record,
)
from companion.cli.kingdomino.kingdoms import entries_of, players_of, rules_of_game
from companion.cli.kingdomino.quest_names import quest_of
from companion.cli.parser import Commands
from companion.cli.terminal import as_json, show
from companion.cli.wrong_use import WrongUse
from companion.kingdomino.score_text import ranking_lines, score_lines
from companion.kingdomino.wording import problem_line
from companion.languages import Language, say
from scorer.kingdomino import (
    BleakKing,
    GameProblem,
    Player,
    Ranking,
    Rules,
    Score,
    TieBreak,
    dynasty,
    game_problems,
    problems,
    rank,
    rules_problems,
    score,
)

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  kingdomino score "w w f/f1 c f/w l1 f"
  kingdomino score --json --harmony --middle-kingdom "w w f/f1 c f/w l1 f"
  kingdomino score --quest local-business:w --quest bleak-king "Anna=w w1 c" "Ben=c f f1"
  kingdomino score --dynasty --file first.txt --file second.txt --file third.txt
"""


def add_parser(commands: Commands) -> None:
    """Add `score` to the subcommands."""
    parser = commands.add_parser(
        "score",
        help="score kingdoms typed in",
        description="Score kingdoms territory by territory, with variants and quests, and rank "
        "the players if they are named; kingdoms without names are scored each for itself. Exit "
        "code: 0, or 2 for wrong use.",
        epilog=EXAMPLES,
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
    parser.set_defaults(run=run)


@dataclass(frozen=True)
class _Scored:
    """Kingdoms with their scores, and their ranking if they belong to named players of one game.

    ``rules`` has the rules of each kingdom, the same for all players of a game.
    """

    players: Sequence[Player]
    rules: Sequence[Rules]
    scores: Sequence[Score]
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


def run(args: argparse.Namespace) -> int:
    """Score the kingdoms; returns 0. WrongUse or RulesError for wrong use."""
    games = entries_of(args.kingdoms, args.file, args.language)
    rules = _rules(args)
    tell = _tell_json if args.json else _tell_text
    if not args.dynasty:
        entries = [entry for game in games for entry in game]
        tell(_scored(players_of(entries, args.language), rules), args.language)
        return 0
    scored = [_scored(players_of(entries, args.language), rules) for entries in games]
    if not all(player.name for game in scored for player in game.players):
        raise WrongUse(say("dynasty.names_needed", args.language))
    ranking = dynasty([game.results for game in scored], rules)
    for number, game in enumerate(scored, start=1):
        tell(game, args.language, number)
    if args.json:
        places = ranking_record(ranking)
        show(as_json({"dynasty": places["ranking"], "ties": places["ties"]}))
    else:
        show(say("dynasty.title", args.language))
        for line in list(ranking_lines(ranking, (), args.language))[1:]:
            show(line)
    return 0


def _rules(args: argparse.Namespace) -> Rules:
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
    )


def _scored(players: Sequence[Player], asked: Rules) -> _Scored:
    """Score the kingdoms; named players play one game, kingdoms without names are independent."""
    is_game = len(players) > 1 and bool(players[0].name)
    if is_game:
        rules = [rules_of_game(players, asked)] * len(players)
    else:
        rules = [rules_of_game([player], asked) for player in players]
    scores = [score(player.kingdom, each) for player, each in zip(players, rules, strict=True)]
    scored = _Scored(players, rules, scores)
    return replace(scored, ranking=rank(scored.results, rules[0])) if is_game else scored


def _tell_text(scored: _Scored, language: Language, game: int | None = None) -> None:
    if game is not None:
        show(say("dynasty.game", language, number=game))
    for number, (player, rules, result) in enumerate(
        zip(scored.players, scored.rules, scored.scores, strict=True), start=1
    ):
        name = player.name or (
            say("score.numbered", language, number=number)
            if len(scored.players) > 1
            else say("score.kingdom", language)
        )
        for line in score_lines(name, result, problems(player.kingdom, rules), language):
            show(line)
    if scored.ranking is not None:
        for line in ranking_lines(scored.ranking, scored.problems, language):
            show(line)
    else:
        for problem in scored.problems:
            show(say("score.problem", language, problem=problem_line(problem, language)))


def _tell_json(scored: _Scored, _language: Language, game: int | None = None) -> None:
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
