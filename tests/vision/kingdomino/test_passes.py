"""One pass over a photograph: what its steps find is told with the squares that it concerns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom, Position
from training.kingdomino.render import SceneView, render_scene
from vision import PhotoError
from vision.kingdomino.detect.grid import Grid
from vision.kingdomino.detect.lattice import Detections
from vision.kingdomino.kingdoms import form
from vision.kingdomino.kingdoms.divide import Divided, DivideSettings, divide_grid
from vision.kingdomino.kingdoms.regroup import part_of_grid
from vision.kingdomino.reader import Reader, read_kingdoms

SAMPLES = Path(__file__).parents[3] / "sample_images"


def test_squares_that_may_belong_to_another_kingdom_are_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def contest_last(detections: Detections, grid: Grid, settings: DivideSettings) -> Divided:
        last = grid.lattice.members[max(grid.lattice.members)]
        return divide_grid(detections, grid, settings)._replace(contested=frozenset({last}))

    (plain,) = read_kingdoms(SAMPLES / "begun.jpg").kingdoms
    assert all(square.reason != "loose" for row in plain.squares for square in row)
    monkeypatch.setattr(form, "divide_grid", contest_last)
    (asked,) = read_kingdoms(SAMPLES / "begun.jpg").kingdoms
    assert asked.kingdom == plain.kingdom
    flagged = [square for row in asked.squares for square in row if square.reason == "loose"]
    assert len(flagged) == 1
    assert flagged[0].doubtful


def draw_two_kingdoms() -> NDArray[np.uint8]:
    both = Kingdom.parse("l l g f f w/l c g f c w/l g g f w w")
    return render_scene(both, SceneView(square_px=120), np.random.default_rng(0)).rgb


def divide_in_the_middle(
    detections: Detections, grid: Grid, settings: DivideSettings, missed: Position | None = None
) -> tuple[list[Grid], dict[Position, int]]:
    """Both halves, one cell of them not found, and the detections by cell from the top left."""
    top, left = min(row for row, _ in grid.lattice.members), min(c for _, c in grid.lattice.members)
    members = {(r - top, c - left): k for (r, c), k in grid.lattice.members.items()}
    sides = [
        {(r + top, c + left) for r, c in members if (c < 3) == first and (r, c) != missed}
        for first in (True, False)
    ]
    return [part_of_grid(detections, grid, side, settings.lattice) for side in sides], members


def test_a_column_between_two_kingdoms_is_asked_about_in_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def contest(detections: Detections, grid: Grid, settings: DivideSettings) -> Divided:
        halves, members = divide_in_the_middle(detections, grid, settings)
        return Divided(halves, frozenset(k for (_, column), k in members.items() if column == 3))

    monkeypatch.setattr(form, "divide_grid", contest)
    kingdoms = Reader().read(draw_two_kingdoms()).kingdoms
    named = {str(kingdom.kingdom): kingdom for kingdom in kingdoms}
    without, owner = "l l g ./l c g ./l g g .", "f f w/f c w/f w w"
    assert named.keys() == {without, owner}
    for kingdom, column in ((named[without], 3), (named[owner], 0)):
        asked = [row[column] for row in kingdom.squares]
        assert [square.reason for square in asked] == ["loose"] * 3
    assert [row[3].runner_up for row in named[without].squares] == ["f"] * 3


def test_no_square_is_read_in_two_kingdoms(monkeypatch: pytest.MonkeyPatch) -> None:
    def miss_one_between(detections: Detections, grid: Grid, settings: DivideSettings) -> Divided:
        halves, _ = divide_in_the_middle(detections, grid, settings, missed=(1, 2))
        return Divided(halves, frozenset())

    monkeypatch.setattr(form, "divide_grid", miss_one_between)
    kingdoms = Reader().read(draw_two_kingdoms()).kingdoms
    squares = [s.label for k in kingdoms for row in k.squares for s in row if s.label != "."]
    assert len(kingdoms) == 2
    assert len(squares) == 18


def test_a_group_that_turns_out_to_hold_no_square_is_no_kingdom(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def find_nothing(*given: object) -> Grid:
        grid = given[2]
        assert isinstance(grid, Grid)
        return replace(grid, occupied=frozenset())

    monkeypatch.setattr(form, "grow", find_nothing)
    with pytest.raises(PhotoError, match="no_kingdom"):
        read_kingdoms(SAMPLES / "begun.jpg")
