"""The layout of Muggins, and chains."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import CodedError
from scorer.pip_dominoes import (
    DominoSet,
    Hand,
    Layout,
    Play,
    RulesError,
    Spot,
    Tile,
    ends_points,
    is_blocked,
)
from scorer.pip_dominoes.muggins_layout import end_of, find_misfit, orient, reach
from tests.scorer.pip_dominoes.golden_tables import rows
from tests.scorer.pip_dominoes.laid_by_halves import Joint, Table

TILES = DominoSet(6).tiles


@pytest.mark.parametrize("row", rows("layouts"), ids=lambda row: row[0])
def test_golden(row: list[str]) -> None:
    text, spots, total, points, without_spinner = row
    layout = Layout.parse(text)
    assert ", ".join(f"{spot} {number}" for spot, number in layout.playable.items()) == spots
    assert layout.total() == sum(end.value for end in layout.open_ends()) == int(total)
    assert layout.points() == int(points)
    assert layout.total(spinner_counts=False) == int(without_spinner)
    assert Layout.parse(str(layout)) == layout


@pytest.mark.parametrize("row", rows("layouts_refused"), ids=lambda row: row[0])
def test_refusals(row: list[str]) -> None:
    with pytest.raises(CodedError) as caught:
        Layout.parse(row[0])
    assert caught.value.code == row[1]


def test_the_tile_that_does_not_fit_is_named() -> None:
    for text, tile in (("6|3 3|4 3|5", "3|5"), ("5|5 / 5|4 / 5|1 2|0", "0|2")):
        with pytest.raises(RulesError) as caught:
            Layout.parse(text)
        assert caught.value.details == {"tile": tile}


def test_a_line_with_one_double_has_it_as_the_spinner() -> None:
    assert Layout.parse("0|5 5|5 5|4") == Layout.parse("5|5 / 5|0 / 5|4")
    assert Layout.parse("4|3 3|5 5|5") == Layout.parse("5|5 / 5|3 3|4")
    assert Layout.parse("5|5 5|4") == Layout.parse("5|5 / 5|4")


def test_nothing_on_the_table() -> None:
    layout = Layout.parse("")
    assert (layout.tiles, layout.playable, layout.open_ends(), str(layout)) == ((), {}, (), "")
    hand = Hand.parse("6|6 1|2")
    assert [str(play) for play in layout.legal_plays(hand)] == ["6|6 start", "1|2 start"]


def test_sides_come_before_ends() -> None:
    layout = Layout.parse("6|6 / 6|1")
    plays = layout.legal_plays(Hand.parse("6|2 1|4 3|3"))
    assert [str(play) for play in plays] == ["2|6 side 2", "1|4 side 1"]
    with pytest.raises(RulesError) as caught:
        layout.after(Play(Tile(2, 6), Spot.END_1))
    assert caught.value.code == "spot_not_open"


def test_the_first_double_turns_the_line_into_an_arm() -> None:
    line = Layout.parse("1|6 6|3 3|4")
    assert str(line.after(Play(Tile(4, 4), Spot.RIGHT))) == "4|4 / 4|3 3|6 6|1"
    assert str(line.after(Play(Tile(1, 1), Spot.LEFT))) == "1|1 / 1|6 6|3 3|4"
    assert str(line.after(Play(Tile(1, 5), Spot.LEFT))) == "5|1 1|6 6|3 3|4"
    assert str(line.after(Play(Tile(4, 5), Spot.RIGHT))) == "1|6 6|3 3|4 4|5"


@pytest.mark.parametrize(
    ("text", "tile", "spot", "code"),
    [
        ("6|3", "6|4", Spot.LEFT, "does_not_fit"),
        ("6|3", "6|4", Spot.SIDE_1, "spot_not_open"),
        ("6|3", "6|4", Spot.START, "spot_not_open"),
        ("", "6|4", Spot.LEFT, "spot_not_open"),
        ("", "6|7", Spot.START, "outside_set"),
        ("6|3 3|5", "3|6", Spot.LEFT, "tile_twice"),
        ("6|6 / 6|1", "6|1", Spot.SIDE_2, "tile_twice"),
    ],
)
def test_plays_that_are_refused(text: str, tile: str, spot: Spot, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        Layout.parse(text).after(Play(Tile.parse(tile), spot))
    assert caught.value.code == code


def test_points_of_ends() -> None:
    assert ends_points([6, 0, 4, 5]) == 15
    assert ends_points([6, 3]) == 0
    assert ends_points([0, 0]) == 0
    assert ends_points([]) == 0


def test_blocked_means_no_tile_to_draw_and_none_that_fits() -> None:
    layout = Layout.parse("6|3")
    stuck, able = Hand.parse("1|2 4|4"), Hand.parse("3|3")
    assert is_blocked(layout, [stuck, Hand.parse("0|0")], 0)
    assert not is_blocked(layout, [stuck, able], 0)
    assert not is_blocked(layout, [stuck], 1)


@given(st.integers(0, 2**32), st.integers(1, 28))
def test_open_ends_are_those_found_by_halves(seed: int, count: int) -> None:
    """Lays random tiles on both tables and compares what fits and what counts at each step."""
    random = Random(seed)
    layout, table = Layout(), Table()
    joints: dict[Spot, Joint | None] = {Spot.START: None}
    left = list(TILES)
    while len(layout.tiles) < count:
        plays = layout.legal_plays(Hand.of(left))
        fitting = Counter(
            (tile, pips) for tile in left for pips in table.free().values() if tile.has(pips)
        )
        if layout.tiles:
            assert Counter((play.tile, layout.playable[play.spot]) for play in plays) == fitting
        if not plays:
            return
        play = random.choice(plays)
        number = table.lay(play.tile, joints[play.spot])
        layout = layout.after(play)
        left.remove(play.tile)
        joints = joints_after(joints, table, number, play.spot, layout)
        assert layout.total() == table.total()
        assert layout.total(spinner_counts=False) == table.total(spinner_counts=False)
        assert Layout.parse(str(layout)) == layout
        assert sorted(layout.tiles) == sorted(table.tiles)


def joints_after(
    joints: dict[Spot, Joint | None], table: Table, number: int, spot: Spot, layout: Layout
) -> dict[Spot, Joint | None]:
    """Which free place of the other table each spot of the layout is, after a tile was laid."""
    free = [joint for joint in table.free() if joint[0] == number]
    if layout.spinner is None:
        if spot is Spot.START:
            return {Spot.LEFT: (number, "low"), Spot.RIGHT: (number, "high")}
        return {**joints, spot: free[0]}
    if layout.spinner == table.tiles[number]:
        if spot is Spot.START:
            return {Spot.SIDE_1: (number, "side a"), Spot.SIDE_2: (number, "side b")}
        other = Spot.RIGHT if spot is Spot.LEFT else Spot.LEFT
        return {Spot.SIDE_1: joints[other], Spot.SIDE_2: (number, "side b")}
    spinner = table.tiles.index(layout.spinner)
    joints = {**joints, spot: free[0]}
    if {"side a", "side b"} <= table.joined[spinner]:
        joints.setdefault(Spot.END_1, (spinner, "end a"))
        joints.setdefault(Spot.END_2, (spinner, "end b"))
    return joints


@given(st.integers(0, 2**32), st.integers(0, 20), st.sampled_from(TILES), st.sampled_from(Spot))
def test_a_play_is_legal_or_refused(seed: int, count: int, tile: Tile, spot: Spot) -> None:
    random, layout = Random(seed), Layout()
    for _ in range(count):
        plays = layout.legal_plays(Hand.of(each for each in TILES if each not in layout.tiles))
        if not plays:
            break
        layout = layout.after(random.choice(plays))
    play = Play(tile, spot)
    if play in layout.legal_plays(Hand((tile,))):
        assert tile in layout.after(play).tiles
    else:
        with pytest.raises(RulesError):
            layout.after(play)


@given(st.text(alphabet="0123456|/. -", max_size=30))
def test_any_text_is_a_layout_or_refused(text: str) -> None:
    try:
        layout = Layout.parse(text)
    except CodedError:
        return
    assert Layout.parse(str(layout)) == layout


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("1|2 2|3", [("1|2", 1), ("2|3", 3)]),
        ("2|2", [("2|2", 4)]),
        ("2|2 / 2|6", [("2|2", 4), ("2|6", 6)]),
        ("2|2 / 2|6 6|6 / 2|0", [("6|6", 12), ("0|2", 0)]),
    ],
)
def test_an_end_names_its_tile(text: str, ends: list[tuple[str, int]]) -> None:
    assert [(str(end.tile), end.value) for end in Layout.parse(text).open_ends()] == ends


def test_what_lies_there_or_is_in_no_set_of_muggins_can_not_be_laid() -> None:
    assert Layout.parse("1|2").legal_plays(Hand.parse("1|2 1|7")) == ()


CHAIN = Hand.parse("2|6 6|6 6|1").tiles


def test_the_far_end() -> None:
    assert reach(CHAIN, 2) == end_of(CHAIN, 2) == 1
    assert reach((), 4) == end_of((), 4) == 4
    assert reach(CHAIN, 6) is None
    with pytest.raises(ValueError, match="neighbours that match"):
        end_of(CHAIN, 6)


def test_the_first_that_does_not_match() -> None:
    assert find_misfit(CHAIN, 2) is None
    assert find_misfit(CHAIN, 6) == Tile(6, 6)
    assert find_misfit(CHAIN, 0) == Tile(2, 6)


def test_tiles_turned_as_they_lie() -> None:
    assert list(orient(CHAIN, 2)) == ["2|6", "6|6", "6|1"]
