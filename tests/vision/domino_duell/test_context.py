from __future__ import annotations

import numpy as np

from scorer.domino_duell import DEFAULT_SHAPE
from vision.domino_duell.detect import places_of
from vision.domino_duell.weights import POSITION_FEATURES, position_features


def test_each_place_has_its_own_features_wherever_the_board_lies() -> None:
    places = places_of(DEFAULT_SHAPE)
    found = position_features(places)
    assert found.shape == (len(places), POSITION_FEATURES)
    assert len(np.unique(found.round(4), axis=0)) == len(places)
    assert np.abs(found).max() < 1.5
    np.testing.assert_allclose(position_features(places + (3.0, -7.0)), found, atol=1e-5)
