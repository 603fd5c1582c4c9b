"""Random layouts are kingdoms that dominoes can make."""

import numpy as np
import pytest

from scorer.kingdomino import BASE_DOMINOES
from training.kingdomino.scenes.kingdoms import random_layout

DOMINOES = {d.number: (str(d.left), str(d.right)) for d in BASE_DOMINOES}


@pytest.mark.parametrize("size", [5, 7])
def test_every_domino_lies_once_inside_and_labels_match(size: int) -> None:
    for seed in range(20):
        layout = random_layout(DOMINOES, np.random.default_rng(seed), size=size, count=24)
        assert layout.labels[layout.castle] == "c"
        assert len({laid.number for laid in layout.laid}) == len(layout.laid)
        covered = [cell for laid in layout.laid for cell in laid.squares]
        assert len(set(covered)) == len(covered) == len(layout.labels) - 1
        assert all(0 <= r < size and 0 <= c < size for r, c in covered)
        for laid in layout.laid:
            assert tuple(layout.labels[cell] for cell in laid.squares) == DOMINOES[laid.number]


def test_a_count_of_none_leaves_the_castle_alone() -> None:
    layout = random_layout(DOMINOES, np.random.default_rng(1), size=5, count=0)
    assert list(layout.labels.values()) == ["c"]
