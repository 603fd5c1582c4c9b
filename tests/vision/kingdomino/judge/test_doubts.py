"""Doubt where much of a kingdom is in doubt, and halves without their other half."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scorer.kingdomino import Kingdom, Square
from vision.kingdomino.judge.doubts import (
    DoubtSettings,
    MissingSettings,
    doubt_rest,
    flag_missing_halves,
)
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


MISSING_SETTINGS = MissingSettings()


def missing_reading(rows: str, **changes: SquareReading) -> KingdomReading:
    """A reading of sure squares in notation; ``changes`` by cell, such as r1c2."""
    squares = tuple(
        tuple(
            changes.get(f"r{r}c{c}", SquareReading(label, 0.99))
            for c, label in enumerate(row.split())
        )
        for r, row in enumerate(rows.split("/"))
    )
    kingdom = Kingdom(tuple(tuple(Square.parse(s.label) for s in row) for row in squares))
    return KingdomReading(kingdom, squares, np.eye(3))


def test_a_square_without_its_other_half_makes_empty_cells_beside_squares_doubtful() -> None:
    whole = missing_reading("c w ./w w .")
    assert flag_missing_halves(whole, MISSING_SETTINGS) is whole
    odd = flag_missing_halves(replace(whole, unpaired=frozenset({(0, 1)})), MISSING_SETTINGS)
    assert odd.doubtful == ((0, 2), (1, 2))
    assert odd.squares[0][2].reason == "hidden"
    assert odd.warnings == ("hidden",)


def test_what_settling_took_away_for_want_of_a_half_is_there_again() -> None:
    taken = SquareReading(".", 0.03, "l1", True, settled_from="l1")
    found = flag_missing_halves(missing_reading("c w ./w . .", r1c1=taken), MISSING_SETTINGS)
    assert str(found.kingdom) == "c w ./w l1 ."
    again = found.squares[1][1]
    assert (again.label, again.doubtful, again.reason) == ("l1", True, "hidden")
    assert again.probability == 0.03
    assert found.squares[0][2].reason == "hidden"


def test_what_settling_made_up_is_as_it_was_seen() -> None:
    made_up = SquareReading("f", 0.001, "w", True, settled_from="w")
    found = flag_missing_halves(missing_reading("c f ./w w .", r0c1=made_up), MISSING_SETTINGS)
    assert str(found.kingdom) == "c w ./w w ."


def test_what_settling_corrected_stays_corrected() -> None:
    corrected = SquareReading("w1", 0.3, "w", True, settled_from="w")
    settled = missing_reading("c w1 ./w w .", r0c1=corrected)
    assert flag_missing_halves(settled, MISSING_SETTINGS) is settled


def test_half_a_square_that_settling_took_away_stays_away() -> None:
    sliver = SquareReading(".", 0.15, "s", True, settled_from="s")
    settled = flag_missing_halves(missing_reading("c w ./w w s", r0c2=sliver), MISSING_SETTINGS)
    assert str(settled.kingdom) == "c w ./w w s"


def test_a_castle_that_settling_denied_tells_of_nothing_hidden() -> None:
    second = SquareReading("w", 0.02, "c", True, settled_from="c")
    settled = missing_reading("c w ./w w .", r1c1=second)
    assert flag_missing_halves(settled, MISSING_SETTINGS) is settled


def test_the_castle_that_settling_found_stays() -> None:
    found = SquareReading("c", 0.009, "f1", True, settled_from="f1")
    settled = missing_reading("c w ./w w .", r0c0=found)
    assert flag_missing_halves(settled, MISSING_SETTINGS) is settled


def test_without_any_empty_cell_settling_has_its_way() -> None:
    made_up = SquareReading("f", 0.001, "l1", True, settled_from="l1")
    settled = missing_reading("c w/w f", r1c1=made_up)
    assert flag_missing_halves(settled, MISSING_SETTINGS) is settled


def test_a_cover_spreads_over_empty_cells_where_the_box_misses_a_square() -> None:
    covered = SquareReading(".", 0.99, "w", True, reason="hidden")
    told = missing_reading("c w . ./w w w ./. w w w", r0c2=covered)
    assert flag_missing_halves(told, MISSING_SETTINGS).doubtful == ((0, 2),)
    # Where the box misses a square, that may lie in any of them.
    missed = replace(told, unpaired=frozenset({(1, 2)}))
    found = flag_missing_halves(missed, MISSING_SETTINGS)
    assert {(0, 2), (0, 3), (1, 3)} <= set(found.doubtful)


def test_a_cell_that_is_half_hidden_is_told() -> None:
    half = SquareReading(".", 0.6, "m2", True)
    found = flag_missing_halves(missing_reading("c w . ./w w w w", r0c2=half), MISSING_SETTINGS)
    assert found.doubtful == ((0, 2),)
    assert found.squares[0][2].reason == "hidden"
    assert found.warnings == ("hidden",)
    sure = SquareReading(".", 0.95, "m2", True)
    almost = missing_reading("c w . ./w w w w", r0c2=sure)
    assert flag_missing_halves(almost, MISSING_SETTINGS) is almost


def test_a_half_that_is_missing_beyond_the_extent_is_told() -> None:
    odd = replace(missing_reading("c w/w l"), unpaired=frozenset({(1, 1)}))
    found = flag_missing_halves(odd, MISSING_SETTINGS)
    assert found.warnings == ("hidden",)
    assert found.squares == odd.squares


def test_settling_that_knew_of_what_is_hidden_has_its_way() -> None:
    covered = SquareReading(".", 0.99, "w", True, reason="hidden")
    taken = SquareReading(".", 0.03, "l1", True, settled_from="l1")
    found = flag_missing_halves(
        missing_reading("c w ./w . .", r0c2=covered, r1c1=taken), MISSING_SETTINGS
    )
    assert found.squares[1][1].label == "."
