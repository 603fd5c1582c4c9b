"""Hands over the table: the mask is what they occlude."""

import numpy as np

from training.kingdomino.scenes.things import draw_hand


def test_what_the_mask_calls_hidden_was_painted_over() -> None:
    rng = np.random.default_rng(6)
    for _ in range(12):
        table = np.full((300, 400, 3), (20.0, 200.0, 20.0), np.float32)
        hidden = draw_hand(table, 40.0, rng)
        assert hidden.shape == (300, 400)
        assert 0.01 < float(hidden.mean()) < 0.7
        # Away from the hand and its shadow nothing changes; under it hardly any green is left.
        untouched = np.abs(table - (20.0, 200.0, 20.0)).max(2) < 1
        assert not untouched[hidden > 0.99].any()
        assert untouched[hidden == 0].any()
