"""The console command `domino-duell`, and each of its subcommands."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.parser import Commands, Console, Parser
from companion.cli.photos import add_photo_arguments, run_over_photos
from companion.cli.terminal import (
    MAX_TEXT_BYTES,
    STANDARD_INPUT,
    TextTooLong,
    WrongUse,
    bounded_lines,
    bounded_text,
    reason_of,
)
from companion.cli.train import Course, add_train_arguments, run_training
from companion.games.domino_duell.texts import (
    CaseError,
    arithmetic,
    judged,
    missing_line,
    move_line,
    move_record,
    outcome_line,
    piece_name,
    reason_line,
    step_line,
    totals_line,
    why_line,
)
from companion.languages import Language, say
from scorer.domino_duell import (
    DuelError,
    Game,
    IllegalTurn,
    Record,
    Stone,
    completions,
    format_turn,
    legal_moves,
    missing_features,
    parse_board,
    parse_piece,
)
from scorer.errors import CodedError

if TYPE_CHECKING:
    from vision.common.refit import LabelledSquares, Refit
    from vision.domino_duell.weights import Head

__all__ = [
    "add_complete",
    "add_judge",
    "add_moves",
    "add_read",
    "add_score",
    "add_train",
    "build_parser",
    "file_name",
    "main",
    "read_text",
    "refusal",
    "run_complete",
    "run_judge",
    "run_moves",
    "run_read",
    "run_score",
    "run_train",
]


def read_text(path: str, language: Language) -> str:
    """The text of a file, or of the standard input for "-". WrongUse where it can't be read."""
    name = file_name(path, language)
    try:
        return bounded_text(path)
    except UnicodeDecodeError as error:
        raise WrongUse(say("duell.no_text", language, file=name)) from error
    except TextTooLong as error:
        said = say("kingdoms.too_long", language, file=name, limit=MAX_TEXT_BYTES)
        raise WrongUse(said) from error
    except (OSError, ValueError) as error:
        reason = reason_of(error, language)
        raise WrongUse(say("duell.no_file", language, file=name, reason=reason)) from error


def file_name(path: str, language: Language) -> str:
    """How a message names the file."""
    return say("duell.standard_input", language) if path == STANDARD_INPUT else path


def refusal(path: str, error: CodedError, language: Language) -> str:
    """What is wrong with the text, and where, as far as the error knows its place."""
    reason = reason_line(error, language)
    file = file_name(path, language)
    if not {"line", "column"} <= error.details.keys():
        return say("duell.in_file", language, file=file, reason=reason)
    line, column = error.details["line"], error.details["column"]
    return say("duell.at", language, file=file, line=line, column=column, reason=reason)


SCORE_EXAMPLES = """\
examples:
  domino-duell score game.txt
  domino-duell score --json - < game.txt

game.txt:
  players Anna, Ben
  start f6=rtl f7=ycl g5=gml g6=bsw
  Anna: e6=bcl +gsk
  swap 2
"""


def add_score(commands: Commands) -> None:
    """Add `score` to the subcommands."""
    parser = commands.add_parser(
        "score",
        help="score a game move by move",
        description="Score a game that was written down, move by move with its reasons and the "
        "running totals. Exit code: 0, 1 if a turn is against the rules (those before it are "
        "scored), 2 for wrong use or a text that can't be understood.",
        epilog=SCORE_EXAMPLES,
    )
    parser.add_argument("file", metavar="MOVES.txt", help='the game, or "-" for standard input')
    parser.add_argument("--json", action="store_true", help="a line of JSON for each turn")
    parser.set_defaults(run=run_score)


@dataclass(frozen=True)
class _Played:
    """The game as far as the rules allow it, and what they say against the next turn."""

    game: Game
    refused: IllegalTurn | None = None


def run_score(args: argparse.Namespace) -> int:
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


MOVES_EXAMPLES = """\
examples:
  domino-duell moves board.txt --hand rcw gtl bsk
  echo "f6=rtl f7=ycl g5=gml g6=bsw" | domino-duell moves - --hand bcl --json
"""


def add_moves(commands: Commands) -> None:
    """Add `moves` to the subcommands."""
    parser = commands.add_parser(
        "moves",
        help="list the moves of a hand",
        description="List every legal move of the stones of a hand on a board, most points "
        "first. Exit code: 0, or 2 for wrong use or a text that can't be understood.",
        epilog=MOVES_EXAMPLES,
    )
    parser.add_argument(
        "file",
        metavar="BOARD.txt",
        help='the stones on the board as f6=rcw, in any order and lines, or "-" for standard '
        "input; lines that start with a bar draw a board of another shape",
    )
    parser.add_argument("--hand", nargs="+", required=True, metavar="STONE", help="the hand")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each move")
    parser.set_defaults(run=run_moves)


def run_moves(args: argparse.Namespace) -> int:
    """List the moves; 0. WrongUse for a text that is no board; DuelError for no stone."""
    hand = [parse_piece(text) for text in args.hand]
    try:
        position = parse_board(read_text(args.file, args.language))
    except DuelError as error:
        raise WrongUse(refusal(args.file, error, args.language)) from error
    moves = legal_moves(position, hand)
    for move in moves:
        if args.json:
            print(json.dumps(move_record(move), ensure_ascii=False))
            continue
        print(move_line(move, args.language))
        print(f"   {why_line(move, args.language)}: {arithmetic(move, args.language)}")
    if not moves and not args.json:
        print(say("duell.no_moves", args.language))
    return 0


COMPLETE_EXAMPLES = """\
examples:
  domino-duell complete rcw rmk
  domino-duell complete rcw rmk rsl
"""


def add_complete(commands: Commands) -> None:
    """Add `complete` to the subcommands."""
    parser = commands.add_parser(
        "complete",
        help="name the missing stone of a triple or a quadruple",
        description="Name the stones that make two stones a triple, or the one that makes a "
        "triple a quadruple, feature by feature. Exit code: 0, 1 if there is none, 2 for wrong "
        "use.",
        epilog=COMPLETE_EXAMPLES,
    )
    parser.add_argument("stones", nargs="+", metavar="STONE", help="two or three stones")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.set_defaults(run=run_complete)


def run_complete(args: argparse.Namespace) -> int:
    """Name the stones; 0, or 1 where there is none. DuelError or WrongUse for wrong use."""
    stones = [Stone.parse(text) for text in args.stones]
    if len(stones) not in (2, 3) or len(set(stones)) < len(stones):
        raise WrongUse(say("duell.wrong_count", args.language))
    found = completions(stones)
    if args.json:
        record = {"stones": [str(stone) for stone in stones], "missing": list(map(str, found))}
        print(json.dumps(record))
        return 0 if found else 1
    for number, missing in enumerate(missing_features(stones)):
        print(missing_line(number, missing, args.language))
    if not found:
        print(say("duell.completes_none", args.language))
        return 1
    names = "; ".join(piece_name(stone, args.language) for stone in found)
    print(say("duell.completes", args.language, stones=names))
    return 0


JUDGE_EXAMPLES = """\
examples:
  domino-duell judge < cases.jsonl

cases.jsonl:
  {"id": "a", "board": {"f6": "rtl", "g5": "gml"}, "stone": "bcl", "hollow": "e6"}
  {"id": "b", "board": {"f6": "rtl", "g5": "gml"}, "hand": ["bcl", "rcw"]}
"""


def add_judge(commands: Commands) -> None:
    """Add `judge` to the subcommands."""
    parser = commands.add_parser(
        "judge",
        help="judge positions given as lines of JSON",
        description="Read a case from each line of the standard input: a board with a stone "
        "and a hollow, or with a hand. Print for each its id with the points and groups of the "
        "move or the reason against it, or the number of legal moves and the best of them. "
        "Exit code: 0, or 1 if a line is no case.",
        epilog=JUDGE_EXAMPLES,
    )
    parser.add_argument("--json", action="store_true", help="as always: the output is JSON")
    parser.set_defaults(run=run_judge)


def run_judge(args: argparse.Namespace) -> int:
    """Judge every line; 0, or 1 if any is no case, which is told on the error stream."""
    code = 0
    lines, number = bounded_lines(), 0
    while True:
        number += 1
        try:
            line = next(lines)
        except StopIteration:
            return code
        except TextTooLong:
            where = say("duell.standard_input", args.language)
            _warn_of("kingdoms.too_long", args.language, file=where, limit=MAX_TEXT_BYTES)
            return 1
        try:
            text = line.decode("utf-8-sig").rstrip()
        except UnicodeDecodeError as error:
            column, reason = error.start + 1, error.reason
            _warn_of("duell.bad_json", args.language, line=number, column=column, reason=reason)
            code = 1
            continue
        if text and not _judge(text, number, args.language):
            code = 1


def _judge(text: str, number: int, language: Language) -> bool:
    """Print the judgement on one line; False, and the reason told, where it is no case."""
    try:
        case: Any = json.loads(text)
    except RecursionError:
        _warn_of("duell.bad_case", language, line=number, reason="RecursionError")
        return False
    except json.JSONDecodeError as error:
        _warn_of("duell.bad_json", language, line=number, column=error.colno, reason=error.msg)
        return False
    except ValueError as error:  # A number of thousands of digits.
        _warn_of("duell.bad_case", language, line=number, reason=str(error))
        return False
    try:
        if not isinstance(case, dict):
            raise CaseError("board", missing=True)
        if "id" not in case:
            raise CaseError("id", missing=True)
        told = judged(case)
    except CaseError as error:
        code = "duell.field_missing" if error.missing else "duell.field_wrong"
        reason = say(code, language, field=error.field)
        _warn_of("duell.bad_case", language, line=number, reason=reason)
        return False
    except DuelError as error:
        _warn_of("duell.bad_case", language, line=number, reason=reason_line(error, language))
        return False
    print(json.dumps({"id": case["id"], **told}, ensure_ascii=False))
    return True


def _warn_of(code: str, language: Language, **values: object) -> None:
    print(say(code, language, **values), file=sys.stderr)


READ_EXAMPLES = """\
examples:
  domino-duell read board.jpg
  domino-duell read --json board.jpg
  domino-duell read --draw checked.jpg board.jpg
  domino-duell read --results evening.jsonl photos/
"""


def add_read(commands: Commands) -> None:
    """Add `read` to the subcommands."""
    parser = commands.add_parser(
        "read",
        help="read the board from photos (tried on drawn pictures only)",
        description="Read which stone lies in which hollow, and say what to check. TRIED ON DRAWN "
        "PICTURES ONLY: no photograph of this game was there to learn from or to measure on. The "
        "whole board must be in the picture; row a is the upper end. The text of one photo is a "
        "board for `moves`. A folder stands for the pictures in it. Exit code: 0 if every photo "
        "was read, 1 if any was not, 2 for wrong use.",
        epilog=READ_EXAMPLES,
    )
    add_photo_arguments(parser)
    parser.set_defaults(run=run_read)


def run_read(args: argparse.Namespace) -> int:
    """Read the photos; returns 0 if all were read, else 1. WrongUse for wrong use."""
    # Imported here, so that help and the other commands start faster.
    from companion.cli.reading_report import ReadingFormat
    from companion.games.domino_duell.reading_text import board_lines, board_record
    from companion.reading.domino_duell import BOARDS

    telling = ReadingFormat(board_record, board_lines, mark="# ")
    return run_over_photos(args, BOARDS, telling, "check")


def add_train(commands: Commands) -> None:
    """Add `train` to the subcommands."""
    add_train_arguments(commands, "domino-duell").set_defaults(run=run_train)


def run_train(args: argparse.Namespace) -> int:
    """Train, undo or export; 0, or 1 where nothing came of it. WrongUse for wrong use."""
    from companion.reading.own_heads import DUEL_HEADS

    return run_training(
        args, Course("domino-duell", "domino_duell", DUEL_HEADS, _read_folder, _refit)
    )


def _read_folder(folder: Path) -> LabelledSquares:
    from vision.domino_duell.refit import read_folder

    return read_folder(folder)


def _refit(hollows: LabelledSquares) -> Refit[Head]:
    from vision.common.network import shipped_weights
    from vision.domino_duell.refit import known_boards, refit
    from vision.domino_duell.weights import Weights, network_of

    return refit(Weights.load(), network_of(shipped_weights()), hollows, known_boards())


COMMANDS = {
    "score": add_score,
    "moves": add_moves,
    "complete": add_complete,
    "judge": add_judge,
    "read": add_read,
    "train": add_train,
}

EXAMPLES = """\
examples:
  domino-duell score game.txt
  domino-duell moves board.txt --hand rcw gtl bsk
  domino-duell complete rcw rmk
"""

CONSOLE = Console(
    program="domino-duell",
    description="Domino-Duell companion: every move scored, and every better one shown. A stone "
    "is written as colour (y r b g: yellow, red, blue, green), symbol (c m t s: circle, moon, "
    "triangle, star) and colour of the symbol (w k g l: white, black, grey, light blue); * is a "
    "joker; f6 is the sixth hollow of row f.",
    examples=EXAMPLES,
    commands=COMMANDS,
    rules_errors=(DuelError,),
    rules_message=reason_line,
)


def build_parser(language: Language = Language.ENGLISH) -> Parser:
    """The parser of the whole command line, with help in that language."""
    return CONSOLE.build_parser(language)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code is 0, 1 or 2 as the command's help says."""
    return CONSOLE.main(argv)


if __name__ == "__main__":
    sys.exit(main())
