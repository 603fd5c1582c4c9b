"""One pass over a photograph, and readings settled again."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom, NotationError, Position
from tests.vision.kingdomino.small_grids import block, grid_of, laid, lattice_at, sure_of
from training.kingdomino.render.scene import SceneView, render_scene
from vision import PhotoError, settle_together
from vision.common.geometry import Extent
from vision.common.network import Clock
from vision.kingdomino import cells, doubt, groups, search, settling, warn
from vision.kingdomino.cells import Grid
from vision.kingdomino.groups import RegroupSettings, divide_grid, part_of_grid
from vision.kingdomino.lattice import Detections
from vision.kingdomino.passes import ReadSettings, make_reading, run_pass, squareness
from vision.kingdomino.reader import (
    Reader,
    decode_and_search,
    default_reader,
    read_kingdoms,
)
from vision.kingdomino.result import CASTLE_COLOURS, KingdomReading
from vision.kingdomino.search import Located, ViewSettings
from vision.kingdomino.settling import Judgement, JudgeSettings, Observation, judge
from vision.photo import Photo

SAMPLES = Path(__file__).parents[3] / "sample_images"
Parts = tuple[list[Grid], frozenset[int]]


def test_squares_that_may_belong_to_another_kingdom_are_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def contest_last(detections: Detections, grid: Grid, settings: RegroupSettings) -> Parts:
        last = grid.lattice.members[max(grid.lattice.members)]
        return divide_grid(detections, grid, settings)[0], frozenset({last})

    (plain,) = read_kingdoms(SAMPLES / "begun.jpg").kingdoms
    assert all(square.reason != "loose" for row in plain.squares for square in row)
    monkeypatch.setattr(groups, "divide_grid", contest_last)
    (asked,) = read_kingdoms(SAMPLES / "begun.jpg").kingdoms
    assert asked.kingdom == plain.kingdom
    flagged = [square for row in asked.squares for square in row if square.reason == "loose"]
    assert len(flagged) == 1
    assert flagged[0].doubtful


@cache
def draw_two_kingdoms() -> NDArray[np.uint8]:
    both = Kingdom.parse("l l g f f w/l c g f c w/l g g f w w")
    return render_scene(both, SceneView(square_px=120), np.random.default_rng(0)).rgb


def divide_in_the_middle(
    detections: Detections, grid: Grid, settings: RegroupSettings, missed: Position | None = None
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
    def contest(detections: Detections, grid: Grid, settings: RegroupSettings) -> Parts:
        halves, members = divide_in_the_middle(detections, grid, settings)
        return halves, frozenset(k for (_, column), k in members.items() if column == 3)

    monkeypatch.setattr(groups, "divide_grid", contest)
    kingdoms = Reader().read(draw_two_kingdoms()).kingdoms
    named = {str(kingdom.kingdom): kingdom for kingdom in kingdoms}
    without, owner = "l l g ./l c g ./l g g .", "f f w/f c w/f w w"
    assert named.keys() == {without, owner}
    for kingdom, column in ((named[without], 3), (named[owner], 0)):
        asked = [row[column] for row in kingdom.squares]
        assert [square.reason for square in asked] == ["loose"] * 3
    assert [row[3].runner_up for row in named[without].squares] == ["f"] * 3


@pytest.mark.parametrize(
    ("light", "hidden", "others", "unclear"),
    [((), set(), 0, ()), (("dark",), set(), 1, ("dark",)), ((), {(9, 9)}, 0, ("hidden",))],
    ids=["seen clearly", "in poor light", "covered in part"],
)
def test_what_may_be_a_part_of_a_kingdom_beside_another(
    light: tuple[str, ...], hidden: set[Position], others: int, unclear: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """In poor light another one with a castle, too; what joins it is what belongs to no kingdom."""
    asked: list[tuple[int, bool, tuple[str, ...]]] = []

    def noted(
        _detections: Detections, _grid: Grid, beside: Sequence[Grid], *,
        may_join: bool, unclear: tuple[str, ...], **_: object,
    ) -> tuple[dict[Position, str], dict[Position, NDArray[np.float64]]]:  # fmt: skip
        asked.append((len(beside), may_join, unclear))
        return {}, {}

    def divide(detections: Detections, grid: Grid, settings: RegroupSettings) -> Parts:
        return divide_in_the_middle(detections, grid, settings)[0], frozenset()

    monkeypatch.setattr(groups, "divide_grid", divide)
    monkeypatch.setattr(warn, "quality_codes", lambda *_: light)
    monkeypatch.setattr(doubt, "find_hidden_cells", lambda *_: frozenset(hidden))
    monkeypatch.setattr(warn, "find_detached_squares", noted)
    default_reader().read(draw_two_kingdoms())
    assert set(asked) == {(0, bool(hidden), unclear), (others, False, unclear)}


def test_no_square_is_read_in_two_kingdoms(monkeypatch: pytest.MonkeyPatch) -> None:
    def miss_one_between(detections: Detections, grid: Grid, settings: RegroupSettings) -> Parts:
        halves, _ = divide_in_the_middle(detections, grid, settings, missed=(1, 2))
        return halves, frozenset()

    monkeypatch.setattr(groups, "divide_grid", miss_one_between)
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

    monkeypatch.setattr(cells, "grow", find_nothing)
    with pytest.raises(PhotoError, match="no_kingdom"):
        read_kingdoms(SAMPLES / "begun.jpg")


def test_a_group_of_which_the_box_leaves_no_square_is_no_kingdom(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def leave_nothing(seen: Sequence[Observation], _settings: JudgeSettings) -> list[Judgement]:
        return [Judgement({}, Extent(0, 0, 0, 0), certain=False) for _ in seen]

    monkeypatch.setattr(settling, "judge_table", leave_nothing)
    with pytest.raises(PhotoError, match="no_kingdom"):
        read_kingdoms(SAMPLES / "begun.jpg")


@pytest.fixture(scope="module")
def begun() -> KingdomReading:
    return read_kingdoms(SAMPLES / "begun.jpg").kingdoms[0]


def test_settling_again_without_corrections_changes_nothing() -> None:
    for name in ("begun.jpg", "holes-5x5.jpg", "glare.jpg", "castle-standing.jpg"):
        reading = read_kingdoms(SAMPLES / name).kingdoms[0]
        (again,) = settle_together([reading])
        assert again == reading, name


def test_settling_again_keeps_the_flags_of_an_uncertain_grid(begun: KingdomReading) -> None:
    (castle,) = (place for place, square in begun.kingdom.items() if square.is_castle)
    (again,) = settle_together([begun], [{castle: "."}])
    assert not again.lattice_certain
    assert again.doubtful


@pytest.mark.parametrize("label", ["f2", "w3", "l2", "m3!!", "."])
def test_any_correction_stands(begun: KingdomReading, label: str) -> None:
    (again,) = settle_together([begun], [{(0, 1): label}])
    assert str(again.kingdom[0, 1]) == label
    changed = {place for place, s in again.kingdom.items() if s != begun.kingdom[place]}
    assert changed <= {(0, 1), *begun.doubtful}


def test_a_moved_castle_leaves_its_colour_open(begun: KingdomReading) -> None:
    (row, column) = next(place for place, s in begun.kingdom.items() if s.is_castle)
    named = dataclasses.replace(begun, castle_colour="blue")
    (kept,) = settle_together([named], [{(row, column): "c"}])
    assert kept.castle_colour == "blue"
    (moved,) = settle_together([named], [{(row, column): "w"}])
    assert moved.castle_colour is None


def test_a_reading_made_by_hand_can_be_settled_too(begun: KingdomReading) -> None:
    bare = dataclasses.replace(begun, considered=None)
    (again,) = settle_together([bare], [{(0, 0): "w1"}])
    assert str(again.kingdom[0, 0]) == "w1"


def test_corrections_are_checked(begun: KingdomReading) -> None:
    with pytest.raises(ValueError, match=r"correction at \(9, 9\): expected a position within"):
        settle_together([begun], [{(9, 9): "w"}])
    with pytest.raises(NotationError):
        settle_together([begun], [{(0, 0): "q7"}])
    with pytest.raises(ValueError, match="reading 0: expected one with probabilities"):
        settle_together([dataclasses.replace(begun, probabilities=None)])
    with pytest.raises(ValueError, match="corrections: expected those of 1 readings, got 2"):
        settle_together([begun], [{}, {(0, 0): "w"}])


@pytest.mark.parametrize("reason", ["hidden", "cut_off"])
def test_settling_again_keeps_the_reasons_that_nobody_answered(reason: str) -> None:
    reading = read_kingdoms(SAMPLES / "begun.jpg").kingdoms[0]
    (row, *rows) = reading.squares
    hidden = dataclasses.replace(row[0], doubtful=True, reason=reason)
    told = dataclasses.replace(reading, squares=((hidden, *row[1:]), *rows))
    (again,) = settle_together([told])
    assert (again.squares[0][0].doubtful, again.squares[0][0].reason) == (True, reason)
    (corrected,) = settle_together([told], [{(0, 0): "w1"}])
    assert corrected.squares[0][0].reason is None


def test_what_looks_like_squares_is_told_by_all_that_was_found_and_by_nothing_else() -> None:
    _, grid = laid(block(1, 4), {(0, 3): "."})
    assert (0, 3) not in grid.occupied
    # A cell that the locator found nothing on is no evidence, whatever it looks like.
    grid = replace(grid, seen={**grid.seen, (0, 4): grid.seen[0, 3]})
    assert squareness([grid]) == pytest.approx(0.75, abs=0.01)
    assert squareness([grid, grid]) == pytest.approx(0.75, abs=0.01)
    assert squareness([]) == 0.0


@pytest.mark.parametrize(("last", "colour"), [("w", "blue"), ("c", None)])
def test_a_colour_is_named_where_there_is_one_castle(last: str, colour: str | None) -> None:
    grid = grid_of(lattice_at(block(1, 4)), {(0, 0): "c", (0, 3): last})
    blue = np.eye(len(CASTLE_COLOURS))[CASTLE_COLOURS.index("blue")]
    grid = replace(grid, seen={cell: one._replace(colours=blue) for cell, one in grid.seen.items()})
    observation = Observation(grid.probabilities, [*grid.seen])
    (judged,) = judge([observation], JudgeSettings(use_box=False))
    photo = Photo(np.zeros((50, 200, 3), np.uint8), 200, 50)
    assert make_reading(grid, observation, judged, photo, ReadSettings()).castle_colour == colour


def test_squares_that_are_off_the_scale_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    weights, settings = default_reader().weights, ReadSettings()
    photo, _, found = decode_and_search(SAMPLES / "begun.jpg", weights, settings, Clock())
    assert run_pass(photo, weights, settings, Clock(), None, found).warnings == ()

    def drop(located: Located, _settings: ViewSettings) -> Located:
        return located._replace(lattices=located.lattices[:1])

    monkeypatch.setattr(search, "drop_off_scale", drop)
    twice = found._replace(lattices=[*found.lattices, *found.lattices])
    assert run_pass(photo, weights, settings, Clock(), None, twice).warnings == ("other_squares",)


def test_what_joins_a_covered_kingdom_from_beside_it_is_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def join_one(
        _detections: Detections, grid: Grid, _groups: object, *, may_join: bool, **_: object
    ) -> tuple[dict[Position, str], dict[Position, NDArray[np.float64]]]:
        row, column = max(grid.occupied)
        return {}, {(row, column + 1): sure_of("w", 0.9999)}

    monkeypatch.setattr(warn, "find_detached_squares", join_one)
    (asked,) = read_kingdoms(SAMPLES / "begun.jpg").kingdoms
    (joined,) = [square for row in asked.squares for square in row if square.reason == "loose"]
    assert (joined.label, joined.doubtful) == ("w", True)
