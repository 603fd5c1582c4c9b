"""The second look: from straight above, compared with the first."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.common.geometry import project
from vision.pip_dominoes import Reader, read_dominoes
from vision.pip_dominoes.candidates import Candidates
from vision.pip_dominoes.detect import Detections, _plane_of, both_looks, look_again, match
from vision.pip_dominoes.weights import Weights

SAMPLES = Path(__file__).parents[3] / "sample_images" / "pip_dominoes"
BOX = np.array([(0.0, 0.0), (80.0, 0.0), (80.0, 40.0), (0.0, 40.0)])
Floats = NDArray[np.float64]


def seen(*corners: Floats, exists: float | Floats = 0.99) -> Candidates:
    count = len(corners)
    numbers, shares, none = np.full((count, 2, 19), 1 / 19), np.full(count, 0.7), np.zeros(count)
    return Candidates(
        np.stack(corners), shares, numbers, numbers, shares, none, shares, none + exists
    )


def looked(
    corners: Floats, scores: Floats, bodies: float = 0.0, view: Floats | None = None
) -> Detections:
    """A look of which the map of bodies, 40 by 30, is the same everywhere."""
    everywhere = np.full((30, 40), bodies, np.float32)
    return Detections(corners, scores, everywhere, np.eye(3) if view is None else view, 1.0)


def test_bodies_are_as_likely_as_both_looks_say_where_both_see() -> None:
    half_as_large = np.array([(0.5, 0, -5), (0, 0.5, -5), (0, 0, 1)])
    first = looked(BOX[None], np.ones(1), 0.2)
    second = looked(BOX[None], np.ones(1), 0.8, half_as_large)
    both = both_looks(first, second)
    np.testing.assert_allclose(both.bodies[12:, 12:], 0.5, atol=1e-6)
    np.testing.assert_allclose(both.bodies[:9, :9], 0.2, atol=1e-6)
    np.testing.assert_array_equal(first.bodies, np.float32(0.2))


def test_what_both_looks_show_agrees() -> None:
    second = looked(np.stack([BOX + 2.0, BOX + (300.0, 0.0)]), np.array([0.6, 0.4]))
    both = match(seen(BOX, BOX + (0.0, 200.0)), second, 0.9)
    np.testing.assert_allclose(both.first.rescored, [0.6, 0.0])
    # The second was not seen before; the first is good enough as it is.
    assert both.rows.tolist() == [1]
    assert both.scores.tolist() == [0.0]


def test_another_frame_of_what_is_not_sure_is_looked_at_too() -> None:
    second = looked(BOX[None] + 2.0, np.array([0.6]))
    both = match(seen(BOX, exists=0.5), second, 0.9)
    assert both.rows.tolist() == [0]
    assert both.scores.tolist() == [0.7]
    alone = match(Candidates.nothing(), second, 0.9)
    assert (alone.rows.tolist(), alone.scores.tolist()) == ([0], [0.0])


def test_where_few_are_sure_those_that_may_be_dominoes_lead_the_second_look() -> None:
    reader = Reader()
    doubt = reader.settings.doubt
    maybe = (doubt.missed_exists + doubt.exists) / 2
    for sure, led in ((2, 3), (4, 4)):
        boxes = [BOX + (0.0, 200.0 * row) for row in range(sure + 1)]
        found = seen(*boxes, exists=np.array([*[0.99] * sure, maybe]))
        assert len(reader._sure(found)) == led


def test_frames_may_overlap_by_as_much_as_the_reader_is_told() -> None:
    """For what leads the second look, and for what is read."""
    shipped = Reader()
    crossing = seen(BOX, BOX + (60.0, 0.0))
    for most, kept in ((0.3, 2), (0.2, 1)):
        reader = Reader(shipped.weights, replace(shipped.settings, overlap=most))
        assert len(reader._sure(crossing)) == kept
        assert len(reader._likely(crossing)[0]) == kept


def leaning(rgb: NDArray[np.uint8], tilt_deg: float) -> tuple[NDArray[np.uint8], Floats]:
    """The picture as a low camera sees it, and the homography (3, 3) to it."""
    height, width = rgb.shape[:2]
    tilt, middle = (
        np.radians(tilt_deg),
        np.array([(1, 0, -width / 2), (0, 1, -height / 2), (0, 0, 1)]),
    )
    far = -np.sin(tilt) / (1.3 * max(height, width))
    view = np.array([(1, 0, 0), (0, np.cos(tilt), 0), (0, far, 1)]) @ middle
    edge = project(np.array([(0, 0), (width, 0), (width, height), (0, height)]), view)
    scale = 1600 / float(np.ptp(edge, axis=0).max())
    low = edge.min(0) * scale
    view = np.array([(scale, 0, -low[0]), (0, scale, -low[1]), (0, 0, 1)]) @ view
    size = np.ceil(np.ptp(edge, axis=0) * scale).astype(int)
    tilted = cv2.warpPerspective(
        rgb, view, (int(size[0]), int(size[1])), flags=cv2.INTER_AREA, borderValue=(90, 90, 90)
    )
    return np.asarray(tilted, np.uint8), np.asarray(view)


def sample(name: str) -> NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(SAMPLES / f"{name}.jpg"), cv2.IMREAD_COLOR_RGB), np.uint8)


@pytest.mark.parametrize("name", ["classic", "fifteen"])
def test_a_low_camera_sees_the_same_hand(name: str) -> None:
    plain = read_dominoes(SAMPLES / f"{name}.jpg")
    low = read_dominoes(leaning(sample(name), 58)[0])
    assert Counter(low.tiles) == Counter(plain.tiles)


def test_from_above_dominoes_lie_where_they_are_in_the_picture() -> None:
    plain = read_dominoes(SAMPLES / "classic.jpg")
    rgb, view = leaning(sample("classic"), 50)
    there = np.stack([domino.corners for domino in plain.dominoes])
    moved = project(there.reshape(-1, 2), view).reshape(-1, 4, 2)
    # Four are enough to tell how the table lies, three are not.
    assert _plane_of(seen(*moved[:4]), 4) is not None
    assert _plane_of(seen(*moved[:3]), 4) is None
    second = look_again(rgb, seen(*moved), Weights.load().locator)
    assert second.plane is not None
    assert second.plane.residuals.max() < 0.1
    for box in moved:
        gaps = np.linalg.norm(second.corners.mean(1) - box.mean(0), axis=1)
        assert gaps.min() < 0.15 * np.linalg.norm(box[0] - box[2])


def test_around_few_dominoes_the_picture_itself_is_searched_again() -> None:
    """Too few for a plane; what is found lies in the pixels of the whole picture."""
    plain = read_dominoes(SAMPLES / "classic.jpg")
    few = sorted((each.corners for each in plain.dominoes), key=lambda box: -box.sum())[:2]
    second = look_again(sample("classic"), seen(*few), Weights.load().locator)
    assert second.plane is None
    assert len(second.scores) == len(second.corners)
    for box in few:
        gaps = np.linalg.norm(second.corners.mean(1) - box.mean(0), axis=1)
        assert gaps.min() < 0.15 * np.linalg.norm(box[0] - box[2])
        assert second.scores[gaps.argmin()] > 0.5
