"""`domino-duell judge`: what the rules say of positions given as lines of JSON."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from companion.cli.bounded_text import MAX_TEXT_BYTES, TextTooLong, bounded_lines
from companion.cli.parser import Commands
from companion.domino_duell.moves import CaseError, judged
from companion.domino_duell.wording import reason_line
from companion.languages import Language, say
from scorer.domino_duell import DuelError

__all__ = ["add_parser", "run"]

EXAMPLES = """\
examples:
  domino-duell judge < cases.jsonl

cases.jsonl:
  {"id": "a", "board": {"f6": "rtl", "g5": "gml"}, "stone": "bcl", "hollow": "e6"}
  {"id": "b", "board": {"f6": "rtl", "g5": "gml"}, "hand": ["bcl", "rcw"]}
"""


def add_parser(commands: Commands) -> None:
    """Add `judge` to the subcommands."""
    parser = commands.add_parser(
        "judge",
        help="judge positions given as lines of JSON",
        description="Read a case from each line of the standard input: a board with a stone "
        "and a hollow, or with a hand. Print for each its id with the points and groups of the "
        "move or the reason against it, or the number of legal moves and the best of them. "
        "Exit code: 0, or 1 if a line is no case.",
        epilog=EXAMPLES,
    )
    parser.add_argument("--json", action="store_true", help="as always: the output is JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
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
            _tell("kingdoms.too_long", args.language, file=where, limit=MAX_TEXT_BYTES)
            return 1
        try:
            text = line.decode("utf-8-sig").rstrip()
        except UnicodeDecodeError as error:
            column, reason = error.start + 1, error.reason
            _tell("duell.bad_json", args.language, line=number, column=column, reason=reason)
            code = 1
            continue
        if text and not _judge(text, number, args.language):
            code = 1


def _judge(text: str, number: int, language: Language) -> bool:
    """Print the judgement on one line; False, and the reason told, where it is no case."""
    try:
        case: Any = json.loads(text)
    except RecursionError:
        _tell("duell.bad_case", language, line=number, reason="RecursionError")
        return False
    except json.JSONDecodeError as error:
        _tell("duell.bad_json", language, line=number, column=error.colno, reason=error.msg)
        return False
    except ValueError as error:  # A number of thousands of digits.
        _tell("duell.bad_case", language, line=number, reason=str(error))
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
        _tell("duell.bad_case", language, line=number, reason=reason)
        return False
    except DuelError as error:
        _tell("duell.bad_case", language, line=number, reason=reason_line(error, language))
        return False
    print(json.dumps({"id": case["id"], **told}, ensure_ascii=False))
    return True


def _tell(code: str, language: Language, **values: object) -> None:
    print(say(code, language, **values), file=sys.stderr)
