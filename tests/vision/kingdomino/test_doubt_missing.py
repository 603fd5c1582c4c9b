"""Halves without their other half: where a square may be hidden."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scorer.kingdomino import Kingdom, Square
from vision.kingdomino.doubt import flag_missing_halves
from vision.kingdomino.result import KingdomReading, SquareReading


def reading(rows: str, **changes: SquareReading) -> KingdomReading:
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
    whole = reading("c w ./w w .")
    assert flag_missing_halves(whole) is whole
    odd = flag_missing_halves(replace(whole, unpaired=frozenset({(0, 1)})))
    assert odd.doubtful == ((0, 2), (1, 2))
    assert odd.squares[0][2].reason == "hidden"
    assert odd.warnings == ("hidden",)


def test_what_the_edge_of_the_picture_cuts_off_is_not_told_as_hidden_too() -> None:
    odd = replace(reading("c w/w w"), unpaired=frozenset({(1, 0)}))
    assert flag_missing_halves(odd).warnings == ("hidden",)
    assert flag_missing_halves(replace(odd, warnings=("cut_off",))).warnings == ("cut_off",)
    hole = replace(reading("c w/w ."), unpaired=frozenset({(1, 0)}), warnings=("cut_off",))
    assert flag_missing_halves(hole).warnings == ("cut_off", "hidden")


def test_what_settling_took_away_for_want_of_a_half_is_there_again() -> None:
    taken = SquareReading(".", 0.03, "l1", True, settled_from="l1")
    found = flag_missing_halves(reading("c w ./w . .", r1c1=taken))
    assert str(found.kingdom) == "c w ./w l1 ."
    again = found.squares[1][1]
    assert (again.label, again.doubtful, again.reason) == ("l1", True, "hidden")
    assert again.probability == 0.03
    assert found.squares[0][2].reason == "hidden"


def test_what_settling_made_up_is_as_it_was_seen() -> None:
    made_up = SquareReading("f", 0.001, "w", True, settled_from="w")
    found = flag_missing_halves(reading("c f ./w w .", r0c1=made_up))
    assert str(found.kingdom) == "c w ./w w ."


def test_what_settling_corrected_stays_corrected() -> None:
    corrected = SquareReading("w1", 0.3, "w", True, settled_from="w")
    settled = reading("c w1 ./w w .", r0c1=corrected)
    assert flag_missing_halves(settled) is settled


def test_half_a_square_that_settling_took_away_stays_away() -> None:
    sliver = SquareReading(".", 0.15, "s", True, settled_from="s")
    settled = flag_missing_halves(reading("c w ./w w s", r0c2=sliver))
    assert str(settled.kingdom) == "c w ./w w s"


def test_a_castle_that_settling_denied_tells_of_nothing_hidden() -> None:
    second = SquareReading("w", 0.02, "c", True, settled_from="c")
    settled = reading("c w ./w w .", r1c1=second)
    assert flag_missing_halves(settled) is settled


def test_the_castle_that_settling_found_stays() -> None:
    found = SquareReading("c", 0.009, "f1", True, settled_from="f1")
    settled = reading("c w ./w w .", r0c0=found)
    assert flag_missing_halves(settled) is settled


def test_without_any_empty_cell_settling_has_its_way() -> None:
    made_up = SquareReading("f", 0.001, "l1", True, settled_from="l1")
    settled = reading("c w/w f", r1c1=made_up)
    assert flag_missing_halves(settled) is settled


def test_a_cover_spreads_over_empty_cells_where_the_box_misses_a_square() -> None:
    covered = SquareReading(".", 0.99, "w", True, reason="hidden")
    told = reading("c w . ./w w w ./. w w w", r0c2=covered)
    assert flag_missing_halves(told).doubtful == ((0, 2),)
    # Where the box misses a square, that may lie in any of them.
    missed = replace(told, unpaired=frozenset({(1, 2)}))
    found = flag_missing_halves(missed)
    assert {(0, 2), (0, 3), (1, 3)} <= set(found.doubtful)


def test_a_half_that_is_missing_beyond_the_extent_is_told() -> None:
    odd = replace(reading("c w/w l"), unpaired=frozenset({(1, 1)}))
    found = flag_missing_halves(odd)
    assert found.warnings == ("hidden",)
    assert found.squares == odd.squares


def test_settling_that_knew_of_what_is_hidden_has_its_way() -> None:
    covered = SquareReading(".", 0.99, "w", True, reason="hidden")
    taken = SquareReading(".", 0.03, "l1", True, settled_from="l1")
    found = flag_missing_halves(reading("c w ./w . .", r0c2=covered, r1c1=taken))
    assert found.squares[1][1].label == "."
