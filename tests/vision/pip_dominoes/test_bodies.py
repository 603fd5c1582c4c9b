"""What was not read and is told: bodies that the locator sees, and what looks like the others."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.common.geometry import fit_plane, project
from vision.pip_dominoes.bodies import alike_bodies, blanks_off, seen_bodies, unread_bodies
from vision.pip_dominoes.detect import Detections
from vision.pip_dominoes.judge import DoubtSettings

BOX = np.array([(100.0, 100.0), (180.0, 100.0), (180.0, 140.0), (100.0, 140.0)])
DOUBT = DoubtSettings()
IVORY, GREEN, RED = (225, 218, 196), (40, 96, 52), (150, 40, 44)
READ = [(60.0, 60.0), (200.0, 60.0), (60.0, 200.0), (340.0, 60.0)]
FREE = (250.0, 220.0)


def found(bodies: np.ndarray) -> Detections:
    return Detections(BOX[None], np.ones(1), bodies, np.diag([0.25, 0.25, 1.0]), 1.0)


def test_a_body_that_nobody_read_is_told() -> None:
    bodies = np.zeros((75, 100), np.float32)
    bodies[25:35, 25:45] = 1
    assert not seen_bodies(found(bodies), BOX[None], DOUBT.body)
    bodies[50:60, 60:80] = 1
    (spot,) = seen_bodies(found(bodies), BOX[None], DOUBT.body)
    np.testing.assert_allclose([spot.min(0), spot.max(0)], [(242, 202), (318, 238)], atol=5)


def test_half_a_domino_at_the_edge_of_the_picture_is_told() -> None:
    bodies = np.zeros((75, 100), np.float32)
    bodies[25:35, 96:] = 0.8
    (spot,) = seen_bodies(found(bodies), BOX[None], DOUBT.body)
    assert spot[:, 0].max() > 380
    bodies[25:35, 60:64] = 0.8
    bodies[25:35, 96:] = 0.0
    assert not seen_bodies(found(bodies), BOX[None], 0.35)


def test_a_body_that_is_faint_all_over_is_told_though_no_spot_of_it_is_large() -> None:
    bodies = np.zeros((75, 100), np.float32)
    bodies[50:60:2, 60:80] = 0.6
    assert seen_bodies(found(bodies), BOX[None], DOUBT.body)


def test_a_few_stray_pixels_are_no_body() -> None:
    bodies = np.zeros((75, 100), np.float32)
    bodies[50:53, 60:66] = 1
    assert not seen_bodies(found(bodies), BOX[None], DOUBT.body)


def box_at(
    place: tuple[float, float], long: float = 80.0, short: float = 40.0
) -> NDArray[np.float64]:
    """A domino that lies along, its first corner at ``place``."""
    return np.array([(0, 0), (long, 0), (long, short), (0, short)]) + place


def table(*others: NDArray[np.float64], colour: tuple[int, int, int] = IVORY) -> NDArray[np.uint8]:
    """A green table with four dominoes of two pips each, and what else lies on it."""
    rgb = np.full((320, 480, 3), GREEN, np.uint8)
    for box in map(box_at, READ):
        cv2.fillConvexPoly(rgb, np.round(box).astype(np.int32), IVORY)
        for x in (20, 60):
            cv2.circle(
                rgb, tuple(np.round(box[0] + (x, 20)).astype(int).tolist()), 5, (20, 20, 20), -1
            )
    for box in others:
        cv2.fillConvexPoly(rgb, np.round(box).astype(np.int32), colour)
    return rgb


def alike(rgb: NDArray[np.uint8]) -> list[NDArray[np.float64]]:
    return alike_bodies(rgb, None, np.array([box_at(place) for place in READ]), DOUBT.misfit)


def blanks_among(
    rgb: NDArray[np.uint8], blank: list[NDArray[np.float64]], numbers: tuple[int, int] = (0, 0)
) -> NDArray[np.float64]:
    """How far off the blanks of these are, beside the four that bear pips."""
    read = np.array([(1, 1)] * len(READ) + [numbers] * len(blank))
    off = blanks_off(rgb, np.array([*map(box_at, READ), *blank]), read)
    assert not off[: len(READ)].any()
    return off[len(READ) :]


def test_the_colour_of_a_blank_is_compared_with_the_nearest_half_with_pips() -> None:
    faces = [box_at(FREE), box_at((440.0, 220.0))]
    red = table(*faces, colour=RED)
    assert blanks_among(red, faces).min() > 40
    assert blanks_among(red, faces, (0, 1)).max() < 1
    assert blanks_among(table(*faces), faces).max() < 1
    assert blanks_off(red, np.array(faces), np.zeros((2, 2), int)).tolist() == [0.0, 0.0]


def test_what_lies_on_a_half_has_its_own_colour_unless_pips_were_read_there() -> None:
    """A card covers the left half; one domino is compared with its own other half."""
    face = box_at(FREE)
    rgb = table(face)
    cv2.fillConvexPoly(rgb, np.round(box_at(FREE, 40)).astype(np.int32), RED)
    assert blanks_among(rgb, [face], (0, 2))[0] > 40
    assert blanks_among(rgb, [face], (0, 0))[0] > 40
    assert blanks_among(rgb, [face], (2, 0))[0] < 1
    assert blanks_off(rgb, face[None], np.array([(0, 2)]))[0] > 40


def test_what_was_read_is_no_body_that_was_not() -> None:
    assert not alike(table())


def test_a_domino_turned_over_is_told_where_it_lies() -> None:
    (spot,) = alike(table(box_at(FREE)))
    np.testing.assert_allclose([spot.min(0), spot.max(0)], [FREE, (330, 260)], atol=6)


def test_a_domino_turned_over_that_touches_two_is_told() -> None:
    """It lies between one above it and one beside it."""
    (spot,) = alike(table(box_at((60.0, 102.0))))
    np.testing.assert_allclose(spot.mean(0), (100, 121), atol=5)


@pytest.mark.parametrize(
    ("other", "colour"),
    [
        (box_at(FREE), RED),
        (box_at(FREE, 80, 80), IVORY),
        (box_at(FREE, 40, 40), IVORY),
        (box_at(FREE, 160, 80), IVORY),
        (box_at(FREE)[[0, 1, 2, 2]], IVORY),
    ],
    ids=["another colour", "a square", "half of one", "twice as large", "a triangle"],
)
def test_what_is_of_another_colour_shape_or_size_is_no_domino(
    other: NDArray[np.float64], colour: tuple[int, int, int]
) -> None:
    assert not alike(table(other, colour=colour))


def test_seen_from_the_side_it_is_told_by_its_shape_in_the_plane() -> None:
    corners = np.array([(0, 0), (480, 0), (480, 320), (0, 320)], np.float32)
    lower = np.array([(330, 60), (630, 60), (960, 480), (0, 480)], np.float32)
    view = np.asarray(cv2.getPerspectiveTransform(corners, lower), np.float64)
    near = box_at((250.0, 250.0))
    rgb = np.asarray(cv2.warpPerspective(table(near), view, (960, 480)), np.uint8)
    read = np.array([project(box_at(place), view) for place in READ])
    nothing = replace(found(np.zeros((120, 240), np.float32)), plane=fit_plane(read, 2.0))
    (spot,) = unread_bodies(rgb, nothing, read, DOUBT)
    np.testing.assert_allclose(spot.mean(0), project(near, view).mean(0), atol=8)
    assert not alike_bodies(rgb, None, read, DOUBT.misfit)


def test_what_both_ways_show_is_told_once() -> None:
    bodies = np.zeros((80, 120), np.float32)
    bodies[55:65, 62:82] = 1
    read = np.array([box_at(place) for place in READ])
    rgb = table(box_at(FREE))
    assert len(unread_bodies(rgb, found(bodies), read, DOUBT)) == 1
    assert len(unread_bodies(rgb, found(bodies * 0), read, DOUBT)) == 1
    assert len(unread_bodies(table(), found(bodies), read, DOUBT)) == 1


def test_a_frame_around_the_picture_and_a_line_to_it_hide_no_body() -> None:
    rgb = table(box_at(FREE))
    cv2.rectangle(rgb, (0, 0), (479, 319), IVORY, 6)
    cv2.line(rgb, (330, 240), (479, 240), IVORY, 2)
    (spot,) = alike(rgb)
    np.testing.assert_allclose(spot.mean(0), (290, 240), atol=6)


def test_on_a_table_of_the_faces_colour_no_spot_is_a_body() -> None:
    """Darker stripes leave a spot of a domino's shape and size."""
    rgb = table()
    rgb[(rgb == GREEN).all(-1)] = IVORY
    x, y = np.round(FREE).astype(int)
    cv2.rectangle(rgb, (x - 6, y - 6), (x + 86, y + 46), GREEN, 10)
    assert not alike(rgb)


def test_a_spot_is_as_large_as_the_body_that_it_shows() -> None:
    """A window of half a domino makes it neither wider nor narrower, upright or lying."""
    for height, width in ((12, 30), (30, 12), (16, 16)):
        bodies = np.zeros((75, 100), np.float32)
        bodies[30 : 30 + height, 50 : 50 + width] = 1
        (spot,) = seen_bodies(found(bodies), BOX[None], DOUBT.body)
        size = np.ptp(spot, axis=0)
        np.testing.assert_allclose(size, (4 * width, 4 * height), atol=9)


def test_at_the_edge_half_a_body_is_as_likely_as_a_whole_one() -> None:
    """The picture goes on as at its edge: the last column counts as often as those before it."""
    bodies = np.zeros((75, 100), np.float32)
    bodies[40:50, 99] = 1.0
    assert not seen_bodies(found(bodies), BOX[None], 0.25)
    bodies[40:50, 95:] = 1.0
    assert seen_bodies(found(bodies), BOX[None], 0.75)


@pytest.mark.parametrize("upright", [False, True])
def test_the_colour_of_a_blank_is_that_of_its_place(upright: bool) -> None:
    """In an upright picture as in a lying one, cut at its edge, and for one of hardly any area."""
    cut, free = box_at((440.0, 220.0)), box_at(FREE)
    rgb, tiny = table(cut, free, colour=RED), box_at((85.0, 85.0), 0.02, 0.01)
    boxes = np.array([box_at(READ[0]), box_at(READ[1]), tiny, cut, free])
    if upright:
        rgb, boxes = np.ascontiguousarray(rgb.transpose(1, 0, 2)), boxes[..., ::-1]
    off = blanks_off(rgb, boxes, np.array([(1, 1)] + [(0, 0)] * 4))
    np.testing.assert_allclose(off[:3], 0, atol=1.0)
    assert off[3:].min() > 40


@pytest.mark.parametrize("grown", [1.25, 1.5])
def test_sides_may_be_off_by_so_much(grown: float) -> None:
    """By the logarithm of how much larger they are, less the rim that blurs into the table."""
    lies = alike_bodies(
        table(box_at(FREE, 80 * grown, 40 * grown)), None,
        np.array([box_at(place) for place in READ]), np.log(grown),
    )  # fmt: skip
    assert len(lies) == 1
    assert not alike_bodies(
        table(box_at(FREE, 80 * grown, 40 * grown)), None,
        np.array([box_at(place) for place in READ]), np.log(grown) - 0.17,
    )  # fmt: skip
