"""One pass over a photograph: what its steps find is told with the squares that it concerns."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.kingdomino import passes
from vision.kingdomino.classify.grid import Grid
from vision.kingdomino.divide import Divided, DivideSettings, divide_grid
from vision.kingdomino.locate.lattice import Detections
from vision.kingdomino.reader import read_kingdoms

SAMPLES = Path(__file__).parents[3] / "sample_images"


def test_squares_that_may_belong_to_another_kingdom_are_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def contest_last(detections: Detections, grid: Grid, settings: DivideSettings) -> Divided:
        last = grid.lattice.members[max(grid.lattice.members)]
        return divide_grid(detections, grid, settings)._replace(contested=frozenset({last}))

    (plain,) = read_kingdoms(SAMPLES / "begun.jpg").kingdoms
    assert all(square.reason != "loose" for row in plain.squares for square in row)
    monkeypatch.setattr(passes, "divide_grid", contest_last)
    (asked,) = read_kingdoms(SAMPLES / "begun.jpg").kingdoms
    assert asked.kingdom == plain.kingdom
    flagged = [square for row in asked.squares for square in row if square.reason == "loose"]
    assert len(flagged) == 1
    assert flagged[0].doubtful
