"""Several photographs of one table: what each shows of a kingdom is put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom, Position
from vision import PhotoError, Reader, read_kingdoms
from vision.kingdomino.reader import default_reader
from vision.kingdomino.result import LABELS, KingdomReading, PhotoReading, SquareReading, kingdom_of
from vision.kingdomino.together import combine_photos
from vision.photo import decode

SAMPLES = Path(__file__).parents[3] / "sample_images"
# Of the dominoes of one box.
WHOLE = "s m2 g g1 f/s w g w f/m2 w c f f/g w m2 f f/l w1 s l1 l1"
OTHER = "g s1 s l f/w s1 m2 l1 f1/w g2 c w w/l l f w w/l f1 f f m1"
SIDE_PX = 50
SIZE = 900, 900
AT = (200.0, 300.0)
PLACES = [[(row, column) for column in range(5)] for row in range(5)]


def rows_of(kingdom: str) -> list[list[str]]:
    return [row.split() for row in kingdom.split("/")]


def seen(label: str, share: float = 0.99) -> NDArray[np.float64]:
    shares = np.full(len(LABELS), (1 - share) / (len(LABELS) - 1))
    shares[LABELS.index(label)] = share
    return shares


def reading_of(
    kingdom: str,
    flagged: Mapping[Position, str | None] | None = None,
    at: tuple[float, float] = AT,
    **more: object,
) -> KingdomReading:
    """A reading of ``kingdom``, whose corner lies ``at`` (x, y), with ``flagged`` squares."""
    flagged = flagged or {}
    rows = tuple(
        tuple(
            SquareReading(label, 0.99, None, (r, c) in flagged, None, flagged.get((r, c)))
            for c, label in enumerate(row)
        )
        for r, row in enumerate(rows_of(kingdom))
    )
    place = np.array([[SIDE_PX, 0, at[0]], [0, SIDE_PX, at[1]], [0, 0, 1.0]])
    made = KingdomReading(
        kingdom_of(rows),
        rows,
        place,
        probabilities=np.array([[seen(square.label) for square in row] for row in rows]),
    )
    return replace(made, **more)  # type: ignore[arg-type]


def photo_of(*kingdoms: KingdomReading, size: tuple[int, int] = SIZE) -> PhotoReading:
    return PhotoReading(kingdoms, *size, {"decode": 0.5}, ())


def turned(kingdom: str, quarters: int) -> str:
    rows = np.rot90(np.array(rows_of(kingdom)), quarters)
    return "/".join(" ".join(row) for row in rows)


def with_label(kingdom: str, at: Position, label: str) -> str:
    rows = rows_of(kingdom)
    rows[at[0]][at[1]] = label
    return "/".join(" ".join(row) for row in rows)


@pytest.mark.parametrize("quarters", range(4))
def test_what_a_hand_hides_in_one_is_read_in_the_other(quarters: int) -> None:
    first = reading_of(
        with_label(WHOLE, (4, 4), "."), {(4, 4): "hidden", (3, 4): "hidden"}, warnings=("hidden",)
    )
    misread = with_label(WHOLE, (0, 1), "s")
    where = np.rot90([[place == (0, 1) for place in row] for row in PLACES], quarters)
    ((row, column),) = np.argwhere(where)
    second = reading_of(turned(misread, quarters), {(row, column): "hidden"}, at=(310.0, 120.0))
    both = combine_photos([photo_of(first), photo_of(second)])
    (kingdom,) = both.kingdoms
    assert str(kingdom.kingdom) == WHOLE
    assert not kingdom.doubtful
    assert kingdom.photos == (0, 1)
    assert kingdom.warnings == ()
    np.testing.assert_allclose(kingdom.homography, first.homography)
    assert both.seconds == {"decode": 1.0}


@pytest.mark.parametrize(
    ("warnings", "is_asked"),
    [
        (("glare",), False),
        (("beside",), False),
        (("hidden",), False),
        (("cut_off",), False),
        ((), True),
    ],
)
def test_a_row_that_one_may_lack_is_read_in_the_other(
    warnings: tuple[str, ...], is_asked: bool
) -> None:
    first = reading_of(WHOLE.rpartition("/")[0], warnings=warnings)
    second = reading_of(turned(WHOLE, 1), at=(310.0, 120.0))
    (kingdom,) = combine_photos([photo_of(first), photo_of(second)]).kingdoms
    assert bool(kingdom.doubtful) is is_asked
    assert is_asked or str(kingdom.kingdom) == WHOLE


def test_a_hole_that_a_half_needs_is_asked_about_though_both_show_it_bare() -> None:
    lacking = with_label(WHOLE, (0, 0), ".")
    both = [photo_of(reading_of(lacking)), photo_of(reading_of(turned(lacking, 1)))]
    (kingdom,) = combine_photos(both).kingdoms
    assert str(kingdom.kingdom) == lacking
    assert kingdom.doubtful == ((0, 0),)
    assert kingdom.squares[0][0].reason == "hidden"
    assert kingdom.warnings == ("hidden",)


def test_a_half_without_a_hole_beside_it_is_told() -> None:
    lacking = with_label(WHOLE, (0, 0), "m3")
    both = [photo_of(reading_of(lacking)), photo_of(reading_of(turned(lacking, 1)))]
    (kingdom,) = combine_photos(both).kingdoms
    assert (0, 0) in kingdom.unpaired
    assert kingdom.warnings == ("hidden",)
    # Where both are cut off the other half may lie beyond the edge, which is told already.
    cut = with_label(WHOLE.rpartition("/")[0] + "/. . . . .", (0, 0), "m3")
    edge: dict[Position, str | None] = {(4, column): "cut_off" for column in range(5)}
    readings = [reading_of(cut, edge, at, warnings=("cut_off",)) for at in (AT, (310.0, 120.0))]
    (kingdom,) = combine_photos([photo_of(each) for each in readings]).kingdoms
    assert (0, 0) in kingdom.unpaired
    assert kingdom.warnings == ("cut_off",)


def test_different_kingdoms_stay_two() -> None:
    both = combine_photos([photo_of(reading_of(WHOLE)), photo_of(reading_of(OTHER))])
    assert {str(each.kingdom) for each in both.kingdoms} == {WHOLE, OTHER}
    assert sorted(each.photos for each in both.kingdoms) == [(0,), (1,)]
    assert all(each.warnings == () for each in both.kingdoms)


def test_kingdoms_of_one_table_are_each_found_again_in_another_order() -> None:
    near, far = AT, (550.0, 300.0)
    first = photo_of(reading_of(WHOLE, at=near), reading_of(OTHER, at=far))
    second = photo_of(reading_of(turned(OTHER, 1), at=near), reading_of(turned(WHOLE, 1), at=far))
    both = combine_photos([first, second, first])
    assert {str(each.kingdom): each.photos for each in both.kingdoms} == {
        WHOLE: (0, 1),
        OTHER: (0, 1),
    }


def test_what_no_photograph_shows_surely_stays_asked() -> None:
    """However many there are: the same light may deceive all of them."""
    first = reading_of(WHOLE, {(1, 1): None, (3, 3): None})
    reasons = ("glare", "dark", "dark", "dark")
    others = [
        reading_of(WHOLE, {(1, 1): reason}, at=(90.0 * k, 90.0))
        for k, reason in enumerate(reasons, 1)
    ]
    (kingdom,) = combine_photos([photo_of(first), *map(photo_of, others)]).kingdoms
    assert kingdom.probabilities is not None
    assert kingdom.squares[1][1].probability > 0.99
    assert kingdom.doubtful == ((1, 1),)
    assert kingdom.squares[1][1].reason == "glare"


def test_the_same_picture_twice_says_nothing_new() -> None:
    once = photo_of(reading_of(WHOLE, {(1, 1): None}))
    (kingdom,) = combine_photos([once, once]).kingdoms
    assert kingdom.doubtful == ((1, 1),)
    assert kingdom.photos == (0,)


@pytest.mark.parametrize("number", [0, 1])
def test_the_picture_of_which_one_kingdom_was_kept_says_nothing_new(number: int) -> None:
    table = photo_of(reading_of(WHOLE, at=(90.0, 300.0)), reading_of(OTHER, at=(550.0, 300.0)))
    kept = table.kingdoms[number]
    both = combine_photos([photo_of(kept), table])
    assert [(each.kingdom, each.photos) for each in both.kingdoms] == [(kept.kingdom, (0,))]


def test_a_picture_of_another_size_is_another_one() -> None:
    once = reading_of(WHOLE)
    both = combine_photos([photo_of(once), photo_of(once, size=(800, 900))])
    assert [each.photos for each in both.kingdoms] == [(0, 1)]


def test_where_two_are_sure_of_different_things_a_person_is_asked() -> None:
    second = reading_of(with_label(WHOLE, (4, 1), "f1"), at=(100.0, 90.0))
    (kingdom,) = combine_photos([photo_of(reading_of(WHOLE)), photo_of(second)]).kingdoms
    assert kingdom.doubtful == ((4, 1),)
    square = kingdom.squares[4][1]
    assert {square.label, square.runner_up} == {"w1", "f1"}


def test_a_domino_that_only_one_shows_on_the_bare_table_is_asked_about() -> None:
    more = "/".join(f"{row} {label}" for row, label in zip(WHOLE.split("/"), "ww...", strict=True))
    (kingdom,) = combine_photos([photo_of(reading_of(WHOLE)), photo_of(reading_of(more))]).kingdoms
    assert set(kingdom.doubtful) >= {(0, 5), (1, 5)}


def cut_at(column: int, *, left: bool) -> KingdomReading:
    """The kingdom cut off by the left or right side of the picture at a column."""
    rows = [row[column:] if left else row[:column] for row in rows_of(WHOLE)]
    at = (0.0, 300.0) if left else (float(SIZE[0] - column * SIDE_PX), 300.0)
    return reading_of("/".join(" ".join(row) for row in rows), at=at, warnings=("cut_off",))


def test_two_parts_that_overlap_are_a_whole() -> None:
    parts = [photo_of(cut_at(4, left=False)), photo_of(cut_at(1, left=True))]
    (kingdom,) = combine_photos(parts).kingdoms
    assert str(kingdom.kingdom) == WHOLE
    assert not kingdom.doubtful
    assert "cut_off" not in kingdom.warnings


def test_two_parts_of_a_wide_picture_are_a_whole() -> None:
    """One shows the upper rows at its lower edge, the other the lower ones at its upper edge."""
    rows, size = WHOLE.split("/"), (900, 500)
    parts = [
        photo_of(reading_of("/".join(shown), at=(100.0, top)), size=size)
        for shown, top in ((rows[:4], 300.0), (rows[1:], 0.0))
    ]
    (kingdom,) = combine_photos(parts).kingdoms
    assert str(kingdom.kingdom) == WHOLE
    assert not kingdom.doubtful


def test_nothing_is_known_of_what_lies_beyond_the_horizon() -> None:
    """Drawn on, the rows that are cut off would lie in the picture again, and look bare."""
    lower = "/".join(WHOLE.split("/")[3:])
    steep = np.array([[50, 450, 405], [0, 300, 370], [0, 1, 0.9]])
    first = replace(reading_of(lower), homography=steep)
    (kingdom,) = combine_photos([photo_of(first), photo_of(reading_of(WHOLE))]).kingdoms
    assert str(kingdom.kingdom) == WHOLE
    assert not kingdom.doubtful


def test_a_kingdom_that_lies_on_itself_in_several_ways_is_not_put_together() -> None:
    alike = "f w f/w c w/f w f"
    again = reading_of(alike, at=(90.0, 90.0))
    both = combine_photos([photo_of(reading_of(alike)), photo_of(again)])
    assert [each.photos for each in both.kingdoms] == [(0,), (1,)]
    assert all("maybe_same" in each.warnings for each in both.kingdoms)


def test_a_side_that_no_picture_shows_stays_cut_off() -> None:
    parts = [photo_of(cut_at(4, left=False)), photo_of(cut_at(3, left=False))]
    (kingdom,) = combine_photos(parts).kingdoms
    assert kingdom.kingdom.width == 4
    assert "cut_off" in kingdom.warnings


def test_a_row_that_the_edge_leaves_open_in_both_is_still_cut_off() -> None:
    rows = "/".join(" ".join([*row[:4], "."]) for row in rows_of(WHOLE))
    asked = {(row, 4): "cut_off" for row in range(5)}
    part = reading_of(rows, asked, at=(SIZE[0] - 4.3 * SIDE_PX, 300.0), warnings=("cut_off",))
    other = reading_of(rows, asked, at=(SIZE[0] - 4.3 * SIDE_PX, 90.0), warnings=("cut_off",))
    (kingdom,) = combine_photos([photo_of(part), photo_of(other)]).kingdoms
    assert kingdom.doubtful == tuple(asked)
    assert "cut_off" in kingdom.warnings


def test_three_photographs_of_which_the_outer_ones_share_nothing() -> None:
    wide = "/".join(f"{a} {b}" for a, b in zip(WHOLE.split("/"), OTHER.split("/"), strict=True))
    wide = with_label(wide, (2, 7), "m")
    rows = rows_of(wide)
    parts = [(0, 5), (2, 8), (5, 10)]
    photos = [
        photo_of(
            reading_of("/".join(" ".join(row[low:high]) for row in rows), at=(0.0, 300.0),
                       warnings=("cut_off",)),
            size=((high - low) * SIDE_PX, 900),
        )
        for low, high in parts
    ]  # fmt: skip
    (kingdom,) = combine_photos(photos).kingdoms
    assert str(kingdom.kingdom) == wide
    assert kingdom.photos == (0, 1, 2)


def test_too_little_to_tell_is_told_and_not_mixed() -> None:
    again = reading_of("c w w", at=(90.0, 90.0))
    both = combine_photos([photo_of(reading_of("c w w")), photo_of(again)])
    assert [str(each.kingdom) for each in both.kingdoms] == ["c w w", "c w w"]
    assert all("maybe_same" in each.warnings for each in both.kingdoms)


def test_of_two_that_look_alike_none_is_taken_for_the_other() -> None:
    alike = [reading_of("c w1 w/f f s1", at=(at, 300.0)) for at in (50.0, 500.0)]
    again = reading_of("c w1 w/f f s1", at=(90.0, 90.0))
    both = combine_photos([photo_of(*alike), photo_of(again)])
    assert sorted(each.photos for each in both.kingdoms) == [(0,), (0,), (1,)]
    assert all("maybe_same" in each.warnings for each in both.kingdoms)
    (alone,) = combine_photos([photo_of(alike[0]), photo_of(again)]).kingdoms
    assert alone.photos == (0, 1)


def test_castles_of_other_colours_speak_against_one_kingdom() -> None:
    small = "c w w f/. . . l"
    *same, other = (
        combine_photos(
            [
                photo_of(reading_of(small, castle_colour=first)),
                photo_of(reading_of(small, castle_colour=second, at=(90.0, 90.0))),
            ]
        )
        for first, second in (("blue", "blue"), ("blue", None), (None, "blue"), ("blue", "pink"))
    )
    assert [[each.photos for each in both.kingdoms] for both in same] == 3 * [[(0, 1)]]
    assert [each.photos for each in other.kingdoms] == [(0,), (1,)]


def test_a_piece_of_a_kingdom_is_no_second_one() -> None:
    """In the first photograph a hand lies between the kingdom and its last row."""
    upper = "/".join(WHOLE.split("/")[:4])
    piece = reading_of(WHOLE.split("/")[4], at=(AT[0] + 4, AT[1] + 4 * SIDE_PX + 3))
    main = reading_of(upper + "/. . . . .", dict.fromkeys([(4, c) for c in range(5)], "hidden"))
    first = photo_of(replace(main, warnings=("hidden",)), piece)
    (kingdom,) = combine_photos([first, photo_of(reading_of(turned(WHOLE, 2)))]).kingdoms
    assert str(kingdom.kingdom) == WHOLE
    assert not kingdom.doubtful


def test_another_kingdom_at_the_place_of_one_in_another_photograph_is_no_piece_of_it() -> None:
    second = photo_of(reading_of(turned(WHOLE, 1), at=(550.0, 300.0)), reading_of("c s m", at=AT))
    both = combine_photos([photo_of(reading_of(WHOLE, at=AT)), second])
    assert [str(each.kingdom) for each in both.kingdoms] == [WHOLE, "c s m"]


def test_a_photograph_that_cannot_be_read_is_left_out() -> None:
    (kingdom,) = combine_photos([None, photo_of(reading_of(WHOLE))]).kingdoms
    assert kingdom.photos == (1,)
    with pytest.raises(ValueError, match="a reading"):
        combine_photos([None, None])


def covered(rgb: NDArray[np.uint8], corners: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The picture with a grey card on a square."""
    card = corners.mean(0) + 1.1 * (corners - corners.mean(0))
    return np.asarray(cv2.fillConvexPoly(rgb.copy(), card.astype(np.int32), (96, 110, 128)))


def test_two_pictures_of_a_sample_are_read_as_one() -> None:
    sample = decode(SAMPLES / "turned-30.jpg").rgb
    (whole,) = read_kingdoms(sample).kingdoms
    first = covered(sample, whole.square_corners((0, 0)))
    second = np.ascontiguousarray(np.rot90(covered(sample, whole.square_corners((4, 4)))))
    assert read_kingdoms(first).kingdoms[0].doubtful
    assert read_kingdoms(second).kingdoms[0].doubtful
    (kingdom,) = default_reader().read([first, second]).kingdoms
    assert kingdom.kingdom == whole.kingdom
    assert not kingdom.doubtful
    np.testing.assert_allclose(kingdom.corners, whole.corners, atol=3)
    nothing = np.full((300, 300, 3), 128, np.uint8)
    assert read_kingdoms((nothing, first)).kingdoms[0].photos == (1,)
    with pytest.raises(PhotoError, match="no_kingdom"):
        Reader().read([nothing, nothing])


def test_of_readings_without_evidence_the_flags_alone_count() -> None:
    """As where a person has set the frame, or a reading was kept long ago."""
    first = replace(reading_of(WHOLE, {(0, 0): None}), probabilities=None)
    second = reading_of(turned(WHOLE, 3))
    (kingdom,) = combine_photos([photo_of(first), photo_of(second)]).kingdoms
    assert str(kingdom.kingdom) == WHOLE
    assert not kingdom.doubtful
    assert kingdom.kingdom == Kingdom.parse(WHOLE)


@pytest.mark.parametrize("certain", [True, False])
def test_another_reading_is_offered_only_where_the_grid_is_not_certain(certain: bool) -> None:
    first, second = (
        reading_of(each, lattice_certain=certain and number == 0, next_best=reading_of(OTHER))
        for number, each in enumerate((WHOLE, turned(WHOLE, 1)))
    )
    (kingdom,) = combine_photos([photo_of(first), photo_of(second)]).kingdoms
    assert kingdom.lattice_certain is certain
    assert (kingdom.next_best is None) is certain


def test_a_square_that_is_half_hidden_in_both_is_read_and_asked_about() -> None:
    hidden: dict[Position, str | None] = {(4, 4): "hidden"}
    first = reading_of(WHOLE, hidden)
    second = reading_of(turned(WHOLE, 2), {(0, 0): "hidden"}, at=(310.0, 120.0))
    (kingdom,) = combine_photos([photo_of(first), photo_of(second)]).kingdoms
    assert str(kingdom.kingdom) == WHOLE
    assert kingdom.doubtful == ((4, 4),)
    assert kingdom.squares[4][4].reason == "hidden"


def test_what_any_photograph_warns_of_is_told_once_in_the_size_of_the_first() -> None:
    first = photo_of(reading_of(WHOLE))
    second = photo_of(reading_of(turned(WHOLE, 1)), size=(1600, 1200))
    told = replace(second, warnings=("other_squares",))
    both = combine_photos([None, first, told])
    assert len(both.kingdoms) == 1
    assert both.warnings == ("other_squares",)
    assert (both.width, both.height) == SIZE


@pytest.mark.parametrize(
    ("colours", "told"),
    [((None, "blue"), "blue"), (("blue", None), "blue"), (("blue", "pink"), None)],
)
def test_a_castle_has_the_colour_that_all_name_who_know_it(
    colours: tuple[str | None, str | None], told: str | None
) -> None:
    first, second = (
        photo_of(reading_of(turned(WHOLE, quarters), castle_colour=colour))
        for quarters, colour in enumerate(colours)
    )
    (kingdom,) = combine_photos([first, second]).kingdoms
    assert kingdom.castle_colour == told


def test_a_grid_is_certain_where_any_photograph_shows_it_so() -> None:
    first = photo_of(reading_of(WHOLE, lattice_certain=False))
    second = photo_of(reading_of(turned(WHOLE, 1)))
    (kingdom,) = combine_photos([first, second]).kingdoms
    assert kingdom.lattice_certain
    assert not kingdom.doubtful
