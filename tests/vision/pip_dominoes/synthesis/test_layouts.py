"""The layouts of 0 to 18 against the table of the rules."""

from __future__ import annotations

import numpy as np
import pytest

from training.pip_dominoes.scenes.face import HIGHEST, common_layout, varied_layout

# Rows from the top as the rules print them; the lone pip of 11 and 17 lies between two rows.
PRINTED = {
    7: "o.o/ooo/o.o", 8: "ooo/o.o/ooo", 10: "ooo/o.o/o.o/ooo", 11: "ooo/o.o/.o./o.o/ooo",
    13: "ooo/o.o/ooo/o.o/ooo", 14: "ooo/ooo/o.o/ooo/ooo", 16: "ooo/o.o/ooo/ooo/o.o/ooo",
    17: "ooo/ooo/o.o/.o./o.o/ooo/ooo",
}  # fmt: skip


@pytest.mark.parametrize("number", range(HIGHEST + 1))
@pytest.mark.parametrize("other", [0, 1, 2])
def test_a_layout_has_as_many_pips_as_its_number(number: int, other: int) -> None:
    for turned in (False, True):
        places = varied_layout(number, turned, True, other)
        assert places.shape == (number, 2)
        assert len({tuple(np.round(place, 6)) for place in places}) == number
        assert np.abs(places).max(initial=0) <= 1


@pytest.mark.parametrize("number", range(HIGHEST + 1))
def test_layouts_look_the_same_turned_by_half(number: int) -> None:
    def rows(places: np.ndarray) -> list[tuple[float, ...]]:
        return sorted(tuple(np.round(place + 0.0, 6) + 0.0) for place in places)

    places = common_layout(number)
    assert rows(-places) == rows(places)


@pytest.mark.parametrize("number", PRINTED)
def test_layouts_are_those_of_the_rules(number: int) -> None:
    places = common_layout(number)
    heights = sorted({round(y, 6) for y in places[:, 1]})
    columns = {-1.0: 0, 0.0: 1, 1.0: 2}
    drawn = [["."] * 3 for _ in heights]
    for x, y in places:
        drawn[heights.index(round(y, 6))][columns[x]] = "o"
    assert "/".join("".join(row) for row in drawn) == PRINTED[number]
