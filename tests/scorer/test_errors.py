"""Errors with a code: what they say, and how they get to another process."""

from __future__ import annotations

import pickle
from typing import ClassVar

import pytest

from scorer.errors import CodedError


class RoundError(CodedError):
    """An error of these tests."""

    sentences: ClassVar[dict[str, str]] = {
        "twice": "In round {round} {players} have it, {count} times.",
        "nobody": "Nobody has {what}.",
        "where": "See {0}.",
    }
    from_0: ClassVar[frozenset[str]] = frozenset({"round", "name"})


def test_the_text_is_the_code_and_what_it_means() -> None:
    error = RoundError("twice", round=0, players=("Anna", "Ben", "Cleo"), count=2)
    assert str(error) == "twice: In round 1 Anna, Ben and Cleo have it, 2 times."
    assert error.args == ("twice",)
    assert (error.code, error.details["round"]) == ("twice", 0)
    assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    ("what", "said"), [((), ""), ((7,), "7"), ((7, 8), "7 and 8"), ("a list", "a list"), (3, "3")]
)
def test_several_are_a_list_in_a_sentence(what: object, said: str) -> None:
    assert str(RoundError("nobody", what=what)) == f"nobody: Nobody has {said}."


@pytest.mark.parametrize("code", ["unknown", "nobody", "where"])
def test_without_a_sentence_or_what_it_needs_the_details_are_told(code: str) -> None:
    assert str(RoundError(code, round=0, name="x")) == f"{code} round=0 name='x'"


def test_what_counts_from_0_is_said_from_1_and_nothing_else() -> None:
    error = RoundError("unknown", round=3, count=3, name="from text nothing is counted")
    assert error.values == {"round": 4, "count": 3, "name": "from text nothing is counted"}


def test_another_process_gets_the_same_error() -> None:
    error = RoundError("twice", round=1, players=("Anna",))
    there = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own bytes
    assert (type(there), there.code, there.details) == (RoundError, error.code, error.details)
