"""`domino-duell score`: a game move by move with running totals."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from companion.cli.domino_duell.files import read_text, refusal
from companion.cli.parser import Commands
from companion.cli.wrong_use import WrongUse
from companion.domino_duell.moves import move_record
from companion.domino_duell.wording import (
    arithmetic,
    outcome_line,
    step_line,
    totals_line,
    why_line,
)
from companion.languages import Language
from scorer.domino_duell import DuelError, Game, IllegalTurn, Record, format_turn

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  domino-duell score game.txt
  domino-duell score --json - < game.txt

game.txt:
  players Anna, Ben
  start f6=rtl f7=ycl g5=gml g6=bsw
  Anna: e6=bcl +gsk
  swap 2
"""


def add_parser(commands: Commands) -> None:
    """Add `score` to the subcommands."""
    parser = commands.add_parser(
        "score",
        help="score a game move by move",
        description="Score a game that was written down, move by move with its reasons and the "
        "running totals. Exit code: 0, 1 if a turn is against the rules (those before it are "
        "scored), 2 for wrong use or a text that can't be understood.",
        epilog=EXAMPLES,
    )
    parser.add_argument("file", metavar="MOVES.txt", help='the game, or "-" for standard input')
    parser.add_argument("--json", action="store_true", help="a line of JSON for each turn")
    parser.set_defaults(run=run)


@dataclass(frozen=True)
class _Played:
    """The game as far as the rules allow it, and what they say against the next turn."""

    game: Game
    refused: IllegalTurn | None = None


def run(args: argparse.Namespace) -> int:
    """Score the game; 0, or 1 where a turn is not allowed. WrongUse for a text that is no game."""
    text = read_text(args.file, args.language)
    try:
        record = Record.parse(text)
    except DuelError as error:
        raise WrongUse(refusal(args.file, error, args.language)) from error
    played = _played(record, text)
    lines = _json_lines(played.game) if args.json else _text_lines(played.game, args.language)
    for line in lines:
        print(line)
    if played.refused is None:
        return 0
    print(refusal(args.file, played.refused, args.language), file=sys.stderr)
    return 1


def _played(record: Record, text: str) -> _Played:
    game = Game.start(record.set_up)
    lines = text.splitlines()
    for turn, number in zip(record.turns, record.lines, strict=True):
        try:
            game = game.after(turn)
        except IllegalTurn as error:
            line = lines[number - 1]
            place = {"line": number, "column": len(line) - len(line.lstrip()) + 1}
            return _Played(game, IllegalTurn(error.code, **(error.details | place)))
    return _Played(game)


def _text_lines(game: Game, language: Language) -> Iterator[str]:
    players = game.set_up.players
    for number, step in enumerate(game.steps, start=1):
        yield step_line(number, players[step.player], step, language)
        if step.move:
            yield f"   {why_line(step.move, language)}: {arithmetic(step.move, language)}"
        yield f"   {totals_line(players, step.totals, language)}"
    yield outcome_line(game, language)


def _json_lines(game: Game) -> Iterator[str]:
    players = game.set_up.players
    for number, step in enumerate(game.steps, start=1):
        record: dict[str, object] = {
            "number": number,
            "player": players[step.player],
            "turn": format_turn(step.turn),
            "points": step.points,
        }
        if step.move:
            record["move"] = move_record(step.move)
        if step.taken:
            record["taken"] = str(step.taken)
        record["totals"] = dict(zip(players, step.totals, strict=True))
        yield json.dumps(record, ensure_ascii=False)
    outcome = {
        "over": game.over,
        "to_move": None if game.to_move is None else players[game.to_move],
        "totals": dict(zip(players, game.totals, strict=True)),
        "winners": list(game.leaders) if game.over else [],
    }
    yield json.dumps(outcome, ensure_ascii=False)
