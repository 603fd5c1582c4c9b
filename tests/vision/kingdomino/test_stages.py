"""Whole readings, and whole stages, where something is handed from one step to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Position
from tests.browser.tables import FOUR, photo_of_table
from tests.vision.kingdomino.small_grids import Places, block, laid, laid_apart
from training.kingdomino.render.scene import SceneView, render_scene
from vision import read_kingdoms
from vision.kingdomino import cells, groups
from vision.kingdomino.cells import CellLooks, Grid
from vision.kingdomino.groups import RegroupSettings, part_of_grid, regroup
from vision.kingdomino.lattice import Detections
from vision.kingdomino.refit import sample_labels
from vision.kingdomino.result import KingdomReading
from vision.kingdomino.search import Locator, locate
from vision.kingdomino.weights import Weights

SAMPLES = Path(__file__).parents[3] / "sample_images"
# Of dominoes that one box has.
FULL = sample_labels()["tilted.jpg"]


def drawn(view: SceneView) -> NDArray[np.uint8]:
    assert FULL
    return render_scene(FULL, view, np.random.default_rng(0)).rgb


def sample(name: str) -> NDArray[np.uint8]:
    rgb = cv2.imread(str(SAMPLES / name), cv2.IMREAD_COLOR_RGB)
    assert rgb is not None
    return np.asarray(rgb, np.uint8)


def test_a_kingdom_seen_at_a_slant_is_read_from_above() -> None:
    """The photograph itself shows but pieces of it; rectified it shows the whole kingdom."""
    steep = SceneView(width=1200, height=900, square_px=120, tilt_deg=62, azimuth_deg=40)
    (reading,) = read_kingdoms(drawn(steep), anyway=True).kingdoms
    assert str(reading.kingdom) == str(FULL)
    assert len(reading.doubtful) <= 2


def test_what_a_closer_search_knows_of_the_ground_lies_where_it_was_searched() -> None:
    """A small kingdom in a corner is searched again in a part of the picture."""
    small = cv2.resize(drawn(SceneView(square_px=120)), None, fx=0.22, fy=0.22)
    table = np.full((1100, 1500, 3), np.median(small[:4], axis=(0, 1)), np.uint8)
    left, top = 1500 - small.shape[1], 1100 - small.shape[0]
    table[top:, left:] = small
    found, lattices = locate(table, Locator(Weights.load().locator))
    assert found.ground is not None
    assert (found.ground.origin > 300).all()
    lattice = lattices[0]
    assert len(lattice.members) == 25
    squares = found.ground.within_each(lattice.spots([*lattice.members]))
    beside = lattice.spots([(row, -2) for row in range(5)])
    assert squares[:, 0].max() < 0.5 < 0.8 < found.ground.within_each(beside)[:, 0].min()
    # Elsewhere nothing is known.
    beyond = np.array([[[10.0, 10], [60, 10], [60, 60], [10, 60]]])
    assert found.ground.within_each(beyond).tolist() == [[0.5, 0.0]]


def everything(grid: Grid) -> dict[Position, tuple[object, ...]]:
    """All that is known of each cell of a grid."""
    return {
        cell: (
            grid.seen[cell].probabilities.argmax(),
            grid.seen[cell].colours.tolist(),
            grid.seen[cell].things,
            cell in grid.occupied,
        )
        for cell in grid.lattice.members
    }


def numbered(grid: Grid, first: int) -> Grid:
    """The grid with colours and covers that tell its cells apart."""
    seen = {
        cell: grid.seen[cell]._replace(colours=np.full(5, k / 100), things=k / 1000)
        for k, cell in enumerate(grid.lattice.members, first)
    }
    return replace(grid, seen=seen)


def test_a_group_that_joins_a_kingdom_brings_all_that_is_known_of_it() -> None:
    beside: Places = block(3, 2, left=3)
    detections, (kingdom, group) = laid_apart(
        (block(3, 3), {(1, 1): "c"}), (beside, {(0, 3): "f", (1, 4): "g"})
    )
    kingdom, group = numbered(kingdom, 0), numbered(group, 20)
    (joined,) = regroup(detections, [kingdom, group], RegroupSettings())
    moved = {(r, c + 3): known for (r, c), known in everything(group).items()}
    assert everything(joined) == {**everything(kingdom), **moved}


def test_a_part_of_a_group_keeps_all_that_is_known_of_it() -> None:
    detections, grid = laid(block(3, 6), {(1, 1): "c", (1, 4): "g"})
    grid = numbered(grid, 3)
    cells = [cell for cell in grid.lattice.members if cell[1] > 2]
    part = part_of_grid(detections, grid, cells, RegroupSettings().lattice)
    known = everything(grid)
    assert everything(part) == {cell: known[cell] for cell in cells}


def test_a_domino_that_may_not_touch_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    def unsure_of_last(
        looks: object, detections: Detections, grid: Grid, *rest: object
    ) -> frozenset[Position]:
        return frozenset({max(grid.occupied)})

    (plain,) = read_kingdoms(SAMPLES / "begun.jpg").kingdoms
    monkeypatch.setattr(groups, "find_doubtful_dominoes", unsure_of_last)
    (asked,) = read_kingdoms(SAMPLES / "begun.jpg").kingdoms
    assert asked.kingdom == plain.kingdom
    flagged = [cell for cell in asked.doubtful if asked.squares[cell[0]][cell[1]].reason == "loose"]
    squares = [cell for cell, square in plain.kingdom.items() if not square.is_empty]
    assert flagged == [max(squares)]


@pytest.mark.parametrize("name", ["complete-5x5.jpg", "begun.jpg"])
def test_the_dark_is_told_and_explains_what_is_asked(name: str) -> None:
    (bright,) = read_kingdoms(SAMPLES / name).kingdoms
    (dark,) = read_kingdoms((sample(name) * 0.3).astype(np.uint8)).kingdoms
    assert str(dark.kingdom) == str(bright.kingdom)
    assert "dark" in dark.warnings
    assert "dark" not in bright.warnings
    assert {dark.squares[r][c].reason for r, c in dark.doubtful} <= {"dark"}


def test_what_a_lamp_blinds_is_asked_about() -> None:
    """A white spot on one square: the kingdom is warned of, that square flagged."""
    rgb = sample("begun.jpg")
    (plain,) = read_kingdoms(rgb).kingdoms
    cell = next(place for place, square in plain.kingdom.items() if str(square) == "f")
    middle = plain.points([(cell[1] + 0.5, cell[0] + 0.5)])[0]
    side = np.linalg.norm(np.subtract(*plain.points([(0, 0), (1, 0)])))
    x, y = (round(float(value)) for value in middle)
    cv2.circle(rgb, (x, y), round(0.33 * float(side)), (255, 255, 255), -1)
    (lit,) = read_kingdoms(rgb).kingdoms
    assert "glare" in lit.warnings
    assert "glare" not in plain.warnings
    assert lit.squares[cell[0]][cell[1]].reason == "glare"
    others = {square.reason for row in lit.squares for square in row} - {"glare"}
    assert "dark" not in others


def test_what_is_blurred_is_told_and_explains_what_is_asked() -> None:
    (plain,) = read_kingdoms(SAMPLES / "begun.jpg").kingdoms
    blurred = cv2.GaussianBlur(sample("begun.jpg"), (0, 0), 4)
    (reading,) = read_kingdoms(np.asarray(blurred, np.uint8)).kingdoms
    assert str(reading.kingdom) == str(plain.kingdom)
    assert "blurred" in reading.warnings
    assert {reading.squares[r][c].reason for r, c in reading.doubtful} <= {"blurred"}


def test_a_square_that_looks_like_two_is_asked_about() -> None:
    """A forest through which wheat shows, in a picture that is clear all around."""
    rgb = sample("begun.jpg")
    (plain,) = read_kingdoms(rgb).kingdoms
    (*_, forest), wheat = (
        [place for place, square in plain.kingdom.items() if str(square)[0] == letter]
        for letter in "fw"
    )
    own, other = (plain.square_corners(place).astype(np.float32) for place in (forest, wheat[0]))
    size = rgb.shape[1], rgb.shape[0]
    shown = cv2.warpPerspective(rgb, cv2.getPerspectiveTransform(other, own), size)
    mask = cv2.fillConvexPoly(np.zeros(rgb.shape[:2], np.uint8), own.astype(np.int32), 1)
    mixed = np.where(mask[..., None] > 0, 0.6 * rgb + 0.4 * shown, rgb).astype(np.uint8)
    (reading,) = read_kingdoms(mixed).kingdoms
    assert forest not in plain.doubtful
    assert forest in reading.doubtful
    assert len(set(reading.doubtful) - set(plain.doubtful)) <= 2


CARDS = ((96, 110, 128), (40, 30, 30), (190, 140, 110))


def below_a_card(name: str, place: Position, colour: tuple[int, int, int]) -> KingdomReading:
    """The reading of a sample with a flat card on one square, like nothing trees were fitted to."""
    rgb = sample(name)
    (plain,) = read_kingdoms(rgb).kingdoms
    corners = plain.square_corners(place)
    card = corners.mean(0) + 1.1 * (corners - corners.mean(0))
    covered = cv2.fillConvexPoly(rgb.copy(), card.astype(np.int32), colour)
    (reading,) = read_kingdoms(np.asarray(covered, np.uint8)).kingdoms
    return reading


@pytest.mark.parametrize("colour", CARDS)
@pytest.mark.parametrize("place", [(0, 0), (2, 0)])
def test_a_square_below_a_card_is_asked_about(
    place: Position, colour: tuple[int, int, int]
) -> None:
    reading = below_a_card("complete-5x5.jpg", place, colour)
    assert reading.by_position[place].reason == "hidden"
    assert place in reading.doubtful
    assert "hidden" in reading.warnings


@pytest.mark.parametrize("colour", CARDS)
def test_a_card_on_one_square_makes_no_hole_doubtful(colour: tuple[int, int, int]) -> None:
    reading = below_a_card("begun.jpg", (1, 0), colour)
    assert [p for p, square in reading.by_position.items() if square.reason == "hidden"] == [(1, 0)]


@pytest.mark.parametrize("colour", CARDS)
def test_a_half_whose_other_half_is_hidden_beyond_the_kingdom_is_told(
    colour: tuple[int, int, int],
) -> None:
    reading = below_a_card("begun.jpg", (2, 0), colour)
    assert reading.unpaired == {(1, 0)}
    assert reading.warnings == ("hidden",)


def test_a_half_whose_other_half_the_edge_cuts_off_is_not_told_as_hidden_too() -> None:
    (plain,) = read_kingdoms(sample("begun.jpg")).kingdoms
    ys = plain.square_corners((2, 0))[:, 1]
    cut = sample("begun.jpg")[: round(0.8 * ys.min() + 0.2 * ys.max())]
    (reading,) = read_kingdoms(np.ascontiguousarray(cut)).kingdoms
    assert reading.kingdom.height == plain.kingdom.height - 1
    assert reading.unpaired == {(1, 0)}
    assert reading.warnings == ("cut_off",)


@pytest.mark.parametrize("at", [0, 1])
def test_a_domino_that_is_left_out_before_or_after_growing_is_told(
    at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = count()

    def drop(
        _detections: Detections, grid: Grid, _settings: RegroupSettings
    ) -> tuple[Grid, frozenset[Position]]:
        return replace(grid) if next(calls) == at else grid, frozenset()

    monkeypatch.setattr(groups, "drop_loose_domino", drop)
    (reading,) = read_kingdoms(SAMPLES / "begun.jpg").kingdoms
    assert reading.warnings == ("beside",)


def test_a_domino_is_left_out_of_what_remains_once_table_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A patch of table beside the domino would make three squares of it, and three are kept."""
    told, dropped = list[Grid](), list[Grid]()

    def tell(_looks: CellLooks, grid: Grid, _others: Sequence[Grid]) -> Grid:
        told.append(replace(grid))
        return told[-1]

    def drop(
        _detections: Detections, grid: Grid, _settings: RegroupSettings
    ) -> tuple[Grid, frozenset[Position]]:
        dropped.append(grid)
        return grid, frozenset()

    monkeypatch.setattr(cells, "doubt_table_like", tell)
    monkeypatch.setattr(groups, "drop_loose_domino", drop)
    read_kingdoms(SAMPLES / "begun.jpg")
    assert dropped[-1] is told[-1]


def test_nothing_is_asked_of_four_kingdoms_in_one_picture(tmp_path: Path) -> None:
    """Small squares, dominoes that hang by one side, and a table of the colour of some."""
    kingdoms = [(kingdom, colour) for colour, kingdom in FOUR.items()]
    reading = read_kingdoms(photo_of_table(kingdoms, tmp_path / "table.jpg"))
    assert {str(each.kingdom) for each in reading.kingdoms} == {*FOUR.values()}
    assert [each.doubtful for each in reading.kingdoms] == [()] * 4
