"""Groups parted where nothing lies, and joined again where a kingdom was parted by mistake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from tests.vision.kingdomino.small_grids import Places, block, laid_apart
from vision.kingdomino.cells import Grid
from vision.kingdomino.groups import RegroupSettings, regroup

SETTINGS = RegroupSettings()
CASTLE = {(1, 1): "c"}


@pytest.mark.parametrize(
    ("columns", "gap", "parts"),
    [
        (2, 0.08, 1),  # as crooked as people lay
        (2, 0.25, 2),  # a step apart
        (3, 0.08, 2),  # six squares wide with it
    ],
)
def test_a_group_without_a_castle_joins_the_kingdom_that_it_fits(
    columns: int, gap: float, parts: int
) -> None:
    detections, grids = laid_apart(
        (block(4, 3), CASTLE), (block(4, columns, left=3, gap=gap), {(0, 3): "f"})
    )
    found = regroup(detections, grids, SETTINGS)
    assert len(found) == parts
    assert sum(len(part.occupied) for part in found) == 12 + 4 * columns


def known_of(grids: Sequence[Grid]) -> dict[tuple[str, int], Any]:
    """What grids know of each square, by the field and the number of its detection."""
    found: dict[tuple[str, int], Any] = {}
    for grid in grids:
        for each in fields(Grid):
            known = getattr(grid, each.name)
            if each.name == "lattice":
                known = dict.fromkeys(grid.lattice.members, True)
            elif not isinstance(known, dict):
                known = dict.fromkeys(known, True)
            found |= {(each.name, grid.lattice.members[c]): value for c, value in known.items()}
    return found


def test_all_that_is_known_of_a_square_goes_with_it() -> None:
    """Into a grid whose cells are counted from another one."""
    found, grids = laid_apart((block(4, 3), CASTLE), (block(4, 2, left=3, gap=0.08), {(0, 3): "f"}))
    given = [told_apart(grid) for grid in grids]
    regrouped = regroup(found, given, SETTINGS)
    assert len(regrouped) == 1
    before, after = known_of(given), known_of(regrouped)
    assert after.keys() == before.keys()
    for key, value in after.items():
        assert value is before[key], key


def told_apart(grid: Grid) -> Grid:
    """The grid with something else known of each of its squares."""
    seen = {
        cell: grid.seen[cell]._replace(colours=np.full(5, 1.0 + k), things=0.01 / (1 + k))
        for cell, k in grid.lattice.members.items()
    }
    return replace(grid, seen=seen)


def test_another_kingdom_is_never_joined() -> None:
    detections, grids = laid_apart((block(4, 2), CASTLE), (block(4, 2, left=2), {(1, 2): "c"}))
    assert len(regroup(detections, grids, SETTINGS)) == 2


@pytest.mark.parametrize(("turn_deg", "parts"), [(3.0, 1), (12.0, 2)])
def test_dominoes_that_lie_askew_are_not_joined(turn_deg: float, parts: int) -> None:
    detections, grids = laid_apart(
        (block(4, 3), CASTLE), (block(2, 1, left=3, gap=0.08), {(0, 3): "f"})
    )
    c, s = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
    edges = detections.edges.copy()
    edges[-2:] = edges[-2:] @ np.array([[c, s], [-s, c]])
    turned = replace(detections, edges=edges)
    assert len(regroup(turned, grids, SETTINGS)) == parts


@pytest.mark.parametrize(
    ("columns", "off", "parts"),
    [(3, 0.0, 1), (3, 0.1, 2), (6, 0.0, 2)],
    ids=["on its lattice", "beside it", "of a large kingdom"],
)
def test_a_domino_that_meets_a_kingdom_of_usual_size_at_a_corner_joins_it(
    columns: int, off: float, parts: int
) -> None:
    domino = {(row, columns): (float(row), columns + off) for row in (3, 4)}
    detections, grids = laid_apart((block(3, columns), CASTLE), (domino, {}))
    assert len(regroup(detections, grids, SETTINGS)) == parts


@pytest.mark.parametrize(
    ("places", "parts"),
    [
        ({(0, 3): (0.0, 3.0), (1, 3): (1.0, 3.0)}, 1),
        ({(0, 3): (0.0, 3.0)}, 2),
        ({(0, 3): (0.4, 3.0), (1, 3): (1.4, 3.0)}, 2),
        ({(1, 2): (1.0, 2.1), (1, 3): (1.0, 3.1)}, 2),
        ({(3, column): (3.0, float(column)) for column in range(6)}, 1),
    ],
    ids=["a domino", "half of one", "between two cells", "on a square", "as long as a large one"],
)
def test_what_touches_a_kingdom_joins_it_where_its_squares_lie_on_free_cells(
    places: Places, parts: int
) -> None:
    detections, grids = laid_apart((block(3, 3), CASTLE), (places, {}))
    assert len(regroup(detections, grids, SETTINGS)) == parts


def test_groups_without_a_castle_do_not_join_each_other() -> None:
    detections, grids = laid_apart((block(3, 3), {}), (block(3, 2, left=3), {}))
    assert len(regroup(detections, grids, SETTINGS)) == 2
