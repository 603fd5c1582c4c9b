"""The console command `domino-duell`, and each of its subcommands."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.cli.parser import Commands, Console, number_between
from companion.cli.photos import add_photo_parser, run_over_photos
from companion.cli.terminal import Exit, WrongInput, WrongUse, as_json, reason_of, show, warn
from companion.cli.text_input import (
    MAX_TEXT_BYTES,
    STANDARD_INPUT,
    Line,
    TextTooLong,
    add_texts,
    bounded_lines,
    is_file,
    joined,
    lines_of,
    refusal,
    source_name,
)
from companion.cli.train import Course, add_training
from companion.games.domino_duell.guide import (
    bag_after,
    is_quadruple,
    rules_of_play,
    set_up_lines,
    start_lines,
)
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
from companion.games.guide import text_of
from companion.languages import Language, say
from scorer.domino_duell import (
    HAND_SIZE,
    JOKERS,
    PLAYERS,
    STONES,
    Board,
    DuelError,
    End,
    Game,
    IllegalTurn,
    Record,
    Stone,
    completions,
    format_turn,
    is_record,
    legal_moves,
    missing_features,
    parse_board,
    parse_piece,
)
from scorer.errors import CodedError

if TYPE_CHECKING:
    from vision.common.refit import LabelledSquares, Refit
    from vision.domino_duell.weights import Head


def _refused(lines: Sequence[Line], error: CodedError, language: Language) -> WrongInput:
    """What is wrong with the lines, and where, as far as the error knows its place."""
    line, column = error.details.get("line", 0), error.details.get("column", 0)
    assert isinstance(line, int)
    assert isinstance(column, int)
    return refusal(lines, reason_line(error, language), language, line=line, column=column)


def add_score(commands: Commands) -> None:
    """Add `score` to the subcommands."""
    parser = commands.add_parser(
        "score",
        run_score,
        help="score a game move by move",
        description="Score a game that was written down, move by move with its reasons and the "
        "running totals. Exit code: 0, 1 if a turn is against the rules (those before it are "
        "scored), 2 for wrong use or a text that can't be understood.",
        examples=(
            "domino-duell score game.txt",
            "domino-duell score --board game.txt",
            "domino-duell score --json - < game.txt",
        ),
        files={
            "game.txt": "players Anna, Ben\n"
            "start f6=rtl f7=ycl g5=gml g6=bsw\n"
            "Anna: e6=bcl +gsk\n"
            "swap 2"
        },
    )
    add_texts(parser, "GAME|FILE|-", "the game, line by line, or where it is")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each turn")
    parser.add_argument(
        "--board", action="store_true", help="print the board as it is after the last turn, too"
    )


@dataclass(frozen=True)
class _Played:
    """The game as far as the rules allow it, and what they say against the next turn."""

    game: Game
    refused: IllegalTurn | None = None


def run_score(args: argparse.Namespace) -> int:
    """Score the game; 0, or 1 where a turn is not allowed. WrongInput for a text that is none."""
    lines = lines_of(args.texts, args.file, args.language)
    played = _played(lines, args.language)
    for line in _json_lines(played.game) if args.json else _text_lines(played.game, args.language):
        show(line)
    if args.board and not args.json:
        show(str(played.game.position))
    if played.refused is None:
        return Exit.DONE
    warn(str(_refused(lines, played.refused, args.language)))
    return Exit.NOT_DONE


def _played(lines: Sequence[Line], language: Language) -> _Played:
    """The game of the lines. WrongInput for a text that is no game."""
    record = _record_of(lines, language)
    game = Game.start(record.set_up)
    for turn, number in zip(record.turns, record.lines, strict=True):
        try:
            game = game.after(turn)
        except IllegalTurn as error:
            line = lines[number - 1].text
            place = {"line": number, "column": len(line) - len(line.lstrip()) + 1}
            return _Played(game, IllegalTurn(error.code, **(error.details | place)))
    return _Played(game)


def _record_of(lines: Sequence[Line], language: Language) -> Record:
    try:
        return Record.parse(joined(lines))
    except DuelError as error:
        raise _refused(lines, error, language) from error


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
        yield as_json(record)
    outcome = {
        "over": game.over,
        "to_move": None if game.to_move is None else players[game.to_move],
        "totals": dict(zip(players, game.totals, strict=True)),
        "winners": list(game.leaders) if game.over else [],
    }
    yield as_json(outcome)


def add_setup(commands: Commands) -> None:
    """Add `setup` to the subcommands."""
    parser = commands.add_setup(
        run_setup,
        description="Say how Domino-Duell is set up and played: bag, start stones, hands, who "
        "begins; groups, points, jokers and the ends. Of a game that is written down it says "
        "whether the start stones are a quadruple and who can begin. Exit code: 0, or 2 for wrong "
        "use.",
        examples=(
            "domino-duell setup --players 3",
            "domino-duell setup --players 4 --jokers --quick",
            "domino-duell setup game.txt",
        ),
    )
    add_texts(
        parser,
        "GAME|FILE|-",
        "the game as far as it is written down, line by line, or where it is: whether its start "
        "stones are a quadruple, and who can begin",
    )
    parser.add_argument(
        "--players",
        type=number_between(PLAYERS[0], PLAYERS[-1]),
        metavar="N",
        help="how many play, 2 to 6 (default: those of the game, else 2)",
    )
    parser.add_argument("--jokers", action="store_true", help="with the four jokers")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="the quick game: it ends with the first stone at the edge",
    )
    parser.add_argument("--json", action="store_true", help="one line of JSON")


def run_setup(args: argparse.Namespace) -> int:
    """Print the guide; returns 0. WrongInput for a text that is no game; WrongUse."""
    started = None
    if args.texts or args.file:
        for option in ("players", "jokers", "quick"):
            if getattr(args, option):
                raise WrongUse(say("duell.said_by_game", args.language, option=f"--{option}"))
        lines = lines_of(args.texts, args.file, args.language)
        started = Game.start(_record_of(lines, args.language).set_up)
    set_up = started.set_up if started else None
    players = args.players or (len(set_up.players) if set_up else PLAYERS[0])
    jokers = args.jokers or bool(set_up and set_up.jokers)
    end = End.EDGE if args.quick or (set_up and set_up.end is End.EDGE) else End.STONES
    if args.json:
        show(as_json(_setup_record(players, jokers, end, started)))
        return Exit.DONE
    for line in (
        *set_up_lines(players, args.language, jokers=jokers),
        *(start_lines(started, args.language) if started else ()),
        *text_of(rules_of_play(args.language, jokers=jokers, end=end)),
    ):
        show(line)
    return Exit.DONE


def _setup_record(players: int, jokers: bool, end: End, started: Game | None) -> dict[str, Any]:
    return {
        "players": players,
        "pieces": len(STONES) + (JOKERS if jokers else 0),
        "jokers": jokers,
        "draw": HAND_SIZE,
        "bag": bag_after(players, jokers=jokers),
        "end": end.value,
        "start_is_quadruple": is_quadruple(started) if started else None,
        "able_to_begin": list(started.able_to_begin()) if started else None,
    }


def add_moves(commands: Commands) -> None:
    """Add `moves` to the subcommands."""
    parser = commands.add_parser(
        "moves",
        run_moves,
        help="list the moves of a hand",
        description="List every legal move of the stones of a hand on a board, most points "
        "first. Exit code: 0, or 2 for wrong use or a text that can't be understood.",
        examples=(
            "domino-duell moves board.txt --hand rcw gtl bsk",
            'echo "f6=rtl f7=ycl g5=gml g6=bsw" | domino-duell moves - --hand bcl --json',
        ),
    )
    add_texts(
        parser,
        "BOARD|FILE|-",
        "the stones on the board as f6=rcw, in any order and lines, or where they are; lines that "
        "start with a bar draw a board of another shape; a game stands for its board as it is "
        "after the last turn",
    )
    parser.add_argument("--hand", nargs="+", required=True, metavar="STONE", help="the hand")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each move")


def run_moves(args: argparse.Namespace) -> int:
    """List the moves; 0. WrongInput for a text that is no board; DuelError for no stone."""
    hand = [parse_piece(text) for text in args.hand]
    lines = lines_of(args.texts, args.file, args.language)
    moves = legal_moves(_board_of(lines, args.language), hand)
    for move in moves:
        if args.json:
            show(as_json(move_record(move)))
            continue
        show(move_line(move, args.language))
        show(f"   {why_line(move, args.language)}: {arithmetic(move, args.language)}")
    if not moves and not args.json:
        show(say("duell.no_moves", args.language))
    return Exit.DONE


def _board_of(lines: Sequence[Line], language: Language) -> Board:
    """The board of its own text or of that of a game, which starts with the players."""
    if is_record(joined(lines)):
        played = _played(lines, language)
        if played.refused is not None:
            raise _refused(lines, played.refused, language)
        return played.game.position
    try:
        return parse_board(joined(lines))
    except DuelError as error:
        raise _refused(lines, error, language) from error


def add_complete(commands: Commands) -> None:
    """Add `complete` to the subcommands."""
    parser = commands.add_parser(
        "complete",
        run_complete,
        help="name the missing stone of a triple or a quadruple",
        description="Name the stones that make two stones a triple, or the one that makes a "
        "triple a quadruple, feature by feature. Exit code: 0, 1 if there is none, 2 for wrong "
        "use.",
        examples=(
            "domino-duell complete rcw rmk",
            "domino-duell complete rcw rmk rsl",
        ),
    )
    parser.add_argument("stones", nargs="+", metavar="STONE", help="two or three stones")
    parser.add_argument("--json", action="store_true", help="one line of JSON")


def run_complete(args: argparse.Namespace) -> int:
    """Name the stones; 0, or 1 where there is none. DuelError or WrongUse for wrong use."""
    stones = [Stone.parse(text) for text in args.stones]
    if len(stones) not in (2, 3) or len(set(stones)) < len(stones):
        raise WrongUse(say("duell.wrong_count", args.language))
    found = completions(stones)
    if args.json:
        record = {"stones": [str(stone) for stone in stones], "missing": list(map(str, found))}
        show(as_json(record))
        return Exit.DONE if found else Exit.NOT_DONE
    for number, missing in enumerate(missing_features(stones)):
        show(missing_line(number, missing, args.language))
    if not found:
        show(say("duell.completes_none", args.language))
        return Exit.NOT_DONE
    names = "; ".join(piece_name(stone, args.language) for stone in found)
    show(say("duell.completes", args.language, stones=names))
    return Exit.DONE


def add_judge(commands: Commands) -> None:
    """Add `judge` to the subcommands."""
    parser = commands.add_parser(
        "judge",
        run_judge,
        help="judge positions given as lines of JSON",
        description="Read a case from each line: a board with a stone "
        "and a hollow, or with a hand. Print for each its id with the points and groups of the "
        "move or the reason against it, or the number of legal moves and the best of them. "
        "Exit code: 0, or 1 if a line is no case.",
        examples=("domino-duell judge < cases.jsonl",),
        files={
            "cases.jsonl": '{"id": "a", "board": {"f6": "rtl", "g5": "gml"}, "stone": "bcl", '
            '"hollow": "e6"}\n'
            '{"id": "b", "board": {"f6": "rtl", "g5": "gml"}, "hand": ["bcl", "rcw"]}'
        },
    )
    add_texts(parser, "CASE|FILE|-", "cases, one a line, or where they are (default: -)")
    parser.add_argument("--json", action="store_true", help="as always: the output is JSON")


def run_judge(args: argparse.Namespace) -> int:
    """Judge every line; 0, or 1 if any is no case, which is said on the error stream."""
    well = True
    for text in args.texts if args.texts or args.file else [STANDARD_INPUT]:
        if is_file(text):
            well &= _judge_file(text, args.language)
        else:
            well &= _judge_line(Line(text), args.language)
    for file in args.file:
        well &= _judge_file(file, args.language)
    return Exit.DONE if well else Exit.NOT_DONE


def _judge_file(file: str, language: Language) -> bool:
    """Judge a file of any length line by line; WrongInput for one that can't be read."""
    name, well, number = source_name(file, language), True, 0
    try:
        for number, line in enumerate(_lines_read(file, language), start=1):
            try:
                text = line.decode("utf-8-sig").rstrip()
            except UnicodeDecodeError as error:
                said = say("input.line_not_text", language)
                warn(str(Line("", name, number).refused(said, language, error.start + 1)))
                well = False
                continue
            well &= not text or _judge_line(Line(text, name, number), language)
    except TextTooLong:
        said = say("input.too_long", language, file=name, limit=MAX_TEXT_BYTES)
        warn(str(Line("", name, number + 1).refused(said, language)))
        return False
    return well


def _lines_read(file: str, language: Language) -> Iterator[bytes]:
    """The lines; what goes wrong with the output, while one is judged, is no fault of theirs."""
    try:
        yield from bounded_lines(file)
    except TextTooLong:
        raise
    except (OSError, ValueError) as error:
        name, reason = source_name(file, language), reason_of(error, language)
        raise WrongInput(say("input.unreadable", language, file=name, reason=reason)) from error


def _judge_line(line: Line, language: Language) -> bool:
    """Print the judgement on one line; False, and the reason printed, where it is no case."""
    column = 0
    try:
        case: Any = json.loads(line.text)
        if not isinstance(case, dict):
            raise CaseError("board", missing=True)
        if "id" not in case:
            raise CaseError("id", missing=True)
        found = as_json({"id": case["id"], **judged(case)})
    except CaseError as error:
        code = "duell.field_missing" if error.missing else "duell.field_wrong"
        reason = say(code, language, field=error.field)
    except DuelError as error:
        reason = reason_line(error, language)
    except (RecursionError, ValueError) as error:  # As by a number of thousands of digits.
        reason = say("duell.no_json", language)
        column = error.colno if isinstance(error, json.JSONDecodeError) else 0
    else:
        show(found)
        return True
    warn(str(line.refused(say("duell.bad_case", language, reason=reason), language, column)))
    return False


def add_read(commands: Commands) -> None:
    """Add `read` to the subcommands."""
    add_photo_parser(
        commands,
        run_read,
        help="read the board from photos (tried on drawn pictures only)",
        description="Read which stone lies in which hollow, and say what to check. TRIED ON DRAWN "
        "PICTURES ONLY: no photograph of this game was there to learn from or to measure on. The "
        "whole board must be in the picture; row a is the upper end. The text of one photo is a "
        "board for `moves`. A folder stands for the pictures in it. Exit code: 0 if every photo "
        "was read, 1 if any was not, 2 for wrong use.",
        examples=(
            "domino-duell read board.jpg",
            "domino-duell read --json board.jpg",
            "domino-duell read --draw checked.jpg board.jpg",
            "domino-duell read --results evening.jsonl photos/",
        ),
    )


def run_read(args: argparse.Namespace) -> int:
    """Read the photos; returns 0 if all were read, else 1. WrongUse for wrong use."""
    # Imported here, so that help and the other commands start faster.
    from companion.cli.reading_report import ReadingFormat
    from companion.games.domino_duell.reading_text import board_lines, board_record
    from companion.reading.domino_duell import BOARDS

    form = ReadingFormat(board_record, board_lines, mark="# ")
    return run_over_photos(args, BOARDS, form, "check")


def _course() -> Course:
    from companion.reading.own_heads import DUEL_HEADS
    from vision.domino_duell.refit import read_folder

    return Course("domino-duell", "domino_duell", DUEL_HEADS, read_folder, _refit)


def _refit(hollows: LabelledSquares) -> Refit[Head]:
    from vision.common.network import shipped_weights
    from vision.domino_duell.refit import known_boards, refit
    from vision.domino_duell.weights import Weights, network_of

    return refit(Weights.load(), network_of(shipped_weights()), hollows, known_boards())


CONSOLE = Console(
    program="domino-duell",
    description="Domino-Duell companion: every move scored, and every better one shown. A stone "
    "is written as colour (y r b g: yellow, red, blue, green), symbol (c m t s: circle, moon, "
    "triangle, star) and colour of the symbol (w k g l: white, black, grey, light blue); * is a "
    "joker; f6 is the sixth hollow of row f.",
    examples=(
        "domino-duell score game.txt",
        "domino-duell moves board.txt --hand rcw gtl bsk",
        "domino-duell complete rcw rmk",
    ),
    commands=(
        add_score,
        add_setup,
        add_moves,
        add_complete,
        add_judge,
        add_read,
        lambda commands: add_training(commands, _course),
    ),
    rules_errors=(DuelError,),
    rules_message=reason_line,
)

build_parser, main = CONSOLE.build_parser, CONSOLE.main

if __name__ == "__main__":
    sys.exit(main())
