"""Which groups are worth a look, when to search again, which pass wins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scorer.kingdomino import Kingdom
from tests.vision.kingdomino.small_grids import block, grid_of, lattice_at
from vision.kingdomino.cells import Grid
from vision.kingdomino.lattice import Detections
from vision.kingdomino.passes import (
    ChooseSettings,
    Pass,
    choose_kingdoms,
    lies_on,
    select_lattices,
)
from vision.kingdomino.reader import choose_pass as best_of
from vision.kingdomino.reader import (
    confidence,
    count_unread,
    is_believable,
    is_fragment,
    is_in_doubt,
    is_plain,
    is_settled,
    is_sure,
    propose_long_sides,
)
from vision.kingdomino.result import KingdomReading, SquareReading
from vision.kingdomino.search import GROUNDS, LocateSettings

SETTINGS = ChooseSettings()


def choose_pass(
    passes: list[list[KingdomReading]], settings: ChooseSettings
) -> list[KingdomReading]:
    """The kingdoms of the best of passes given by their kingdoms."""
    return list(best_of([Pass(tuple(kingdoms)) for kingdoms in passes], settings).kingdoms)


def reading(
    notation: str, flagged: int = 0, *, certain: bool = True, probability: float = 0.95
) -> KingdomReading:
    """A reading with so many flags, on a grid of squares of 100 pixels."""
    kingdom = Kingdom.parse(notation)
    numbers = iter(range(100))
    squares = tuple(
        tuple(SquareReading(str(s), probability, doubtful=next(numbers) < flagged) for s in row)
        for row in kingdom.rows
    )
    scaled = np.diag([100.0, 100.0, 1.0])
    return KingdomReading(kingdom, squares, scaled, lattice_certain=certain)


NINE = "c w w/w w w/w w w"


@pytest.mark.parametrize(("flagged", "doubt"), [(3, False), (4, True)])
def test_more_than_a_third_flagged_is_in_doubt(flagged: int, doubt: bool) -> None:
    assert len(reading(NINE).occupied) == 9
    assert is_in_doubt(reading(NINE, flagged), SETTINGS) is doubt


def test_the_share_is_of_the_squares_and_not_of_the_bare_places() -> None:
    assert is_in_doubt(reading("c w ./. . ./. . .", 1), SETTINGS)
    # A bare place that is asked about is no doubt of a square: no search shows more of it.
    assert not is_in_doubt(reading(". . . ./c w w w", 5), SETTINGS)
    assert is_in_doubt(reading(". . . ./c w w w", 6), SETTINGS)
    half = replace(SETTINGS, doubtful_share=0.5)
    assert not is_in_doubt(reading("c w ./. . ./. . .", 1), half)


def test_an_uncertain_grid_is_in_doubt() -> None:
    assert is_in_doubt(reading(NINE, certain=False), SETTINGS)


def test_a_photograph_is_searched_closer_then_from_far_away() -> None:
    assert propose_long_sides([], 0.1, LocateSettings()) == (768, 205)
    assert propose_long_sides([reading(NINE)], 0.4, LocateSettings()) == (768, 205)


def test_large_squares_are_searched_from_farther_away() -> None:
    assert propose_long_sides([reading(NINE)], 0.401, LocateSettings()) == (341, 205)


@pytest.mark.parametrize("shift", [(0.0, 0.0), (-100.0, -100.0), (500.0, 900.0)])
@pytest.mark.parametrize(("wide", "high"), [(50.0, 100.0), (100.0, 50.0)])
def test_the_shorter_side_of_the_first_square_counts(
    wide: float, high: float, shift: tuple[float, float]
) -> None:
    homography = np.array([[wide, 0, shift[0]], [0, high, shift[1]], [0, 0, 1.0]])
    narrow = replace(reading(NINE), homography=homography)
    assert propose_long_sides([narrow], 0.79, LocateSettings()) == (768, 205)
    assert propose_long_sides([narrow], 0.81, LocateSettings()) == (341, 205)


def test_the_pass_with_the_most_probability_wins_and_keeps_the_next() -> None:
    few = [reading("c w w", probability=0.99)]
    many = [reading(NINE, probability=0.9)]
    (best,) = choose_pass([few, [], many], SETTINGS)
    assert str(best.kingdom) == NINE
    assert best.next_best == few[0]


def test_kingdoms_of_a_pass_that_are_sure_count_together() -> None:
    two = [reading(NINE, probability=0.9), reading("c w w", probability=0.9)]
    one = [reading(NINE, probability=0.92)]
    assert choose_pass([one, two], SETTINGS)[0].squares == two[0].squares
    for unsure in (
        reading("c w w", probability=0.6),
        reading("c w w", certain=False, probability=0.9),
        reading("c w w", 2, probability=0.9),
    ):
        assert choose_pass([one, [two[0], unsure]], SETTINGS)[0].squares == one[0].squares
    least = [two[0], reading("c w w", probability=0.7)]
    assert choose_pass([[two[0]], least], SETTINGS)[0].next_best is None
    assert len(choose_pass([[two[0]], least], SETTINGS)) == 2


def test_the_largest_kingdom_of_a_pass_counts_even_in_doubt() -> None:
    doubtful, sure = reading(NINE, 9, probability=0.9), reading("c f f", probability=0.9)
    assert str(choose_pass([[sure], [doubtful]], SETTINGS)[0].kingdom) == NINE


@pytest.mark.parametrize(("certain", "flagged"), [(False, 0), (True, 4)])
def test_the_largest_kingdom_counts_half_in_doubt(certain: bool, flagged: int) -> None:
    """Two pieces of a kingdom, one of them in doubt, count less than the whole of it."""
    whole = [reading(f"{NINE}/w w w")]
    pieces = [reading(NINE, flagged, certain=certain), reading("c f f")]
    assert choose_pass([pieces, [reading(NINE)]], SETTINGS)[0].lattice_certain
    assert len(choose_pass([pieces, whole], SETTINGS)[0].occupied) == 12
    surely = [reading(NINE), reading("c f f/f f f")]
    assert len(choose_pass([surely, whole], SETTINGS)[0].occupied) == 9
    # It is still worth more than a few squares without a doubt.
    assert len(choose_pass([pieces[:1], [reading("c w w")]], SETTINGS)[0].occupied) == 9


def test_a_square_counts_by_what_it_is_likelier_than_not() -> None:
    # 3 × (0.95 − 0.5) lies between 9 × (0.64 − 0.5) and 9 × (0.66 − 0.5).
    always = replace(SETTINGS, min_confidence=0.0)
    few = [reading("c w w", probability=0.95)]
    for probability, best in ((0.64, "c w w"), (0.66, NINE)):
        many = [reading(NINE, probability=probability)]
        assert str(choose_pass([many, few], always)[0].kingdom) == best


def test_bare_places_count_for_nothing() -> None:
    bare = [reading("c w w/. . ./. . .", probability=0.99)]
    more = [reading("c w w/w . ./. . .", probability=0.99)]
    assert str(choose_pass([bare, more], SETTINGS)[0].kingdom) == "c w w/w . ./. . ."


def test_the_same_kingdom_again_is_no_next_best() -> None:
    first, same = [reading(NINE), reading("c f f")], [reading(NINE, probability=0.9)]
    first_kept = choose_pass([[reading("c w w")], first], SETTINGS)
    assert [str(each.kingdom) for each in first_kept] == [NINE, "c f f"]
    best = choose_pass([same, first], SETTINGS)
    assert [str(each.kingdom) for each in best] == [NINE, "c f f"]
    assert best[0].next_best is None


def test_a_pass_that_found_nothing() -> None:
    nothing = Pass()
    assert (nothing.kingdoms, nothing.warnings) == ((), ())
    assert (nothing.found_squares, nothing.squareness) == (0, 0.0)


def test_no_pass_no_kingdom() -> None:
    assert choose_pass([[], []], SETTINGS) == []


def test_the_share_of_flags_to_the_hundredth() -> None:
    hundred = "/".join(["c" + " w" * 9, *[" ".join(["w"] * 10)] * 9])
    assert not is_in_doubt(reading(hundred, 34), SETTINGS)
    assert is_in_doubt(reading(hundred, 35), SETTINGS)


def test_the_warnings_are_those_of_the_pass_that_wins() -> None:
    few = Pass((reading("c w w"),), ("other_squares",))
    many = Pass((reading(NINE),))
    assert best_of([few, many], SETTINGS).warnings == ()
    assert best_of([few], SETTINGS).warnings == ("other_squares",)


def test_confidence_is_a_geometric_mean_of_squares_alone() -> None:
    assert confidence(reading("c w w/. . .", probability=0.8)) == pytest.approx(0.8)
    assert confidence(reading(". .", probability=0.8)) == 0.0


def test_a_kingdom_just_confident_enough_is_believed() -> None:
    found = reading("c w w", probability=0.8)
    assert is_believable(found, ChooseSettings(min_confidence=confidence(found)))


@pytest.mark.parametrize(
    ("kingdom", "probability", "warnings", "believed"),
    [
        ("c w w", 0.69, (), True),
        ("c w w", 0.67, (), False),
        ("c w", 0.99, (), False),
        ("c", 0.99, ("hidden",), False),
        ("c w w", 0.67, ("hidden",), False),
    ],
)
def test_what_is_no_kingdom_is_not_believed(
    kingdom: str, probability: float, warnings: tuple[str, ...], believed: bool
) -> None:
    found = replace(reading(kingdom, probability=probability), warnings=warnings)
    assert is_believable(found, SETTINGS) == believed


def test_a_pass_is_settled_by_kingdoms_that_are_sure_and_believable() -> None:
    sure = reading(NINE, probability=0.99)
    assert is_settled(Pass((sure,)), SETTINGS)
    assert not is_settled(Pass(), SETTINGS)
    assert not is_settled(Pass((replace(sure, lattice_certain=False),)), SETTINGS)
    assert not is_settled(Pass((reading(NINE, probability=0.5),)), SETTINGS)
    assert is_settled(Pass((sure, sure)), SETTINGS)
    assert not is_settled(Pass((sure, replace(sure, lattice_certain=False))), SETTINGS)
    assert not is_settled(Pass((sure, reading("c w w", probability=0.5))), SETTINGS)


def test_a_pass_is_plain_where_it_is_settled_and_nothing_of_any_kingdom_or_beside_it_open() -> None:
    sure = reading(NINE, probability=0.99)
    flagged = replace(sure.squares[0][0], doubtful=True)
    doubted = replace(sure, squares=((flagged, *sure.squares[0][1:]), *sure.squares[1:]))
    assert not is_plain(Pass(), SETTINGS)
    assert is_plain(Pass((sure,)), SETTINGS)
    assert not is_plain(Pass((sure, doubted)), SETTINGS)
    assert not is_plain(Pass((replace(sure, lattice_certain=False),)), SETTINGS)
    assert not is_plain(Pass((replace(sure, warnings=("beside",)),)), SETTINGS)
    assert is_plain(Pass((replace(sure, warnings=("grey",)),)), SETTINGS)


def test_a_believable_pass_goes_before_nonsense_with_a_larger_sum() -> None:
    nonsense, kingdom = reading("c w", probability=0.99), reading(NINE, probability=0.76)
    assert not is_believable(nonsense, SETTINGS)
    assert is_believable(kingdom, SETTINGS)
    for passes in ([[nonsense], [kingdom]], [[kingdom], [nonsense]]):
        assert str(choose_pass(passes, SETTINGS)[0].kingdom) == str(kingdom.kingdom)


@pytest.mark.parametrize(
    ("flags", "unread", "is_piece"),
    [(5, 4, True), (5, 3, False), (4, 5, True), (8, 1, True), (9, 0, False), (3, 30, True)],
)
def test_of_a_fragment_as_much_is_doubted_or_left_out_as_was_read(
    flags: int, unread: int, is_piece: bool
) -> None:
    assert is_fragment(reading(NINE, flags), unread) is is_piece


def test_a_sure_fragment_does_not_win_over_a_doubted_reading_of_more() -> None:
    """Three squares of nine that nobody asks about, and five of them of which one is in doubt."""
    piece = Pass((reading("f f1 c"),), found_squares=9)
    more = Pass((reading("f f f1/. . c/. . w", 1),), found_squares=9)
    for passes in ([piece, more], [more, piece]):
        assert best_of(passes, SETTINGS).kingdoms[0].kingdom == more.kingdoms[0].kingdom


def test_flagged_places_around_its_squares_make_a_kingdom_no_fragment() -> None:
    shown = reading("c w w . .", certain=False)
    unseen = SquareReading(".", 0.99, doubtful=True, reason="hidden")
    told = replace(shown, squares=((*shown.squares[0][:3], unseen, unseen),))
    assert is_fragment(told, 3)
    assert not is_fragment(told, 2)


def test_what_was_found_and_not_read_is_counted_over_all_kingdoms() -> None:
    both = (reading(NINE), reading("c w w/. . ."))
    assert count_unread(Pass(both, found_squares=15)) == 3
    assert count_unread(Pass(both, found_squares=12)) == 0
    # The classifier found squares that the locator had not.
    assert count_unread(Pass(both, found_squares=10)) == 0
    assert count_unread(Pass(found_squares=2)) == 2


def test_a_sure_reading_is_believable_and_not_in_doubt() -> None:
    assert is_sure(reading(NINE), SETTINGS)
    assert not is_sure(reading(NINE, 4), SETTINGS)
    assert not is_sure(reading(NINE, probability=0.6), SETTINGS)
    assert not is_sure(reading("c w"), SETTINGS)


def detections(castles: list[float]) -> Detections:
    """Detections that differ in the probability of a castle only."""
    count = len(castles)
    grounds = np.zeros((count, len(GROUNDS)))
    grounds[:, GROUNDS.index("c")] = castles
    return Detections(np.zeros((count, 2)), np.zeros((count, 2, 2)), np.ones(count), grounds)


def test_a_lattice_on_top_of_another_is_told_from_one_beside_it() -> None:
    kingdom = grid_of(lattice_at(block(5, 5), 100, 100, 50))
    top_of_castle = grid_of(lattice_at(block(1, 1), 210, 190, 52))
    neighbour = grid_of(lattice_at(block(1, 2), 330, 160, 50))
    assert lies_on(top_of_castle, kingdom)
    assert not lies_on(neighbour, kingdom)
    assert not lies_on(kingdom, top_of_castle)


def test_half_of_the_squares_is_not_most_of_them() -> None:
    kingdom = grid_of(lattice_at(block(1, 2), 0, 0, 50))
    assert not lies_on(grid_of(lattice_at(block(1, 2), 50, 0, 50)), kingdom)
    assert lies_on(grid_of(lattice_at(block(1, 3), 0, 0, 50)), kingdom)


@pytest.mark.parametrize(
    ("squares", "castle", "kept"),
    [(2, 0.0, True), (1, 0.0, False), (1, 0.05, True), (1, 0.049, False)],
)
def test_a_single_square_is_read_only_with_a_hint_of_a_castle(
    squares: int, castle: float, kept: bool
) -> None:
    first = lattice_at(block(3, 3), 0, 0, 50)
    other = lattice_at(block(1, squares), 500, first=9)
    found = detections([0.0] * 9 + [castle] + [0.0] * (squares - 1))
    expected = [first, other] if kept else [first]
    assert select_lattices(found, [first, other], SETTINGS) == expected


def test_only_the_ground_of_a_castle_hints_at_one() -> None:
    first, single = lattice_at(block(3, 3), 0, 0, 50), lattice_at(block(1, 1), 500, first=9)
    found = detections([0.0] * 10)
    for ground in range(len(GROUNDS)):
        found.grounds[:] = 0.0
        found.grounds[9, ground] = 1.0
        kept = select_lattices(found, [first, single], SETTINGS)
        assert len(kept) == (2 if GROUNDS[ground] == "c" else 1)


def test_the_largest_group_is_always_read() -> None:
    only = lattice_at(block(1, 1), 0, 0, 50)
    assert select_lattices(detections([0.0]), [only], SETTINGS) == [only]


def grid(rows: int, columns: int, castle: bool, left: float = 0.0) -> Grid:
    labels = {(0, 0): "c"} if castle else {}
    return grid_of(lattice_at(block(rows, columns), left), labels)


@pytest.mark.parametrize(("columns", "chosen"), [(3, 0), (4, 1)])
def test_without_any_castle_four_squares_are_a_kingdom(columns: int, chosen: int) -> None:
    assert len(choose_kingdoms([grid(1, columns, castle=False)], SETTINGS)) == chosen


@pytest.mark.parametrize(("columns", "chosen"), [(8, 1), (9, 2)])
def test_beside_a_castle_it_takes_nine_squares(columns: int, chosen: int) -> None:
    kingdom, other = grid(1, 3, castle=True), grid(1, columns, castle=False, left=1000)
    assert len(choose_kingdoms([kingdom, other], SETTINGS)) == chosen


def test_a_group_that_lies_on_a_larger_one_is_no_kingdom() -> None:
    whole, on_it = grid(3, 3, castle=True), grid(2, 2, castle=True, left=5)
    assert choose_kingdoms([on_it, whole], SETTINGS) == [whole]


def test_a_castle_makes_the_smallest_group_a_kingdom_and_the_largest_goes_first() -> None:
    small, large = grid(1, 1, castle=True), grid(3, 3, castle=True, left=1000)
    assert choose_kingdoms([small, large], SETTINGS) == [large, small]


def test_one_kingdom_lies_on_a_place_once() -> None:
    large, same = grid(3, 3, castle=True), grid(2, 2, castle=True, left=5)
    assert choose_kingdoms([same, large], SETTINGS) == [large]


def test_an_empty_grid_is_no_kingdom() -> None:
    nothing = replace(grid(1, 4, castle=False), occupied=frozenset())
    assert choose_kingdoms([nothing], SETTINGS) == []


@pytest.mark.parametrize(("columns", "chosen"), [(3, 1), (4, 2)])
def test_the_castle_of_two_dominoes_is_looked_for(columns: int, chosen: int) -> None:
    kingdom, other = grid(3, 3, castle=True), grid(1, columns, castle=False, left=500)
    assert len(choose_kingdoms([kingdom, other], SETTINGS, to_grow=True)) == chosen
    assert len(choose_kingdoms([kingdom, other], SETTINGS)) == 1


def test_a_fragment_wins_over_no_kingdom_that_is_whole() -> None:
    """A few squares that fill the picture look like pieces of many small ones."""
    piece = reading("l l l/l l l/l l l", certain=False)
    pieces, whole = Pass((piece,), found_squares=46), Pass((reading("w w/c m1"),), found_squares=4)
    assert best_of([pieces, whole], SETTINGS).kingdoms[0].kingdom == Kingdom.parse("w w/c m1")
    large = replace(pieces, found_squares=9)
    assert len(best_of([large, whole], SETTINGS).kingdoms[0].occupied) == 9
