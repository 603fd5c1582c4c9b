"""Locating: squares from the maps of the network, at the size that shows them best."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.common.network import encode_frames
from vision.kingdomino.search import (
    CENTRE,
    CLASSES,
    FRAMES,
    GROUNDS,
    MAP_CHANNELS,
    STRIDE,
    LocateSettings,
    Locator,
    find_detections,
    locate,
    locate_in_preview,
    search_at,
)
from vision.photo.decoding import Preview

Floats = NDArray[np.float32]


def maps_with(
    squares: list[tuple[float, float, float, str]], height: int = 64, width: int = 64
) -> Floats:
    """Maps that show squares (x, y, side in pixels, ground)."""
    maps = np.zeros((MAP_CHANNELS, height, width), np.float32)
    maps[CENTRE] = -8
    maps[CLASSES.start] = 4
    rows, columns = np.mgrid[0:height, 0:width]
    for x, y, side, ground in squares:
        column, row = (x + 0.5) / STRIDE - 0.5, (y + 0.5) / STRIDE - 0.5
        near = (columns - column) ** 2 + (rows - row) ** 2
        probability = 0.95 * np.exp(-near / 2)
        maps[CENTRE] = np.maximum(maps[CENTRE], np.log(probability + 1e-4) + 1)
        inside = np.maximum(abs(columns - column), abs(rows - row)) < side / STRIDE / 2
        maps[CLASSES, inside] = 0
        maps[CLASSES.start + GROUNDS.index(ground), inside] = 6
        edges = np.array([[[side, 0.0], [0.0, side]]])
        maps[FRAMES, inside] = encode_frames(edges).T
    return maps


def test_squares_are_found_to_a_fraction_of_a_pixel() -> None:
    given = [(60.0, 70.0, 40.0, "w"), (101.5, 70.0, 40.0, "f"), (60.0, 111.0, 40.0, "c")]
    detections = find_detections(maps_with(given), LocateSettings())
    order = np.lexsort((detections.centres[:, 0], detections.centres[:, 1].round(-1)))
    np.testing.assert_allclose(
        detections.centres[order], [(x, y) for x, y, _, _ in given], atol=0.5
    )
    grounds = [GROUNDS[k] for k in detections.grounds[order].argmax(1)]
    assert grounds == ["w", "f", "c"]
    sides = np.linalg.norm(detections.edges[:, 0], axis=1)
    np.testing.assert_allclose(sides, 40.0, rtol=0.01)


@pytest.mark.parametrize("ground", [".", "?"], ids=["bare", "a thing"])
def test_peaks_on_bare_ground_or_a_thing_are_no_squares(ground: str) -> None:
    maps = maps_with([(60.0, 70.0, 40.0, "w"), (140.0, 70.0, 40.0, ground)])
    assert len(find_detections(maps, LocateSettings())) == 1


def test_nothing_is_found_on_an_empty_table() -> None:
    assert len(find_detections(maps_with([]), LocateSettings())) == 0


class Shown:
    """A network that sees the red squares of a picture, when they are large enough."""

    def __init__(self, least_px: float) -> None:
        self.least_px = least_px
        self.sizes: list[tuple[int, int]] = []

    def __call__(self, batch: Floats) -> Floats:
        _, _, height, width = batch.shape
        self.sizes.append((width, height))
        red = batch[0, 0] > 0.2
        squares = []
        if red.any():
            ys, xs = np.nonzero(red)
            side = (xs.max() - xs.min() + 1) / 3
            if side >= self.least_px:
                squares = [
                    (
                        xs.min() + side * (k + 0.5),
                        (ys.min() + ys.max()) / 2,
                        side,
                        "c" if k == 1 else "w",
                    )
                    for k in range(3)
                ]
        return maps_with(squares, height // STRIDE, width // STRIDE)[None]


@pytest.mark.parametrize(("side", "least_px"), [(120, 8.0), (40, 8.0), (30, 14.0)])
def test_a_row_of_squares_is_found_in_its_place(side: int, least_px: float) -> None:
    photo = np.zeros((1200, 1600, 3), np.uint8)
    photo[500 : 500 + side, 600 : 600 + 3 * side, 0] = 255
    network = Shown(least_px)
    _, lattices = locate(photo, Locator(network))  # type: ignore[arg-type]
    assert len(lattices) == 1
    assert sorted(lattices[0].members) == [(0, 0), (0, 1), (0, 2)]
    corners = lattices[0].points([(0, 0), (3, 0), (3, 1), (0, 1)])
    expected = np.array([[0, 0], [3, 0], [3, 1], [0, 1]]) * side + (600, 500)
    np.testing.assert_allclose(corners, expected, atol=0.15 * side)


def row_of_three(side: int, height: int = 1200, width: int = 1600) -> NDArray[np.uint8]:
    photo = np.zeros((height, width, 3), np.uint8)
    top, left = height // 2, width // 4
    photo[top : top + side, left : left + 3 * side, 0] = 255
    return photo


def searched_at(
    photo: NDArray[np.uint8], least_px: float, settings: LocateSettings | None = None
) -> list[tuple[int, int]]:
    """The sizes at which squares are looked for that show from so many pixels on."""
    network = Shown(least_px)
    locate(photo, Locator(network, settings or LocateSettings()))  # type: ignore[arg-type]
    return network.sizes


SIZES = [(512, 384), (256, 192), (128, 96), (1024, 768)]


def test_where_nothing_shows_other_sizes_are_tried_but_nothing_is_enlarged_by_much() -> None:
    assert searched_at(np.zeros((1200, 1600, 3), np.uint8), 8.0) == SIZES
    assert searched_at(np.zeros((300, 400, 3), np.uint8), 8.0) == SIZES[:3]


@pytest.mark.parametrize(
    ("photo", "least_px", "settings", "closer"),
    [
        (row_of_three(40), 8.0, LocateSettings(zoomed_square_px=44.0), [(352, 256)]),
        (row_of_three(12, 384, 512), 8.0, LocateSettings(), [(128, 96)]),
        (row_of_three(40), 8.0, LocateSettings(max_zoomed_side_px=200), [(192, 160)]),
        (row_of_three(60), 25.0, LocateSettings(), SIZES[1:]),
    ],
    ids=["small ones", "enlarged no more", "no larger part", "large enough at another size"],
)
def test_a_part_with_small_squares_is_searched_closer(
    photo: NDArray[np.uint8],
    least_px: float,
    settings: LocateSettings,
    closer: list[tuple[int, int]],
) -> None:
    assert searched_at(photo, least_px, settings) == [SIZES[0], *closer]


def test_what_was_found_counts_where_a_closer_look_shows_less() -> None:
    class ShownOnce(Shown):
        def __call__(self, batch: Floats) -> Floats:
            return super().__call__(batch * (not self.sizes))

    network = ShownOnce(8.0)
    found = locate(row_of_three(40), Locator(network))  # type: ignore[arg-type]
    assert len(network.sizes) == 2
    assert len(found.lattices[0].members) == 3


@pytest.mark.parametrize("corner", [(0, 0), (-40, -24)])
def test_a_preview_shows_squares_where_the_photo_has_them(corner: tuple[int, int]) -> None:
    photo = np.zeros((1200, 1600, 3), np.uint8)
    photo[480:600, 640:1000, 0] = 255
    # What lies beyond the photo is seen at the left and at the top.
    left, top = corner
    seen = np.pad(photo, ((-top, 0), (-left, 0), (0, 0)))[:1200, :1600]
    small = np.asarray(cv2.resize(seen, (400, 300), interpolation=cv2.INTER_AREA), np.uint8)
    preview = Preview(small, 4, (1600, 1200), corner)
    network = Shown(8.0)
    first = locate_in_preview(preview, Locator(network))  # type: ignore[arg-type]
    found = first.detections
    expected = search_at(photo, Locator(network), (512, 384))  # type: ignore[arg-type]
    assert network.sizes == [(512, 384)] * 2
    for one, other in zip(
        *(sorted(each.centres.tolist()) for each in (found, expected)), strict=True
    ):
        np.testing.assert_allclose(one, other, atol=4)
    np.testing.assert_allclose(np.abs(found.edges).sum(1), 120, rtol=0.05)
    assert found.ground is not None
    corners = np.array([[640.0, 480], [760, 480], [760, 600], [640, 600]])
    inside, above = found.ground.within_each(np.array([corners, corners - (0, 140)]))[:, 0]
    assert inside < 0.1 < 0.8 < above
    again = locate(photo, Locator(network), first)  # type: ignore[arg-type]
    assert len(network.sizes) == 2
    assert again is first
    assert len(again.lattices[0].members) == 3
