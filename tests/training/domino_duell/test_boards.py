from __future__ import annotations

from pathlib import Path

import numpy as np

from scorer.domino_duell import DEFAULT_SHAPE
from training.domino_duell.scenes import (
    HARSH,
    LEAST_WOOD_DISTANCE,
    OTHER_MATERIALS,
    board_patches,
    stored_boards,
    training_settings,
)
from vision.domino_duell.detect import places_of
from vision.domino_duell.weights import NOTHING, STONE


def test_patches_of_a_board_have_their_truth_and_place() -> None:
    patches, truth, places = board_patches(3, 0)
    count = len(DEFAULT_SHAPE.hollows)
    assert patches.shape == (len(truth), 32, 32, 3)
    assert len(truth) == len(places) == count + 20
    np.testing.assert_allclose(places[:count], places_of(DEFAULT_SHAPE), atol=1e-5)
    assert (truth[:count, 0] != NOTHING).all()
    assert (truth[count:, 0] == NOTHING).all()
    assert ((truth[:, 1:] >= 0).all(1) == (truth[:, 0] == STONE)).all()
    stones = truth[truth[:, 0] == STONE]
    assert len(np.unique(stones, axis=0)) == len(stones)


def test_each_board_is_the_same_whoever_draws_it(tmp_path: Path) -> None:
    boards = stored_boards(tmp_path, 2, seed=3)
    for index in range(2):
        np.testing.assert_array_equal(boards.patches[index], board_patches(3, index)[0])
    assert (boards.patches[0] != boards.patches[1]).any()


def test_held_out_woods_and_outlines_are_never_drawn() -> None:
    rng = np.random.default_rng(0)
    held_out = np.array(OTHER_MATERIALS.woods)
    for _ in range(400):
        settings = training_settings(rng)
        (wood,) = settings.materials.woods
        assert np.linalg.norm(held_out - np.array(wood), axis=1).min() > LEAST_WOOD_DISTANCE
        assert not set(settings.materials.corners) & set(OTHER_MATERIALS.corners)
        assert settings.materials.rim_shares[1] <= OTHER_MATERIALS.rim_shares[0]
        assert settings.light <= 1.1
    assert max(training_settings(rng, HARSH).light for _ in range(50)) > 1.2
