"""Where much of a kingdom is in doubt, the rest is doubted sooner."""

from __future__ import annotations

import numpy as np
import pytest

from scorer.kingdomino import Kingdom
from vision.kingdomino.judge.doubts import DoubtSettings, doubt_rest
from vision.kingdomino.result import KingdomReading, SquareReading

SETTINGS = DoubtSettings()
ROW = "c w f s l g m w f s l g m w f s l g m . ."
COUNT = 19


def reading(
    doubtful: int, probability: float, warnings: tuple[str, ...] = (), *, hidden: int = 0
) -> KingdomReading:
    """A row of 19 squares and two empty cells; the first ones are doubtful, or the last hidden."""
    labels = ROW.split()
    row = tuple(
        SquareReading(label, probability, None, k < doubtful or k >= len(labels) - hidden)
        for k, label in enumerate(labels)
    )
    return KingdomReading(Kingdom.parse(ROW), (row,), np.eye(3), warnings=warnings)


def flags(seen: KingdomReading) -> int:
    return len(doubt_rest(seen, SETTINGS).doubtful)


@pytest.mark.parametrize(
    ("doubtful", "probability", "count"),
    [(5, 0.99, COUNT), (5, 0.996, 5), (4, 0.99, 4), (0, 0.9, 0)],
)
def test_from_some_doubts_on_the_other_squares_must_be_surer(
    doubtful: int, probability: float, count: int
) -> None:
    assert flags(reading(doubtful, probability)) == count


@pytest.mark.parametrize(("doubtful", "count"), [(7, 7), (8, 2 * COUNT)])
def test_in_a_large_kingdom_it_takes_a_fifth_of_its_squares(doubtful: int, count: int) -> None:
    first, second = reading(doubtful, 0.99), reading(0, 0.99)
    rows = (first.squares[0], second.squares[0])
    kingdom = Kingdom.parse(f"{ROW}/{ROW.replace('c', 'm')}")
    assert flags(KingdomReading(kingdom, rows, np.eye(3))) == count


def test_empty_cells_in_doubt_make_no_others() -> None:
    assert flags(reading(3, 0.99, hidden=2)) == 5


def test_a_few_doubts_in_a_small_kingdom_make_no_others() -> None:
    row = tuple(SquareReading(label, 0.99, None, label in "wfs") for label in "cwfslgm")
    seen = KingdomReading(Kingdom.parse("c w f s l g m"), (row,), np.eye(3))
    assert flags(seen) == 3


@pytest.mark.parametrize(
    ("warnings", "doubtful", "all_of_it"),
    [
        (("hidden", "blurred"), 10, True),
        (("dark",), 10, True),
        (("grey",), 10, True),
        (("blurred",), 9, False),
        (("glare", "hidden"), 15, False),
        ((), 15, False),
    ],
)
def test_where_poor_light_leaves_half_of_a_kingdom_in_doubt_all_of_it_is(
    warnings: tuple[str, ...], doubtful: int, all_of_it: bool
) -> None:
    seen = reading(doubtful, 0.999, warnings)
    (told,) = doubt_rest(seen, SETTINGS).squares
    assert sum(square.doubtful for square in told) == (len(told) if all_of_it else doubtful)
    assert told[:doubtful] == seen.squares[0][:doubtful]
    assert told[-1].reason == (warnings[-1] if all_of_it else None)


def test_the_reason_is_the_light_or_else_the_other_doubts() -> None:
    (plain,) = doubt_rest(reading(5, 0.99), SETTINGS).squares
    assert plain[6].reason == "many_doubts"
    assert plain[0].reason is None
    (dim,) = doubt_rest(reading(5, 0.99, ("dark",)), SETTINGS).squares
    assert dim[6].reason == "dark"
