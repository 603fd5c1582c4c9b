"""What cells look like is measured once, and compared with the table."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.rectify import cut_square
from vision.kingdomino.detect.lattice import Lattice
from vision.kingdomino.kingdoms import table_likeness
from vision.kingdomino.kingdoms.table_likeness import CellLooks, table_distances

SIDE = 40
LATTICE = Lattice(np.diag([SIDE, SIDE, 1.0]), {}, 0.0)
PICTURE = np.random.default_rng(3).integers(0, 256, (5 * SIDE, 5 * SIDE, 3)).astype(np.uint8)
CELLS = [(r, c) for r in range(5) for c in range(5)]


def test_each_cell_of_a_lattice_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    cut: list[object] = []

    def cut_and_note(rgb: NDArray[np.uint8], corners: NDArray[np.floating]) -> NDArray[np.uint8]:
        cut.append(corners)
        return cut_square(rgb, corners)

    monkeypatch.setattr(table_likeness, "cut_square", cut_and_note)
    looks = CellLooks(PICTURE)
    first = looks.measure(LATTICE, CELLS[:10])
    again = looks.measure(LATTICE, [*CELLS[5:12], CELLS[5]])
    assert len(cut) == 12
    assert all(a is b for a, b in zip(first[5:], again, strict=False))
    assert again[0] is again[-1]
    moved = Lattice(LATTICE.homography @ np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]]), {}, 0.0)
    (other,) = looks.measure(moved, CELLS[5:6])
    assert len(cut) == 13
    assert other is not first[5]


@pytest.mark.parametrize("cell", [(0, -1), (-1, 0), (5, 0), (0, 5)])
def test_a_cell_that_the_edge_cuts_off_has_no_look(cell: Position) -> None:
    inner, outer = CellLooks(PICTURE).measure(LATTICE, [(0, 0), cell])
    assert inner is not None
    assert outer is None


def test_colour_contrast_and_roughness_of_a_cell() -> None:
    picture = np.zeros((SIDE, 4 * SIDE, 3), np.uint8)
    picture[:, SIDE : 2 * SIDE] = 255
    picture[:, 2 * SIDE : 3 * SIDE] = (255, 0, 0)
    picture[::2, 3 * SIDE :] = 255
    black, white, red, striped = CellLooks(picture).measure(LATTICE, [(0, c) for c in range(4)])
    assert black == pytest.approx([0, 0, 0, 0, 0], abs=0.01)
    assert white == pytest.approx([100, 0, 0, 0, 0], abs=0.01)
    assert red == pytest.approx([53.2, 80.1, 67.2, 0, 0], abs=0.3)
    assert striped is not None
    assert striped[3] > 10
    assert striped[4] > 10


def test_a_distance_is_to_the_farthest_of_the_nearest_share() -> None:
    table = np.array([[0.0], [1.0], [2.0], [10.0]])
    own, apart = table_distances(table, np.array([[0.0]]), 0.5)
    assert list(own) == [2.0, 1.0, 2.0, 9.0]
    assert list(apart) == [1.0]
