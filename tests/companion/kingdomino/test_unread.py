from __future__ import annotations

import numpy as np
import pytest

from companion.games.kingdomino.editing import KeptReading, unread_photo
from scorer.kingdomino import Kingdom


@pytest.mark.parametrize("side", [5, 7])
def test_an_empty_grid_lies_in_the_middle_of_the_photo(side: int) -> None:
    reading = unread_photo(1600, 1000, side)
    assert (reading.width, reading.height) == (1600, 1000)
    (kingdom,) = reading.kingdoms
    assert kingdom.kingdom == Kingdom.empty(side, side)
    assert kingdom.doubtful == ()
    expected = [[500, 200], [1100, 200], [1100, 800], [500, 800]]
    assert kingdom.corners == pytest.approx(np.array(expected))


def test_it_is_kept_like_any_reading() -> None:
    kept = KeptReading(unread_photo(1600, 1000).kingdoms[0], "photo", 1600, 1000)
    again = KeptReading.from_data(kept.to_data())
    assert again == kept
    assert again.reading.probabilities is None
