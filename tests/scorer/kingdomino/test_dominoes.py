"""The dominoes against the counts on the sheet, and how they are laid."""

from __future__ import annotations

import csv
import os
from collections import Counter
from pathlib import Path

import pytest

from scorer.kingdomino import BASE_DOMINOES, GIANT_DOMINOES, Domino, Kingdom, LaidDomino
from scorer.kingdomino.dominoes import find_laying_order


def counts(dominoes: tuple[Domino, ...]) -> Counter[str]:
    return Counter(str(square) for each in dominoes for square in (each.left, each.right))


def test_squares_of_the_base_game() -> None:
    assert counts(BASE_DOMINOES) == {
        "w": 21,
        "w1": 5,
        "f": 16,
        "f1": 6,
        "l": 12,
        "l1": 6,
        "g": 10,
        "g1": 2,
        "g2": 2,
        "s": 6,
        "s1": 2,
        "s2": 2,
        "m": 1,
        "m1": 1,
        "m2": 3,
        "m3": 1,
    }
    assert len(BASE_DOMINOES) == 48
    assert sum(each.left.crowns + each.right.crowns for each in BASE_DOMINOES) == 39


def test_squares_of_the_expansion() -> None:
    assert counts(GIANT_DOMINOES) == {
        "w": 3,
        "f": 2,
        "l": 2,
        "g": 3,
        "m": 1,
        "s": 1,
        "w2": 1,
        "f1": 1,
        "f2": 1,
        "l1": 1,
        "l2": 1,
        "g1": 1,
        "g2": 1,
        "s1": 2,
        "s2": 1,
        "m1": 1,
        "m2": 1,
    }


def test_numbers() -> None:
    assert [each.number for each in BASE_DOMINOES] == [str(number) for number in range(1, 49)]
    assert [each.number for each in GIANT_DOMINOES] == [*"ABCDEF", *map(str, range(49, 55))]


def test_the_published_table() -> None:
    folder = os.environ.get("KINGDOMINO_DATA")
    if not folder:
        pytest.skip("KINGDOMINO_DATA is not set: no table to compare with")
    with Path(folder, "rules", "dominoes.csv").open(newline="", encoding="utf-8") as file:
        table = [(row["number"], row["left"], row["right"]) for row in csv.DictReader(file)]
    ours = [(d.number, str(d.left), str(d.right)) for d in BASE_DOMINOES + GIANT_DOMINOES]
    assert ours == table


def test_only_the_pairs_of_the_base_game_are_certain() -> None:
    laid = [
        LaidDomino(domino, (0, 0), (0, 1)) for domino in (*BASE_DOMINOES, *GIANT_DOMINOES, None)
    ]
    assert [each.is_certain for each in laid] == [True] * 48 + [False] * 13


def test_laying_order_follows_the_rule() -> None:
    kingdom = Kingdom.parse("c w f f l")
    first, second = LaidDomino(None, (0, 1), (0, 2)), LaidDomino(None, (0, 3), (0, 4))
    assert find_laying_order(kingdom, [second, first]) == [first, second]
    assert find_laying_order(kingdom, [second]) == []
