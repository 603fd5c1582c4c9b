"""Dominoes, games and what is odd about them, said in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from companion.languages import Language, say
from scorer.errors import CodedError
from scorer.pip_dominoes import GameProblem, HandProblem

__all__ = [
    "count_of_dominoes",
    "count_of_pips",
    "count_of_points",
    "list_of",
    "problem_line",
    "rules_message",
]


def count_of_points(count: int, language: Language) -> str:
    return say("points", language, count=count)


def count_of_pips(count: int, language: Language) -> str:
    return say("pips.one" if count == 1 else "pips.several", language, count=count)


def count_of_dominoes(count: int, language: Language) -> str:
    return say("dominoes.one" if count == 1 else "dominoes.several", language, count=count)


def list_of(names: Sequence[object], language: Language) -> str:
    """Names in a sentence: "Anna, Ben and Cleo"."""
    *before, last = map(str, names)
    if not before:
        return last
    return say("list.and", language, before=", ".join(before), last=last)


def rules_message(error: CodedError, language: Language) -> str:
    """Why a text, a set-up or a game is refused."""
    details = {
        name: list_of(value, language) if isinstance(value, tuple) else value
        for name, value in error.details.items()
    }
    return say(f"domino_error.{error.code}", language, **details)


def problem_line(problem: GameProblem | HandProblem, language: Language) -> str:
    """What is odd about a game or a round, with the number of the round where it has one."""
    expected = problem.expected if isinstance(problem, GameProblem) else None
    line = say(
        f"domino_problem.{problem.code}",
        language,
        players=list_of(problem.players, language) if problem.players else "",
        tile=problem.tile,
        expected=expected,
    )
    number = problem.round if isinstance(problem, GameProblem) else None
    if number is None:
        return line
    return say("domino_problem.in_round", language, round=number, problem=line)
