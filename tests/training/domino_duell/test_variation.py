from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from scorer.domino_duell import DEFAULT_SHAPE  # noqa: E402 after torch is known to be there
from training.domino_duell.classifier import (  # noqa: E402
    relit,
    turned_patches,
    turned_places,
)
from vision.domino_duell.detect import places_of  # noqa: E402

PLACES = places_of(DEFAULT_SHAPE).astype(np.float32)


def test_turned_places_keep_their_distances() -> None:
    turned = turned_places(PLACES, np.random.default_rng(1))
    before = np.linalg.norm(PLACES[:, None] - PLACES[None], axis=2)
    after = np.linalg.norm(turned[:, None] - turned[None], axis=2)
    np.testing.assert_allclose(after, before, atol=1e-4)
    np.testing.assert_allclose(turned.mean(0), 0, atol=1e-4)


def test_a_turned_patch_has_the_same_middle() -> None:
    patches = torch.zeros(5, 3, 32, 32)
    patches[:, :, 12:20, 12:20] = 1.0
    turned = turned_patches(patches, np.random.default_rng(2))
    assert turned.shape == patches.shape
    assert float(turned[:, :, 15:17, 15:17].min()) > 0.99
    assert float(turned[:, :, 0, 0].max()) < 0.01
    assert not torch.allclose(turned, patches)


def test_light_changes_across_the_board_and_stays_in_range() -> None:
    patches = torch.full((len(PLACES), 3, 32, 32), 0.5)
    spreads = []
    for seed in range(20):
        torch.manual_seed(seed)
        found = relit(patches, PLACES - PLACES.mean(0), np.random.default_rng(seed))
        assert float(found.min()) >= 0
        assert float(found.max()) <= 1
        spreads.append(float(found.mean((1, 2, 3)).std()))
    assert max(spreads) > 0.05
