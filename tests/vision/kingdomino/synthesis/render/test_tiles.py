"""Drawn squares, dominoes and flat kingdoms."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from scorer.kingdomino import Kingdom, Square, Terrain
from training.kingdomino.render import CASTLE_RGB, Laying, Style, render_domino, render_kingdom
from training.kingdomino.render.terrain import GROUND
from training.kingdomino.render.tiles import render_square

CASTLE = Square.parse("c")


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_the_same_seed_draws_the_same_picture_and_another_seed_another() -> None:
    left, right = Square.parse("f1"), Square.parse("w")
    first = render_domino(left, right, 64, rng())
    np.testing.assert_array_equal(first, render_domino(left, right, 64, rng()))
    assert np.abs(first.astype(int) - render_domino(left, right, 64, rng(2))).mean() > 3


@pytest.mark.parametrize("size", [24, 63, 96])
def test_shapes(size: int) -> None:
    wheat = Square.parse("w1")
    for square in (wheat, CASTLE):
        picture = render_square(square, size, rng())
        assert picture.shape == (size, size, 3)
        assert picture.dtype == np.uint8
    assert render_domino(wheat, wheat, size, rng()).shape == (size, 2 * size, 3)


@pytest.mark.parametrize("terrain", Terrain)
def test_the_ground_of_each_half_is_that_of_its_terrain(terrain: Terrain) -> None:
    """The commonest colour of a bare square is nearest to the ground of its own terrain."""
    known = [(colour, of) for of, (colour, *_) in GROUND.items()]
    # Dark trees cover more of a forest than its ground.
    known.append(((30, 80, 25), Terrain.FOREST))
    other = Terrain.LAKE if terrain is not Terrain.LAKE else Terrain.WHEAT
    for seed in range(5):
        domino = render_domino(Square(terrain), Square(other), 96, rng(seed), style=Style())
        for half, expected in ((domino[:, 8:80], terrain), (domino[:, 112:184], other)):
            pixels = half.reshape(-1, 3).astype(int)
            away = [np.abs(pixels - colour).sum(axis=1) for colour, _ in known]
            nearest = np.argmin(np.stack(away), axis=0)
            votes = Counter(known[index][1] for index in nearest)
            assert votes.most_common(1)[0][0] is expected


@pytest.mark.parametrize("notation", ["m", "s1", "g2", "m3"])
@pytest.mark.parametrize("right_half", [False, True])
def test_crowns_are_as_many_white_rims_in_the_upper_outer_corner(
    notation: str, right_half: bool
) -> None:
    square, bare = Square.parse(notation), Square.parse("m")
    halves = (bare, square) if right_half else (square, bare)
    domino = render_domino(*halves, 200, rng(4), style=Style())
    band = domino[:56, 200:] if right_half else domino[:56, :200]
    white = (band.min(axis=2) > 225).astype(np.uint8)
    _, _, stats, middles = cv2.connectedComponentsWithStats(white)
    rims = [
        x
        for (x, _), area in zip(middles[1:], stats[1:, cv2.CC_STAT_AREA], strict=True)
        if area > 150
    ]
    assert len(rims) == square.crowns
    if rims:
        assert (max(rims) > 150) if right_half else (min(rims) < 50)


def test_a_giant_hides_its_crown() -> None:
    open_, covered = (
        render_square(Square.parse(text), 200, rng(3), style=Style()) for text in ("g1", "g1!")
    )
    changed = np.abs(open_.astype(int) - covered).sum(axis=2) > 60
    assert 0.02 < changed.mean() < 0.25
    assert not changed[130:].any()


def test_start_tiles_show_the_colour_of_their_player() -> None:
    for name, colour in CASTLE_RGB.items():
        tile = render_square(CASTLE, 96, rng(), castle_colour=name, style=Style())
        near = np.abs(tile.astype(int) - colour).sum(axis=2) < 90
        shares = {
            other: (np.abs(tile.astype(int) - value).sum(axis=2) < 90).mean()
            for other, value in CASTLE_RGB.items()
        }
        assert near.mean() > 0.08
        assert max(shares, key=lambda other: shares[other]) == name


def test_an_empty_square_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected a terrain, got '\.'"):
        render_square(Square.parse("."), 64, rng())
    with pytest.raises(ValueError, match="expected a terrain, got 'c'"):
        render_domino(CASTLE, Square.parse("w"), 64, rng())


def test_a_flat_kingdom_is_opaque_where_squares_are_and_clear_where_none_is() -> None:
    kingdom = Kingdom.parse("w w ./l c f/. g g")
    flat = render_kingdom(kingdom, 40, rng(), laying=Laying(gap=0.05), margin=0.5)
    assert flat.rgba.shape == (160, 160, 4)
    for row in range(3):
        for column in range(3):
            y, x = 40 + 40 * row, 40 + 40 * column
            alpha = flat.rgba[y - 8 : y + 8, x - 8 : x + 8, 3]
            expected = 0 if kingdom[row, column].is_empty else 255
            np.testing.assert_array_equal(alpha, expected)
    assert not flat.rgba[:10].any()
    clear = flat.rgba[..., 3] == 0
    assert not flat.rgba[clear].any()
