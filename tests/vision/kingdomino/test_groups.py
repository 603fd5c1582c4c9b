"""Groups parted where nothing lies, and joined again where a kingdom was parted by mistake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from tests.vision.kingdomino.small_grids import Places, block, laid, laid_apart
from vision.kingdomino.cells import Grid
from vision.kingdomino.groups import RegroupSettings, regroup

SETTINGS = RegroupSettings()
CASTLE = {(1, 1): "c"}


def sizes(places: Places, labels: dict[tuple[int, int], str]) -> list[int]:
    detections, grid = laid(places, labels)
    return [len(part.lattice.members) for part in regroup(detections, [grid], SETTINGS)]


def test_a_place_that_holds_no_square_joins_no_two_groups() -> None:
    places = {**block(3, 3), (1, 3): (1.0, 3.0), **block(3, 3, 4)}
    assert sizes(places, {**CASTLE, (1, 5): "c", (1, 3): "."}) == [9, 9]
    assert sizes(places, {**CASTLE, (1, 5): "c", (1, 3): "f"}) == [19]


def test_the_gap_beside_a_place_without_a_square_counts_again() -> None:
    # Something between the places of the lattice drew the domino nearer than it lies.
    places = {**block(3, 3), (3, 0): (3.0, 0.0), (3, 1): (3.3, 1.0), (4, 1): (4.3, 1.0)}
    assert sizes(places, {**CASTLE, (3, 0): "."}) == [9, 2]


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
    """Into a grid whose cells are counted from another one, joined or parted."""
    two = laid_apart((block(4, 3), CASTLE), (block(4, 2, left=3, gap=0.08), {(0, 3): "f"}))
    places = {**block(3, 3), (1, 3): (1.0, 3.0), **block(3, 3, 4)}
    detections, whole = laid(places, {**CASTLE, (1, 5): "c", (1, 3): "."})
    for (found, grids), parts in ((two, 1), ((detections, [whole]), 2)):
        given = [told_apart(grid) for grid in grids]
        regrouped = regroup(found, given, SETTINGS)
        assert len(regrouped) == parts
        before, after = known_of(given), known_of(regrouped)
        empty = (
            {key for key in before if key[1] == [*places].index((1, 3))} if parts == 2 else set()
        )
        assert after.keys() == before.keys() - empty
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
