"""A second crown is printed where the game prints it, on squares however they lie."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Square
from training.kingdomino.render import render_square
from training.kingdomino.tiles import Crown, CrownStamp, add_two_crowns

SIDE = 96


def drawn(label: str, seed: int = 4) -> NDArray[np.uint8]:
    return render_square(Square.parse(label), SIDE, np.random.default_rng(seed))


def white(picture: NDArray[np.uint8], crown: Crown, centre: tuple[float, float]) -> float:
    """How white the picture is around ``centre`` (x, y) of the turned square."""
    x, y = (round(at) for at in centre)
    turned = np.rot90(picture, crown.turns)
    return float(turned[max(y - 10, 0) : y + 10, max(x - 12, 0) : x + 12].min(2).mean())


@pytest.fixture(scope="module")
def stamp() -> CrownStamp:
    return CrownStamp([upright_lake(seed) for seed in range(3)], SIDE)


def upright_lake(seed: int) -> NDArray[np.uint8]:
    """A drawn lake with its crown at the upper left, as all of the box's lie on their dominoes."""
    lake = drawn("l1", seed)
    to_the_left = lake[:36, :48].min(2).mean() > lake[:36, 48:].min(2).mean()
    return lake if to_the_left else np.ascontiguousarray(lake[:, ::-1])


@pytest.mark.parametrize("label", ["w1", "f1", "l1"])
@pytest.mark.parametrize("turns", range(4))
def test_the_second_crown_lies_beside_the_first(stamp: CrownStamp, label: str, turns: int) -> None:
    picture = np.rot90(drawn(label, turns), turns).copy()
    crown = stamp.find(picture)
    assert crown is not None
    x, y = crown.centre
    # Drawn crowns lie 0.275 of a square apart, from the outer corner inwards.
    beside = (x + 0.275 * SIDE * (1 if x < SIDE / 2 else -1), y)
    two = stamp.add(picture, crown)
    assert white(two, crown, beside) > white(picture, crown, beside) + 25
    np.testing.assert_allclose(white(two, crown, crown.centre), white(picture, crown, (x, y)), 0.1)
    lower = np.rot90(two, crown.turns)[SIDE // 2 :]
    np.testing.assert_array_equal(lower, np.rot90(picture, crown.turns)[SIDE // 2 :])


@pytest.mark.parametrize("label", ["w1", "f1", "l1"])
def test_a_moved_crown_is_still_one(stamp: CrownStamp, label: str) -> None:
    picture = drawn(label)
    crown = stamp.find(picture)
    assert crown is not None
    x, y = crown.centre
    moved = stamp.move(picture, crown)
    assert white(moved, crown, (SIDE - 1 - x, y)) > white(picture, crown, (SIDE - 1 - x, y)) + 25
    assert white(moved, crown, (x, y)) < white(picture, crown, (x, y)) - 25


def test_decoys_keep_the_crown_and_change_the_place_beside_it(stamp: CrownStamp) -> None:
    picture = drawn("l1")
    crown = stamp.find(picture)
    assert crown is not None
    corner = np.s_[4:26, 8:26] if crown.centre[0] < SIDE / 2 else np.s_[4:26, -26:-8]
    for seed in range(6):
        decoy = stamp.add_decoy(picture, crown, np.random.default_rng(seed))
        assert (decoy != picture).any()
        assert np.abs(decoy[corner].astype(int) - picture[corner]).mean() < 25


@pytest.mark.parametrize("label", ["w", "f", "l", "g", "s"])
def test_squares_without_a_crown_have_none(stamp: CrownStamp, label: str) -> None:
    assert stamp.find(drawn(label)) is None


def test_what_the_giants_have_is_made_from_the_squares_at_hand(stamp: CrownStamp) -> None:
    labels = {
        "19": ("w1", "f"), "24": ("f1", "w"), "30": ("l1", "w"), "36": ("w", "g1"),
        "49": ("w2", "f1"), "50": ("f2", "l1"), "51": ("l2", "g1"),
    }  # fmt: skip
    lake = upright_lake(0)
    parts = {"w1": drawn("w1"), "f1": drawn("f1"), "l1": lake} | {k: drawn(k) for k in "wf"}
    parts["g1"] = drawn("g1")
    dominoes = {
        number: [np.hstack([parts[left], parts[right]])] * 2
        for number, (left, right) in labels.items()
        if int(number) < 49
    }
    squares = {"w1": [drawn("w1", seed) for seed in range(5, 9)]}
    add_two_crowns(labels, dominoes, squares, np.random.default_rng(1))
    # Two halves of dominoes, and the squares at hand: those that are held out are not among them.
    assert {label: len(squares[label]) for label in ("w2", "f2", "l2")} == {
        "w2": 6, "f2": 2, "l2": 2,
    }  # fmt: skip
    assert [len(dominoes[number]) for number in ("49", "50", "51")] == [2, 2, 2]
    # The crown of a right half lies to the right.
    for number in ("49", "50"):
        crown = stamp.find(np.ascontiguousarray(dominoes[number][0][:, SIDE:]))
        assert crown is not None
        assert crown.centre[0] > SIDE / 2
