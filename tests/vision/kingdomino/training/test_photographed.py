"""Augmented photographs: whatever the view, the labels stay on their squares."""

import cv2
import numpy as np

from training.kingdomino.scenes.compose import Scene, SeenSquare
from training.kingdomino.scenes.kingdoms import Layout
from training.kingdomino.scenes.photographed import SIZE_PX, augment_scene

SIDE = 100


def chequered() -> Scene:
    """A photograph of 4 x 4 squares, bright wheat beside dark mines, on grey."""
    rgb = np.full((6 * SIDE, 6 * SIDE, 3), 110, np.uint8)
    seen, labels = [], {}
    for row in range(4):
        for column in range(4):
            label = "w" if (row + column) % 2 else "m"
            x, y = (column + 1) * SIDE, (row + 1) * SIDE
            rgb[y : y + SIDE, x : x + SIDE] = 230 if label == "w" else 10
            corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * SIDE + (x, y)
            seen.append(SeenSquare(corners.astype(np.float32), label, 0, (row, column)))
            labels[row, column] = label
    lattice = np.array([[SIDE, 0, SIDE], [0, SIDE, SIDE], [0, 0, 1.0]])
    return Scene(rgb, tuple(seen), (lattice,), (Layout(4, 4, (0, 0), (), labels),))


def test_squares_stay_under_their_labels() -> None:
    scene, rng = chequered(), np.random.default_rng(4)
    compared = 0
    for _ in range(30):
        again = augment_scene(scene, (40.0, 90.0), rng)
        assert again.rgb.shape == (SIZE_PX, SIZE_PX, 3)
        greys: dict[str, list[float]] = {"w": [], "m": []}
        for square in again.seen:
            corners = square.corners
            if (corners > 2).all() and (corners < SIZE_PX - 2).all():
                mask = np.zeros((SIZE_PX, SIZE_PX), np.uint8)
                shrunk = corners.mean(0) + (corners - corners.mean(0)) * 0.6
                cv2.fillConvexPoly(mask, shrunk.astype(np.int32), 1)
                greys[square.label].append(float(again.rgb[mask > 0].mean()))
        if greys["w"] and greys["m"]:
            compared += 1
            assert np.median(greys["w"]) > np.median(greys["m"]) + 20
    assert compared >= 20


def test_the_lattice_moves_with_its_squares() -> None:
    again = augment_scene(chequered(), (40.0, 90.0), np.random.default_rng(9))
    (lattice,) = again.homographies
    for square in again.seen:
        row, column = square.cell
        x, y, w = lattice @ (column, row, 1.0)
        assert np.allclose((x / w, y / w), square.corners[0], atol=0.01)
